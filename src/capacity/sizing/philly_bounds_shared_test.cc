// Bounds of the jobs of Philly's virtual clusters (../shared, not part of the repository).
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "capacity/sizing/lower_bounds.h"

namespace plimsoll {
namespace {

std::filesystem::path PhillyJobs() {
  std::filesystem::path shared;
  if (const char* named = std::getenv("PLIMSOLL_SHARED")) {
    shared = named;
  } else {
    const char* root = std::getenv("PLIMSOLL_ROOT");
    shared = std::filesystem::path(root == nullptr ? "." : root) / ".." / "shared";
  }
  return shared / "data" / "traces" / "philly" / "philly_jobs_sia.csv";
}

// timestamp,duration,num_gpus,gpu_time,cluster
std::map<std::string, std::vector<Demand>> ReadJobs() {
  std::map<std::string, std::vector<Demand>> jobs;
  std::ifstream in(PhillyJobs());
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line)) {
    std::istringstream fields(line);
    std::string timestamp, duration, gpus, gpu_time, cluster;
    std::getline(fields, timestamp, ',');
    std::getline(fields, duration, ',');
    std::getline(fields, gpus, ',');
    std::getline(fields, gpu_time, ',');
    std::getline(fields, cluster);
    if (!cluster.empty() && cluster.back() == '\r') cluster.pop_back();
    Demand demand;
    const Result<Instant> release = ParseInstant(timestamp);
    if (!release) continue;  // the file has an empty line
    demand.release = *release;
    demand.run = Seconds(std::stoll(duration));
    demand.gpu_milli = demand.start_milli = std::stoll(gpus) * kMilliPerGpu;
    jobs[cluster].push_back(demand);
  }
  return jobs;
}

struct Golden {
  const char* cluster;
  double offered;
  std::int64_t peak;
};

// Counted from the file by another program.
constexpr Golden kGoldens[] = {
    {"ee9e8c", 116.28, 367}, {"b436b2", 56.61, 755}, {"6214e9", 38.15, 596}, {"7f04ca", 63.25, 232},
    {"11cb48", 13.19, 266},  {"2869ce", 37.96, 344}, {"0e4a51", 37.92, 236}, {"e13805", 6.15, 92}};

TEST(PhillyBoundsTest, OfferedLoadAndPeakAreTheTraces) {
  if (!std::filesystem::exists(PhillyJobs())) GTEST_SKIP() << PhillyJobs() << " is not there";
  const auto jobs = ReadJobs();
  for (const Golden& golden : kGoldens) {
    SCOPED_TRACE(golden.cluster);
    const std::vector<Demand>& of = jobs.at(golden.cluster);
    const Window window = ReleaseWindow(of);
    const double offered = static_cast<double>(WorkOf(of)) / kMilliPerGpu /
                           static_cast<double>(window.length().base());
    EXPECT_NEAR(offered, golden.offered, 0.005);
    EXPECT_EQ(PeakOf(of).gpus, golden.peak);
    const std::int64_t work = WorkBound(of, window.length(), kPerBillion);
    EXPECT_GE(static_cast<double>(work), offered);
    EXPECT_LT(static_cast<double>(work), offered + 1);
  }
}

TEST(PhillyBoundsTest, BoundsFallAsJobsMayWaitLonger) {
  if (!std::filesystem::exists(PhillyJobs())) GTEST_SKIP() << PhillyJobs() << " is not there";
  const auto jobs = ReadJobs();
  for (const char* const cluster : {"ee9e8c", "6214e9"}) {
    const std::vector<Demand>& of = jobs.at(cluster);
    std::int64_t before = PeakOf(of).gpus;
    for (const Duration wait : {Duration(), Minutes(30), Hours(4), Days(2), Days(30)}) {
      const std::int64_t gpus = DeadlineBoundOf(DueWithin(of, wait)).gpus;
      EXPECT_LE(gpus, before);
      EXPECT_GT(gpus, 0);
      before = gpus;
    }
    EXPECT_GT(PeakOf(of).gpus, before);
  }
}

}  // namespace
}  // namespace plimsoll
