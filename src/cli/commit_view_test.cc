#include "cli/commit_view.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/test_io.h"

namespace plimsoll {
namespace {

using Json = nlohmann::json;

// `days` of 24 hours, of which the later half uses `high` units and the other `low`.
std::string Hourly(int days, int low, int high) {
  std::string text = "hour,usage\n";
  for (int h = 0; h < days * 24; ++h) {
    const Instant at = *ParseInstant("2026-10-01T00:00:00Z") + Hours(h);
    text += ToString(at) + "," + std::to_string(h % 24 < 12 ? low : high) + "\n";
  }
  return text;
}

class PlanCommitTest : public testing::Test {
 protected:
  PlanCommitTest() : io_("plan-commit") { io_.Write("hourly.csv", Hourly(40, 4, 10)); }

  Ran Commit(std::vector<std::string> more) {
    std::vector<std::string> args{"plan", "commit"};
    args.insert(args.end(), more.begin(), more.end());
    return io_.Run(args);
  }
  Json Answer(std::vector<std::string> more) {
    more.insert(more.end(), {"--format", "json"});
    const Ran ran = Commit(std::move(more));
    EXPECT_EQ(ran.code, 0) << ran.err;
    return ran.code == 0 ? Json::parse(ran.out) : Json::object();
  }

