#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/test_io.h"
#include "units/money.h"

namespace plimsoll {
namespace {

using Json = nlohmann::json;

// Four GPUs at 12 an hour: bio holds one from 00:00 to 02:00, geo two from 01:00 to 03:00.
constexpr const char* kJobs =
    "JobID|JobIDRaw|Cluster|Account|User|Submit|Start|End|State|NNodes|NCPUS|ReqMem|AllocTRES|"
    "NodeList|JobName\n"
    "1|1|hpc|bio|ann|2026-11-16T00:00:00|2026-11-16T00:00:00|2026-11-16T02:00:00|COMPLETED|1|4|"
    "8G|cpu=4,mem=8G,node=1,gres/gpu=1|n1|fold\n"
    "2|2|hpc|geo|bob|2026-11-16T01:00:00|2026-11-16T01:00:00|2026-11-16T03:00:00|COMPLETED|1|4|"
    "8G|cpu=4,mem=8G,node=1,gres/gpu=2|n1|map\n";
constexpr const char* kNodes =
    "NodeName=n1 Arch=x86_64 CoresPerSocket=8 \n"
    "   CPUAlloc=0 CPUEfctv=16 CPUTot=16 CPULoad=0.00\n"
    "   Gres=gpu:a100:4\n"
    "   NodeAddr=n1 NodeHostName=n1 Version=24.11.5\n"
    "   RealMemory=65536 AllocMem=0 FreeMem=65536 Sockets=2 Boards=1\n"
    "   State=IDLE ThreadsPerCore=1 TmpDisk=0 Weight=1\n"
    "   Partitions=gpu \n"
    "   BootTime=2026-10-31T20:51:00 SlurmdStartTime=2026-10-31T20:51:00\n";
constexpr const char* kPrices =
    "provider: on-prem\ncurrency: USD\nprices:\n  - {instance_type: n1, amount: 12}\n";

class AllocateTest : public testing::Test {
 protected:
  AllocateTest() : io_("allocate") {
    io_.Write("jobs.psv", kJobs);
    io_.Write("nodes.txt", kNodes);
    io_.Write("prices.yaml", kPrices);
  }

  Ran Allocate(std::vector<std::string> more) {
    std::vector<std::string> args{"allocate",
                                  "--from",
                                  "slurm:hpc=jobs.psv",
                                  "--from",
                                  "slurm:hpc=nodes.txt",
                                  "--from",
                                  "prices=prices.yaml",
                                  "--window",
                                  window_};
    args.insert(args.end(), more.begin(), more.end());
    return io_.Run(args);
  }

  Json Rows(std::vector<std::string> more) {
    more.insert(more.end(), {"--format", "json"});
    const Ran ran = Allocate(std::move(more));
    EXPECT_EQ(ran.code, 0) << ran.err;
    return ran.code == 0 ? Json::parse(ran.out) : Json::array();
  }

  static std::string Total(const Json& rows) {
    Money total;
    for (const Json& row : rows) total += *Money::Parse(row["cost"].get<std::string>());
    return total.ToString();
  }

