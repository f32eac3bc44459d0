#include "allocation/volume_costs.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "units/split.h"

namespace plimsoll {
namespace {

constexpr auto kNone = static_cast<std::int32_t>(kNoId);
constexpr std::int64_t kGib = std::int64_t{1} << 30;

Error TooLarge(const std::string& volume) {
  return {ErrorCode::kOutOfRange, "the cost of volume " + volume +
                                      " cannot be divided in 38 "
                                      "digits"};
}

std::string_view LastSegment(std::string_view id) {
  const std::size_t at = id.find_last_of("/:");
  return at == std::string_view::npos ? id : id.substr(at + 1);
}

}  // namespace

VolumeOwners::VolumeOwners(const AllocationInput& input, const AllocationOptions& options,
                           WorkloadTable& workloads) {
  if (input.conditions == nullptr) return;
  const VolumeBatch& v = input.conditions->volumes;
  std::vector<std::size_t> order(RowsOf(v));
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto key = [&](std::size_t i) { return std::tie(v.cluster[i], v.ns[i], v.claim[i]); };
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::tuple_cat(key(a), std::tie(v.uid[a], v.begin[a], v.until[a])) <
           std::tuple_cat(key(b), std::tie(v.uid[b], v.begin[b], v.until[b]));
  });
  for (std::size_t n = 0; n < order.size(); ++n) {
    const std::size_t i = order[n];
    const Window time{v.begin[i], v.until[i].value_or(options.data_until)};
    WorkloadIdentity identity;
    identity.cluster = v.cluster[i];
    identity.source = "kubernetes";
    identity.ns = v.ns[i];
    if (n == 0 || key(order[n - 1]) != key(i)) {
      // Rows come by uid: what the claim says of itself, if anything does, is first.
      identity.workload_kind = "PersistentVolumeClaim";
      identity.workload = v.claim[i];
      const std::string_view labels = v.uid[i].empty() ? std::string_view(v.labels[i]) : "{}";
      VolumeOf(v, i, true)
          .claims.push_back(
              workloads.Of(identity, workloads.attributor().Of({labels, v.ns[i], "", false})));
    }
    Volume& volume = VolumeOf(v, i, false);
    volume.storage_class = std::max(volume.storage_class, v.storage_class[i]);
    volume.bytes = std::max(volume.bytes, v.bytes[i]);
    volume.exists = {std::min(volume.exists.begin, time.begin),
                     std::max(volume.exists.until, time.until)};
    if (v.uid[i].empty() || time.empty()) continue;
    identity.workload_kind = v.workload_kind[i];
    identity.workload = v.workload[i];
    const auto labels = NormalizedLabels(v.labels[i]);
    const auto queue = labels.find("kueue_x_k8s_io_queue_name");
    if (queue != labels.end()) identity.queue = queue->second;
    volume.mounts.push_back({time, workloads.Of(identity, workloads.attributor().Of(
                                                              {v.labels[i], v.ns[i], "", false}))});
  }
}

VolumeOwners::Volume& VolumeOwners::VolumeOf(const VolumeBatch& batch, std::size_t row,
                                             bool is_new_claim) {
  const std::string& id = batch.volume_id[row];
  if (!is_new_claim) return volumes_[current_];
  const auto known = id.empty() ? by_id_.end() : by_id_.find(id);
  if (known != by_id_.end()) {
    current_ = static_cast<std::size_t>(known->second);
    return volumes_[current_];
  }
  current_ = volumes_.size();
  if (!id.empty()) by_id_.emplace(id, static_cast<std::int32_t>(current_));
  const Instant begin = batch.begin[row];
  volumes_.push_back({id, batch.storage_class[row], batch.bytes[row], {begin, begin}, {}, {}});
  return volumes_[current_];
}

std::int32_t VolumeOwners::Find(std::string_view resource_id) const {
  for (const std::string_view id : {resource_id, LastSegment(resource_id)}) {
    const auto found = by_id_.find(id);
    if (found != by_id_.end()) return found->second;
  }
  return -1;
}

Status VolumeOwners::Divide(std::int32_t volume, Money cost, const Window& time,
                            std::vector<Part>& parts) const {
  const Volume& of = volumes_[static_cast<std::size_t>(volume)];
  std::vector<Instant> cuts{time.begin, time.until};
  for (const Mount& mount : of.mounts) {
    for (const Instant at : {mount.time.begin, mount.time.until}) {
      if (time.begin < at && at < time.until) cuts.push_back(at);
    }
  }
  std::sort(cuts.begin(), cuts.end());
  cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
  if (cuts.size() < 2) {  // a charge of an instant
    parts.push_back({of.claims.front(), cost});
    return Ok();
  }
  std::vector<std::int64_t> lengths;
  for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
    lengths.push_back(Between(cuts[i], cuts[i + 1]).base());
  }
  std::vector<int128> costs(lengths.size());
  if (!SplitInto(cost.nanos(), std::span<const std::int64_t>(lengths), costs)) {
    return TooLarge(of.id);
  }
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    std::vector<std::int32_t> who;
    for (const Mount& mount : of.mounts) {
      if (mount.time.contains(cuts[i])) who.push_back(mount.workload);
    }
    if (who.empty()) who = of.claims;
    std::sort(who.begin(), who.end());
    const std::vector<std::int64_t> even(who.size(), 1);
    std::vector<int128> shares(who.size());
    if (!SplitInto(costs[i], std::span<const std::int64_t>(even), shares)) return TooLarge(of.id);
    for (std::size_t w = 0; w < who.size(); ++w) {
      parts.push_back({who[w], Money::FromNanos(shares[w])});
    }
  }
  return Ok();
}

Status VolumeOwners::AddUnbilled(const AllocationOptions& options, const std::vector<bool>& billed,
                                 ScopeTable& scopes, std::vector<DirectCost>& direct) const {
  std::vector<HourPart> hours;
  std::vector<Part> parts;
  for (std::size_t i = 0; i < volumes_.size(); ++i) {
    const Volume& volume = volumes_[i];
    const auto price = std::find_if(options.volume_prices.begin(), options.volume_prices.end(),
                                    [&](const VolumePrice& p) {
                                      return MatchesPattern(p.storage_class, volume.storage_class);
                                    });
    if (billed[i] || price == options.volume_prices.end()) continue;
    const int128 month_nanos =
        DivideHalfEven(price->per_gib_month.nanos() * int128{volume.bytes}, kGib);
    for (Instant at = options.window.begin; at < options.window.until;) {
      const Window month = MonthOf(at);
      const std::int32_t scope = scopes.Of("", {"", "", options.currency, month});
      hours.clear();
      PLIMSOLL_RETURN_IF_ERROR(
          SpreadOverHours(Money::FromNanos(month_nanos), month, options.window, hours));
      for (const HourPart& hour : hours) {
        const Window there = Intersect({hour.hour, hour.hour + Hours(1)}, volume.exists);
        if (there.empty()) continue;
        const Money cost = Money::FromNanos(
            DivideHalfEven(hour.cost.nanos() * there.length().base(), Hours(1).base()));
        parts.clear();
        PLIMSOLL_RETURN_IF_ERROR(Divide(static_cast<std::int32_t>(i), cost, there, parts));
        const auto number = static_cast<std::int32_t>(
            Between(options.window.begin, hour.hour).base() / Hours(1).base());
        for (const Part& part : parts) {
          direct.push_back({number, kNone, scope, part.workload, CostColumn::kStorage, part.cost});
        }
      }
      at = month.until;
    }
  }
  return Ok();
}

}  // namespace plimsoll
