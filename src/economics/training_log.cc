#include "economics/training_log.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <tuple>

namespace plimsoll {
namespace {

constexpr std::string_view kKindNames[] = {
    "start",          "resume",      "step",      "metric",  "checkpoint_begin",
    "checkpoint_end", "stall_begin", "stall_end", "failure", "stop"};
constexpr std::int64_t kGpusMax = 10'000'000;
constexpr Duration kSpanMax = Days(36'525);                         // a century
constexpr Instant kEarliest = AtSeconds(-10'000 * 365 * 86'400LL);  // keeps differences in 64 bits
constexpr Instant kLatest = AtSeconds(10'000 * 365 * 86'400LL);

// A row that is an event, with its place in the writer's order.
struct Place {
  std::int64_t attempt;
  Instant at;
  std::int64_t seq;
  RunEventKind kind;
  std::size_t row;
};

auto ContentOf(const RunEventBatch& events, std::size_t row) {
  return std::tie(events.gpus[row], events.step[row], events.tokens[row], events.samples[row],
                  events.name[row], events.value[row]);
}

bool Before(const RunEventBatch& events, const Place& a, const Place& b) {
  const auto key = [](const Place& p) { return std::tuple(p.attempt, p.at, p.seq, p.kind); };
  if (key(a) != key(b)) return key(a) < key(b);
  return ContentOf(events, a.row) < ContentOf(events, b.row);
}

Error Beyond(const RunEventBatch& events, std::size_t row, const std::string& what) {
  return {ErrorCode::kOutOfRange, "run '" + events.run[row] + "': " + what};
}

// The rows that are events, each once, by attempt and time (T1).
Result<std::vector<Place>> PlacesOf(const RunEventBatch& events, std::span<const std::size_t> rows,
                                    TrainingLog& log) {
  std::vector<Place> places;
  places.reserve(rows.size());
  for (const std::size_t row : rows) {
    const std::optional<RunEventKind> kind = ParseRunEventKind(events.kind[row].text());
    if (!kind || events.attempt[row] < 0) {
      ++log.unknown_kinds;
      continue;
    }
    if (events.at[row] < kEarliest || events.at[row] > kLatest) {
      return Beyond(events, row, "the time of an event is no date; check its unit");
    }
    if (events.gpus[row].value_or(0) > kGpusMax) {
      return Beyond(events, row, std::to_string(*events.gpus[row]) + " GPUs is more than 10000000");
    }
    places.push_back({events.attempt[row], events.at[row], events.seq[row], *kind, row});
  }
  std::sort(places.begin(), places.end(),
            [&](const Place& a, const Place& b) { return Before(events, a, b); });
  const auto same = [&](const Place& a, const Place& b) {
    return !Before(events, a, b) && !Before(events, b, a);
  };
  places.erase(std::unique(places.begin(), places.end(), same), places.end());
  return places;
}

// True if the writer numbered every event of the attempt (T2).
bool IsNumbered(std::span<const Place> places) {
  std::vector<std::int64_t> seqs;
  seqs.reserve(places.size());
  for (const Place& place : places) seqs.push_back(place.seq);
  std::sort(seqs.begin(), seqs.end());
  return seqs.front() >= 0 && std::adjacent_find(seqs.begin(), seqs.end()) == seqs.end();
}

void MarkSteps(TrainingAttempt& attempt) {
  std::optional<std::int64_t> last;  // step of this leg
  for (TrainingEvent& event : attempt.events) {
    if (IsBreak(event.kind)) last.reset();
    if (event.kind != RunEventKind::kStep || !event.step || event.step == last) continue;
    event.is_step = true;
    last = event.step;
  }
}

TrainingAttempt AttemptOf(const RunEventBatch& events, std::span<Place> places, bool& clock) {
  if (IsNumbered(places)) {
    std::sort(places.begin(), places.end(),
              [](const Place& a, const Place& b) { return a.seq < b.seq; });
  }
  TrainingAttempt attempt;
  attempt.number = places.front().attempt;
  attempt.events.reserve(places.size());
  Instant latest = places.front().at;
  for (const Place& place : places) {
    clock = clock || place.at < latest;
    latest = std::max(latest, place.at);
    const std::size_t row = place.row;
    const bool is_preempted = place.kind == RunEventKind::kStop && events.name[row] == "preempted";
    attempt.events.push_back({place.kind, false, is_preempted, row, latest, 0, events.step[row],
                              events.tokens[row], events.samples[row]});
  }
  MarkSteps(attempt);
  return attempt;
}

std::optional<std::int64_t> ToldGpus(const RunEventBatch& events, const TrainingEvent& event) {
  const std::optional<std::int64_t> told = events.gpus[event.row];
  return told && *told >= 0 ? told : std::nullopt;
}

// T4. An attempt that tells none takes the last number of an earlier one, else the first of a
// later one, else the declared.
void FillGpus(const RunEventBatch& events, std::optional<std::int64_t> declared, TrainingLog& log) {
  const std::size_t count = log.attempts.size();
  std::vector<std::optional<std::int64_t>> first(count);  // that each attempt tells
  std::vector<std::optional<std::int64_t>> after(count + 1);
  if (declared && *declared >= 0) after[count] = declared;
  for (std::size_t a = count; a-- > 0;) {
    for (const TrainingEvent& event : log.attempts[a].events) {
      if (!first[a]) first[a] = ToldGpus(events, event);
    }
    after[a] = first[a] ? first[a] : after[a + 1];
  }
  std::optional<std::int64_t> before;
  for (std::size_t a = 0; a < count; ++a) {
    std::optional<std::int64_t> held = first[a] ? first[a] : before ? before : after[a];
    log.no_gpus = log.no_gpus || !held;
    for (TrainingEvent& event : log.attempts[a].events) {
      if (const auto told = ToldGpus(events, event)) held = told;
      event.gpus = held.value_or(0);
    }
    if (first[a]) before = held;
  }
}

// T3, all but `overlap`, which depends on how long attempts are held.
void MarkEnds(TrainingLog& log) {
  for (const TrainingAttempt& attempt : log.attempts) {
    const RunEventKind last = attempt.events.back().kind;
    log.no_start = log.no_start || attempt.events.front().kind != RunEventKind::kStart;
    log.no_stop = log.no_stop || (last != RunEventKind::kStop && last != RunEventKind::kFailure);
  }
}

}  // namespace

std::optional<RunEventKind> ParseRunEventKind(std::string_view name) {
  const auto found = std::find(std::begin(kKindNames), std::end(kKindNames), name);
  if (found == std::end(kKindNames)) return std::nullopt;
  return static_cast<RunEventKind>(found - std::begin(kKindNames));
}

bool IsBreak(RunEventKind kind) {
  return kind == RunEventKind::kFailure || kind == RunEventKind::kResume ||
         kind == RunEventKind::kStop;
}

bool IsDecisive(const TrainingEvent& event) { return event.is_step || IsBreak(event.kind); }

Result<TrainingLog> ReadTrainingLog(const RunEventBatch& events, std::span<const std::size_t> rows,
                                    std::optional<std::int64_t> gpus) {
  TrainingLog log;
  PLIMSOLL_TRY(std::vector<Place> places, PlacesOf(events, rows, log));
  for (std::size_t begin = 0, end = 0; begin < places.size(); begin = end) {
    while (end < places.size() && places[end].attempt == places[begin].attempt) ++end;
    if (Between(places[begin].at, places[end - 1].at) > kSpanMax) {
      return Beyond(events, places[begin].row,
                    "an attempt of more than a century; check the unit of its times");
    }
    log.attempts.push_back(
        AttemptOf(events, std::span(places).subspan(begin, end - begin), log.clock));
  }
  FillGpus(events, gpus, log);
  MarkEnds(log);
  return log;
}

}  // namespace plimsoll
