#include "ingest/slurm/tres.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

std::int64_t Gpus(std::string_view text) {
  const auto tres = ParseTres(text);
  return tres ? tres->gpus : -1;
}

TEST(TresTest, GenericCountIsPreferredAndTypedOnesAreSummed) {
  EXPECT_EQ(Gpus(""), 0);
  EXPECT_EQ(Gpus("cpu=64,gres/gpu:h100=16,gres/gpu=16"), 16);
  EXPECT_EQ(Gpus("gres/gpu:a100=2,gres/gpu:v100=3"), 5);
  EXPECT_EQ(Gpus("gres/gpu=4,gres/gpu:a100=2,gres/gpu:v100=2"), 4);
  EXPECT_EQ(Gpus("cpu=8,gres/gpumem=80G,gres/gpuutil=0,gres/gpu=1"), 1);
  EXPECT_EQ(Gpus("gres/shard=2,cpu=1"), 0);
}

TEST(TresTest, RefusesCountsThatAreNoNumbers) {
  EXPECT_FALSE(ParseTres("gres/gpu=two"));
  EXPECT_FALSE(ParseTres("gres/gpu="));
  EXPECT_FALSE(ParseTres("gres/gpu=-1"));
  EXPECT_FALSE(ParseTres("gres/gpu=99999999999999999999"));
  EXPECT_FALSE(ParseTres("mem=lots"));
}

TEST(TresTest, ReadsCpuAndMemory) {
  const auto tres = ParseTres("billing=25,cpu=4,mem=200G,node=2");
  ASSERT_TRUE(tres);
  EXPECT_EQ(tres->cpus, 4);
  EXPECT_EQ(tres->nodes, 2);
  EXPECT_EQ(tres->memory_bytes, 200LL << 30);
}

TEST(TresTest, MemoryUnitsAreBinaryAndDefaultToMebibytes) {
  EXPECT_EQ(*ParseSlurmMemory("514404M"), 514404LL << 20);
  EXPECT_EQ(*ParseSlurmMemory("16"), 16LL << 20);
  EXPECT_EQ(*ParseSlurmMemory("1.5T"), 3LL << 39);
  EXPECT_EQ(*ParseSlurmMemory("0"), 0);
  for (const char* bad : {"", "M", ".5G", "1.2.3G", "12X", "-1G", "9999999999999999E"}) {
    EXPECT_FALSE(ParseSlurmMemory(bad)) << bad;
  }
}

TEST(TresTest, MigTypesAreSlicesOfTheirCard) {
  const auto mig = DevicesOf(*ParseTres("gres/gpu:1g.10gb=2,gres/gpu=2"));
  ASSERT_EQ(mig.size(), 1U);
  EXPECT_EQ(mig[0].unit, (DeviceUnit{"mig-1g.10gb", 1, 7}));
  EXPECT_EQ(mig[0].count, 2);
  const auto named = DevicesOf(*ParseTres("gres/gpu:nvidia_a100_3g.20gb=1"));
  EXPECT_EQ(named[0].unit.kind, "mig-3g.20gb");
  const auto whole = DevicesOf(*ParseTres("gres/gpu:a100-sxm4-80gb=4"));
  EXPECT_EQ(whole[0].unit.kind, "gpu");
  EXPECT_EQ(whole[0].count, 4);
}

TEST(TresTest, TypesThatDoNotAddUpToTheTotalAreWholeGpus) {
  const auto devices = DevicesOf(*ParseTres("gres/gpu:1g.10gb=2,gres/gpu=3"));
  ASSERT_EQ(devices.size(), 1U);
  EXPECT_EQ(devices[0].unit.kind, "gpu");
  EXPECT_EQ(devices[0].count, 3);
}

TEST(GresTest, ReadsTypesSocketsAndNull) {
  EXPECT_EQ(ParseGres("gpu:h100:8(S:0-1)")->gpus, 8);
  EXPECT_EQ(ParseGres("gpu:a100:4(S:0,1),shard:16,gpu:v100:2")->gpus, 6);
  EXPECT_EQ(ParseGres("gpu:4")->gpus, 4);
  EXPECT_EQ(ParseGres("(null)")->gpus, 0);
  EXPECT_EQ(ParseGres("")->gpus, 0);
  EXPECT_FALSE(ParseGres("gpu:h100:many"));
  EXPECT_EQ(GpuTypeOf(*ParseGres("gpu:h100:8(S:0-1)")), "h100");
  EXPECT_EQ(GpuTypeOf(*ParseGres("gpu:a100_1g.5gb:7")), "a100");
  EXPECT_EQ(GpuTypeOf(*ParseGres("gpu:1g.5gb:7")), "");
}

TEST(GresTest, SlicesCountAsTheCardsTheyFill) {
  EXPECT_EQ(CardsOf(*ParseGres("gpu:a100_1g.5gb:7")), 1);
  EXPECT_EQ(CardsOf(*ParseGres("gpu:a100_1g.5gb:8")), 2);
  EXPECT_EQ(CardsOf(*ParseGres("gpu:a100:4")), 4);
  EXPECT_EQ(CardsOf(*ParseGres("gpu:a100_3g.20gb:2,gpu:a100:1")), 2);
}

}  // namespace
}  // namespace plimsoll
