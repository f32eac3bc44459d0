#include "cli/priced_requests.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/test_io.h"

namespace plimsoll {
namespace {

using Json = nlohmann::json;

class PricedRequestsTest : public testing::Test {
 protected:
  PricedRequestsTest() : io_("priced-requests") {
    io_.Write("jobs.psv",
              "JobID|JobIDRaw|Cluster|Account|User|Submit|Start|End|State|NNodes|NCPUS|ReqMem|"
              "AllocTRES|NodeList|JobName\n"
              "7|7|hpc|bio|ann|2026-11-16T00:00:00|2026-11-16T00:00:00|2026-11-16T02:00:00|"
              "COMPLETED|1|4|8G|cpu=4,mem=8G,node=1,gres/gpu=8|n1|serve\n");
    io_.Write("log.csv",
              "request,arrival,model,ttft_ms,e2e_ms,input_tokens,output_tokens,status\n"
              "a,2026-11-16T00:30:00Z,llama,100,1000,10,1000000,ok\n"
              "b,2026-11-16T00:40:00Z,llama,900,1000,10,1000000,ok\n");
    io_.Write("plimsoll.yaml",
              "prices:\n  - {provider: on-prem, instance_type: n1, amount: 40}\n"
              "services:\n"
              "  - {name: chat, slo: {ttft: 500ms}, cost: 'workload:\"serve\"'}\n");
  }
  Json Inference(const std::string& window) {
    const Ran ran =
        io_.Run({"unit", "inference", "--db", "f.duckdb", "--window", window, "--format", "json"});
    EXPECT_EQ(ran.code, 0) << ran.err;
    return ran.code == 0 ? Json::parse(ran.out) : Json::object();
  }

  TestIo io_;
};

TEST_F(PricedRequestsTest, AServiceCostsWhatItsLedgerLinesSay) {
  for (const std::vector<std::string>& args :
       {std::vector<std::string>{"ingest", "slurm", "jobs.psv", "--cluster", "hpc"},
        std::vector<std::string>{"ingest", "requests", "log.csv", "--service", "chat"}}) {
    std::vector<std::string> whole = args;
    whole.insert(whole.end(), {"--db", "f.duckdb"});
    const Ran ran = io_.Run(whole);
    ASSERT_EQ(ran.code, 0) << ran.err;
  }
  const std::string window = "2026-11-16T00:00:00Z/2026-11-16T02:00:00Z";
  const Json answer = Inference(window);
  const Ran lines = io_.Run({"allocate", "--db", "f.duckdb", "--window", window, "--by", "workload",
                             "--filter", "workload:\"serve\"", "--format", "json"});
  ASSERT_EQ(lines.code, 0) << lines.err;
  EXPECT_EQ(answer["cost"], Json::parse(lines.out)[0]["cost"]);
  EXPECT_NE(answer["cost"], "0.000000000");
  EXPECT_EQ(answer["requests_good"], 1);
}

TEST_F(PricedRequestsTest, WithoutRequestsInTheWindowTheRemedyIsNamed) {
  const Ran loaded =
      io_.Run({"ingest", "requests", "log.csv", "--service", "chat", "--db", "f.duckdb"});
  ASSERT_EQ(loaded.code, 0) << loaded.err;
  const Ran ran = io_.Run(
      {"unit", "inference", "--db", "f.duckdb", "--window", "2026-11-18", "--format", "json"});
  EXPECT_NE(ran.code, 0);
  EXPECT_NE(ran.err.find("no requests in that window; load them with"), std::string::npos)
      << ran.err;
}

}  // namespace
}  // namespace plimsoll
