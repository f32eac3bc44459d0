#include "cli/schedule_view.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/test_io.h"

namespace plimsoll {
namespace {

using Json = nlohmann::json;

// Instances that run all the time and are worked on from 09:00 to 18:00 on working days of the
// zone, one of them on a Saturday too. From `since` on they run only in those hours.
std::string Activity(int days, int since, int offset_hours) {
  std::string text = "instance,hour,activity\n";
  for (int h = 0; h < days * 24; ++h) {
    const int hour = h % 24, day = h / 24;
    const bool work = day % 7 < 5 && hour >= 9 && hour < 18;
    if (day >= since && !work) continue;
    const Instant at = *ParseInstant("2026-06-01T00:00:00Z") + Hours(h - offset_hours);
    text += "a," + ToString(at) + "," + (work ? "0.8" : "0") + "\n";
    text += "b," + ToString(at) + "," + (work || (day == 5 && hour == 10) ? "0.8" : "0") + "\n";
  }
  return text;
}

class PlanScheduleTest : public testing::Test {
 protected:
  PlanScheduleTest() : io_("plan-schedule") { io_.Write("a.csv", Activity(7, 7, 0)); }

  Json Answer(std::vector<std::string> more) {
    std::vector<std::string> args{"plan", "schedule"};
    args.insert(args.end(), more.begin(), more.end());
    args.insert(args.end(), {"--format", "json"});
    const Ran ran = io_.Run(args);
    EXPECT_EQ(ran.code, 0) << ran.err;
    return ran.code == 0 ? Json::parse(ran.out) : Json::object();
  }
  std::string ErrorOf(std::vector<std::string> more) {
    std::vector<std::string> args{"plan", "schedule"};
    args.insert(args.end(), more.begin(), more.end());
    const Ran ran = io_.Run(args);
    EXPECT_EQ(ran.code, 2);
    return ran.err;
  }
  TestIo io_;
};

// The published fleet: 36,000 h and 43,560; 9,900 h and 11,979; 5,940 h and 7,187.40.
TEST_F(PlanScheduleTest, ADeclaredFleetHasThePublishedFigures) {
  const Json answer = Answer(
      {"--instances", "50", "--window", "2026-06", "--price", "1.21", "--idle-share", "40%"});
  const Json& steps = answer["compounded"];
  EXPECT_EQ(answer["hours"], "36000.000000000");
  EXPECT_EQ(answer["cost"], "43560.000000000");
  EXPECT_EQ(steps[1]["hours_on"], "26400.000000000");
  EXPECT_EQ(steps[2]["hours_on"], "9900.000000000");
  EXPECT_EQ(steps[2]["cost"], "11979.000000000");
  EXPECT_EQ(steps[3]["hours_on"], "5940.000000000");
  EXPECT_EQ(steps[3]["cost"], "7187.400000000");
  EXPECT_EQ(answer["saving"], "36372.600000000");
  EXPECT_EQ(answer["saving_share"], 0.835);
  // Nobody said what people do: what they lose, and so the net saving, is not known.
  for (const char* name : {"active_hours_cut", "interruptions", "wake_ups", "saving_net"}) {
    EXPECT_TRUE(answer[name].is_null()) << name;
  }
}

TEST_F(PlanScheduleTest, WorkThatIsCutIsCountedAndPaid) {
  const Json answer = Answer({"--activity", "a.csv", "--price", "2", "--people-cost", "60"});
  EXPECT_EQ(answer["hours"], "336.000000000");
  EXPECT_EQ(answer["hours_on"], "90.000000000");
  EXPECT_EQ(answer["saving"], "492.000000000");
  EXPECT_EQ(answer["active_hours_cut"], "1.000000000");
  EXPECT_EQ(answer["interruptions"], 1);
  EXPECT_EQ(answer["waiting_cost"], "2.000000000");
  EXPECT_EQ(answer["saving_net"], "488.000000000");
}

TEST_F(PlanScheduleTest, ControlsAreAppliedInTheOrderGiven) {
  const Json answer = Answer({"--activity", "a.csv", "--price", "2", "--controls", "idle,weekend"});
  EXPECT_EQ(answer["compounded"][1]["control"], "idle");
  EXPECT_EQ(answer["compounded"][2]["control"], "+ weekend");
  EXPECT_EQ(answer["alone"].size(), 2U);
  EXPECT_EQ(answer["alone"][1]["hours_on"], "240.000000000");
}

// The same work in Tokyo: in UTC it would be cut, in the zone of the people nothing is.
TEST_F(PlanScheduleTest, HoursAreThoseOfThePeoplesZone) {
  io_.Write("tokyo.csv", Activity(5, 5, 9));
  const std::vector<std::string> args{"--activity", "tokyo.csv",  "--price",
                                      "2",          "--controls", "business-hours"};
  EXPECT_NE(Answer(args)["active_hours_cut"], "0.000000000");
  std::vector<std::string> there = args;
  there.insert(there.end(), {"--time-zone", "Asia/Tokyo"});
  EXPECT_EQ(Answer(there)["active_hours_cut"], "0.000000000");
  EXPECT_EQ(Answer(there)["hours_on"], "90.000000000");
}

TEST_F(PlanScheduleTest, HolidaysAreOff) {
  const Json answer = Answer(
      {"--activity", "a.csv", "--price", "2", "--controls", "weekend", "--holidays", "2026-06-03"});
  EXPECT_EQ(answer["hours_on"], "192.000000000");
}

TEST_F(PlanScheduleTest, MeasuresWhatHasChanged) {
  io_.Write("since.csv", Activity(21, 14, 0));
  const Json answer = Answer({"--activity", "since.csv", "--price", "2", "--since", "2026-06-15"});
  // The last hour that runs is Friday 17:00: Friday is no whole day.
  EXPECT_EQ(answer["measured"][0]["days_before"], 14);
  EXPECT_EQ(answer["measured"][0]["days_after"], 4);
  EXPECT_EQ(answer["measured"][0]["hours_after"], "72.000000000");
  EXPECT_EQ(answer["measured"][0]["hours_as_before"], "192.000000000");
  EXPECT_EQ(answer["measured_saving"], "240.000000000");
}

TEST_F(PlanScheduleTest, RefusesWhatContradictsItself) {
  EXPECT_NE(ErrorOf({"--activity", "a.csv"}).find("--price"), std::string::npos);
  EXPECT_NE(ErrorOf({"--price", "1"}).find("--activity"), std::string::npos);
  EXPECT_NE(
      ErrorOf({"--activity", "a.csv", "--price", "1", "--idle-share", "40%"}).find("--idle-share"),
      std::string::npos);
  EXPECT_NE(
      ErrorOf({"--activity", "a.csv", "--price", "1", "--controls", "nights"}).find("'nights'"),
      std::string::npos);
  for (const char* after : {"30s", "90s"}) {
    EXPECT_NE(ErrorOf({"--activity", "a.csv", "--price", "1", "--idle-after", after})
                  .find("--idle-after: give whole minutes"),
              std::string::npos);
  }
  EXPECT_NE(ErrorOf({"--instances", "-1", "--price", "1"}).find("--instances"), std::string::npos);
  EXPECT_NE(ErrorOf({"--activity", "a.csv", "--price", "1", "--since", "June"}).find("--since"),
            std::string::npos);
}

}  // namespace
}  // namespace plimsoll
