#include "cli/training_quota.h"

#include <gtest/gtest.h>

#include "capacity/queue/queue_simulation.h"
#include "cli/test_training_model.h"
#include "cli/training_targets.h"

namespace plimsoll {
namespace {

// Two teams of one cohort; team-b lends nothing.
constexpr char kQuotas[] = R"(kind: ResourceFlavor
metadata: {name: owned}
apiVersion: kueue.x-k8s.io/v1beta1
---
apiVersion: kueue.x-k8s.io/v1beta1
kind: ResourceFlavor
metadata: {name: h100}
---
apiVersion: kueue.x-k8s.io/v1beta1
kind: ClusterQueue
metadata: {name: team-a}
spec:
  cohort: all
  queueingStrategy: StrictFIFO
  resourceGroups:
  - coveredResources: [nvidia.com/gpu]
    flavors:
    - {name: owned, resources: [{name: nvidia.com/gpu, nominalQuota: 16}]}
    - {name: h100, resources: [{name: nvidia.com/gpu, nominalQuota: 0}]}
---
apiVersion: kueue.x-k8s.io/v1beta1
kind: ClusterQueue
metadata: {name: team-b}
spec:
  cohort: all
  resourceGroups:
  - coveredResources: [nvidia.com/gpu]
    flavors:
    - name: owned
      resources: [{name: nvidia.com/gpu, nominalQuota: 8, borrowingLimit: 4, lendingLimit: 0}]
---
apiVersion: kueue.x-k8s.io/v1beta1
kind: LocalQueue
metadata: {name: research, namespace: a}
spec: {clusterQueue: team-a}
---
apiVersion: kueue.x-k8s.io/v1beta1
kind: LocalQueue
metadata: {name: tests, namespace: a}
spec: {clusterQueue: team-a}
---
apiVersion: kueue.x-k8s.io/v1beta1
kind: LocalQueue
metadata: {name: main, namespace: a}
spec: {clusterQueue: team-a}
---
apiVersion: kueue.x-k8s.io/v1beta1
kind: LocalQueue
metadata: {name: main, namespace: b}
spec: {clusterQueue: team-b}
)";

std::string Replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
  return text;
}

KueueObjects Objects(const std::string& text = kQuotas) {
  const std::vector<KueueFile> files = {{"kueue.yaml", text}};
  const auto objects = ReadKueueObjects(files);
  EXPECT_TRUE(objects) << objects.error().message;
  return *objects;
}

// Its groups `owned` and `spot` are flavors of the simulated cluster.
TrainingModel TwoFlavors() {
  TrainingModel model = TestModel();
  model.fleet = [](const std::vector<std::int64_t>& units) {
    DomainTree tree({"rack"});
    std::vector<NodeSpec> nodes;
    for (std::uint32_t group = 0; group < 2; ++group) {
      for (std::int64_t i = 0; i < units[group]; ++i) {
        const std::vector<std::string> rack = {"r" + std::to_string(nodes.size() / 2)};
        nodes.push_back({"n" + std::to_string(nodes.size()), group, 0, 0, 8, tree.Add(rack)});
      }
    }
    return SimulatedFleet{Cluster({"owned", "spot"}, std::move(tree), std::move(nodes)), {}};
  };
  for (FleetAxis& group : model.groups) group.gpus_per_unit = 8;
  return model;
}

TrainingModel WithQuota(const std::string& text = kQuotas) {
  TrainingModel model = TwoFlavors();
  const auto notes = UseQuota("kueue.yaml", Objects(text), model);
  EXPECT_TRUE(notes) << notes.error().message;
  return model;
}

std::string ErrorOf(const std::string& text, const std::string& queue = "research") {
  TrainingModel model = TwoFlavors();
  model.history.queues = {queue};
  const auto notes = UseQuota("kueue.yaml", Objects(text), model);
  return notes ? "" : notes.error().message;
}

QueueOptions OptionsWith(const std::vector<std::string>& settings) {
  const TrainingModel model = WithQuota();
  TrainingSettings changed = SettingsOf(model);
  for (const std::string& text : settings) {
    const Status status = ApplySetting(model, "--set", text, changed);
    EXPECT_TRUE(status) << status.error().message;
  }
  const auto fleet = FleetOf(model, changed);
  EXPECT_TRUE(fleet) << fleet.error().message;
  return fleet->options;
}

QuotaAnswer Ask(const QueueOptions& options, std::uint32_t queue, std::int64_t gpus,
                std::uint32_t flavor = 0) {
  QuotaClaim claim;
  claim.queue = queue;
  claim.flavor = flavor;
  claim.gpu_milli = gpus * 1'000;
  return options.quota->Ask(claim);
}

