#include "cli/training_bounds.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace plimsoll {
namespace {

// Racks of two 8-GPU nodes; group 0 is of flavor a, group 1 of b.
TrainingModel Model() {
  TrainingModel model;
  model.levels = {"rack"};
  model.flavors = {"a", "b"};
  model.groups_of_flavor = {0b01, 0b10};
  for (const std::string& flavor : model.flavors) {
    FleetAxis group;
    group.name = flavor + "-nodes";
    group.flavor = flavor;
    group.units = {4};
    model.groups.push_back(group);
  }
  model.fleet = [](const std::vector<std::int64_t>& units) {
    DomainTree tree({"rack"});
    std::vector<NodeSpec> nodes;
    for (std::size_t flavor = 0; flavor < units.size(); ++flavor) {
      for (std::int64_t i = 0; i < units[flavor]; ++i) {
        const std::vector<std::string> rack = {std::to_string(flavor) + std::to_string(i / 2)};
        nodes.push_back({"n", static_cast<std::uint32_t>(flavor), 0, 0, 8, tree.Add(rack)});
      }
    }
    return SimulatedFleet{Cluster({"a", "b"}, std::move(tree), std::move(nodes)), {}};
  };
  return model;
}

TrainingJob Job(std::int64_t hour, std::int64_t run_hours, std::int32_t pods) {
  TrainingJob job;
  job.submitted = AtMillis(0) + Hours(hour);
  job.run = Hours(run_hours);
  job.pods = job.pods_min = pods;
  job.shape.gpus = 8;
  return job;
}

TrainingWorkload Workload() {
  TrainingWorkload workload;
  workload.queues = {"q"};
  workload.jobs = {Job(0, 10, 2), Job(1, 10, 1), Job(2, 4, 2), Job(10, 1, 1)};
  workload.jobs[0].topology = {TopologyMode::kRequired, 0, 0, 0};
  workload.jobs[2].topology = {TopologyMode::kRequired, 0, 0, 0};
  workload.jobs[1].shape.flavors = 0b01;
  workload.jobs[3].deadline = AtMillis(0) + Hours(11);
  return workload;
}

const BoundRow& Find(const std::vector<BoundRow>& rows, const std::string& name) {
  const auto found =
      std::find_if(rows.begin(), rows.end(), [&](const BoundRow& row) { return row.name == name; });
  EXPECT_NE(found, rows.end()) << name;
  return found == rows.end() ? rows[0] : *found;
}

TEST(TrainingBoundsTest, EachBoundSaysWhatItIsAbout) {
  const std::vector<BoundRow> rows = BoundRows(Model(), Workload());
  // 160 + 80 + 64 + 8 GPU-hours in ten hours.
  EXPECT_EQ(Find(rows, "work").gpus, 32);
  EXPECT_EQ(Find(rows, "work").about, "GPU time of all jobs over 10h");
  EXPECT_EQ(Find(rows, "peak").gpus, 40);
  EXPECT_EQ(Find(rows, "peak").about, "no wait for anyone, as at 1970-01-01T02:00:00Z");
  EXPECT_EQ(Find(rows, "deadlines").gpus, 8);
  EXPECT_EQ(Find(rows, "pinned").flavors, "a");
  EXPECT_EQ(Find(rows, "pinned").gpus, 8);
  EXPECT_EQ(Find(rows, "bins").gpus, 32);  // two racks at once
  const auto in_rack = std::find_if(rows.begin(), rows.end(),
                                    [](const BoundRow& row) { return row.level == "rack"; });
  EXPECT_EQ(in_rack->gpus, 16);
  EXPECT_EQ(in_rack->about, "the largest that must lie in one rack");
}

TEST(TrainingBoundsTest, WithoutJobsThereAreNone) { EXPECT_TRUE(BoundRows(Model(), {}).empty()); }

TEST(TrainingBoundsTest, AllDeadlinesBoundTheAxesOfTheirFlavors) {
  SizingTargets targets;
  targets.deadline_share = 1'000'000'000;
  TrainingWorkload workload = Workload();
  workload.jobs[3].shape.flavors = 0b10;
  const TrainingModel model = Model();
  const auto bounds = CertainBounds(model, SettingsOf(model), targets, workload);
  ASSERT_EQ(bounds.size(), 1U);
  EXPECT_EQ(bounds[0].axes, (std::vector<std::size_t>{1}));
  EXPECT_EQ(bounds[0].gpus, 8);
  TrainingSettings warm = SettingsOf(model);
  warm.warm_up = Hours(11);  // the job comes before
  EXPECT_TRUE(CertainBounds(model, warm, targets, workload).empty());
  targets.deadline_share = 0;
  EXPECT_TRUE(CertainBounds(model, SettingsOf(model), targets, workload).empty());
}

TEST(TrainingBoundsTest, GangsOfAClassHaveTheirServers) {
  SizingTargets targets;
  targets.classes.resize(1);
  targets.gangs.resize(1);
  targets.gangs[0].job = Job(0, 1, 2);
  targets.gangs[0].job.topology = {TopologyMode::kRequired, 0, 0, 0};
  const TrainingModel model = Model();
  const auto rows = FormulaRows(targets, Workload(), model.fleet({3, 3}).cluster);
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[1].target.kind, TargetKind::kGang);
  EXPECT_EQ(rows[1].answer.servers, 2);  // one rack each has both nodes
  EXPECT_EQ(rows[1].servers_by_count, 3);
  EXPECT_EQ(rows[1].load.jobs, 2);
}

}  // namespace
}  // namespace plimsoll
