#include "cli/training_store.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

TrainingFacts OneJob() {
  TrainingFacts facts;
  facts.workload.queues = {"a"};
  TrainingJob job;
  job.submitted = AtSeconds(1'793'577'600);
  job.run = Hours(1);
  job.shape.gpus = 8;
  facts.workload.jobs = {job};
  facts.cluster.flavors = {"H100"};
  facts.cluster.nodes = {{"n1", 0, 0, 0, 8, {}}};
  facts.cluster.groups.resize(1);
  facts.cluster.groups[0].name = "h100";
  facts.cluster.groups[0].nodes = 1;
  return facts;
}

TEST(TrainingStoreTest, TheHashedTextIsOfAllThatDecides) {
  const std::string text = FactsText(OneJob());
  const auto differs = [&](const auto& change) {
    TrainingFacts facts = OneJob();
    change(facts);
    return FactsText(facts) != text;
  };
  EXPECT_FALSE(differs([](TrainingFacts&) {}));
  EXPECT_TRUE(differs([](TrainingFacts& of) { of.workload.queues[0] = "b"; }));
  EXPECT_TRUE(differs([](TrainingFacts& of) { of.workload.jobs[0].run += Millis(1); }));
  EXPECT_TRUE(differs([](TrainingFacts& of) { of.workload.jobs[0].shape.flavors = 1; }));
  EXPECT_TRUE(differs([](TrainingFacts& of) { of.cluster.nodes[0].gpus = 4; }));
  EXPECT_TRUE(differs([](TrainingFacts& of) { of.cluster.groups[0].name = "x"; }));
}

}  // namespace
}  // namespace plimsoll
