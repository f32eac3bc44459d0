#include "demo/truth.h"

#include <map>
#include <set>

#include "demo/demo_fixture.h"

namespace plimsoll {
namespace {

const DemoTruth& WeekTruth() {
  static const DemoTruth truth = TruthOf(Week());
  return truth;
}

TEST(TruthTest, ClassesAddUpToTheProvisionedGpuTimeOfEachNode) {
  std::map<std::string, GpuHours> by_node;
  for (const auto& [key, value] : WeekTruth().lines) by_node[key.node] += value.gpu_time;
  for (const DemoNode& node : Week().nodes) {
    const Window life =
        Intersect({node.begin, node.until.value_or(Week().window.until)}, Week().window);
    EXPECT_EQ(by_node[node.name], GpuMillis(node.shape.gpus * life.length().base())) << node.name;
  }
}

TEST(TruthTest, LinesAddUpToTheEffectiveCostOfTheBills) {
  Money lines, totals, charges;
  for (const auto& [key, value] : WeekTruth().lines) lines += value.cost;
  for (const auto& [key, value] : WeekTruth().totals) totals += value.effective;
  for (const DemoBill& bill : Week().bills) {
    for (const DemoCharge& charge : bill.charges) charges += charge.effective;
  }
  EXPECT_EQ(lines, charges);
  EXPECT_EQ(totals, charges);
}

TEST(TruthTest, EachIssuersInvoiceTies) {
  std::map<std::string, DemoTotal> invoices;
  for (const auto& [key, value] : WeekTruth().totals) {
    invoices[key.issuer].billed += value.billed;
    invoices[key.issuer].effective += value.effective;
  }
  EXPECT_EQ(invoices.size(), 2U);
  for (const auto& [issuer, total] : invoices) EXPECT_EQ(total.billed, total.effective) << issuer;
}

TEST(TruthTest, EveryClassOfTheRulesOccurs) {
  std::set<CostClass> classes;
  std::set<std::string> who;
  for (const auto& [key, value] : WeekTruth().lines) {
    classes.insert(key.cost_class);
    who.insert(key.who);
  }
  EXPECT_EQ(classes, (std::set<CostClass>{CostClass::kNone, CostClass::kUnavailable,
                                          CostClass::kStartup, CostClass::kUsed, CostClass::kUnused,
                                          CostClass::kUsageUnknown, CostClass::kBusyUnattributed,
                                          CostClass::kStranded, CostClass::kWaste}));
  for (const char* name : {"", "no-label", "unknown-value", "platform", "research", "hpc-bio"}) {
    EXPECT_TRUE(who.contains(name)) << name;
  }
}

TEST(TruthTest, FailedCardIsUnavailableForTwoDays) {
  GpuHours unavailable;
  for (const auto& [key, value] : WeekTruth().lines) {
    if (key.cost_class == CostClass::kUnavailable) unavailable += value.gpu_time;
  }
  EXPECT_EQ(unavailable, WholeGpuHours(48));
}

TEST(TruthTest, BypassedCardIsBusyUnattributed) {
  GpuHours busy;
  for (const auto& [key, value] : WeekTruth().lines) {
    if (key.cost_class == CostClass::kBusyUnattributed) busy += value.gpu_time;
  }
  EXPECT_EQ(busy, GpuSeconds(43 * 300));
}

TEST(TruthTest, EqualResultHasNoDifferences) {
  EXPECT_TRUE(CompareWithTruth(WeekTruth(), WeekTruth()).empty());
}

TEST(TruthTest, RowsOfNothingCountAsAbsent) {
  DemoResult result = WeekTruth();
  result.lines[{"nobody-real", CostClass::kWaste, "x"}] = {};
  EXPECT_TRUE(CompareWithTruth(WeekTruth(), result).empty());
}

TEST(TruthTest, EachDifferenceIsASentence) {
  DemoTruth truth;
  truth.lines[{"search", CostClass::kUsed, "mig-1"}] = {GpuMillis(10), Money::FromNanos(5)};
  truth.lines[{"", CostClass::kWaste, "l4-1"}] = {GpuMillis(4), Money::FromNanos(2)};
  truth.totals[{"A", "1", "USD", MonthOf(kDemoBegin), "Tax"}] = {Money::Units(2), Money::Units(2)};
  DemoResult result;
  result.lines[{"search", CostClass::kUsed, "mig-1"}] = {GpuMillis(11), Money::FromNanos(5)};
  result.lines[{"vision", CostClass::kNone, ""}] = {GpuMillis(0), Money::Units(1)};
  const std::vector<std::string> differences = CompareWithTruth(truth, result);
  ASSERT_EQ(differences.size(), 6U);
  EXPECT_EQ(differences[0],
            "nobody, class waste, node l4-1: GPU time is 4 ms, the ledger says 0 ms (-4)");
  EXPECT_EQ(differences[2],
            "search, class used, node mig-1: GPU time is 10 ms, the ledger says 11 ms (+1)");
  EXPECT_EQ(differences[3],
            "vision, class none, no node: cost is 0.000000000, the ledger says 1.000000000 (by "
            "1.000000000)");
}

TEST(TruthTest, DifferencesOfRunsAndServicesNameTheFigure) {
  DemoTruth truth;
  truth.runs["a"].hang = GpuMillis(8);
  truth.runs["a"].samples = 5;
  truth.services["chat"].tokens_good = 7;
  truth.spot["USD"].gross = Money::Units(2);
  DemoResult result;
  result.runs["a"].samples = 4;
  result.services["chat"].tokens_good = 9;
  EXPECT_EQ(CompareWithTruth(truth, result),
            (std::vector<std::string>{"run a: hang ms is 8, Plimsoll says 0 (-8)",
                                      "run a: samples is 5, Plimsoll says 4 (-1)",
                                      "service chat: tokens_good is 7, Plimsoll says 9 (+2)",
                                      "spot in USD: gross saving is 2.000000000, Plimsoll says "
                                      "0.000000000 (by -2.000000000)"}));
}

TEST(TruthTest, HoldsEveryRunAndTheLoggedService) {
  EXPECT_EQ(WeekTruth().runs.size(), Week().runs.size());
  EXPECT_EQ(WeekTruth().services.at("chat-70b"), Week().service->truth);
}

// A change of one sample must be seen: the truth is not blind.
TEST(TruthTest, OneTwelfthMoreOfUseMovesTimeAndCost) {
  DemoFleet fleet = TwoDays();
  const DemoTruth before = TruthOf(fleet);
  for (const DemoHold& hold : fleet.holds) {
    if (hold.activity != DemoActivity::kTraining) continue;
    DemoUnit& unit = fleet.nodes[hold.node].units[hold.units.front()];
    unit.percent[200] = static_cast<std::uint8_t>(unit.percent[200] == 50 ? 51 : 50);
    break;
  }
  EXPECT_FALSE(CompareWithTruth(before, TruthOf(fleet)).empty());
}

}  // namespace
}  // namespace plimsoll
