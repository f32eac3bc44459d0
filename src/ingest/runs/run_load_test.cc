#include "ingest/runs/run_load.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "ingest/runs/test_runs.h"
#include "model/row_hash.h"
#include "store/duckdb/duckdb_store.h"
#include "store/schema.h"

namespace plimsoll {
namespace {

using Texts = std::vector<std::string>;

const std::vector<std::string> kLines{
    R"({"format":"plimsoll-run/1","kind":"start","run":"x","at":"2026-11-30T20:00:00Z","gpus":8})",
    R"({"kind":"step","run":"x","at":"2026-11-30T20:00:01Z","seq":1,"step":1,"tokens":9})",
    R"({"kind":"metric","run":"x","at":"2026-11-30T20:00:01Z","seq":2,"step":1,"name":"loss",)"
    R"("value":2.50})",
    R"({"kind":"stop","run":"x","at":"2026-11-30T20:00:03Z","seq":3})",
};

std::unique_ptr<Store> OpenStore() {
  Result<std::unique_ptr<Store>> store = OpenDuckDb({});
  EXPECT_TRUE(store.has_value());
  EXPECT_TRUE(Migrate(**store).has_value());
  return *std::move(store);
}

ImportReport Load(Store& store, const RunFileOptions& options) {
  Result<ImportReport> report = ImportRuns(store, options);
  EXPECT_TRUE(report.has_value()) << report.error().message;
  return report ? *report : ImportReport{};
}

RunEventBatch Events(Store& store) {
  Result<RunEventBatch> events =
      Query<RunEventBatch>(store,
                           "SELECT * FROM active_run_event ORDER BY source, run, attempt, "
                           "event_at, seq, kind DESC");
  EXPECT_TRUE(events.has_value());
  return events ? *events : RunEventBatch{};
}

std::string HashOf(Store& store) {
  const Result<RunBatch> runs = Query<RunBatch>(store, "SELECT * FROM active_run");
  EXPECT_TRUE(runs.has_value());
  return HashOfRows(*runs).ToHex() + HashOfRows(Events(store)).ToHex();
}

TEST(RunLoadTest, ARunIsASnapshotWithItsTimes) {
  const TestFolder folder("load");
  const auto store = OpenStore();
  std::string text;
  for (const std::string& line : kLines) text += line + "\n";
  const ImportReport report = Load(*store, {.paths = {folder.Write("x.jsonl", text)}});
  ASSERT_EQ(report.loads.size(), 1U);
  EXPECT_EQ(report.loads[0].outcome, "loaded");
  EXPECT_EQ(report.loads[0].rows, 5);
  EXPECT_EQ(
      EventTexts(Events(*store)),
      (Texts{"x#0 2026-11-30T20:00:00Z start 8g", "x#0 2026-11-30T20:00:01Z step 1 9t",
             "x#0 2026-11-30T20:00:01Z metric 1 loss=2.50", "x#0 2026-11-30T20:00:03Z stop"}));
  const Result<SnapshotBatch> row =
      Query<SnapshotBatch>(*store, "SELECT * FROM snapshot WHERE active = 1");
  ASSERT_TRUE(row.has_value());
  EXPECT_EQ(row->kind, Texts{"run"});
  EXPECT_EQ(row->scope, Texts{"log|x"});
  EXPECT_EQ(ToString(*row->data_begin[0]), "2026-11-30T20:00:00Z");
  EXPECT_EQ(ToString(*row->data_until[0]), "2026-11-30T20:00:03Z");
}

TEST(RunLoadTest, PartsInAnyOrderAndAgainGiveTheSameRows) {
  const TestFolder folder("load_parts");
  std::vector<std::size_t> order{0, 1, 2, 3};
  Texts hashes;
  do {
    const auto store = OpenStore();
    for (const std::size_t line : order) {
      Load(*store, {.paths = {folder.Write("part.jsonl", kLines[line] + "\n")}});
    }
    hashes.push_back(HashOf(*store));
    const ImportReport again =
        Load(*store, {.paths = {folder.Write("part.jsonl", kLines[order[0]] + "\n")}});
    EXPECT_EQ(again.loads[0].outcome, "unchanged");
    EXPECT_EQ(HashOf(*store), hashes.back());
  } while (std::next_permutation(order.begin(), order.end()));
  EXPECT_EQ(hashes, Texts(hashes.size(), hashes[0]));
}

TEST(RunLoadTest, StepsOfATrackerAreWorkedOutAnewFromAllOfIt) {
  const TestFolder folder("load_derived");
  const std::string one = TfHeader(1796068800) + TfSimple(1796068801, 10, "acc", 1);
  const std::string two = TfHeader(1796068900) + TfSimple(1796068901, 20, "loss", 1) +
                          TfSimple(1796068902, 30, "loss", 1);
  folder.Write("r/a", one);
  folder.Write("r/b", two);
  const auto whole = OpenStore();
  Load(*whole, {.paths = {folder.Path("r")}});
  for (const auto& names : {std::pair("r/a", "r/b"), std::pair("r/b", "r/a")}) {
    const auto parts = OpenStore();
    Load(*parts, {.paths = {folder.Path(names.first)}});
    Load(*parts, {.paths = {folder.Path(names.second)}});
    EXPECT_EQ(HashOf(*parts), HashOf(*whole)) << names.first;
  }
  EXPECT_EQ(RowsOf(Events(*whole)), 7U);  // two starts, three metrics, the steps of loss
}

TEST(RunLoadTest, RejectionsAreKeptOnceHoweverOftenTheFileIsLoaded) {
  const TestFolder folder("load_rejected");
  const auto store = OpenStore();
  const std::string path = folder.Write("x.jsonl", kLines[0] + "\nbroken\n" + kLines[3] + "\n");
  for (int i = 0; i < 2; ++i) EXPECT_EQ(Load(*store, {.paths = {path}}).rejected, 1);
  const Result<RejectionBatch> rejections =
      Query<RejectionBatch>(*store, "SELECT * FROM active_rejection");
  ASSERT_TRUE(rejections.has_value());
  ASSERT_EQ(RowsOf(*rejections), 1U);
  EXPECT_EQ(rejections->file[0], path);
  EXPECT_EQ(rejections->line[0], 2);
}

TEST(RunLoadTest, RunsWithoutTimesCoverNone) {
  const TestFolder folder("load_timeless");
  const auto store = OpenStore();
  const std::string path = folder.Write("metrics.csv", "step,loss\n1,2\n");
  Load(*store, {.paths = {path}, .run = "r"});
  const Result<SnapshotBatch> before =
      Query<SnapshotBatch>(*store, "SELECT * FROM snapshot WHERE active = 1");
  ASSERT_TRUE(before.has_value());
  EXPECT_FALSE(before->data_begin[0].has_value());
  Load(*store, {.paths = {path}, .run = "r", .began = AtSeconds(1'796'068'800)});
  const RunEventBatch events = Events(*store);
  EXPECT_TRUE(std::all_of(events.at.begin(), events.at.end(),
                          [](Instant at) { return at == AtSeconds(1'796'068'800); }));
  EXPECT_EQ(RowsOf(events), 3U);
}

TEST(RunLoadTest, AFailedLoadChangesNothing) {
  const TestFolder folder("load_failed");
  const auto store = OpenStore();
  const std::string good = folder.Write("x.jsonl", kLines[0] + "\n");
  const std::string bad = folder.Write("notes.txt", "hello\n");
  EXPECT_FALSE(ImportRuns(*store, {.paths = {good, bad}}).has_value());
  EXPECT_EQ(RowsOf(Events(*store)), 0U);
}

}  // namespace
}  // namespace plimsoll
