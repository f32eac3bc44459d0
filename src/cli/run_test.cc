#include "cli/run.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "cli/test_io.h"
#include "store/duckdb/duckdb_store.h"

namespace plimsoll {
namespace {

using Json = nlohmann::json;

constexpr const char* kBill =
    "BilledCost,EffectiveCost,ListCost,ContractedCost,BillingAccountId,BillingCurrency,"
    "BillingPeriodStart,BillingPeriodEnd,ChargePeriodStart,ChargePeriodEnd,ChargeCategory,"
    "InvoiceIssuerName,ProviderName,ServiceCategory,ServiceName,ResourceId,Tags\n"
    "1.5,1.25,2,1.5,001,USD,2026-10-01,2026-11-01,2026-10-05T00:00:00Z,2026-10-05T01:00:00Z,"
    "Usage,Acme,Acme,Compute,VM,i-1,{}\n"
    "0.000000001,0.5,2,1.5,001,USD,2026-10-01,2026-11-01,2026-10-05T01:00:00Z,"
    "2026-10-05T02:00:00Z,Usage,Acme,Acme,Compute,VM,i-1,{}\n";
constexpr const char* kBadRow =
    "ten,1,2,1.5,001,USD,2026-10-01,2026-11-01,2026-10-05T00:00:00Z,2026-10-05T01:00:00Z,"
    "Usage,Acme,Acme,Compute,VM,i-1,{}\n";

TEST(RunTest, HelpVersionAndNoCommand) {
  TestIo io("run");
  const Ran help = io.Run({"--help"});
  EXPECT_EQ(help.code, 0);
  EXPECT_NE(help.out.find("Usage: plimsoll COMMAND [OPTIONS]"), std::string::npos);
  EXPECT_NE(help.out.find("  ingest "), std::string::npos);
  EXPECT_EQ(io.Run({"help", "ingest", "focus"}).out, io.Run({"ingest", "focus", "--help"}).out);
  EXPECT_EQ(io.Run({"--version"}).out.substr(0, 9), "plimsoll ");
  const Ran nothing = io.Run({});
  EXPECT_EQ(nothing.code, 2);
  EXPECT_EQ(nothing.out, "");
  EXPECT_NE(nothing.err.find("plimsoll needs a command"), std::string::npos);
}

TEST(RunTest, UsageErrorsAreTwoWithASuggestion) {
  TestIo io("run");
  const Ran typo = io.Run({"ingets"});
  EXPECT_EQ(typo.code, 2);
  EXPECT_EQ(typo.err,
            "plimsoll: error: unknown command 'ingets' of plimsoll; did you mean 'ingest'?\n");
  EXPECT_EQ(io.Run({"sync", "--quite"}).code, 2);
  EXPECT_EQ(io.Run({"ingest", "focus"}).code, 2);
  EXPECT_EQ(io.Run({"quarantine", "--limit", "-1"}).code, 2);
  EXPECT_EQ(io.Run({"quarantine", "--from", "focsu=a.csv"}).code, 2);
  EXPECT_EQ(io.Run({"quarantine", "--from", "focus=a.csv", "--db", "x"}).code, 2);
}

TEST(RunTest, MissingAndBrokenFilesAreThree) {
  TestIo io("run");
  const Ran missing = io.Run({"ingest", "focus", "missing.csv"});
  EXPECT_EQ(missing.code, 3);
  EXPECT_NE(missing.err.find("missing.csv"), std::string::npos);
  EXPECT_EQ(io.Run({"sync", "--config", "missing.yaml"}).code, 3);
  EXPECT_EQ(io.Run({"sync"}).code, 3);  // there is no plimsoll.yaml
  io.Write("plimsoll.yaml", "sorces: []\ntime_zone: Mars\n");
  const Ran broken = io.Run({"sync"});
  EXPECT_EQ(broken.code, 3);
  EXPECT_NE(broken.err.find("plimsoll.yaml:1: sorces: is not a known key"), std::string::npos);
  EXPECT_NE(broken.err.find("plimsoll.yaml:2: time_zone"), std::string::npos);
}

TEST(RunTest, IngestReportsAndASecondTimeChangesNothing) {
  TestIo io("run");
  io.Write("bill.csv", std::string(kBill) + kBadRow);
  const Ran first = io.Run({"ingest", "focus", "bill.csv", "--format", "json"});
  ASSERT_EQ(first.code, 0) << first.err;
  const Json report = Json::parse(first.out);
  EXPECT_EQ(report["accepted"], 2);
  EXPECT_EQ(report["rejected"], 1);
  EXPECT_EQ(report["totals"][0]["billed"], "1.500000001");
  EXPECT_EQ(report["rejections"][0]["line"], 4);
  EXPECT_TRUE(std::filesystem::exists("plimsoll.duckdb"));
  const Ran second = io.Run({"ingest", "focus", "bill.csv"});
  EXPECT_EQ(second.code, 0);
  EXPECT_NE(second.out.find("Nothing changed"), std::string::npos) << second.out;
}

TEST(RunTest, TheQuarantineShowsWhatWasRefused) {
  TestIo io("run");
  io.Write("bill.csv", std::string(kBill) + kBadRow);
  ASSERT_EQ(io.Run({"ingest", "focus", "bill.csv"}).code, 0);
  const Ran json = io.Run({"quarantine", "--format", "json"});
  ASSERT_EQ(json.code, 0) << json.err;
  const Json rows = Json::parse(json.out);
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0]["file"], "bill.csv");
  EXPECT_EQ(rows[0]["line"], 4);
  EXPECT_EQ(Json::parse(io.Run({"quarantine", "--file", "other", "-f", "json"}).out).size(), 0u);
  EXPECT_NE(io.Run({"quarantine", "--file", "other"}).err.find("Nothing is quarantined"),
            std::string::npos);
}

