// What the account of a training run promises, on 10,000 random logs, most of them broken:
// effective time and every loss add up to what was allocated, order and repetition of events change
// nothing, and a second implementation that walks the milliseconds says the same.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "economics/training_account.h"
#include "economics/training_target.h"
#include "property/naive_training.h"

namespace plimsoll {
namespace {

constexpr std::uint64_t kFirstSeed = 20'261'130;
constexpr std::uint64_t kSeeds = 10'000;
constexpr const char* kAnyKind[] = {
    "start",     "resume",  "step", "metric", "checkpoint_begin", "checkpoint_end", "stall_begin",
    "stall_end", "failure", "stop", "lunch"};

class LogMaker {
 public:
  explicit LogMaker(std::uint64_t seed) : random_(seed) {}

  std::int64_t Between(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(high - low + 1));
  }
  bool Chance(int percent) { return Between(1, 100) <= percent; }

  RunEventBatch Log() {
    const std::int64_t attempts = Between(1, 4);
    const bool chaos = Chance(30);
    numbered_ = Chance(40);
    for (attempt_ = 0; attempt_ < attempts; ++attempt_) {
      // Attempts may overlap, and a clock may be set between them.
      now_ = std::max<std::int64_t>(0, now_ + Between(Chance(20) ? -30 : 0, 20));
      seq_ = 0;
      if (chaos) {
        AnyEvents();
      } else {
        OrderlyEvents();
      }
    }
    Repeat();
    return events_;
  }

  TrainingOptions Options() {
    TrainingOptions options;
    if (Chance(50)) options.gpus = Between(0, 5);
    options.causes.hang_factor = Between(1, 4);
    for (std::int64_t attempt = 0; attempt < 4; ++attempt) {
      if (Chance(15)) options.causes.held_until[attempt] = AtMillis(Between(0, 300));
    }
    return options;
  }

  void Shuffle(std::vector<std::size_t>& rows) { std::shuffle(rows.begin(), rows.end(), random_); }

 private:
  std::size_t Event(const char* kind) {
    std::apply([&](auto... column) { ((events_.*(column.values)).emplace_back(), ...); },
               RunEventBatch::kColumns);
    const std::size_t i = RowsOf(events_) - 1;
    events_.run[i] = "r";
    events_.source[i] = "log";
    events_.attempt[i] = attempt_;
    events_.kind[i] = kind;
    events_.at[i] = AtMillis(now_);
    events_.seq[i] = numbered_ ? seq_++ : 0;
    return i;
  }

  void Pass() {
    now_ += Between(0, 6);
    if (Chance(3)) now_ += Between(20, 60);  // hangs
    if (Chance(3))
      now_ = std::max<std::int64_t>(0, now_ - Between(1, 15));  // the clock is set back
  }

  void Step(std::int64_t step) {
    const std::size_t i = Event("step");
    if (!Chance(3)) events_.step[i] = step;
    if (Chance(80)) events_.samples[i] = Between(-1, 9);
    if (Chance(50)) events_.tokens[i] = Between(0, 9);
  }

  void Metric() {
    const std::size_t i = Event("metric");
    events_.name[i] = "loss";
    events_.value[i] = std::to_string(Between(1, 9));
    if (Chance(80)) events_.step[i] = step_ - Between(0, 1);
  }

  void OrderlyEvents() {
    if (Chance(85)) events_.gpus[Event("start")] = Between(0, 3);
    Pass();
    if (attempt_ > 0 && Chance(70)) {
      step_ = std::max<std::int64_t>(0, step_ - Between(0, 4));
      events_.step[Event("resume")] = step_;
    } else if (attempt_ > 0 && Chance(50)) {
      step_ = Between(
          0, std::max<std::int64_t>(0, step_));  // from a checkpoint that the log does not name
    }
    for (std::int64_t left = Between(0, 8); left > 0; --left) {
      Pass();
      if (Chance(15)) Wait("stall_begin", "stall_end");
      Step(step_ += Chance(5) ? -1 : 1);
      if (Chance(5)) Step(step_);  // another rank
      if (Chance(20)) Wait("checkpoint_begin", "checkpoint_end");
      if (Chance(15)) Metric();
      if (Chance(4)) events_.gpus[Event("start")] = Between(0, 3);
      if (Chance(4)) Event("failure");
    }
    Pass();
    if (Chance(45)) {
      Event("failure");
    } else if (Chance(60)) {
      events_.name[Event("stop")] = Chance(40) ? "preempted" : "completed";
    }
  }

  void Wait(const char* begin, const char* end) {
    const std::size_t i = Event(begin);
    if (Chance(70)) events_.step[i] = step_;
    Pass();
    if (Chance(20)) Step(++step_);  // training goes on
    if (Chance(85)) Event(end);
  }

  void AnyEvents() {
    for (std::int64_t left = Between(1, 14); left > 0; --left) {
      now_ = std::max<std::int64_t>(0, now_ + Between(-3, 8));
      const std::size_t i = Event(kAnyKind[Between(0, 10)]);
      if (Chance(70)) events_.step[i] = Between(0, 6);
      if (Chance(20)) events_.gpus[i] = Between(-1, 3);
      if (Chance(30)) events_.name[i] = Chance(50) ? "preempted" : "x";
      if (Chance(20)) events_.seq[i] = Between(-1, 4);
      if (Chance(2)) events_.attempt[i] = -1;
    }
  }

