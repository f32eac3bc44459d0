#include "ingest/cluster/openb_pods.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

const std::vector<std::string> kFlavors{"T4", "V100M16", "V100M32", "cpu"};

OpenbPods Read(const std::string& text) {
  Result<OpenbPods> pods = ReadOpenbPods("p.csv", text, kFlavors);
  EXPECT_TRUE(pods.has_value()) << pods.error().message;
  return pods.has_value() ? *std::move(pods) : OpenbPods();
}

std::string ErrorOf(const std::string& text) {
  const auto pods = ReadOpenbPods("p.csv", text, kFlavors);
  return pods ? "" : pods.error().message;
}

TEST(OpenbPodsTest, ReadsTheListsOf2023) {
  const OpenbPods pods = Read(
      "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,"
      "deletion_time,scheduled_time\n"
      "a,12000,16384,1,460,V100M16|V100M32,LS,Running,0,12537496,5\n"
      "b,8000,30517,0,0,,BE,Pending,11811762,11827364,\n"
      "c,88000,327680,8,1000,,LS,Running,1,2,1\n");
  ASSERT_EQ(pods.shapes.size(), 3U);
  EXPECT_EQ(pods.shapes[0], (PodShape{12'000, 16'384, 1, 460, 0b110}));
  EXPECT_EQ(pods.shapes[1], (PodShape{8'000, 30'517, 0, 1'000, kAnyFlavor}));
  EXPECT_EQ(pods.shapes[2].gpus, 8);
  EXPECT_EQ(pods.created[0], Seconds(0));
  EXPECT_EQ(pods.scheduled[0], Seconds(5));
  EXPECT_EQ(pods.scheduled[1], std::nullopt);
  EXPECT_EQ(pods.deleted[1], Seconds(11'827'364));
  EXPECT_TRUE(pods.unknown_models.empty());
}

TEST(OpenbPodsTest, ReadsListsOfFiveColumns) {
  const OpenbPods pods = Read("name,cpu_milli,memory_mib,num_gpu,gpu_milli\na,1,2,2,1000\n");
  EXPECT_EQ(pods.shapes[0], (PodShape{1, 2, 2, 1'000, kAnyFlavor}));
  EXPECT_EQ(pods.created[0], std::nullopt);
}

TEST(OpenbPodsTest, ReadsInstancesOf2025) {
  const OpenbPods pods = Read(
      "instance_sn,role,app_name,cpu_request,gpu_request,memory_request,creation_time\n"
      "instance_0,HN,app_0,12,1,120.5,\ninstance_1,CN,app_0,0.5,0,8.0,77\n");
  EXPECT_EQ(pods.shapes[0], (PodShape{12'000, 123'392, 1, 1'000, kAnyFlavor}));
  EXPECT_EQ(pods.shapes[1].cpu_milli, 500);
  EXPECT_EQ(pods.created[1], Seconds(77));
}

TEST(OpenbPodsTest, ModelsThatNoNodeHasAreTold) {
  const OpenbPods pods = Read(
      "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec\n"
      "a,1,1,1,1000,P100|T4\nb,1,1,1,1000,P100\nc,1,1,1,1000,|\nd,1,1,0,0,P100\n");
  EXPECT_EQ(pods.shapes[0].flavors, 0b1U);
  EXPECT_EQ(pods.shapes[1].flavors, 0U);
  EXPECT_EQ(pods.shapes[2].flavors, kAnyFlavor);
  EXPECT_EQ(pods.shapes[3].flavors, kAnyFlavor);
  EXPECT_EQ(pods.unknown_models, (std::vector<std::string>{"P100"}));
  EXPECT_EQ(pods.pods_without_flavor, 1);
}

TEST(OpenbPodsTest, AProfileIsOfOneGpu) {
  const std::string header = "name,cpu_milli,memory_mib,num_gpu,gpu_milli,mig_profile\n";
  const OpenbPods pods = Read(header + "a,1,1,1,1000,3g.40gb\nb,1,1,1,500,\nc,1,1,0,0,1g.10gb\n");
  EXPECT_EQ(pods.mig_profiles, (std::vector<std::string>{"3g.40gb", "", ""}));
  EXPECT_EQ(ErrorOf(header + "a,1,1,2,1000,3g.40gb\n"),
            "p.csv:2: num_gpu '2' must be 1 for a pod with a MIG profile: it gets an instance of "
            "one GPU");
}

TEST(OpenbPodsTest, RefusesPartsThatAreNone) {
  const std::string header = "name,cpu_milli,memory_mib,num_gpu,gpu_milli\n";
  EXPECT_EQ(ErrorOf(header + "a,1,1,2,500\n"),
            "p.csv:2: gpu_milli '500' must be 1000 for a pod of several GPUs: only one GPU is "
            "shared");
  EXPECT_EQ(ErrorOf(header + "a,1,1,1,0\n"),
            "p.csv:2: gpu_milli '0' is no part of a GPU: 1 to 1000, of a pod with num_gpu above 0");
  EXPECT_EQ(ErrorOf(header + "a,1,1,1,1001\n"), "p.csv:2: gpu_milli '1001' is more than 1000");
  EXPECT_EQ(ErrorOf(header + "a,1,1,one,0\n"), "p.csv:2: num_gpu 'one' is no number from 0 on");
  EXPECT_EQ(ErrorOf(header), "p.csv: has no rows");
}

}  // namespace
}  // namespace plimsoll
