#include "ingest/kubernetes/runs.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace plimsoll {
namespace {

Instant BeginOf(const Sighted& sighted, const StateRun* before) {
  if (!sighted.changed) return sighted.seen;
  const Instant changed = std::min(*sighted.changed, sighted.seen);
  return before == nullptr || changed > before->seen ? changed : sighted.seen;
}

}  // namespace

std::vector<StateRun> SettleRuns(std::vector<StateRun> known, std::vector<Sighted> sightings,
                                 const std::string& nothing) {
  std::sort(sightings.begin(), sightings.end(), [](const Sighted& a, const Sighted& b) {
    return std::tie(a.seen, a.changed, a.value, a.detail) <
           std::tie(b.seen, b.changed, b.value, b.detail);
  });
  std::map<Instant, StateRun> runs;
  for (StateRun& run : known) runs.insert_or_assign(run.since, std::move(run));
  std::map<Instant, StateRun> touched;
  for (const Sighted& sighted : sightings) {
    const auto next = runs.upper_bound(sighted.seen);
    StateRun* const before = next == runs.begin() ? nullptr : &std::prev(next)->second;
    if (before == nullptr && sighted.value == nothing) continue;
    if (before != nullptr && before->value == sighted.value) {
      before->seen = std::max(before->seen, sighted.seen);
      before->detail = sighted.detail;
      touched.insert_or_assign(before->since, *before);
      continue;
    }
    const Instant since = BeginOf(sighted, before);
    const StateRun run{sighted.value, since, sighted.seen, sighted.detail};
    runs.insert_or_assign(since, run);
    touched.insert_or_assign(since, run);
  }
  std::vector<StateRun> settled;
  for (auto& [since, run] : touched) settled.push_back(std::move(run));
  return settled;
}

}  // namespace plimsoll