  void Repeat() {
    for (std::size_t i = 0, count = RowsOf(events_); i < count; ++i) {
      if (!Chance(10)) continue;
      const RunEventBatch copy = events_;
      AppendRow(events_, copy, i);
    }
  }

  std::mt19937_64 random_;
  RunEventBatch events_;
  std::int64_t attempt_ = 0, now_ = 50, seq_ = 0, step_ = 0;
  bool numbered_ = false;
};

TrainingRun Accounted(const RunEventBatch& events, const TrainingOptions& options) {
  auto run = Account(events, options);
  EXPECT_TRUE(run) << run.error().message;
  return run ? *std::move(run) : TrainingRun();
}

// The evaluations that nothing undid, and when a target of three in a row was reached.
std::string Evaluated(const RunEventBatch& events, const TrainingRun& run) {
  const auto evaluations = EvaluationsOf(events, run.log, "loss");
  std::string text;
  for (const Evaluation& one : evaluations) {
    text += std::to_string(one.step) + "=" + (one.value ? one.value->ToString() : "-") + " ";
  }
  const QualityReached reached = Reach(evaluations, *ParseTarget("loss<=5,window=3"));
  return text + (reached.at ? std::to_string(reached.at->base()) : "never");
}

template <class Check>
void ForEveryLog(const Check& check) {
  for (std::uint64_t seed = kFirstSeed; seed < kFirstSeed + kSeeds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    LogMaker maker(seed);
    const RunEventBatch events = maker.Log();
    const TrainingOptions options = maker.Options();
    check(maker, events, options);
    if (testing::Test::HasFailure()) return;
  }
}

TEST(TrainingProperty, EffectiveTimeAndEveryLossAddUpToTheAllocated) {
  std::int64_t held = 0;
  ForEveryLog([&](LogMaker&, const RunEventBatch& events, const TrainingOptions& options) {
    const TrainingRun run = Accounted(events, options);
    GpuHours sum;
    for (const GpuHours part : run.time) {
      EXPECT_GE(part, GpuHours());
      sum += part;
    }
    EXPECT_EQ(sum, run.allocated);
    GpuHours pieces;
    for (const TimePiece& piece : run.pieces) {
      EXPECT_LT(piece.held.begin, piece.held.until);
      pieces += GpuMillis(static_cast<std::int64_t>(piece.gpu_millis()));
    }
    EXPECT_EQ(pieces, run.allocated);
    held += run.allocated.base();
  });
  EXPECT_GT(held, 100'000);
}

TEST(TrainingProperty, NoGpuTimeIsInTwoFailuresLosses) {
  ForEveryLog([](LogMaker&, const RunEventBatch& events, const TrainingOptions& options) {
    const TrainingRun run = Accounted(events, options);
    GpuHours restarts;
    for (const TrainingFailure& failure : run.failures) {
      EXPECT_GE(failure.work_lost, GpuHours());
      restarts += failure.restart;
    }
    EXPECT_LE(restarts, run.of(TimeCause::kRestart));
    EXPECT_LE(run.FailureLoss(), run.allocated);
  });
}

TEST(TrainingProperty, OrderAndRepetitionOfEventsChangeNothing) {
  ForEveryLog([](LogMaker& maker, const RunEventBatch& events, const TrainingOptions& options) {
    const TrainingRun run = Accounted(events, options);
    std::vector<std::size_t> rows(RowsOf(events));
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    if (!rows.empty()) rows.push_back(rows[rows.size() / 2]);
    maker.Shuffle(rows);
    RunEventBatch other;
    for (const std::size_t row : rows) AppendRow(other, events, row);
    const TrainingRun same = Accounted(other, options);
    EXPECT_EQ(same.time, run.time);
    EXPECT_EQ(same.kept.samples, run.kept.samples);
    EXPECT_EQ(same.lost.tokens, run.lost.tokens);
    EXPECT_EQ(same.FailureLoss(), run.FailureLoss());
    EXPECT_EQ(same.failures.size(), run.failures.size());
    EXPECT_EQ(same.Marks(), run.Marks());
    EXPECT_EQ(Evaluated(other, same), Evaluated(events, run));
  });
}

TEST(TrainingProperty, ASecondImplementationSaysTheSame) {
  std::map<std::string, std::int64_t> seen;
  ForEveryLog([&](LogMaker&, const RunEventBatch& events, const TrainingOptions& options) {
    const TrainingRun run = Accounted(events, options);
    auto naive =
        NaiveAccount(events, {options.gpus, options.causes.hang_factor, options.causes.held_until});
    for (std::size_t i = 0; i < kTimeCauseCount; ++i) {
      EXPECT_EQ(run.time[i].base(), naive[kTimeCauseNames[i]]) << kTimeCauseNames[i];
      seen[kTimeCauseNames[i]] += run.time[i].base() > 0 ? 1 : 0;
      naive.erase(kTimeCauseNames[i]);
    }
    EXPECT_TRUE(naive.empty());
  });
  // Not for want of cases: hundreds of logs have each cause.
  for (const char* cause : kTimeCauseNames) EXPECT_GT(seen[cause], 200) << cause;
}

}  // namespace
}  // namespace plimsoll
