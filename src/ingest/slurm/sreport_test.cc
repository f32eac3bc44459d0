#include "ingest/slurm/sreport.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

using Values = std::map<std::string, std::string>;

// As Slurm 22.05 prints them.
constexpr const char* kTitle =
    "--------------------------------------------------------------------------------\n"
    "Cluster Utilization 2026-01-05T17:00:00 - 2026-01-05T18:59:59\n"
    "Usage reported in TRES Seconds\n"
    "--------------------------------------------------------------------------------\n";
const Values kExpected = {{"Allocated", "20"}, {"Down", "1936"}, {"PlannedDown", "7"},
                          {"Idle", "60"},      {"Planned", "3"}, {"Reported", "2026"}};

TEST(SreportTest, ParsableReportIsReadByItsHeader) {
  const auto report = ParseSreport(std::string(kTitle) +
                                       "Cluster|TRES Name|Allocated|Down|PLND Down|Idle|Planned|"
                                       "Reported\nhpc|gres/gpu|20|1936|7|60|3|2026\n",
                                   "");
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->unit, "Seconds");
  ASSERT_EQ(report->rows.size(), 1U);
  EXPECT_EQ(report->rows[0].cluster, "hpc");
  EXPECT_EQ(report->rows[0].tres, "gres/gpu");
  EXPECT_EQ(report->rows[0].values, kExpected);
}

TEST(SreportTest, TableForPeopleIsReadThroughItsCutTitles) {
  const auto report = ParseSreport(
      std::string(kTitle) +
          "  Cluster      TRES Name Allocate     Down PLND Dow     Idle  Planned Reported \n"
          "--------- -------------- -------- -------- -------- -------- -------- -------- \n"
          "      hpc       gres/gpu       20     1936        7       60        3     2026 \n",
      "");
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->rows[0].values, kExpected);
  EXPECT_EQ(report->rows[0].tres, "gres/gpu");
}

TEST(SreportTest, OfTwoColumnsTitledPlannedTheFirstIsPlannedDown) {
  const auto report = ParseSreport(
      "  Cluster Allocate     Down  Planned     Idle  Planned Reported\n"
      "--------- -------- -------- -------- -------- -------- --------\n"
      "mycluste+       20     1936        7       60        3     2026\n",
      "");
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->rows[0].values, kExpected);
  EXPECT_EQ(report->rows[0].tres, "cpu");
}

TEST(SreportTest, WithoutAHeaderTheFormatNamesTheColumns) {
  const auto report = ParseSreport("hpc|root||gres/gpu|20\nhpc|nlp|alice|gres/gpu|15(75.00%)\n",
                                   "Cluster,Account,Login,TresName,Used");
  ASSERT_TRUE(report) << report.error().message;
  ASSERT_EQ(report->rows.size(), 2U);
  EXPECT_EQ(report->rows[0].account, "root");
  EXPECT_EQ(report->rows[1].login, "alice");
  EXPECT_EQ(report->rows[1].values, (Values{{"Used", "15"}}));
}

TEST(SreportTest, TextOfAnotherShapeIsRefused) {
  for (const char* text : {"", "hpc|1|2\n", "Cluster|Weather\nhpc|fine\n", "Cluster|Used\nhpc\n",
                           "Cluster|Used\nhpc|1|2\n", "nothing here\n"}) {
    EXPECT_EQ(ParseSreport(text, "").error().code, ErrorCode::kBadData) << text;
  }
  EXPECT_EQ(ParseSreport("hpc|1\n", "Cluster,Weather").error().code, ErrorCode::kInvalidArgument);
}

TEST(SreportTest, FirstLineTellsAReportFromJobs) {
  EXPECT_TRUE(IsSreport(std::string(80, '-')));
  EXPECT_TRUE(IsSreport("Cluster|TRES Name|Allocated|Down|PLND Down|Idle|Planned|Reported"));
  EXPECT_TRUE(IsSreport("hpc|gres/gpu|9100|336|168|2500|1336|13440"));
  EXPECT_TRUE(IsSreport("hpc|nlp|alice|gres/gpu|5900"));
  EXPECT_FALSE(IsSreport("Cluster|JobID|State"));
  EXPECT_FALSE(IsSreport("|account1|993|15917500||"));
  EXPECT_FALSE(IsSreport("---"));
}

}  // namespace
}  // namespace plimsoll
