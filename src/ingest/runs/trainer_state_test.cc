#include "ingest/runs/trainer_state.h"

#include <gtest/gtest.h>

#include "ingest/runs/run_files.h"
#include "ingest/runs/test_runs.h"

namespace plimsoll {
namespace {

using Texts = std::vector<std::string>;

// As Trainer.save_state writes it: sorted keys, a NaN that is no JSON.
constexpr const char* kState = R"({
  "best_metric": null,
  "epoch": 1.0,
  "global_step": 20,
  "log_history": [
    {"epoch": 0.5, "loss": 2.5, "num_input_tokens_seen": 8192, "step": 10},
    {"epoch": 1.0, "eval_loss": NaN, "step": 20},
    {"epoch": 1.0, "step": 20, "total_flos": 1e15, "train_loss": 2.25, "train_runtime": 90.5}
  ],
  "max_steps": 20,
  "num_input_tokens_seen": 16384,
  "train_batch_size": 4
})";

Result<RunFacts> Read(const std::string& text, std::optional<Instant> began = std::nullopt) {
  RunFacts facts;
  PLIMSOLL_RETURN_IF_ERROR(
      ReadTrainerState(text, {"out/trainer_state.json", "r", "a/out", began}, facts));
  return facts;
}

TEST(TrainerStateTest, EntriesAreMetricsAndTheRuntimeIsTheRunsLength) {
  const Result<RunFacts> facts = Read(kState, AtSeconds(1'796'068'800));
  ASSERT_TRUE(facts.has_value());
  EXPECT_EQ(EventTexts(facts->events),
            (Texts{"r#0 2026-11-30T20:00:00Z start", "r#0 2026-11-30T20:00:00Z metric 10 epoch=0.5",
                   "r#0 2026-11-30T20:00:00Z metric 10 loss=2.5",
                   "r#0 2026-11-30T20:00:00Z metric 10 num_input_tokens_seen=8192",
                   "r#0 2026-11-30T20:00:00Z metric 20 epoch=1.0",
                   "r#0 2026-11-30T20:00:00Z metric 20 eval_loss=nan",
                   "r#0 2026-11-30T20:00:00Z metric 20 epoch=1.0",
                   "r#0 2026-11-30T20:00:00Z metric 20 total_flos=1e15",
                   "r#0 2026-11-30T20:00:00Z metric 20 train_loss=2.25",
                   "r#0 2026-11-30T20:00:00Z metric 20 train_runtime=90.5",
                   "r#0 2026-11-30T20:01:30.500Z stop completed"}));
  EXPECT_EQ(facts->runs.labels[0],
            R"({"global_step":"20","max_steps":"20","train_batch_size":"4"})");
}

TEST(TrainerStateTest, WithoutABeginTheLabelSaysWhatTheTimesAreWorth) {
  const Result<RunFacts> whole = Read(kState);
  ASSERT_TRUE(whole.has_value());
  EXPECT_EQ(EventTexts(whole->events).back(), "r#0 1970-01-01T00:01:30.500Z stop completed");
  EXPECT_EQ(RunLabelsOf(whole->runs.labels[0]).at(kRunTimesLabel), kRunTimesRelative);
  const Result<RunFacts> part = Read(R"({"log_history": [{"step": 1, "loss": 1}]})");
  ASSERT_TRUE(part.has_value());
  EXPECT_EQ(EventTexts(part->events),
            (Texts{"r#0 1970-01-01T00:00:00Z start", "r#0 1970-01-01T00:00:00Z metric 1 loss=1"}));
  EXPECT_EQ(RunLabelsOf(part->runs.labels[0]).at(kRunTimesLabel), kRunTimesNone);
}

TEST(TrainerStateTest, ABrokenEntryIsRefusedAndTheOthersAreKept) {
  const Result<RunFacts> facts = Read(
      R"({"log_history": [7, {"loss": 1}, {"step": 1.5, "loss": 1}, {"step": 2, "loss": "x"}]})");
  ASSERT_TRUE(facts.has_value());
  ASSERT_EQ(facts->rejections.size(), 3U);
  EXPECT_EQ(facts->rejections[0].field, "log_history[0]");
  EXPECT_EQ(facts->rejections[1].field, "log_history[1].step");
  EXPECT_EQ(facts->rejections[2].field, "log_history[2].step");
  EXPECT_EQ(facts->passed.size(), 1U);
}

TEST(TrainerStateTest, OtherFilesAreRefused) {
  for (const char* text :
       {"", "{", "[]", "{}", R"({"log_history": 3})", R"({"log_history": [{"step": 1)"}) {
    const Result<RunFacts> facts = Read(text);
    ASSERT_FALSE(facts.has_value()) << text;
    EXPECT_EQ(facts.error().code, ErrorCode::kBadData);
  }
  EXPECT_TRUE(IsTrainerState(kState));
  EXPECT_FALSE(IsTrainerState(R"({"model_type": "llama"})"));
  EXPECT_FALSE(IsTrainerState(R"("log_history")"));
}

}  // namespace
}  // namespace plimsoll
