#include "cli/training_page.h"

#include <gtest/gtest.h>

#include "report/render.h"

namespace plimsoll {
namespace {

Cluster TwoRacks() {
  DomainTree tree({"rack"});
  std::vector<NodeSpec> nodes;
  for (int i = 0; i < 3; ++i) {
    const std::vector<std::string> rack = {i < 2 ? "r1" : "r2"};
    nodes.push_back({"n" + std::to_string(i), 0, 0, 0, 8, tree.Add(rack)});
  }
  return Cluster({"h100"}, std::move(tree), std::move(nodes));
}

constexpr std::int64_t kHourOfGpu = 1'000LL * 3'600'000;

QueueOutcome OneRun() {
  QueueOutcome run;
  run.totals.window = {AtMillis(0), AtMillis(0) + Hours(2)};
  for (int hour = 0; hour < 2; ++hour) {
    TimelineStep step;
    step.at = AtMillis(0) + Hours(hour);
    step.used_by_queue = {GpuMicros::FromBase(12 * kHourOfGpu)};
    step.idle = GpuMicros::FromBase(12 * kHourOfGpu);
    run.timeline.push_back(step);
  }
  run.used_by_node = {GpuMicros::FromBase(16 * kHourOfGpu), GpuMicros::FromBase(8 * kHourOfGpu),
                      GpuMicros()};
  return run;
}

SizingTargets Targets() {
  SizingTargets targets;
  targets.classes.resize(1);
  targets.classes[0].name = "small";
  targets.classes[0].within = Minutes(10);
  targets.gangs.resize(1);
  targets.gangs[0].name = "16 GPUs in one rack within 4h";
  targets.gangs[0].within = Hours(4);
  return targets;
}

std::vector<ReplicationOutcome> Outcomes() {
  std::vector<ReplicationOutcome> outcomes(3);
  for (ReplicationOutcome& outcome : outcomes) {
    outcome.classes.resize(1);
    outcome.gangs.resize(1);
    outcome.classes[0].waits.Add(Hours(1'500));
    outcome.classes[0].by_cause_ms[0] = Hours(1'500).base();
    outcome.gangs[0].waits.Add(Hours(1));
    outcome.gangs[0].waits.AddUnstarted();
    outcome.gangs[0].within = 1;
    outcome.capacity = 10;
    outcome.used = 4;
  }
  return outcomes;
}

ReportDocument Page() {
  const SizingTargets targets = Targets();
  const std::vector<ReplicationOutcome> outcomes = Outcomes();
  const Cluster cluster = TwoRacks();
  const QueueOutcome run = OneRun();
  const TrainingRuns runs{{&targets, 3, 1, "ab", "USD", false}, 24, {}, outcomes, {}, {}};
  return TrainingPage(runs, {&cluster, &run, {"prod"}});
}

const ReportChart& Chart(const ReportDocument& page, const std::string& key) {
  for (const ReportSection& section : page.dimensions) {
    for (const ReportChart& chart : section.charts) {
      if (chart.key == key) return chart;
    }
  }
  ADD_FAILURE() << "no chart " << key;
  return page.dimensions[0].charts[0];
}

TEST(TrainingPageTest, TheTimelineIsGpusByQueue) {
  const ReportDocument page = Page();
  const ReportChart& chart = Chart(page, "timeline");
  ASSERT_EQ(chart.categories.size(), 2U);
  EXPECT_EQ(chart.series[0].name, "prod");
  EXPECT_EQ(chart.series[0].values[0], "12");
  EXPECT_EQ(chart.series[1].values[1], "12");
}

TEST(TrainingPageTest, TheHeatMapHasARowADomain) {
  const ReportDocument page = Page();
  const ReportChart& chart = Chart(page, "domains");
  ASSERT_EQ(chart.series.size(), 2U);
  EXPECT_EQ(chart.series[0].name, "r1");
  EXPECT_EQ(chart.series[0].values, (std::vector<std::string>{"100.0", "50.0"}));
  EXPECT_EQ(chart.series[1].values, (std::vector<std::string>{"0.0", ""}));
}

TEST(TrainingPageTest, TheCurveRisesToTheShareWithinTheTime) {
  const ReportDocument page = Page();
  const ReportChart& chart = Chart(page, "curve-1");
  EXPECT_EQ(chart.categories.front(), "at once");
  EXPECT_EQ(chart.categories.back(), "4h");
  EXPECT_EQ(chart.series[0].values.front(), "0.0");
  EXPECT_EQ(chart.series[0].values.back(), "50.0");
}

TEST(TrainingPageTest, NumbersForTheScriptHaveNoCommas) {
  const ReportDocument page = Page();
  EXPECT_EQ(Chart(page, "classes").categories[0], "small");
  EXPECT_EQ(Chart(page, "causes").series[0].values[0], "4500.0");
  // Three jobs alike say nothing of a 95th percentile's bounds, but it has a value.
  EXPECT_EQ(Chart(page, "classes").series[0].values[0].substr(0, 3), "150");
}

TEST(TrainingPageTest, ItIsOnePageWithoutLinksElsewhere) {
  const std::string html = RenderHtml(Page());
  EXPECT_NE(html.find("Training capacity"), std::string::npos);
  EXPECT_NE(html.find("\"kind\":\"heat\""), std::string::npos);
  EXPECT_EQ(html.find("src=\"http"), std::string::npos);
}

TEST(TrainingPageTest, AWindowHasAFewDozenSteps) {
  const auto step = [](Duration length) {
    return TimelineStepOf({AtMillis(0), AtMillis(0) + length});
  };
  EXPECT_EQ(step(Hours(2)), Minutes(1));
  EXPECT_EQ(step(Days(7)), Hours(1));
  EXPECT_EQ(step(Days(28)), Hours(4));
  EXPECT_EQ(step(Days(30)), Days(1));
}

}  // namespace
}  // namespace plimsoll
