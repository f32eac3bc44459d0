#include "cli/discover.h"

#include <gtest/gtest.h>

#include "cli/test_io.h"

namespace plimsoll {
namespace {

constexpr const char* kBill = "BilledCost,ChargePeriodStart,ChargePeriodEnd\n1,a,b\n";

TEST(DiscoverTest, KnowsFilesByHowTheyBegin) {
  EXPECT_EQ(KindOfFile(kBill), "focus");
  EXPECT_EQ(KindOfFile(std::string("\xEF\xBB\xBF") + kBill), "focus");
  EXPECT_EQ(KindOfFile("JobID|JobName|State\n1|a|b\n"), "slurm");
  EXPECT_EQ(KindOfFile("NodeName=g01 Arch=x86_64 CoresPerSocket=32\n"), "slurm");
  EXPECT_EQ(KindOfFile("{\n \"meta\": {\"Slurm\": {\"release\": \"22.05.8\"}},\n \"jobs\": ["),
            "slurm");
  EXPECT_EQ(KindOfFile("{\"jobs\": [{\"account\": \"a\", \"allocation_nodes\": 2"), "slurm");
  EXPECT_EQ(KindOfFile("{\n \"apiVersion\": \"v1\",\n \"kind\": \"List\""), "kubernetes");
  EXPECT_EQ(KindOfFile("# HELP DCGM_FI_DEV_GPU_UTIL x\n"), "prometheus");
  EXPECT_EQ(KindOfFile("# HELP vllm:num_requests_running x\n"), "prometheus");
  EXPECT_EQ(KindOfFile("a,b\n1,2\n"), std::nullopt);
  EXPECT_EQ(KindOfFile(""), std::nullopt);
}

TEST(DiscoverTest, FindsFilesAndUsesAPatternWhereItNamesNothingElse) {
  TestIo io("discover");
  io.Write("jobs.psv", "JobID|State\n");
  io.Write("notes.csv", "a,b\n");
  io.Write("bill.csv", kBill);
  io.Write("bills/2026-09.csv", kBill);
  io.Write("bills/2026-10.csv", kBill);
  const Discovered discovered = Discover({&io.io, ".", nullptr});
  ASSERT_EQ(discovered.sources.size(), 3u);
  EXPECT_EQ(discovered.sources[0].kind, "focus");
  EXPECT_EQ(discovered.sources[0].files, std::vector<std::string>{"bill.csv"});
  EXPECT_EQ(discovered.sources[1].kind, "slurm");
  EXPECT_EQ(discovered.sources[2].name, "focus-bills");
  EXPECT_EQ(discovered.sources[2].files, std::vector<std::string>{"bills/*.csv"});
}

TEST(DiscoverTest, AsksPrometheusWhereTheEnvironmentSaysFirst) {
  TestIo io("discover");
  io.env["PROMETHEUS_URL"] = "http://prom:9090";
  std::vector<std::string> asked;
  const auto answers = [&](const std::string& url) {
    asked.push_back(url);
    return url == "http://localhost:9090";
  };
  const Discovered discovered = Discover({&io.io, ".", answers});
  EXPECT_EQ(asked, (std::vector<std::string>{"http://prom:9090", "http://localhost:9090"}));
  ASSERT_EQ(discovered.sources.size(), 1u);
  EXPECT_EQ(discovered.sources[0].url, "http://localhost:9090");
}

TEST(DiscoverTest, SaysWhatIsThereButNeedsAStep) {
  TestIo io("discover");
  io.Write("home/.kube/config", "apiVersion: v1\n");
  io.Write("bin/sacct", "#!/bin/sh\n");
  std::filesystem::permissions("bin/sacct", std::filesystem::perms::owner_all);
  io.env["HOME"] = "home";
  io.env["PATH"] = "nowhere:bin";
  const Discovered discovered = Discover({&io.io, ".", nullptr});
  ASSERT_EQ(discovered.to_do.size(), 2u);
  EXPECT_NE(discovered.to_do[0].find("kubectl get nodes,pods"), std::string::npos);
  EXPECT_NE(discovered.to_do[1].find("sacct --allusers --duplicates --json"), std::string::npos);
}

TEST(DiscoverTest, TakesTheTimeZoneOfTheEnvironment) {
  TestIo io("discover");
  io.env["TZ"] = ":Europe/Berlin";
  EXPECT_EQ(Discover({&io.io, ".", nullptr}).time_zone, "Europe/Berlin");
  io.env["TZ"] = "nonsense";
  EXPECT_EQ(Discover({&io.io, ".", nullptr}).time_zone, "");
}

}  // namespace
}  // namespace plimsoll
