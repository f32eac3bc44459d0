#include "allocation/holding_table.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>

namespace plimsoll {
namespace {

int SourceRank(const std::string& source) {
  if (source == "kubernetes") return 0;
  if (source == "kube-state-metrics") return 1;
  return source == "slurm" ? 2 : 3;
}

bool HasLabels(const std::string& labels) { return !labels.empty() && labels != "{}"; }

auto AllFields(const HoldingBatch& h, std::size_t i) {
  return std::tie(h.source[i], h.ns[i], h.name[i], h.workload_kind[i], h.workload[i], h.account[i],
                  h.user_name[i], h.queue[i], h.labels[i], h.devices[i], h.share_num[i],
                  h.share_den[i], h.cpu_milli[i], h.memory_bytes[i], h.queued[i], h.ready[i],
                  h.until[i], h.end_reason[i], h.role[i], h.used_ppm[i], h.used_signal[i]);
}

// Which of two rows of one holding is believed.
bool IsBetter(const HoldingBatch& h, std::size_t a, std::size_t b) {
  const int rank_a = SourceRank(h.source[a]);
  const int rank_b = SourceRank(h.source[b]);
  if (rank_a != rank_b) return rank_a < rank_b;
  const bool labels_a = HasLabels(h.labels[a]);
  const bool labels_b = HasLabels(h.labels[b]);
  if (labels_a != labels_b) return labels_a;
  if (h.begin[a] != h.begin[b]) return h.begin[a] < h.begin[b];
  return AllFields(h, a) < AllFields(h, b);
}

std::vector<std::size_t> Firsts(std::size_t nodes, std::size_t rows, auto node_of) {
  std::vector<std::size_t> first(nodes + 1, rows);
  for (std::size_t i = rows; i-- > 0;) first[static_cast<std::size_t>(node_of(i))] = i;
  for (std::size_t node = nodes; node-- > 0;) first[node] = std::min(first[node], first[node + 1]);
  return first;
}

// What the rows of each (cluster, uid, node) ask for at most.
class GreatestRequests {
 public:
  GreatestRequests(const HoldingBatch& h, Instant data_until) : h_(h) {
    for (std::size_t i = 0; i < RowsOf(h); ++i) {
      const Window held{h.begin[i], h.until[i].value_or(data_until)};
      if (held.empty() || h.role[i] == "placeholder") continue;
      const auto key = static_cast<std::size_t>(KeyOf(i));
      if (key == most_.size()) most_.emplace_back();
      auto& [cpu, memory] = most_[key];
      cpu = std::max(cpu, h.cpu_milli[i]);
      memory = std::max(memory, h.memory_bytes[i]);
    }
  }
  // (milli CPU, bytes). REQUIRES: the row has time
  std::pair<std::int64_t, std::int64_t> Of(std::size_t row) {
    return most_.at(static_cast<std::size_t>(KeyOf(row)));
  }

 private:
  std::int32_t KeyOf(std::size_t i) {
    return keys_.OfFields({h_.cluster[i], h_.uid[i], h_.node[i]});
  }