  TestIo io_;
  std::string window_ = "2026-11-16T00:00Z/2026-11-16T03:00Z";
};

TEST_F(AllocateTest, RowsHaveTheKeysAClassHoursAndOneColumnAKind) {
  const Json rows = Rows({"--by", "account"});
  ASSERT_EQ(rows.size(), 3u);
  std::string names;
  const auto first =
      nlohmann::ordered_json::parse(Allocate({"--by", "account", "--format", "json"}).out)[0];
  for (const auto& [name, value] : first.items()) names += name + " ";
  EXPECT_EQ(names,
            "account class gpu_hours gpu_hours_used gpu_cost cpu_cost memory_cost storage_cost "
            "network_cost shared_cost overhead_cost cost ");
  EXPECT_EQ(rows[0]["class"], "waste");
  EXPECT_EQ(rows[0]["gpu_hours"], "6.000000000");
  EXPECT_EQ(rows[0]["gpu_hours_used"], "0.000000000");
  EXPECT_EQ(rows[1]["account"], "geo");
  EXPECT_EQ(rows[1]["class"], "usage_unknown");
  EXPECT_TRUE(rows[1]["gpu_hours_used"].is_null());
  EXPECT_EQ(Total(rows), "36.000000000");
}

TEST_F(AllocateTest, EveryPolicyHasTheBillsTotal) {
  for (const char* by : {"account", "node,class"}) {
    EXPECT_EQ(Total(Rows({"--by", by, "--idle", "share"})), "36.000000000");
    EXPECT_EQ(Total(Rows({"--by", by, "--idle", "share", "--idle-by", "node", "--step", "1h"})),
              "36.000000000");
    EXPECT_EQ(Total(Rows({"--by", by, "--share", "account:geo", "--share-split", "even"})),
              "36.000000000");
  }
  EXPECT_EQ(Rows({"--by", "account", "--share", "account:geo", "--idle", "share"}).size(), 1u);
}

TEST_F(AllocateTest, AFilterKeepsTheFiguresOfSharedIdle) {
  const std::vector<std::string> share{"--by", "account", "--idle", "share"};
  std::vector<std::string> filtered = share;
  filtered.insert(filtered.end(), {"--filter", "account:bio"});
  const Json all = Rows(share), one = Rows(filtered);
  ASSERT_EQ(one.size(), 1u);
  EXPECT_EQ(one[0], all[1]);
}

TEST_F(AllocateTest, StepsComeFirstAndAccumulateAddsThemUp) {
  const Json hourly = Rows({"--by", "account", "--idle", "share", "--step", "1h"});
  ASSERT_EQ(hourly.size(), 4u);
  EXPECT_EQ(hourly[0]["window_begin"], "2026-11-16T00:00:00Z");
  EXPECT_EQ(hourly[0]["account"], "bio");
  EXPECT_EQ(hourly[0]["cost"], "12.000000000");  // alone on the node: all of its idle
  EXPECT_EQ(hourly[3]["window_begin"], "2026-11-16T02:00:00Z");
  const Json sum = Rows({"--by", "account", "--idle", "share", "--step", "1h", "--accumulate"});
  ASSERT_EQ(sum.size(), 2u);
  EXPECT_FALSE(sum[0].contains("window_begin"));
  const auto cost = [](const Json& row) { return *Money::Parse(row["cost"].get<std::string>()); };
  EXPECT_EQ(cost(sum[0]) + cost(sum[1]), Money::Units(36));
  EXPECT_EQ(cost(sum[1]), cost(hourly[0]) + cost(hourly[2]));
}

TEST_F(AllocateTest, DaysAreThoseOfTheConfiguredZone) {
  io_.Write("plimsoll.yaml", "time_zone: Europe/Berlin\n");  // sacct's times are the zone's too
  window_ = "2026-11-15..2026-11-18";
  const Json days = Rows({"--by", "account", "--step", "1d", "--idle", "hide"});
  ASSERT_EQ(days.size(), 2u);
  EXPECT_EQ(days[0]["account"], "geo");
  EXPECT_EQ(days[0]["window_begin"], "2026-11-15T23:00:00Z");
  EXPECT_EQ(days[0]["gpu_hours"], "4.000000000");
}

TEST_F(AllocateTest, HiddenIdleIsSaidUnderTheTable) {
  const Ran ran = Allocate({"--by", "account", "--idle", "hide"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.out.find("waste"), std::string::npos);
  EXPECT_NE(ran.err.find("USD for 6.000000000 GPU-hours that no workload holds is left out"),
            std::string::npos)
      << ran.err;
  EXPECT_EQ(ran.err.find("plimsoll explain"), std::string::npos);
  EXPECT_NE(Allocate({"--by", "account"}).err.find("plimsoll explain"), std::string::npos);
}

TEST_F(AllocateTest, OptionsThatMeanNothingAreRefused) {
  EXPECT_EQ(Allocate({"--idle-by", "node"}).err, "plimsoll: error: --idle-by needs --idle share\n");
  EXPECT_EQ(Allocate({"--share-split", "even"}).code, 2);
  EXPECT_EQ(Allocate({"--idle", "gone"}).code, 2);
  EXPECT_EQ(Allocate({"--step", "1y"}).code, 2);
  EXPECT_EQ(Allocate({"--share", "acount:geo"}).code, 2);
  EXPECT_EQ(Allocate({"--by", "account,account"}).err,
            "plimsoll: error: field 'account' is asked for twice: name each field once\n");
  EXPECT_EQ(Allocate({"--idle", "share", "--idle", "hide"}).err,
            "plimsoll: error: --idle is given as 'share' and as 'hide'; it takes one value: keep "
            "one\n");
}

TEST_F(AllocateTest, AFilterForWhatNoLineHasSaysSoInEveryFormat) {
  for (const char* format : {"json", "csv", "table"}) {
    const Ran ran = Allocate({"--filter", "account:boi", "--format", format});
    EXPECT_EQ(ran.code, 0);
    EXPECT_NE(ran.err.find("Note: no line has account = boi; known: \"\", bio, geo\n"),
              std::string::npos)
        << ran.err;
    EXPECT_EQ(ran.out.find("Note"), std::string::npos);
  }
}

// No telemetry is loaded: idle time is no signal that could tell what was used.
TEST_F(AllocateTest, UsedHoursWithoutASignalAreNotZeroInTheTotalEither) {
  const std::string table = Allocate({"--by", "account"}).out;
  const std::size_t total = table.find("total");
  ASSERT_NE(total, std::string::npos) << table;
  EXPECT_EQ(table.find("0.00", total), std::string::npos) << table;
  EXPECT_TRUE(Rows({"--by", "account", "--idle", "share"})[0]["gpu_hours_used"].is_null());
}

// Nothing but kube-state-metrics, and its pod still runs: what was seen last covers the time.
TEST(AllocateKubeStateMetricsTest, APodThatStillRunsIsHeldAsLongAsItWasSeen) {
  TestIo io("allocate-ksm");
  const auto line = [](const std::string& series, const std::string& value, int minute) {
    return series + " " + value + " " + std::to_string(1'794'787'200'000 + minute * 60'000) + "\n";
  };
  const std::string pod = R"({namespace="ns",pod="p",uid="u",node="n1"})";
  std::string text;
  for (const int minute : {0, 60, 115}) {
    text += line(R"(kube_node_info{node="n1"})", "1", minute) +
            line(R"(kube_node_labels{node="n1",label_node_kubernetes_io_instance_type="n1"})", "1",
                 minute) +
            line(R"(kube_node_status_capacity{node="n1",resource="nvidia_com_gpu"})", "1", minute) +
            line(R"(kube_node_created{node="n1"})", "1794787200", minute) +
            line("kube_pod_info" + pod, "1", minute) +
            line(R"(kube_pod_status_scheduled_time{namespace="ns",pod="p",uid="u"})", "1794787200",
                 minute) +
            line(R"(kube_pod_container_resource_requests{namespace="ns",pod="p",uid="u",)"
                 R"(container="c",resource="nvidia_com_gpu"})",
                 "1", minute);
  }
  io.Write("ksm.prom", text);
  io.Write("prices.yaml", kPrices);
  const Ran ran = io.Run({"allocate", "--from", "prometheus=ksm.prom", "--from",
                          "prices=prices.yaml", "--window", "2026-11-16T00:00Z/2026-11-16T03:00Z",
                          "--by", "workload", "--format", "json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const Json rows = Json::parse(ran.out);
  ASSERT_EQ(rows.size(), 1u) << ran.out;
  EXPECT_EQ(rows[0]["workload"], "p");
  EXPECT_EQ(rows[0]["gpu_hours"], "2.000000000");  // 115 minutes, and what a sample speaks for
  EXPECT_EQ(rows[0]["cost"], "24.000000000");
}

}  // namespace
}  // namespace plimsoll
