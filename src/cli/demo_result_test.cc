#include "cli/demo_result.h"

#include <gtest/gtest.h>

#include "cli/test_io.h"

namespace plimsoll {
namespace {

class DemoResultTest : public testing::Test {
 protected:
  DemoResultTest() : io_("demo-result") {}
  // A day with a node that serves.
  Ran Check() {
    return io_.Run({"demo", "--gpus", "48", "--days", "1", "--db", "d.duckdb", "--check"});
  }
  TestIo io_;
};

TEST_F(DemoResultTest, TheDatabaseAnswersWhatTheSimulationKnows) {
  const Ran ran = Check();
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.err.find("runs by cause"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("requests to chat-70b, all equal, exactly"), std::string::npos) << ran.err;
}

TEST_F(DemoResultTest, OneEventAndOneRequestMoreAreSeen) {
  ASSERT_EQ(Check().code, 0);
  io_.Write("more.jsonl",
            R"({"kind":"step","run":"finetune-z0-1","attempt":0,"at":"2026-11-16T06:00:00Z",)"
            R"("seq":999999,"step":100000000,"samples":1})"
            "\n");
  io_.Write("more.csv", "arrival,request,service,status\n2026-11-16T06:00:00Z,x,chat-70b,error\n");
  ASSERT_EQ(io_.Run({"ingest", "runs", "more.jsonl", "--db", "d.duckdb"}).code, 0);
  ASSERT_EQ(io_.Run({"ingest", "requests", "more.csv", "--db", "d.duckdb"}).code, 0);
  const Ran ran = Check();
  EXPECT_EQ(ran.code, 1) << ran.err;
  EXPECT_NE(ran.err.find("run finetune-z0-1: effective ms is"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("service chat-70b: requests is"), std::string::npos) << ran.err;
}

}  // namespace
}  // namespace plimsoll
