#include "ingest/kubernetes/absent.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace plimsoll {
namespace {

// A node that was gone and is back: a known end beats none, so it takes a later one.
constexpr Instant kNever = AtSeconds(253'370'764'800);  // 9999-01-01T00:00:00Z

std::int64_t EndHoldings(const HoldingBatch& known, Instant end, HoldingBatch& holdings) {
  std::set<std::string> seen(holdings.uid.begin(), holdings.uid.end());
  std::set<std::string> ended;
  for (std::size_t i = 0; i < RowsOf(known); ++i) {
    if (known.until[i] || known.source[i] != "kubernetes" || seen.contains(known.uid[i])) continue;
    AppendRow(holdings, known, i);
    holdings.until.back() = std::max(end, known.begin[i]);
    holdings.end_reason.back() = "Cancelled";
    ended.insert(known.uid[i]);
  }
  return static_cast<std::int64_t>(ended.size());
}

std::int64_t EndNodes(const NodeBatch& known, Instant end, NodeBatch& nodes) {
  const std::size_t rows = RowsOf(nodes);
  std::set<std::string> live;
  for (std::size_t i = 0; i < rows; ++i) live.insert(nodes.node[i].text());
  std::int64_t ended = 0;
  for (std::size_t i = 0; i < RowsOf(known); ++i) {
    if (live.contains(known.node[i].text())) {
      if (!known.until[i]) continue;
      for (std::size_t row = 0; row < rows; ++row) {
        if (nodes.node[row] == known.node[i] && !nodes.until[row]) nodes.until[row] = kNever;
      }
    } else if (!known.until[i]) {
      AppendRow(nodes, known, i);
      nodes.until.back() = known.begin[i] ? std::max(end, *known.begin[i]) : end;
      ++ended;
    }
  }
  return ended;
}

void EndVolumes(const KnownFacts& known, Instant end, VolumeBatch& volumes) {
  std::set<std::tuple<std::string, std::string>> claims;
  std::set<std::tuple<std::string, std::string, std::string>> rows;
  for (std::size_t i = 0; i < RowsOf(volumes); ++i) {
    claims.emplace(volumes.ns[i], volumes.claim[i]);
    rows.emplace(volumes.ns[i], volumes.claim[i], volumes.uid[i]);
  }
  const VolumeBatch& open = known.facts.volumes;
  for (std::size_t i = 0; i < RowsOf(open); ++i) {
    const char* const kind = open.uid[i].empty() ? "PersistentVolumeClaim" : "Pod";
    if (open.until[i] || !known.complete.contains(kind)) continue;
    const bool present = open.uid[i].empty()
                             ? claims.contains({open.ns[i], open.claim[i]})
                             : rows.contains({open.ns[i], open.claim[i], open.uid[i]});
    if (present) continue;
    AppendRow(volumes, open, i);
    volumes.until.back() = std::max(end, open.begin[i]);
  }
}

}  // namespace

std::int64_t EndAbsent(const KnownFacts& known, FleetFacts& facts) {
  if (!known.until) return 0;
  std::int64_t ended = 0;
  EndVolumes(known, *known.until, facts.volumes);
  if (known.complete.contains("Pod")) {
    ended += EndHoldings(known.facts.holdings, *known.until, facts.holdings);
  }
  if (known.complete.contains("Node")) {
    ended += EndNodes(known.facts.nodes, *known.until, facts.nodes);
  }
  return ended;
}

}  // namespace plimsoll
