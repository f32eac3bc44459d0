#include "demo/run_story.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "demo/demo_fixture.h"

namespace plimsoll {
namespace {

std::vector<DemoRunEvent> EventsOf(const DemoRun& run, std::size_t attempt) {
  std::vector<DemoRunEvent> events;
  for (const DemoRunEvent& event : run.events) {
    if (event.attempt == static_cast<std::int64_t>(attempt)) events.push_back(event);
  }
  return events;
}

bool Is(const DemoRunEvent& event, std::string_view kind) { return event.kind == kind; }

TEST(RunStoryTest, PartsAddUpToWhatTheAttemptsHeld) {
  for (const DemoRun& run : Week().runs) {
    SCOPED_TRACE(run.id);
    GpuHours held;
    for (std::size_t i = 0; i < run.attempts.size(); ++i) {
      const std::vector<DemoRunEvent> events = EventsOf(run, i);
      const DemoAttempt& attempt = run.attempts[i];
      const Instant begin = attempt.seen ? attempt.begin : events.front().at;
      const Instant open = run.job.empty() ? events.back().at : Week().window.until;
      const Instant end = attempt.seen ? attempt.end.value_or(open) : events.back().at;
      held += GpuMillis(run.gpus * Between(begin, end).base());
    }
    EXPECT_EQ(run.truth.allocated, held);
    EXPECT_GT(run.truth.effective, GpuHours());
  }
}

TEST(RunStoryTest, EventsOfAnAttemptAreInTimeOrderAndWithinIt) {
  for (const DemoRun& run : Week().runs) {
    for (std::size_t i = 0; i < run.attempts.size(); ++i) {
      const DemoAttempt& attempt = run.attempts[i];
      const std::vector<DemoRunEvent> events = EventsOf(run, i);
      ASSERT_TRUE(Is(events.front(), "start")) << run.id;
      EXPECT_GE(events.front().at, attempt.ready);
      EXPECT_LE(events.back().at, attempt.end.value_or(Week().window.until)) << run.id;
      EXPECT_TRUE(
          std::is_sorted(events.begin(), events.end(),
                         [](const DemoRunEvent& a, const DemoRunEvent& b) { return a.at < b.at; }));
    }
  }
}

// What resumes goes on from the last save that was over.
TEST(RunStoryTest, AnAttemptResumesFromTheLastSave) {
  bool has_resumed = false;
  for (const DemoRun& run : Week().runs) {
    std::int64_t saved = 0;
    for (const DemoRunEvent& event : run.events) {
      if (Is(event, "checkpoint_end")) saved = *event.step;
      if (!Is(event, "resume")) continue;
      has_resumed = true;
      EXPECT_EQ(*event.step, saved) << run.id;
    }
  }
  EXPECT_TRUE(has_resumed);
}

// A step is kept unless a later one has its number or less: read back from the events.
TEST(RunStoryTest, SamplesAreThoseOfKeptSteps) {
  for (const DemoRun& run : Week().runs) {
    std::map<std::int64_t, std::int64_t> kept;
    for (const DemoRunEvent& event : run.events) {
      if (Is(event, "step")) {
        kept.erase(kept.lower_bound(*event.step), kept.end());
        kept[*event.step] = *event.samples;
      } else if (Is(event, "resume")) {
        kept.erase(kept.upper_bound(*event.step), kept.end());
      }
    }
    std::int64_t samples = 0;
    for (const auto& [step, count] : kept) samples += count;
    if (!run.attempts.back().failed) {
      EXPECT_EQ(run.truth.samples, samples) << run.id;
    } else {
      EXPECT_LE(run.truth.samples, samples) << run.id;
    }
  }
}

TEST(RunStoryTest, EveryCauseOccursInTheWeek) {
  DemoRunTruth sum;
  for (const DemoRun& run : Week().runs) {
    sum.data_stall += run.truth.data_stall;
    sum.checkpoint += run.truth.checkpoint;
    sum.recomputation += run.truth.recomputation;
    sum.hang += run.truth.hang;
    sum.restart += run.truth.restart;
    sum.unknown += run.truth.unknown;
    sum.startup += run.truth.startup;
    sum.failures += run.truth.failures;
  }
  for (const GpuHours part : {sum.data_stall, sum.checkpoint, sum.recomputation, sum.hang,
                              sum.restart, sum.unknown, sum.startup}) {
    EXPECT_GT(part, GpuHours());
  }
  EXPECT_GT(sum.failures, 3);
}

// The usual step of rule T8 is the run's own pace, so that its figures can be known beforehand.
TEST(RunStoryTest, TheMedianIntervalIsTheShortestWholePace) {
  for (const DemoRun& run : Week().runs) {
    std::map<std::int64_t, std::int64_t> lengths;  // of intervals without a save or a stall
    std::int64_t count = 0;
    for (std::size_t i = 1; i < run.events.size(); ++i) {
      const DemoRunEvent& event = run.events[i];
      std::size_t before = i - 1;
      if (Is(run.events[before], "metric")) --before;
      if (!Is(event, "step") || !Is(run.events[before], "step")) continue;
      ++lengths[Between(run.events[before].at, event.at).base()];
      ++count;
    }
    const auto most =
        std::max_element(lengths.begin(), lengths.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    EXPECT_GE(most->second * 5, count * 2) << run.id;  // nearly half of them take just that
    std::int64_t below = 0;
    for (auto it = lengths.begin(); it != most; ++it) below += it->second;
    EXPECT_LE(below, (count - 1) / 2) << run.id;
  }
}

TEST(RunStoryTest, SomeExperimentsReachTheirTargetAndOneNever) {
  std::set<std::string> below;
  for (const DemoRun& run : Week().runs) {
    for (const DemoRunEvent& event : run.events) {
      if (event.name == "loss" && event.value < "2.25") below.insert(run.experiment);
    }
  }
  EXPECT_EQ(below.count("data-mix") + below.count("long-context"), 2U);
  EXPECT_FALSE(below.contains("fp8"));
}

}  // namespace
}  // namespace plimsoll
