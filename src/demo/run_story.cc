#include "demo/run_story.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.h"
#include "demo/random.h"

namespace plimsoll {
namespace {

// As often as the telemetry of a training pod dips (signals.cc).
constexpr Duration kSaveEvery = Hours(1);

// How a run trains. A step event speaks for `steps` optimizer steps.
struct Pace {
  std::int64_t interval_ms = 0, steps = 0, samples = 0, tokens_per_sample = 0;
};

// A metric that goes from `first` towards `limit` and has half the way behind it after
// `half` samples; in ten-thousandths.
struct Curve {
  const char* metric = "";
  std::int64_t first = 0, limit = 0, noise = 0, half = 1;
};

struct Step {
  std::int64_t number = 0, millis = 0, samples = 0, attempt = 0;
};

// How an attempt ends, decided before its steps.
struct Ending {
  Instant steps_until, failed;
  Instant saved, stopped;  // of one that completes
  bool is_logged = true;   // false: a killed process wrote nothing
};

class RunTeller {
 public:
  RunTeller(const DemoFleet& fleet, DemoRun& run)
      : until_(fleet.window.until), run_(run), random_(fleet.seed, "run/" + run.id) {
    const bool is_slurm = !run.job.empty();
    pace_ = is_slurm ? Pace{40 * random_.Between(4'100, 5'200), 40, 40 * 4 * run.gpus, 0}
                     : Pace{8 * random_.Between(24'200, 26'400), 8, 8 * 32 * run.gpus, 4'096};
    curve_ = CurveOf(run.experiment);
    curve_.half = curve_.half * random_.Between(80, 125) / 100;
  }

  void Tell() {
    for (std::size_t i = 0; i < run_.attempts.size(); ++i) {
      attempt_ = static_cast<std::int64_t>(i);
      TellAttempt(run_.attempts[i]);
    }
    // Nothing holds the steps since the last save, if a failure was the end (T6).
    if (run_.attempts.back().failed && has_saved_) Rewind();
    for (const Step& step : kept_) {
      Spend(truth_.effective, step.millis);
      truth_.samples += step.samples;
      truth_.tokens += step.samples * pace_.tokens_per_sample;
    }
    for (const GpuHours* part :
         {&truth_.effective, &truth_.startup, &truth_.data_stall, &truth_.checkpoint,
          &truth_.recomputation, &truth_.hang, &truth_.restart, &truth_.unknown}) {
      truth_.allocated += *part;
    }
    PLIMSOLL_CHECK(truth_.allocated == held_);
    run_.truth = truth_;
  }

 private:
  static Curve CurveOf(const std::string& experiment) {
    if (experiment == "fold") return {"val/lddt", 2'200, 8'900, 40, 15'000};
    if (experiment == "dock") return {"loss", 41'000, 6'100, 300, 3'000};
    if (experiment == "fp8") return {"loss", 98'000, 23'400, 160, 36'000};
    return {"loss", 98'000, experiment == "data-mix" ? 19'200 : 19'900, 120, 36'000};
  }

  void Spend(GpuHours& part, std::int64_t millis) const { part += GpuMillis(millis * run_.gpus); }
  void Spend(GpuHours& part, Instant from, Instant to) const {
    PLIMSOLL_CHECK(from <= to);
    Spend(part, Between(from, to).base());
  }

  DemoRunEvent& Write(const char* kind, Instant at) {
    PLIMSOLL_CHECK(at <= until_);
    DemoRunEvent event;
    event.kind = kind;
    event.attempt = attempt_;
    event.at = at;
    run_.events.push_back(std::move(event));
    return run_.events.back();
  }

  void TellAttempt(const DemoAttempt& attempt) {
    const Instant start = attempt.ready + Millis(random_.Between(2'000, 25'000));
    const Instant held = attempt.seen ? attempt.begin : start;
    Write("start", start);
    Instant t = start;
    if (attempt_ > 0) {
      t = t + Millis(random_.Between(60'000, 200'000));  // the state is read
      Write("resume", t).step = durable_;
      Rewind();
    }
    t = t + Millis(random_.Between(40'000, 160'000));  // kernels are compiled
    Spend(attempt_ == 0 ? truth_.startup : truth_.restart, held, t);
    if (attempt_ > 0) LoseRestart(attempt, held, t);
    const Ending ending = EndingOf(attempt);
    t = Train(attempt, t, ending.steps_until);
    if (!attempt.end) {
      // sacct tells how long a job has run when it is asked; of a pod nothing tells it.
      const Instant known = run_.job.empty() ? t : until_;
      Spend(truth_.unknown, t, known);
      Spend(held_, held, known);
    } else if (attempt.failed) {
      Spend(held_, held, Fail(attempt, t, ending));
    } else {
      Complete(t, ending);
      Spend(truth_.unknown, ending.stopped, *attempt.end);
      Spend(held_, held, *attempt.end);
    }
  }

  Ending EndingOf(const DemoAttempt& attempt) {
    Ending ending;
    ending.steps_until = attempt.end.value_or(until_);
    if (!attempt.end) return ending;
    if (attempt.failed && attempt.spot_node) {
      ending.failed = *attempt.end - Millis(random_.Between(4'000, 40'000));
      ending.steps_until = ending.failed - Millis(1'000);
      return ending;
    }
    if (attempt.failed) {
      ending.is_logged = !attempt.seen || random_.Chance(60);
      ending.failed = *attempt.end;
      if (ending.is_logged) ending.failed = ending.failed - Millis(random_.Between(4'000, 40'000));
      // Some hang first, until a watchdog ends them: more than ten usual steps (T9).
      const bool hangs = Between(attempt.ready, *attempt.end) > Hours(3) && random_.Chance(40);
      const std::int64_t wait = hangs ? random_.Between(11, 14) * pace_.interval_ms : 1'000;
      ending.steps_until = ending.failed - Millis(wait);
      return ending;
    }
    ending.stopped = *attempt.end - Millis(random_.Between(2'000, 15'000));
    ending.saved = ending.stopped - Millis(random_.Between(500, 4'000));
    ending.steps_until = ending.saved - Millis(random_.Between(150'000, 200'000));
    return ending;
  }

  // Trains from `begin` until no further interval is over by `until`; returns the last step's time.
  Instant Train(const DemoAttempt& attempt, Instant begin, Instant until) {
    Instant t = begin, save_at = attempt.ready + Minutes(55);
    for (std::int64_t n = 0;; ++n) {
      const bool sways = n > 0 && n % 2 == 0;
      const std::int64_t sway = sways ? random_.Between(1, pace_.interval_ms / 25) : 0;
      const std::int64_t length = pace_.interval_ms + (n % 4 == 2 ? sway : -sway);
      const bool saves = n > 0 && t >= save_at;
      const std::int64_t save = saves ? random_.Between(150'000, 200'000) : 0;
      const std::int64_t stall = n > 0 && random_.Chance(3) ? random_.Between(30'000, 240'000) : 0;
      const Instant done = t + Millis(length + save + stall);
      if (done > until) {
        PLIMSOLL_CHECK(n > 0);
        return t;
      }
      if (saves) {
        Save(t + Millis(150), t + Millis(150 + save));
        save_at = save_at + kSaveEvery;
      }
      if (stall > 0) {
        const Instant waits = t + Millis(save + length * random_.Between(20, 80) / 100);
        Write("stall_begin", waits).name = "data";
        Write("stall_end", waits + Millis(stall)).name = "data";
        Spend(truth_.data_stall, stall);
      }
      AddStep(length, done);
      t = done;
    }
  }

  void AddStep(std::int64_t length, Instant at) {
    step_ += pace_.steps;
    samples_ += pace_.samples;
    kept_.push_back({step_, length, pace_.samples, attempt_});
    DemoRunEvent& event = Write("step", at);
    event.step = step_;
    event.samples = pace_.samples;
    if (pace_.tokens_per_sample > 0) event.tokens = pace_.samples * pace_.tokens_per_sample;
    if (step_ / pace_.steps % 3 != 0) return;
    const std::int64_t value =
        curve_.limit + (curve_.first - curve_.limit) * curve_.half / (curve_.half + samples_) +
        random_.Between(-curve_.noise, curve_.noise);
    DemoRunEvent& metric = Write("metric", at);
    metric.step = step_;
    metric.name = curve_.metric;
    metric.value = fmt::format("{}.{:04}", value / 10'000, value % 10'000);
  }

  void Save(Instant begin, Instant end) {
    Write("checkpoint_begin", begin).step = step_;
    Write("checkpoint_end", end).step = step_;
    Spend(truth_.checkpoint, begin, end);
    durable_ = step_;
    has_saved_ = true;
  }

  // Returns until when the attempt is known to have held its GPUs.
  Instant Fail(const DemoAttempt& attempt, Instant last, const Ending& ending) {
    ++truth_.failures;
    const bool hung = Between(last, ending.failed).base() > 10 * pace_.interval_ms;
    Spend(hung ? truth_.hang : truth_.recomputation, last, ending.failed);
    if (!hung) LoseWork(attempt_, Between(last, ending.failed).base());
    if (!ending.is_logged) return ending.failed;
    static constexpr const char* kReasons[] = {"CUDA error: uncorrectable ECC error",
                                               "NCCL error: remote process exited",
                                               "DataLoader worker killed: out of shared memory"};
    Write("failure", ending.failed).name =
        attempt.spot_node ? "SIGTERM: the spot instance is interrupted"
        : hung            ? "NCCL watchdog: collective timed out"
                          : kReasons[static_cast<std::size_t>(random_.Between(0, 2))];
    if (!attempt.seen) return ending.failed;
    Spend(truth_.restart, ending.failed, *attempt.end);  // its pods are torn down
    LoseRestart(attempt, ending.failed, *attempt.end);
    return *attempt.end;
  }

  // The last save, then the stop. What comes after the last step is not told, but for the save.
  void Complete(Instant last, const Ending& ending) {
    Spend(truth_.unknown, last, ending.steps_until);
    Save(ending.steps_until, ending.saved);
    Spend(truth_.unknown, ending.saved, ending.stopped);
    Write("stop", ending.stopped).name = "completed";
  }

  // To an eviction, on the node that an attempt was on.
  void LoseWork(std::int64_t attempt, std::int64_t millis) {
    const auto& node = run_.attempts[static_cast<std::size_t>(attempt)].spot_node;
    if (node) Spend(run_.lost[*node].recomputation, millis);
  }
  void LoseRestart(const DemoAttempt& attempt, Instant from, Instant to) {
    if (attempt.spot_node) Spend(run_.lost[*attempt.spot_node].restart, from, to);
  }

  // Back to the last durable save: what came after it is lost.
  void Rewind() {
    while (!kept_.empty() && kept_.back().number > durable_) {
      Spend(truth_.recomputation, kept_.back().millis);
      LoseWork(kept_.back().attempt, kept_.back().millis);
      samples_ -= kept_.back().samples;
      kept_.pop_back();
    }
    step_ = durable_;
  }

  const Instant until_;
  DemoRun& run_;
  DemoRandom random_;
  Pace pace_;
  Curve curve_;
  std::int64_t attempt_ = 0, step_ = 0, samples_ = 0, durable_ = 0;
  bool has_saved_ = false;
  std::vector<Step> kept_;
  DemoRunTruth truth_;
  GpuHours held_;
};

}  // namespace

void TellRuns(DemoFleet& fleet) {
  for (DemoRun& run : fleet.runs) RunTeller(fleet, run).Tell();
}

}  // namespace plimsoll
