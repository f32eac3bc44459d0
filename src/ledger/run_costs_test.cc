#include "ledger/run_costs.h"

#include "ledger/test_facts.h"

namespace plimsoll {
namespace {

// A node of two GPUs at 10 an hour; workload train holds one of them from 0:00 to 1:00: 5.
class RunCostsTest : public LedgerFixture {
 protected:
  std::size_t AddRun(const std::string& name) {
    const std::size_t i = AddBlankRow(runs_);
    runs_.run[i] = name;
    runs_.labels[i] = "{}";
    return i;
  }
  std::size_t AddTrain(const std::string& name) {
    const std::size_t i = AddRun(name);
    runs_.workload[i] = "train";
    runs_.cluster[i] = "c";
    return i;
  }
  Window Minute(std::int64_t begin, std::int64_t until) const {
    return {kFactsDay + Minutes(begin), kFactsDay + Minutes(until)};
  }
  std::vector<RunCost> Costs(const std::vector<RunHeld>& held) {
    Ledger ledger = OpenLedger();
    const auto costs = RunCosts(ledger, runs_, held);
    EXPECT_TRUE(costs) << costs.error().message;
    return costs ? *costs : std::vector<RunCost>(held.size());
  }
  static std::string Text(const RunCost& cost) {
    std::string text = std::to_string(cost.holdings) + " holdings";
    for (const auto& [currency, money] : cost.cost) text += " " + money.ToString() + " " + currency;
    return text;
  }

  RunBatch runs_;
};

TEST_F(RunCostsTest, ARunTakesTheLinesOfTheTimeThatItHeld) {
  const std::size_t run = AddTrain("a");
  EXPECT_EQ(Text(Costs({{run, {Minute(-90, 600)}}})[0]), "1 holdings 5.000000000 USD");
  EXPECT_EQ(Text(Costs({{run, {Minute(0, 30)}}})[0]), "1 holdings 2.500000000 USD");
  EXPECT_EQ(Costs({{run, {Minute(0, 30)}}})[0].gpu_time, GpuSeconds(1'800));
  // Attempts that overlap held one allocation.
  EXPECT_EQ(Text(Costs({{run, {Minute(0, 30), Minute(20, 40), Minute(10, 20)}}})[0]),
            "1 holdings 3.333333333 USD");
  EXPECT_EQ(Text(Costs({{run, {Minute(60, 90)}}})[0]), "0 holdings");
  EXPECT_EQ(Text(Costs({{run, {}}})[0]), "0 holdings");
}

TEST_F(RunCostsTest, TwoRunsInAPodHourShareItByTimeAndNeverTakeMore) {
  const std::size_t a = AddTrain("a"), b = AddTrain("b");
  auto costs = Costs({{a, {Minute(0, 30)}}, {b, {Minute(45, 60)}}});
  EXPECT_EQ(Text(costs[0]), "1 holdings 2.500000000 USD");
  EXPECT_EQ(Text(costs[1]), "1 holdings 1.250000000 USD");
  costs = Costs({{a, {Minute(0, 60)}}, {b, {Minute(0, 30)}}});  // at once
  EXPECT_EQ(Text(costs[0]), "1 holdings 3.333333333 USD");
  EXPECT_EQ(Text(costs[1]), "1 holdings 1.666666667 USD");
}

TEST_F(RunCostsTest, ALabelGoesBeforeWhatTheRunStates) {
  NodeBatch nodes;
  HoldingBatch holdings;
  const auto hold = [&](const char* workload, const char* labels, std::int64_t begin) {
    const std::size_t h = AddBlankRow(holdings);
    holdings.cluster[h] = "c";
    holdings.node[h] = "gpu-1";
    holdings.source[h] = "kubernetes";
    holdings.name[h] = holdings.uid[h] = std::string(workload) + "-0";
    holdings.workload[h] = workload;
    holdings.workload_kind[h] = "Job";
    holdings.labels[h] = labels;
    holdings.devices[h] = holdings.share_num[h] = holdings.share_den[h] = 1;
    holdings.device_kind[h] = "gpu";
    holdings.begin[h] = kFactsDay + Minutes(begin);
    holdings.until[h] = kFactsDay + Minutes(60);
  };
  hold("train", "{}", 0);
  hold("other", R"({"plimsoll.io/run":"a"})", 30);
  const std::size_t n = AddBlankRow(nodes);
  nodes.cluster[n] = "c";
  nodes.node[n] = "gpu-1";
  nodes.provider_id[n] = "aws:///us-east-1a/i-1";
  nodes.gpu_count[n] = 2;
  nodes.labels[n] = "{}";
  LoadFleet(nodes, holdings);
  const std::size_t a = AddTrain("a"), b = AddTrain("b");
  const std::size_t pod = AddRun("p"), elsewhere = AddTrain("e"), nothing = AddRun("n");
  runs_.pod[pod] = "other-0";
  runs_.cluster[elsewhere] = "d";
  std::vector<RunHeld> held;
  for (const std::size_t run : {a, b, elsewhere, nothing}) held.push_back({run, {Minute(0, 60)}});
  const auto costs = Costs(held);
  EXPECT_EQ(Text(costs[0]), "1 holdings 2.500000000 USD");  // workload other, half an hour
  EXPECT_EQ(Text(costs[1]), "1 holdings 5.000000000 USD");
  EXPECT_EQ(Text(costs[2]), "0 holdings");
  EXPECT_EQ(Text(costs[3]), "0 holdings");
  EXPECT_EQ(Text(Costs({{pod, {Minute(0, 60)}}})[0]), "1 holdings 2.500000000 USD");
}

TEST_F(RunCostsTest, AJobIsFoundByItsNumberAndWithoutGpusByTime) {
  NodeBatch nodes;
  HoldingBatch holdings;
  for (const char* name : {"12", "13"}) {
    const std::size_t h = AddBlankRow(holdings);
    holdings.cluster[h] = "c";
    holdings.node[h] = "gpu-1";
    holdings.source[h] = "slurm";
    holdings.name[h] = name;
    holdings.uid[h] = std::string(name) + "@1";
    holdings.workload[h] = "sim";  // two jobs of one name share their lines
    holdings.workload_kind[h] = "SlurmJob";
    holdings.labels[h] = "{}";
    holdings.share_num[h] = holdings.share_den[h] = 1;
    holdings.cpu_milli[h] = 1'000;
    holdings.begin[h] = kFactsDay;
    holdings.until[h] = kFactsDay + Minutes(name[1] == '2' ? 60 : 20);
  }
  const std::size_t n = AddBlankRow(nodes);
  nodes.cluster[n] = "c";
  nodes.node[n] = "gpu-1";
  nodes.provider_id[n] = "aws:///us-east-1a/i-1";
  nodes.cpu_milli[n] = 2'000;
  nodes.labels[n] = "{}";
  LoadFleet(nodes, holdings);
  const std::size_t run = AddRun("a");
  runs_.job[run] = "12";
  // One of two CPUs for an hour and for 20 minutes: 5 + 5/3, of which job 12 has three quarters.
  EXPECT_EQ(Text(Costs({{run, {Minute(0, 60)}}})[0]), "1 holdings 5.000000000 USD");
}

TEST_F(RunCostsTest, LinesThatTheFactsDoNotReachAreNotMadeUp) {
  const std::size_t run = AddTrain("a");
  const Window later{kFactsDay + Days(40), kFactsDay + Days(41)};
  EXPECT_EQ(Text(Costs({{run, {later}}})[0]), "0 holdings");
}

}  // namespace
}  // namespace plimsoll
