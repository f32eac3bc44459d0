#include "ingest/cluster/occupancy_csv.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

const std::string kHeader =
    "time,total_gpu_num,running_job_num_noless_8,running_job_num_less_8,running_gpu_num_noless_8,"
    "running_gpu_num_less_8,pending_job_num_noless_8,pending_job_num_less_8,"
    "pending_gpu_num_noless_8,pending_gpu_num_less_8\n";

std::string ErrorOf(const std::string& rows) {
  const auto series = ReadOccupancyCsv("a/Earth_vcA_sequence_2020-05.csv", kHeader + rows);
  EXPECT_FALSE(series);
  return series ? "" : series.error().message;
}

TEST(OccupancyCsvTest, StepsAreRead) {
  const auto series = ReadOccupancyCsv(
      "a/Earth_vcA_sequence_2020-05.csv",
      kHeader +
          "2020-05-01 00:00:00,56,5,5,48,5,4,0,32,0\n2020-05-01 00:01:00,56,5,6,48,6.0,4,1,32,1\n");
  ASSERT_TRUE(series) << series.error().message;
  EXPECT_EQ(series->name, "vcA");
  EXPECT_EQ(series->gpus, 56);
  EXPECT_EQ(series->step, Minutes(1));
  EXPECT_EQ(series->size(), 2U);
  EXPECT_EQ(series->running(0), 53);
  EXPECT_EQ(series->idle(0), 3);
  EXPECT_EQ(series->pending(1), 33);
  EXPECT_EQ(series->small.running_jobs[1], 6);
}

TEST(OccupancyCsvTest, HolesAndChangesAreErrors) {
  const std::string first = "2020-05-01 00:00:00,56,5,5,48,5,4,0,32,0\n";
  const std::string second = "2020-05-01 00:01:00,56,5,5,48,5,4,0,32,0\n";
  EXPECT_NE(ErrorOf(first + second + "2020-05-01 00:03:00,56,5,5,48,5,4,0,32,0\n")
                .find("line 4, field time"),
            std::string::npos);
  EXPECT_NE(ErrorOf(first + "2020-05-01 00:01:00,64,5,5,48,5,4,0,32,0\n").find("total_gpu_num"),
            std::string::npos);
  EXPECT_NE(ErrorOf(first + "2020-05-01 00:01:00,56,-5,5,48,5,4,0,32,0\n")
                .find("field running_job_num_noless_8"),
            std::string::npos);
  EXPECT_NE(ErrorOf(first).find("fewer than two steps"), std::string::npos);
  EXPECT_NE(ErrorOf(first + first).find("must rise"), std::string::npos);
}

TEST(OccupancyCsvTest, AMissingColumnIsNamed) {
  const auto series = ReadOccupancyCsv("f.csv", "time,total_gpu_num\n2020-05-01,8\n");
  ASSERT_FALSE(series);
  EXPECT_NE(series.error().message.find("running_job_num"), std::string::npos)
      << series.error().message;
}

}  // namespace
}  // namespace plimsoll