TEST(TrainingQuotaTest, JobsWaitInTheClusterQueueOfTheirLocalQueue) {
  TrainingModel model = TwoFlavors();
  model.history.queues = {"a/research", "tests", "team-b"};
  for (std::size_t i = 0; i < 6; ++i) {
    model.history.jobs[i].queue = static_cast<std::uint32_t>(i % 3);
  }
  ASSERT_TRUE(UseQuota("kueue.yaml", Objects(), model));
  EXPECT_EQ(model.history.queues, (std::vector<std::string>{"team-a", "team-b"}));
  EXPECT_EQ(model.history.jobs[0].queue, 0U);
  EXPECT_EQ(model.history.jobs[1].queue, 0U) << "one line of both LocalQueues";
  EXPECT_EQ(model.history.jobs[2].queue, 1U);
  EXPECT_EQ(model.quota->flavors, (std::vector<std::string>{"owned", "h100"}))
      << "spot nodes have the flavor of their GPU";
}

TEST(TrainingQuotaTest, AQueueWithoutJobsMayBeAskedByAGang) {
  EXPECT_EQ(WithQuota().history.queues, (std::vector<std::string>{"team-a", "team-b"}));
}

TEST(TrainingQuotaTest, TheGateIsThatOfTheObjects) {
  const QueueOptions options = OptionsWith({});
  EXPECT_EQ(Ask(options, 0, 16), QuotaAnswer::kFits);
  EXPECT_EQ(Ask(options, 0, 17), QuotaAnswer::kNever) << "team-b lends nothing";
  EXPECT_EQ(Ask(options, 1, 12), QuotaAnswer::kBorrows);
  EXPECT_EQ(Ask(options, 1, 13), QuotaAnswer::kNever);
  EXPECT_EQ(Ask(options, 1, 1, 1), QuotaAnswer::kNever) << "it has no quota of spot nodes";
  EXPECT_TRUE(options.line_per_queue);
  EXPECT_EQ(options.of_queue,
            (std::vector{QueueDiscipline::kStrict, QueueDiscipline::kBestEffort}));
}

TEST(TrainingQuotaTest, ChangesAreOfOneLimitEach) {
  EXPECT_EQ(Ask(OptionsWith({"quota:team-a/owned=20"}), 0, 20), QuotaAnswer::kFits);
  EXPECT_EQ(Ask(OptionsWith({"quota:team-a/h100=3"}), 0, 3, 1), QuotaAnswer::kFits);
  EXPECT_EQ(Ask(OptionsWith({"borrowing:team-b/owned=none"}), 1, 24), QuotaAnswer::kBorrows);
  EXPECT_EQ(Ask(OptionsWith({"borrowing:team-b/owned=0"}), 1, 9), QuotaAnswer::kNever);
  EXPECT_EQ(Ask(OptionsWith({"lending:team-b/owned=2"}), 0, 18), QuotaAnswer::kBorrows);
  const QueueOptions twice = OptionsWith({"quota:team-a/owned=1", "quota:team-a/owned=7"});
  EXPECT_EQ(Ask(twice, 0, 7), QuotaAnswer::kFits) << "the last one counts";
}

TEST(TrainingQuotaTest, ADisciplineThatIsAskedForIsThatOfAllQueues) {
  EXPECT_TRUE(OptionsWith({"discipline=best_effort"}).of_queue.empty());
  EXPECT_FALSE(OptionsWith({"discipline=easy"}).line_per_queue);
}

TEST(TrainingQuotaTest, EveryChangeIsInTheHashedText) {
  const TrainingModel model = WithQuota();
  TrainingSettings settings = SettingsOf(model);
  const std::string before = SettingsText(settings);
  ASSERT_TRUE(ApplySetting(model, "--set", "borrowing:team-b/owned=none", settings));
  EXPECT_EQ(SettingsText(settings), before + "borrowing:team-b/owned=none;");
}

TEST(TrainingQuotaTest, ChangesThatAreNoneAreSaidWithWhatThereIs) {
  const TrainingModel model = WithQuota();
  const auto error = [&](const std::string& text) {
    TrainingSettings settings = SettingsOf(model);
    const Status status = ApplySetting(model, "--what-if", text, settings);
    return status ? "" : status.error().message;
  };
  EXPECT_EQ(error("quota:team-c/owned=1"),
            "--what-if: 'quota:team-c/owned=1' names no quota of nvidia.com/gpu in kueue.yaml; "
            "there are: team-a/h100, team-a/owned, team-b/owned");
  EXPECT_NE(error("quota:team-a=1").find("such as quota:team-a/h100=16"), std::string::npos);
  EXPECT_NE(error("quota:team-a/owned=none").find("no number of GPUs"), std::string::npos);
  EXPECT_NE(error("lending:team-a/owned=-1").find("and not none"), std::string::npos);
  TrainingSettings settings;
  const Status status = ApplySetting(TestModel(), "--set", "quota:team-a/owned=1", settings);
  ASSERT_FALSE(status);
  EXPECT_NE(status.error().message.find("give the quotas with --quota FILE"), std::string::npos);
}

