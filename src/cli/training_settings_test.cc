#include "cli/training_settings.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace plimsoll {
namespace {

TrainingModel Model() {
  TrainingModel model;
  for (const char* const name : {"h100", "spot"}) {
    FleetAxis group;
    group.name = name;
    group.units = {4};
    model.groups.push_back(group);
  }
  model.flavors = {"h100", "a100"};
  model.groups_of_flavor = {0b01, 0b10};
  model.fleet = [](const std::vector<std::int64_t>& units) {
    std::vector<NodeSpec> nodes(static_cast<std::size_t>(units[0] + units[1]));
    return SimulatedFleet{Cluster({"h100", "a100"}, DomainTree(), std::move(nodes)), {}};
  };
  return model;
}

TrainingSettings Applied(const std::string& text) {
  const TrainingModel model = Model();
  TrainingSettings settings = SettingsOf(model);
  const Status status = ApplySetting(model, "--what-if", text, settings);
  EXPECT_TRUE(status) << status.error().message;
  return settings;
}

std::string ErrorOf(const std::string& text) {
  const TrainingModel model = Model();
  TrainingSettings settings = SettingsOf(model);
  const Status status = ApplySetting(model, "--what-if", text, settings);
  return status ? "" : status.error().message;
}

TEST(TrainingSettingsTest, EachKeyChangesItsSetting) {
  EXPECT_EQ(Applied("spot=12").units, (std::vector<std::int64_t>{4, 12}));
  EXPECT_EQ(Applied("order=submitted").order, QueueOrder::kSubmitted);
  EXPECT_EQ(Applied("discipline=easy").discipline, QueueDiscipline::kEasy);
  EXPECT_TRUE(Applied("preemption=on").preemption);
  EXPECT_EQ(Applied("prefer-topology=3m").prefer_topology_for, Minutes(3));
  EXPECT_EQ(Applied("failures=6.5").failures, 6'500);
  EXPECT_EQ(Applied("checkpoint=30m").checkpoint, Minutes(30));
  EXPECT_EQ(Applied("spares=2").spares, 2);
}

TEST(TrainingSettingsTest, EveryChangeChangesTheHashedText) {
  std::vector<std::string> texts = {SettingsText(SettingsOf(Model()))};
  for (const char* const change :
       {"h100=5", "spot=5", "order=deadline", "discipline=strict", "preemption=on",
        "prefer-topology=1m", "failures=1", "checkpoint=1m", "spares=1"}) {
    texts.push_back(SettingsText(Applied(change)));
  }
  std::sort(texts.begin(), texts.end());
  EXPECT_EQ(std::unique(texts.begin(), texts.end()), texts.end());
}

TEST(TrainingSettingsTest, WhatCannotBeChangedIsSaid) {
  EXPECT_EQ(ErrorOf("quota=3"),
            "--what-if: 'quota=3' is no change such as failures=2.34; there is a group (h100, spot)"
            " with its units, order, discipline, preemption, prefer-topology, failures, "
            "checkpoint, spares");
  EXPECT_NE(ErrorOf("h100").find("is no change"), std::string::npos);
  EXPECT_EQ(ErrorOf("h100=-1"), "--what-if: '-1' is no whole number from 0 to 1000000");
  EXPECT_EQ(ErrorOf("discipline=lifo"),
            "--what-if: 'lifo' is none of strict, best_effort, easy, conservative");
  EXPECT_NE(ErrorOf("failures=0.0001").find("per 1,000 node-days"), std::string::npos);
}

TEST(TrainingSettingsTest, SettingsReachTheFleet) {
  TrainingSettings settings = Applied("failures=2.34");
  settings.spares = 2;
  settings.preemption = true;
  const auto fleet = FleetOf(Model(), settings);
  ASSERT_TRUE(fleet);
  EXPECT_EQ(fleet->cluster.size(), 8U);
  EXPECT_TRUE(fleet->options.preemption);
  ASSERT_EQ(fleet->options.risks.of_flavor.size(), 2U);
  EXPECT_EQ(fleet->options.risks.of_flavor[1].failures_per_million_node_days, 2'340);
  EXPECT_EQ(fleet->options.risks.spares, (std::vector<NodeId>{6, 7}));
  EXPECT_EQ(GroupsOf({0b011, 0b100}, 0b01), FlavorSet{0b011});
  EXPECT_EQ(GroupsOf({0b011, 0b100}, kAnyFlavor), kAnyFlavor);
  settings.spares = 8;
  EXPECT_EQ(FleetOf(Model(), settings).error().message, "spares: 8 of 8 nodes leave none for jobs");
}

TEST(TrainingSettingsTest, AnAxisIsARangeOrAList) {
  EXPECT_EQ(ParseAxis(Model(), "h100=4..10/3")->units, (std::vector<std::int64_t>{4, 7, 10}));
  EXPECT_EQ(ParseAxis(Model(), "spot=4..6")->units, (std::vector<std::int64_t>{4, 5, 6}));
  EXPECT_EQ(ParseAxis(Model(), "spot=0,8,12")->units, (std::vector<std::int64_t>{0, 8, 12}));
  EXPECT_EQ(ParseAxis(Model(), "spot=0,8,12")->name, "spot");
  for (const char* const text :
       {"b200=1..2", "h100", "h100=", "h100=4..2", "h100=1..9/0", "h100=a..b", "h100=1..999999"}) {
    EXPECT_FALSE(ParseAxis(Model(), text)) << text;
  }
}

}  // namespace
}  // namespace plimsoll