  TestIo io_;
};

TEST_F(PlanCommitTest, GivesTheOptimumOfTheHours) {
  const Json answer = Answer({"--usage", "hourly.csv", "--on-demand", "10", "--committed", "5.5"});
  EXPECT_EQ(answer["quantity"], 4);
  EXPECT_EQ(answer["cost"], "49920.000000000");
  EXPECT_EQ(answer["cost_on_demand"], "67200.000000000");
  EXPECT_EQ(answer["saving"], "17280.000000000");
  EXPECT_DOUBLE_EQ(answer["coverage"], 0.571428571);
  EXPECT_EQ(answer["utilization"], 1.0);
  EXPECT_EQ(answer["p5_baseline"], 4);
  EXPECT_EQ(answer["quantity_recent"], 4);
  EXPECT_TRUE(answer["flavor"].is_null());
}

TEST_F(PlanCommitTest, BuysNothingWhereNothingPays) {
  io_.Write("night.csv", Hourly(30, 0, 10));
  const Json answer = Answer({"--usage", "night.csv", "--on-demand", "1", "--committed", "0.55"});
  EXPECT_EQ(answer["quantity"], 0);
  EXPECT_EQ(answer["cost"], "3600.000000000");
  EXPECT_TRUE(answer["utilization"].is_null());
  EXPECT_TRUE(answer["purchases"].empty());
  const Ran ran = Commit({"--usage", "night.csv", "--on-demand", "1", "--committed", "0.55"});
  EXPECT_NE(ran.out.find("commit to nothing: no unit more is used more than 55 % of the time"),
            std::string::npos);
}

TEST_F(PlanCommitTest, ComparesUnitsWithMoney) {
  io_.Write("offers.yaml", R"(
offers:
  - {name: ri, kind: ri, rate: 7, term: 1y}
  - name: plan
    kind: savings-plan
    rates: [{flavor: H100, rate: 5.5}]
)");
  const Json answer = Answer({"--usage", "hourly.csv", "--flavor", "H100", "--on-demand", "10",
                              "--offers", "offers.yaml", "--growth", "10%"});
  EXPECT_EQ(answer["flavor"], "H100");
  EXPECT_EQ(answer["offer"], "plan");
  EXPECT_EQ(answer["commitment"], "22.000000000");
  EXPECT_EQ(answer["quantity"], 0);
  EXPECT_EQ(answer["saving"], "17280.000000000");
  EXPECT_EQ(answer["plans"][0]["on_demand_value"], "40.000000000");
  EXPECT_EQ(answer["scenarios"].size(), 4U);  // units and the plan, as measured and grown
  EXPECT_EQ(answer["offers"][0]["quantity"], 4);
}

TEST_F(PlanCommitTest, ExistingCommitmentsAreUsedFirstAndIdleOnesAreTold) {
  io_.Write("existing.csv",
            "name,flavor,units,rate,expires\nold,H100,3,6,2028-01-01\nodcr,B200,2,20,2028-01-01\n");
  const std::vector<std::string> args{"--usage",     "hourly.csv",  "--flavor",    "H100",
                                      "--on-demand", "10",          "--committed", "5.5",
                                      "--existing",  "existing.csv"};
  const Json answer = Answer(args);
  EXPECT_EQ(answer["existing_quantity"], 3);
  EXPECT_EQ(answer["quantity"], 1);
  EXPECT_EQ(answer["existing"][1]["stranded_cost"], "38400.000000000");  // 2 x 20 x 960
  EXPECT_EQ(answer["existing"][1]["utilization"], 0.0);
  EXPECT_NE(Commit(args).out.find("odcr (2 x B200) has no use at all"), std::string::npos);
}

TEST_F(PlanCommitTest, ScenariosShowRegretAndALadderItsPrice) {
  const Json answer =
      Answer({"--usage", "hourly.csv", "--on-demand", "10", "--committed", "5.5", "--term", "3y",
              "--price-cut", "50%", "--migrate", "2027-06:H200:0.5", "--ladder", "3"});
  ASSERT_EQ(answer["scenarios"].size(), 3U);
  EXPECT_EQ(answer["scenarios"][0]["regret"], "0.000000000");
  EXPECT_EQ(answer["scenarios"][2]["scenario"], "price cut 50%");
  EXPECT_EQ(answer["scenarios"][2]["regret"], "52560.000000000");  // 4 x 0.5 x 26,280
  EXPECT_EQ(answer["scenarios"][2]["best"], Json::array({"nothing"}));
  EXPECT_EQ(answer["ladder"].size(), 3U);
  EXPECT_EQ(answer["ladder"][2]["quantity_total"], 4);
}

TEST_F(PlanCommitTest, MissingHoursAreCountedAndNeverZero) {
  std::string text = Hourly(40, 10, 10);
  const std::size_t begin = text.find("2026-10-02"), end = text.find("2026-10-20");
  text.erase(begin, end - begin);
  io_.Write("gaps.csv", text);
  const std::vector<std::string> args{"--usage", "gaps.csv",    "--on-demand",
                                      "10",      "--committed", "5.5"};
  const Json left_out = Answer(args);
  EXPECT_EQ(left_out["hours_missing"], 18 * 24);
  EXPECT_EQ(left_out["quantity"], 10);
  std::vector<std::string> zero = args;
  zero.insert(zero.end(), {"--missing", "zero"});
  EXPECT_EQ(Answer(zero)["quantity"], 0);  // 22 of 40 days are 55 %, no more than the break-even
  EXPECT_NE(Commit(args).out.find("432 hours of the window are missing"), std::string::npos);
}

TEST_F(PlanCommitTest, MoneyAndUnitsAreComparedOverTheSameHours) {
  io_.Write("two.csv",
            "hour,flavor,usage\n2026-11-01T00:00:00Z,H100,10\n2026-11-01T01:00:00Z,H100,10\n"
            "2026-11-01T01:00:00Z,H200,4\n");
  io_.Write("o.yaml",
            "on_demand:\n  - {flavor: H100, price: 10}\n  - {flavor: H200, price: 10}\noffers:\n"
            "  - {name: ri, flavors: [H100], rate: 9}\n"
            "  - name: plan\n    kind: savings-plan\n"
            "    rates: [{flavor: H100, rate: 5}, {flavor: H200, rate: 5}]\n");
  const Ran ran = Commit({"--usage", "two.csv", "--offers", "o.yaml"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_NE(ran.err.find("H100 and H200 are told for other hours"), std::string::npos) << ran.err;
  EXPECT_EQ(Commit({"--usage", "two.csv", "--offers", "o.yaml", "--missing", "zero"}).code, 0);
}

TEST_F(PlanCommitTest, RefusesWhatItCannotAnswer) {
  const auto error = [&](std::vector<std::string> args) {
    const Ran ran = Commit(std::move(args));
    EXPECT_NE(ran.code, 0);
    return ran.err;
  };
  EXPECT_NE(error({"--usage", "hourly.csv", "--on-demand", "10"}).find("nothing is offered"),
            std::string::npos);
  EXPECT_NE(error({"--usage", "hourly.csv", "--committed", "5"}).find("no on-demand price"),
            std::string::npos);
  EXPECT_NE(error({"--on-demand", "10", "--committed", "5"}).find("--usage"), std::string::npos);
  EXPECT_NE(
      error({"--usage", "none.csv", "--on-demand", "10", "--committed", "5"}).find("none.csv"),
      std::string::npos);
  EXPECT_NE(
      error({"--usage", "hourly.csv", "--on-demand", "10", "--committed", "5", "--window", "7d"})
          .find("--window"),
      std::string::npos);
  io_.Write("far.csv", "hour,usage\n0001-11-01T00:00:00Z,1\n9999-11-01T00:00:00Z,1\n");
  EXPECT_NE(
      error({"--usage", "far.csv", "--on-demand", "10", "--committed", "5", "--missing", "zero"})
          .find("more than five years"),
      std::string::npos);
  io_.Write("bad.csv", "hour,usage\n2026-11-01T00:00Z,NaN\n");
  EXPECT_EQ(Commit({"--usage", "bad.csv", "--on-demand", "10", "--committed", "5"}).code, 3);
}

TEST_F(PlanCommitTest, CapacityBlocksArePricedByUsableHours) {
  const std::vector<std::string> args{"--block-begin", "2026-12-08", "--block-price", "39.33"};
  const Json answer = Answer(args);
  EXPECT_EQ(answer["usable_hours"], "23.500000000");
  EXPECT_EQ(answer["cost_per_usable_hour"], "40.166808511");
  EXPECT_EQ(answer["terminates"], "2026-12-09T11:00:00Z");
  std::vector<std::string> job = args;
  job.insert(job.end(), {"--job-begin", "2026-12-09T10:55:00Z", "--job-length", "40m"});
  const Ran refused = Commit(job);
  EXPECT_EQ(refused.code, 1);
  EXPECT_NE(refused.err.find("terminated from 2026-12-09T11:00:00Z"), std::string::npos);
}

TEST_F(PlanCommitTest, TablesFitEightyColumns) {
  const Ran ran = Commit({"--usage", "hourly.csv", "--on-demand", "10", "--committed", "5.5",
                          "--price-cut", "44%", "--ladder", "2"});
  std::istringstream lines(ran.out);
  bool in_table = false;
  for (std::string line; std::getline(lines, line);) {
    in_table = in_table || line.starts_with("flavor");
    if (line.empty()) in_table = false;
    if (in_table) {
      EXPECT_LE(line.size(), 90U) << line;
    }
  }
}

}  // namespace
}  // namespace plimsoll
