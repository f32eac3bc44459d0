#include "cli/training_plan.h"

#include <gtest/gtest.h>

#include <set>

#include "cli/test_io.h"
#include "cli/test_training_model.h"

namespace plimsoll {
namespace {

TrainingPlan Plan(const TrainingArgs& args) {
  const auto plan = PlanOf(args, TestModel());
  EXPECT_TRUE(plan) << plan.error().message;
  return *plan;
}

std::string ErrorOf(const TrainingArgs& args) {
  const auto plan = PlanOf(args, TestModel());
  return plan ? "" : plan.error().message;
}

TEST(TrainingPlanTest, WhatIsAskedFollowsFromTheOptions) {
  TrainingArgs args;
  EXPECT_EQ(Plan(args).ask, TrainingAsk::kWaits);
  EXPECT_EQ(Plan(args).targets.classes.size(), 4U);  // the usual ones
  args.probes = {"gpus=16,domain=rack,within=4h,probability=90%"};
  EXPECT_EQ(Plan(args).ask, TrainingAsk::kProbe);
  args.what_if = {"owned=5", "discipline=easy"};
  const TrainingPlan change = Plan(args);
  EXPECT_EQ(change.ask, TrainingAsk::kChange);
  ASSERT_EQ(change.points.size(), 2U);
  EXPECT_EQ(change.points[0].units[0], 4);
  EXPECT_EQ(change.points[1].units[0], 5);
  args.what_if.clear();
  args.grid = {"owned=2..6/2", "spot=0,1"};
  const TrainingPlan grid = Plan(args);
  EXPECT_EQ(grid.ask, TrainingAsk::kGrid);
  EXPECT_EQ(grid.points.size(), 6U);
  EXPECT_EQ(grid.points[5].units, (std::vector<std::int64_t>{6, 1}));
}

TEST(TrainingPlanTest, AWeekOfHistoryIsResampledAndFillsUpFirst) {
  const TrainingPlan plan = Plan({});
  EXPECT_EQ(plan.arrivals, Arrivals::kResample);  // 200 hours
  EXPECT_GT(plan.points[0].warm_up, Hours(15));
  TrainingArgs args;
  args.arrivals = "replay";
  EXPECT_EQ(Plan(args).points[0].warm_up, Duration());
  args.warm_up = "1h";
  EXPECT_EQ(Plan(args).points[0].warm_up, Hours(1));
}

TEST(TrainingPlanTest, LoadMovesSubmissionsTogether) {
  TrainingArgs args;
  args.arrivals = "replay";
  const TrainingPlan as_is = Plan(args);
  args.load = "200%";
  const TrainingPlan twice = Plan(args);
  const auto span = [](const TrainingPlan& plan) {
    const auto& jobs = plan.workload.jobs;
    return Between(jobs.front().submitted, jobs.back().submitted).base();
  };
  EXPECT_EQ(span(twice), span(as_is) / 2);
  EXPECT_EQ(twice.workload.jobs[7].run, as_is.workload.jobs[7].run);
}

TEST(TrainingPlanTest, TheHashIsOfAllThatDecides) {
  std::set<std::string> hashes;
  TrainingArgs args;
  const auto add = [&](const auto& change) {
    TrainingArgs changed = args;
    change(changed);
    hashes.insert(Plan(changed).runs.question);
  };
  add([](TrainingArgs&) {});
  add([](TrainingArgs& to) { to.seed = 2; });
  add([](TrainingArgs& to) { to.replications = 31; });
  add([](TrainingArgs& to) { to.epochs = 51; });
  add([](TrainingArgs& to) { to.load = "110%"; });
  add([](TrainingArgs& to) { to.arrivals = "replay"; });
  add([](TrainingArgs& to) { to.warm_up = "5h"; });
  add([](TrainingArgs& to) { to.settings = {"preemption=on"}; });
  add([](TrainingArgs& to) { to.probes = {"gpus=16,within=4h"}; });
  EXPECT_EQ(hashes.size(), 9U);
  TrainingArgs elsewhere = args;
  elsewhere.threads = 3;
  elsewhere.html = "page.html";
  EXPECT_TRUE(hashes.contains(Plan(elsewhere).runs.question));  // these decide nothing
  TrainingModel model = TestModel();
  model.files[1].second = "other rows";
  EXPECT_FALSE(hashes.contains(PlanOf(args, model)->runs.question));
}

TEST(TrainingPlanTest, ACheckpointChangeReachesTheJobs) {
  TrainingArgs args;
  args.what_if = {"checkpoint=30m"};
  const TrainingPlan plan = Plan(args);
  EXPECT_FALSE(WorkloadOf(plan, plan.points[0], 0).jobs[0].checkpoint.interval);
  const TrainingWorkload changed = WorkloadOf(plan, plan.points[1], 0);
  EXPECT_EQ(changed.jobs[0].checkpoint.interval, Minutes(30));
}

TEST(TrainingPlanTest, FittedJobsAreDrawnByReplicationAndScaleWithTheLoad) {
  TrainingArgs args;
  args.arrivals = "fit";
  const TrainingPlan plan = Plan(args);
  const auto count = [](const TrainingPlan& of) {
    std::size_t jobs = 0;
    for (std::uint64_t i = 0; i < 20; ++i) jobs += WorkloadOf(of, of.points[0], i).jobs.size();
    return jobs;
  };
  EXPECT_GT(plan.points[0].warm_up, Hours(15));
  const TrainingWorkload first = WorkloadOf(plan, plan.points[0], 0);
  EXPECT_EQ(first.jobs[3].submitted, WorkloadOf(plan, plan.points[0], 0).jobs[3].submitted);
  EXPECT_NE(first.jobs[3].submitted, WorkloadOf(plan, plan.points[0], 1).jobs[3].submitted);
  const std::size_t as_is = count(plan);
  EXPECT_NEAR(static_cast<int>(as_is), 20 * 200, 20 * 40);
  args.load = "200%";
  EXPECT_NEAR(static_cast<int>(count(Plan(args))), 2 * static_cast<int>(as_is), 20 * 60);
  const auto few = PlanOf(args, TestModel(20));
  ASSERT_FALSE(few);
  EXPECT_NE(few.error().message.find("20 jobs tell nothing of how they come"), std::string::npos);
}

TEST(TrainingPlanTest, WhatDoesNotGoTogetherIsSaid) {
  TrainingArgs args;
  args.grid = {"owned=1..3"};
  EXPECT_NE(ErrorOf(args).find("nothing is asked of the fleets"), std::string::npos);
  args.what_if = {"owned=3"};
  EXPECT_EQ(ErrorOf(args), "--grid and --what-if exclude each other");
  args = {};
  args.replications = 0;
  EXPECT_EQ(ErrorOf(args), "--replications: 0 is not from 1 to 100000");
  args = {};
  args.load = "12";
  EXPECT_EQ(ErrorOf(args), "--load: '12' is no load such as 120%");
  args = {};
  args.targets = "missing.yaml";
  EXPECT_NE(ErrorOf(args).find("missing.yaml"), std::string::npos);
  TrainingModel empty = TestModel(0);
  EXPECT_EQ(PlanOf({}, empty).error().message, "there are no jobs to simulate");
}

}  // namespace
}  // namespace plimsoll