  const HoldingBatch& h_;
  TextIds keys_;
  std::vector<std::pair<std::int64_t, std::int64_t>> most_;
};

}  // namespace

std::vector<std::size_t> UniqueHoldings(const HoldingBatch& holdings, Instant data_until) {
  std::vector<std::size_t> rows;
  TextIds keys;
  for (std::size_t i = 0; i < RowsOf(holdings); ++i) {
    const Window held{holdings.begin[i], holdings.until[i].value_or(data_until)};
    if (held.empty()) continue;
    const auto key = static_cast<std::size_t>(keys.OfFields(
        {holdings.cluster[i], holdings.uid[i], holdings.node[i], holdings.device_kind[i]}));
    if (key == rows.size()) {
      rows.push_back(i);
    } else if (IsBetter(holdings, i, rows[key])) {
      rows[key] = i;
    }
  }
  return rows;
}

HoldingTable::HoldingTable(const AllocationInput& input, const AllocationOptions& options,
                           const NodeTable& nodes, WorkloadTable& workloads) {
  const HoldingBatch& h = input.holdings;
  for (const std::size_t row : UniqueHoldings(h, options.data_until)) {
    const Window held{h.begin[row], h.until[row].value_or(options.data_until)};
    if (Intersect(held, options.window).empty()) continue;
    HoldingFact fact;
    fact.row = row;
    fact.node = nodes.Find(h.cluster[row], h.node[row]);
    fact.workload = workloads.OfHolding(h, row);
    fact.begin = h.begin[row];
    fact.until = h.until[row].value_or(options.data_until);
    fact.ready = std::clamp(h.ready[row].value_or(fact.begin), fact.begin, fact.until);
    // A placeholder or a scheduler's own pod keeps room for others: its cards are free.
    const bool is_work = h.role[row].empty();
    if (is_work && h.devices[row] > 0 && h.share_num[row] > 0 && h.share_den[row] > 0) {
      fact.units = h.devices[row];
      fact.share_num = h.share_num[row];
      fact.share_den = h.share_den[row];
      fact.used_ppm = std::max<std::int64_t>(h.used_ppm[row].value_or(-1), -1);
    }
    facts_.push_back(fact);
  }
  std::sort(facts_.begin(), facts_.end(), [&](const HoldingFact& a, const HoldingFact& b) {
    if (a.node != b.node) return a.node < b.node;
    if (a.begin != b.begin) return a.begin < b.begin;
    return std::tie(h.ns[a.row], h.name[a.row], h.uid[a.row], h.device_kind[a.row]) <
           std::tie(h.ns[b.row], h.name[b.row], h.uid[b.row], h.device_kind[b.row]);
  });
  first_ =
      Firsts(nodes.nodes().size(), facts_.size(), [&](std::size_t i) { return facts_[i].node; });
  GatherRequests(h, options.data_until);
  first_request_ = Firsts(nodes.nodes().size(), requests_.size(),
                          [&](std::size_t i) { return requests_[i].node; });
}

// Rows of one uid on one node (several device kinds) ask once: their intervals are unioned,
// and the greatest request of any row counts.
void HoldingTable::GatherRequests(const HoldingBatch& h, Instant data_until) {
  GreatestRequests greatest(h, data_until);
  TextIds uids;
  std::vector<std::vector<RequestFact>> by_uid;
  std::int32_t node = -1;
  std::size_t uid_base = 0;
  for (const HoldingFact& fact : facts_) {
    if (h.role[fact.row] == "placeholder") continue;  // what it asks for is there for others
    if (fact.node != node) {
      node = fact.node;
      uids = TextIds();
      uid_base = by_uid.size();
    }
    const auto uid = uid_base + static_cast<std::size_t>(uids.Of(h.uid[fact.row]));
    if (uid == by_uid.size()) by_uid.emplace_back();
    auto& pieces = by_uid[uid];
    if (!pieces.empty() && fact.begin <= pieces.back().until) {  // facts come by begin
      pieces.back().until = std::max(pieces.back().until, fact.until);
    } else {
      const std::int32_t workload = pieces.empty() ? fact.workload : pieces.front().workload;
      const auto [cpu, memory] = greatest.Of(fact.row);
      pieces.push_back({fact.node, workload, fact.begin, fact.until, cpu, memory});
    }
  }
  for (const auto& pieces : by_uid) {
    for (const RequestFact& piece : pieces) {
      if (piece.cpu_milli > 0 || piece.memory_bytes > 0) requests_.push_back(piece);
    }
  }
  std::stable_sort(requests_.begin(), requests_.end(),
                   [](const RequestFact& a, const RequestFact& b) {
                     return std::tie(a.node, a.begin) < std::tie(b.node, b.begin);
                   });
}

std::span<const HoldingFact> HoldingTable::Of(std::int32_t node) const {
  const auto i = static_cast<std::size_t>(node);
  return std::span(facts_).subspan(first_[i], first_[i + 1] - first_[i]);
}

std::span<const RequestFact> HoldingTable::RequestsOf(std::int32_t node) const {
  const auto i = static_cast<std::size_t>(node);
  return std::span(requests_).subspan(first_request_[i], first_request_[i + 1] - first_request_[i]);
}

void HoldingTable::Renumber(std::span<const std::int32_t> final_ids) {
  for (HoldingFact& fact : facts_) {
    fact.workload = final_ids[static_cast<std::size_t>(fact.workload)];
  }
  for (RequestFact& request : requests_) {
    request.workload = final_ids[static_cast<std::size_t>(request.workload)];
  }
}

}  // namespace plimsoll
