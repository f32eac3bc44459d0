#include "cli/serving_view.h"

#include <gtest/gtest.h>

#include "cli/test_io.h"

namespace plimsoll {
namespace {

Cell CellOf(const Answer& answer, std::size_t table, const std::string& column, std::size_t row) {
  const Table& of = answer.tables[table];
  for (std::size_t i = 0; i < of.columns.size(); ++i) {
    if (of.columns[i].name == column) return of.rows.at(row)[i];
  }
  ADD_FAILURE() << "no column " << column;
  return std::nullopt;
}

TEST(ServingViewTest, BoundsAreTwoColumnsAndUnknownIsNull) {
  ServingService service{"chat", Money::Units(8), {}};
  service.summary.requests_ok = 100;
  service.summary.requests_good = CountBounds{60, 90};
  service.summary.tokens_output = 5'000;
  SloBounds limit;
  limit.quantity = "tpot";
  limit.limit_ns = 40'000'000;
  limit.measured = 100;
  limit.within = CountBounds{60, 90};
  limit.edges = {25'000'000, 50'000'000, false};
  service.summary.slo = {limit};
  LatencySummary latency;
  latency.quantity = "ttft";
  latency.count = 100;
  latency.p50 = LatencyHistogram::Bracket{100'000'000, 250'000'000};
  latency.p99 = LatencyHistogram::Bracket{60'000'000'000, std::nullopt};
  service.summary.latencies = {latency};
  service.summary.notes = {"40ms lies between two edges"};

  const Answer answer = ServingAnswer({service}, "USD");
  EXPECT_EQ(CellOf(answer, 0, "requests_good_low", 0), "60");
  EXPECT_EQ(CellOf(answer, 0, "requests_good_high", 0), "90");
  EXPECT_EQ(CellOf(answer, 0, "requests_failed", 0), std::nullopt);
  EXPECT_EQ(CellOf(answer, 0, "tokens_good_low", 0), std::nullopt);
  EXPECT_EQ(CellOf(answer, 1, "limit", 0), "40ms");
  EXPECT_EQ(CellOf(answer, 1, "edge_below", 0), "25ms");
  EXPECT_EQ(CellOf(answer, 1, "edge_above", 0), "50ms");
  EXPECT_EQ(CellOf(answer, 2, "p50", 0), "100ms to 250ms");
  EXPECT_EQ(CellOf(answer, 2, "p90", 0), std::nullopt);
  EXPECT_EQ(CellOf(answer, 2, "p99", 0), "> 60s");
  EXPECT_EQ(answer.notes, std::vector<std::string>{"chat: 40ms lies between two edges"});
}

TEST(ServingViewTest, WithoutMetricsTheCommandSaysHowToLoadThem) {
  TestIo io("serving-view");
  io.Write("log.csv",
           "request,arrival,ttft_ms,e2e_ms,output_tokens\na,2026-11-16T00:30:00Z,1,2,3\n");
  const Ran loaded = io.Run({"ingest", "requests", "log.csv", "--db", "f.duckdb"});
  ASSERT_EQ(loaded.code, 0) << loaded.err;
  const Ran ran = io.Run({"unit", "serving", "--db", "f.duckdb", "--window", "2026-11-16"});
  EXPECT_NE(ran.code, 0);
  EXPECT_NE(ran.err.find("plimsoll ingest prometheus"), std::string::npos) << ran.err;
}

}  // namespace
}  // namespace plimsoll