TEST(TrainingQuotaTest, WhatDoesNotMatchIsSaidWithTheRemedy) {
  EXPECT_EQ(ErrorOf(kQuotas), "");
  EXPECT_EQ(ErrorOf(kQuotas, "hpc"),
            "kueue.yaml: 200 jobs name queue 'hpc', which is no ClusterQueue and no LocalQueue "
            "there: write one of the ClusterQueues team-a, team-b");
  EXPECT_NE(ErrorOf(kQuotas, "main").find("write NAMESPACE/main"), std::string::npos);
  EXPECT_EQ(ErrorOf(kQuotas, "b/main"), "");
  const std::string elsewhere = Replaced(kQuotas, "name: h100", "name: a100");
  EXPECT_NE(ErrorOf(elsewhere).find("of a flavor for group 'spot' (h100); there is quota of: "
                                    "a100, owned"),
            std::string::npos);
  EXPECT_NE(ErrorOf(Replaced(kQuotas, "nvidia.com/gpu", "cpu")).find("no resource of GPUs"),
            std::string::npos);
  const std::string two = Replaced(kQuotas, "resources: [{name: nvidia.com/gpu, nominalQuota: 8",
                                   "resources: [{name: b/gpu, nominalQuota: 8");
  EXPECT_NE(ErrorOf(Replaced(two, "nvidia.com/gpu", "a/gpu"))
                .find("several resources of GPUs: "
                      "a/gpu, b/gpu"),
            std::string::npos);
}

TEST(TrainingQuotaTest, TheGpuResourceIsThatOfTheQuotas) {
  const TrainingModel model = WithQuota(Replaced(kQuotas, "nvidia.com/gpu", "amd.com/gpu"));
  EXPECT_EQ(model.quota->gpu_resource, "amd.com/gpu");
  EXPECT_EQ(WithQuota(Replaced(kQuotas, "nvidia.com/gpu", "google.com/tpu")).quota->gpu_resource,
            "google.com/tpu");
}

TEST(TrainingQuotaTest, AQueueWithJobsAndNoQuotaOfTheseNodesIsAnError) {
  const std::string text =
      Replaced(kQuotas, "    - name: owned\n", "    - name: other\n") +
      "---\napiVersion: kueue.x-k8s.io/v1beta1\nkind: ResourceFlavor\nmetadata: {name: other}\n";
  EXPECT_EQ(ErrorOf(text), "");
  EXPECT_NE(ErrorOf(text, "team-b")
                .find("ClusterQueue 'team-b', in which 200 jobs wait, has no "
                      "nvidia.com/gpu of any of the cluster's flavors"),
            std::string::npos);
}

TEST(TrainingQuotaTest, TargetsNameQueuesAsJobsDo) {
  TrainingModel model = TwoFlavors();
  model.history.queues = {"research", "tests"};
  model.history.jobs[0].queue = 1;
  ASSERT_TRUE(UseQuota("kueue.yaml", Objects(), model));
  TargetFile file;
  file.gangs.resize(1);
  file.gangs[0].queue = "tests";
  EXPECT_TRUE(NameClusterQueues(*model.quota, file));
  EXPECT_EQ(file.gangs[0].queue, "team-a");
  file.gangs[0] = {};
  file.gangs[0].gpus = 8;
  EXPECT_EQ(NameClusterQueues(*model.quota, file).error().message,
            "kueue.yaml: the gang of 8 GPUs names no queue: write one of the ClusterQueues "
            "team-a, team-b");
  file.gangs.clear();
  file.classes.resize(1);
  file.classes[0].queue = "tests";
  EXPECT_NE(NameClusterQueues(*model.quota, file).error().message.find("name the ClusterQueue"),
            std::string::npos);
}

TEST(TrainingQuotaTest, AGangAboveWhatItsQueueMayEverHaveNeverStarts) {
  const TrainingModel model = WithQuota();
  const auto fleet = FleetOf(model, SettingsOf(model));
  ASSERT_TRUE(fleet);
  TrainingJob gang;
  gang.shape.gpus = 8;
  gang.pods = gang.pods_min = 2;
  EXPECT_TRUE(QuotaAllows(*fleet->options.quota, fleet->cluster, gang));
  gang.pods = gang.pods_min = 3;
  EXPECT_FALSE(QuotaAllows(*fleet->options.quota, fleet->cluster, gang));
  gang.queue = 1;
  gang.pods = gang.pods_min = 1;
  EXPECT_TRUE(QuotaAllows(*fleet->options.quota, fleet->cluster, gang));
}

// 32 GPUs stand there, and whoever waits in team-a waits for its 16.
TEST(TrainingQuotaTest, QuotaIsWhatJobsWaitFor) {
  const TrainingModel model = WithQuota();
  const auto fleet = FleetOf(model, SettingsOf(model));
  ASSERT_TRUE(fleet);
  ASSERT_TRUE(CheckQueueInput(fleet->cluster, model.history, fleet->options));
  const QueueOutcome run = SimulateQueue(fleet->cluster, model.history, fleet->options, {1, 0});
  Duration by_quota, by_nodes;
  for (const JobOutcome& job : run.jobs) {
    by_quota += job.first_wait[WaitCause::kQuota];
    by_nodes += job.first_wait[WaitCause::kBusy];
  }
  EXPECT_GT(by_quota, Hours(1));
  EXPECT_EQ(by_nodes, Duration());
}

}  // namespace
}  // namespace plimsoll
