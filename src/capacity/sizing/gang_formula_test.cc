#include "capacity/sizing/gang_formula.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "sim/distributions.h"

namespace plimsoll {
namespace {

// Hosts of 8 GPUs in leaf groups of these sizes.
Cluster LeafGroups(const std::vector<int>& hosts) {
  DomainTree tree({"leaf"});
  std::vector<NodeSpec> nodes;
  for (std::size_t leaf = 0; leaf < hosts.size(); ++leaf) {
    for (int i = 0; i < hosts[leaf]; ++i) {
      const std::vector<std::string> values = {"leaf" + std::to_string(leaf)};
      NodeSpec node{"n" + std::to_string(nodes.size()), 0, 0, 0, 8, tree.Add(values)};
      nodes.push_back(node);
    }
  }
  return Cluster({"h100"}, std::move(tree), std::move(nodes));
}

PodShape Gpus(std::int32_t gpus) {
  PodShape shape;
  shape.gpus = gpus;
  return shape;
}

TEST(GangFormulaTest, GangsInDomainsAreFewerThanByCount) {
  // marin-community/marin#6950: 64 hosts in 15 leaf groups.
  const Cluster cluster = LeafGroups({1, 1, 2, 2, 2, 3, 3, 3, 5, 5, 6, 6, 6, 8, 11});
  EXPECT_EQ(GangServers(cluster, Gpus(8), 4, 0), 9);
  EXPECT_EQ(GangServers(cluster, Gpus(8), 4, std::nullopt), 16);
  EXPECT_EQ(GangServers(cluster, Gpus(8), 8, 0), 2);
  EXPECT_EQ(GangServers(cluster, Gpus(3), 1, std::nullopt), 128);  // two a host
}

TEST(GangFormulaTest, ATakenNodeIsNoPlace) {
  Cluster cluster = LeafGroups({2, 2});
  cluster.Take(0, Gpus(1), cluster.ChooseGpus(0, Gpus(1)));
  EXPECT_EQ(GangServers(cluster, Gpus(8), 2, 0), 1);
  EXPECT_EQ(GangServers(cluster, Gpus(8), 1, 7), 0);  // no such level
}

TrainingJob Job(std::int64_t submitted, std::int64_t run, std::int32_t pods) {
  TrainingJob job;
  job.submitted = AtMillis(submitted);
  job.run = Millis(run);
  job.pods = job.pods_min = pods;
  job.shape.gpus = 8;
  return job;
}

TEST(GangFormulaTest, TheLoadIsGpuTimeInTheCommonestGang) {
  const std::vector<TrainingJob> jobs = {Job(0, 100, 4), Job(50, 100, 4), Job(100, 100, 8)};
  const auto load = LoadOf(jobs);
  ASSERT_TRUE(load);
  EXPECT_EQ(load->gang.pods, 4);
  EXPECT_EQ(load->between_ms, 50);
  EXPECT_EQ(load->run_ms, 100);
  EXPECT_NEAR(load->load, (1 + 1 + 2) * 100 / 3.0 / 50, 1e-12);
  EXPECT_EQ(load->variability.arrivals, 0);
  EXPECT_FALSE(LoadOf(std::vector<TrainingJob>{Job(0, 1, 1)}));
  EXPECT_FALSE(LoadOf(std::vector<TrainingJob>{Job(0, 1, 1), Job(0, 1, 1)}));
}

TEST(GangFormulaTest, DrawnJobsHaveTheLoadThatTheyWereDrawnWith) {
  RandomStream random(1, "jobs", 0);
  std::vector<TrainingJob> jobs;
  double now = 0;
  for (int i = 0; i < 40'000; ++i) {
    now += DrawExponential(random, 1'000'000);
    jobs.push_back(Job(static_cast<std::int64_t>(now),
                       static_cast<std::int64_t>(DrawExponential(random, 3'200'000)), 4));
  }
  const auto load = LoadOf(jobs);
  EXPECT_NEAR(load->load, 3.2, 0.1);
  EXPECT_NEAR(load->variability.arrivals, 1, 0.05);
  EXPECT_NEAR(load->variability.services, 1, 0.05);
  const FormulaAnswer answer = FormulaOf(*load, 4, Millis(3'200'000));
  EXPECT_NEAR(answer.waits, 0.596432, 0.03);
  EXPECT_NEAR(answer.within, 1 - 0.267994, 0.03);
  EXPECT_NEAR(answer.mmc_ms, 0.745541 * 3'200'000, 0.2 * 3'200'000);
  EXPECT_NEAR(answer.allen_cunneen_ms / answer.mmc_ms, 1, 0.05);
  EXPECT_FALSE(answer.kingman_ms);
}

TEST(GangFormulaTest, TooFewServersHaveNoSteadyState) {
  ClassLoad load;
  load.load = 3;
  load.run_ms = 1'000;
  EXPECT_TRUE(std::isinf(FormulaOf(load, 3, Hours(1)).mmc_ms));
  EXPECT_EQ(FormulaOf(load, 3, Hours(1)).within, 0);
  EXPECT_TRUE(std::isinf(FormulaOf(load, 0, Hours(1)).utilization));
  load.load = 0.5;
  EXPECT_NEAR(*FormulaOf(load, 1, Hours(1)).kingman_ms, 1'000, 1e-9);
}

}  // namespace
}  // namespace plimsoll