TEST(RunTest, FromReadsFilesAndLeavesNoDatabase) {
  TestIo io("run");
  io.Write("bill.csv", std::string(kBill) + kBadRow);
  const Ran ran = io.Run({"quarantine", "--from", "focus=*.csv", "--format", "csv"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.out.find("bill.csv,4,BilledCost,"), std::string::npos) << ran.out;
  EXPECT_NE(ran.err.find("1 refused"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists("plimsoll.duckdb"));
}

TEST(RunTest, SyncGoesOnAfterAFailureAndIsFour) {
  TestIo io("run");
  io.Write("bills/a.csv", kBill);
  io.Write("plimsoll.yaml",
           "sources:\n"
           "  - {kind: focus, name: gone, files: [missing.csv]}\n"
           "  - {kind: focus, name: bill, files: ['bills/*.csv']}\n");
  const Ran ran = io.Run({"sync", "--format", "json"});
  EXPECT_EQ(ran.code, 4) << ran.err;
  const Json rows = Json::parse(ran.out);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0]["outcome"], "failed");
  EXPECT_NE(rows[0]["error"].get<std::string>().find("missing.csv"), std::string::npos);
  EXPECT_EQ(rows[1]["outcome"], "loaded");
  EXPECT_EQ(rows[1]["accepted"], 2);
  const Ran again = io.Run({"sync", "--only", "bill", "--format", "json"});
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(Json::parse(again.out)[0]["outcome"], "unchanged");
  EXPECT_EQ(io.Run({"sync", "--only", "bil"}).code, 2);
}

TEST(RunTest, ADatabaseHeldByAnotherProcessIsFour) {
  TestIo io("run");
  int ready[2];
  int done[2];
  ASSERT_EQ(pipe(ready), 0);
  ASSERT_EQ(pipe(done), 0);
  const pid_t child = fork();
  if (child == 0) {
    DuckDbOptions options;
    options.path = "plimsoll.duckdb";
    options.threads = 1;
    const auto store = OpenDuckDb(options);
    char byte = store.has_value() ? 'y' : 'n';
    if (write(ready[1], &byte, 1) != 1 || read(done[0], &byte, 1) != 1) _exit(1);
    _exit(0);
  }
  char byte = 0;
  ASSERT_EQ(read(ready[0], &byte, 1), 1);
  ASSERT_EQ(byte, 'y');
  const Ran held = io.Run({"quarantine"});
  EXPECT_EQ(held.code, 4);
  EXPECT_NE(held.err.find("in use by process " + std::to_string(child)), std::string::npos)
      << held.err;
  io.Write("plimsoll.yaml", "sources: [{kind: focus, files: [a.csv]}]\n");
  const Ran sync = io.Run({"sync"});
  EXPECT_EQ(sync.code, 4);
  EXPECT_NE(sync.err.find("this sync did nothing, the next one will catch up"), std::string::npos);
  ASSERT_EQ(write(done[1], &byte, 1), 1);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(io.Run({"quarantine"}).code, 0);
  for (const int fd : {ready[0], ready[1], done[0], done[1]}) close(fd);
}

TEST(RunTest, InitWritesWhatItFindsAndNeverOverwrites) {
  TestIo io("run");
  io.env["TZ"] = "Europe/Berlin";
  io.env["PROMETHEUS_URL"] = "http://127.0.0.1:1";
  io.Write("bill.csv", kBill);
  io.in.str("must not be read\n");
  const Ran first = io.Run({"init"});
  ASSERT_EQ(first.code, 0) << first.err;
  EXPECT_NE(first.err.find("found focus: bill.csv"), std::string::npos) << first.err;
  EXPECT_NE(first.err.find("wrote plimsoll.yaml"), std::string::npos);
  EXPECT_EQ(io.in.tellg(), 0);
  const Ran second = io.Run({"init"});
  EXPECT_EQ(second.code, 3);
  EXPECT_NE(second.err.find("--force"), std::string::npos);
  EXPECT_EQ(io.Run({"init", "--force"}).code, 0);
  EXPECT_EQ(io.Run({"sync", "--only", "focus"}).code, 0);
}

TEST(RunTest, InitAsksOnATerminal) {
  TestIo io("run");
  io.io.in_is_terminal = io.io.err_is_terminal = true;
  io.env["TZ"] = "UTC";
  io.in.str("Mars\nEurope/Berlin\n\n\n");
  const Ran ran = io.Run({"init"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.err.find("'Mars' is not an IANA time zone"), std::string::npos);
  std::stringstream text;
  text << std::ifstream("plimsoll.yaml").rdbuf();
  EXPECT_NE(text.str().find("time_zone: Europe/Berlin\n"), std::string::npos);
}

TEST(RunTest, CompletionAndManArePrinted) {
  TestIo io("run");
  EXPECT_NE(io.Run({"completion", "bash"}).out.find("complete -o default -F _plimsoll plimsoll"),
            std::string::npos);
  EXPECT_EQ(io.Run({"completion", "tcsh"}).code, 2);
  EXPECT_EQ(io.Run({"man"}).out.substr(0, 12), ".TH PLIMSOLL");
}

TEST(RunTest, OutputThatCannotBeWrittenIsFour) {
  TestIo io("run");
  std::ofstream full("/dev/full");
  if (!full) GTEST_SKIP() << "no /dev/full here";
  io.io.out = &full;
  const Ran ran = io.Run({"man"});
  EXPECT_EQ(ran.code, 4);
  EXPECT_NE(ran.err.find("cannot write the output"), std::string::npos);
}

}  // namespace
}  // namespace plimsoll
