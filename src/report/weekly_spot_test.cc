#include <gtest/gtest.h>

#include "report/test_week.h"

namespace plimsoll {
namespace {

// Ten hours at 2 that would have cost 8 an hour; an eviction lost an hour.
SpotNode Node() {
  SpotNode node;
  node.cluster = "c";
  node.node = "a";
  node.currency = "USD";
  node.instance_type = "g6.12xlarge";
  node.zone = "us-east-1a";
  node.effective = Money::Units(20);
  node.list = Money::Units(80);
  node.gpu_time = WholeGpuHours(40);
  node.team_time = {{"nlp", WholeGpuHours(40)}};
  node.seen = Hours(10);
  node.taken = kFactsDay;
  node.lost["nlp"] = {WholeGpuHours(3), WholeGpuHours(1)};
  return node;
}

class WeeklySpotTest : public WeekFixture {
 protected:
  SpotSaving Saving(SpotNode node, std::vector<SpotDeclared> declared = {}) {
    auto saving = SavingOf(Day(), "USD", {std::move(node)}, std::move(declared));
    EXPECT_TRUE(saving);
    return *std::move(saving);
  }
  static bool Says(const std::vector<std::string>& sentences, const std::string& part) {
    return std::any_of(sentences.begin(), sentences.end(), [&](const std::string& sentence) {
      return sentence.find(part) != std::string::npos;
    });
  }
};

TEST_F(WeeklySpotTest, NetStandsBeforeGrossAndTheLinesAddUp) {
  const SpotSaving saving = Saving(Node(), {{"pager", "operations", Money::Units(2), ""}});
  const ReportSection section = SpotSection(AskDay(), saving);
  EXPECT_EQ(section.facts[0].key, "spot_net");
  EXPECT_EQ(section.facts[0].label, "Net saving");
  EXPECT_EQ(section.facts[0].value, "50.000000000");
  EXPECT_EQ(Find(section, "spot_gross")->value, "60.000000000");
  EXPECT_EQ(Find(section, "spot_recomputation")->value, "6.000000000");
  const ReportTable* const lines = FindTable(section, "spot_lines");
  ASSERT_NE(lines, nullptr);
  Money sum;
  for (std::size_t i = 0; i + 1 < lines->rows.size(); ++i) sum += *Money::Parse(*lines->rows[i][1]);
  EXPECT_EQ(lines->rows.back()[1], sum.ToString());
  EXPECT_TRUE(Says(section.sentences, "Spot saved 50.00 USD after"));
}

TEST_F(WeeklySpotTest, GrossWithoutRunLogsIsARangeAndWarnsThatLossesAreNotKnown) {
  SpotNode node = Node();
  node.lost.clear();
  node.unlogged = WholeGpuHours(20);
  const ReportSection section = SpotSection(AskDay(), Saving(node));
  EXPECT_EQ(Find(section, "spot_net")->label, "Net saving, at most");
  EXPECT_EQ(Find(section, "spot_net_at_least")->value, "20.000000000");
  EXPECT_EQ(Find(section, "spot_recomputation")->value, std::nullopt);
  EXPECT_TRUE(Says(section.sentences, "between 20.00 USD and 60.00 USD"));
  EXPECT_TRUE(Says(section.sentences, "Warning: what work repeated after 1 eviction is not known"));
  EXPECT_FALSE(section.connect.empty());
}

TEST_F(WeeklySpotTest, ANetOfNothingOrLessIsAWarning) {
  EXPECT_TRUE(Says(SpotSentences(Saving(Node(), {{"x", "storage", Money::Units(52), ""}})),
                   "Warning: spot saved nothing: 0.00 USD"));
}

TEST_F(WeeklySpotTest, AnUnknownListCostIsNoSaving) {
  SpotNode node = Node();
  node.list.reset();
  const ReportSection section = SpotSection(AskDay(), Saving(node));
  EXPECT_EQ(Find(section, "spot_net")->value, std::nullopt);
  EXPECT_EQ(Find(section, "spot_gross")->value, std::nullopt);
  EXPECT_EQ(FindTable(section, "spot_lines"), nullptr);
  EXPECT_TRUE(Says(section.sentences, "is not known"));
}

}  // namespace
}  // namespace plimsoll
