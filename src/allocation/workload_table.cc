#include "allocation/workload_table.h"

#include <algorithm>
#include <numeric>

namespace plimsoll {
namespace {

template <class Fields>
void JoinInto(std::string& key, const Fields& fields) {
  key.clear();
  for (const std::string_view field : fields) {
    key.append(field);
    key.push_back('\0');
  }
}

}  // namespace

std::int32_t WorkloadTable::OfHolding(const HoldingBatch& holdings, std::size_t row) {
  const WorkloadIdentity identity{holdings.cluster[row],   holdings.source[row],
                                  holdings.ns[row],        holdings.workload_kind[row],
                                  holdings.workload[row],  holdings.account[row],
                                  holdings.user_name[row], holdings.queue[row]};
  const std::string& labels = holdings.labels[row];
  JoinInto(key_,
           std::initializer_list<std::string_view>{
               identity.cluster, identity.source, identity.ns, identity.workload_kind,
               identity.workload, identity.account, identity.user_name, identity.queue, labels});
  if (const auto known = holding_ids_.find(key_); known != holding_ids_.end()) {
    return known->second;
  }
  const auto entry = holding_ids_.emplace(key_, 0).first;
  entry->second = Of(identity, attributor_.Of({labels, identity.ns, identity.account,
                                               identity.source == "slurm", identity.user_name}));
  return entry->second;
}

std::int32_t WorkloadTable::Of(const WorkloadIdentity& identity, const Attribution& attribution) {
  const std::array<std::string_view, kColumnCount> fields = {identity.cluster,
                                                             identity.source,
                                                             identity.ns,
                                                             identity.workload_kind,
                                                             identity.workload,
                                                             identity.account,
                                                             identity.user_name,
                                                             identity.queue,
                                                             attribution.team,
                                                             attribution.environment,
                                                             attribution.workload_type,
                                                             attribution.model,
                                                             attribution.cost_center,
                                                             attribution.reason};
  JoinInto(key_, fields);
  const auto [entry, is_new] = ids_.try_emplace(key_, static_cast<std::int32_t>(rows_.size()));
  if (is_new) {
    Row& row = rows_.emplace_back();
    for (std::size_t i = 0; i < kColumnCount; ++i) row[i] = fields[i];
  }
  return entry->second;
}

std::vector<std::int32_t> WorkloadTable::Number() {
  std::vector<std::int32_t> order(rows_.size());
  std::iota(order.begin(), order.end(), 0);
  const auto row_of = [&](std::int32_t id) -> Row& { return rows_[static_cast<std::size_t>(id)]; };
  std::sort(order.begin(), order.end(),
            [&](std::int32_t a, std::int32_t b) { return row_of(a) < row_of(b); });
  std::vector<std::int32_t> final_id(rows_.size());
  std::vector<Row> sorted;
  sorted.reserve(rows_.size());
  for (const std::int32_t id : order) {
    final_id[static_cast<std::size_t>(id)] = static_cast<std::int32_t>(sorted.size());
    sorted.push_back(std::move(row_of(id)));
  }
  rows_ = std::move(sorted);
  return final_id;
}

AllocationWorkloadBatch WorkloadTable::Take(const std::vector<bool>& used) const {
  AllocationWorkloadBatch batch;
  for (std::size_t id = 0; id < rows_.size(); ++id) {
    if (!used[id]) continue;
    std::size_t i = 0;
    std::apply([&](auto... column) { ((batch.*(column.values)).push_back(rows_[id][i++]), ...); },
               AllocationWorkloadBatch::kColumns);
  }
  return batch;
}

}  // namespace plimsoll
