#include "purchase/mig/slice_model.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

TEST(SliceModelTest, YamlAndCsvSayTheSame) {
  const auto yaml = ReadSliceModels("m.yaml",
                                    "models:\n"
                                    "  - {name: a, memory_gib: 9.5, replicas: 3}\n"
                                    "  - {name: b, memory_gib: 15, compute_slices: 2, sm_count: 28,"
                                    " bandwidth_percent: 25}\n");
  const auto csv = ReadSliceModels("m.csv",
                                   "name,memory_gib,compute_slices,sm_count,bandwidth_percent,"
                                   "replicas\na,9.5,,,,3\nb,15,2,28,25,1\n");
  ASSERT_TRUE(yaml.has_value()) << yaml.error().message;
  ASSERT_TRUE(csv.has_value()) << csv.error().message;
  EXPECT_EQ(*yaml, *csv);
  EXPECT_EQ((*yaml)[0].memory_mib, 9'728);
  EXPECT_EQ((*yaml)[0].replicas, 3);
}

TEST(SliceModelTest, GibAreRoundedUpToMib) {
  const auto models = ReadSliceModels("m.csv", "name,memory_gib\na,9.5000000001\n");
  ASSERT_TRUE(models.has_value());
  EXPECT_EQ((*models)[0].memory_mib, 9'729);
}

TEST(SliceModelTest, EveryProblemNamesItsPlace) {
  const std::pair<std::string, const char*> cases[] = {
      {"name,memory_gib\n,5\n", "m.csv:2: name: is missing"},
      {"name,memory_gib\na,0\n", "m.csv:2: memory_gib: must be a positive number of GiB"},
      {"name,memory_gib\na,much\n", "memory_gib: must be a positive number of GiB"},
      {"name,memory_gib,replicas\na,1,1.5\n", "replicas: must be a whole number"},
      {"name,memory_gib,compute_slices\na,1,8\n", "compute_slices: must be a whole number from 0"},
      {"name,memory_gib,memory_gb\na,1,1\n", "m.csv:1: memory_gb: is no column"},
      {"name,memory_gib,replicas\na,1,100000\nb,1,1\n", "asks for 100001 instances"},
      {"name,memory_gib\n", "holds no model"}};
  for (const auto& [text, wanted] : cases) {
    const auto models = ReadSliceModels("m.csv", text);
    ASSERT_FALSE(models.has_value()) << text;
    EXPECT_EQ(models.error().code, ErrorCode::kBadData);
    EXPECT_NE(models.error().message.find(wanted), std::string::npos) << models.error().message;
  }
  const auto yaml = ReadSliceModels("m.yaml", "models:\n  - {name: a, memory_gib: 1, mem: 2}\n");
  ASSERT_FALSE(yaml.has_value());
  EXPECT_NE(yaml.error().message.find("mem"), std::string::npos);
}

}  // namespace
}  // namespace plimsoll
