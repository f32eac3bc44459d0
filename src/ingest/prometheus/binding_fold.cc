#include "ingest/prometheus/binding_fold.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace plimsoll {

std::int32_t HolderTable::Intern(const Holder& holder) {
  const auto known = index_.find(holder);
  if (known != index_.end()) return known->second;
  const std::int32_t who = holder.node.empty() ? static_cast<std::int32_t>(holders_.size())
                                               : Intern({holder.ns, holder.name, ""});
  const auto index = static_cast<std::int32_t>(holders_.size());
  holders_.push_back(holder);
  who_.push_back(who);
  index_.emplace(holder, index);
  return index;
}

void BindingFolder::Add(std::int32_t device, std::int32_t holder, std::int64_t at_ms) {
  if (at_ms >= window_.until.base() || at_ms <= window_.begin.base() - hold_) return;
  Sightings& sightings = sightings_[device];
  const Sighting seen{at_ms, holder};
  if (!sightings.list.empty() && sightings.list.back() == seen) return;
  sightings.list.push_back(seen);
  // Every metric of a device repeats the same sightings: drop the copies now and then.
  if (sightings.list.size() > 2 * sightings.settled + 256) Settle(sightings);
}

void BindingFolder::Settle(Sightings& sightings) const {
  std::sort(sightings.list.begin(), sightings.list.end());
  sightings.list.erase(std::unique(sightings.list.begin(), sightings.list.end()),
                       sightings.list.end());
  sightings.settled = sightings.list.size();
}

void BindingFolder::Emit(const Target& target, std::vector<Run>& runs) const {
  const DeviceTable::Device& device = devices_->device(target.device);
  BindingBatch& rows = *target.rows;
  const auto key = [&](const Run& run) {
    const HolderTable::Holder& holder = holders_->holder(run.who);
    return std::tie(run.begin, holder.ns, holder.name);
  };
  std::sort(runs.begin(), runs.end(), [&](const Run& a, const Run& b) { return key(a) < key(b); });
  for (const Run& run : runs) {
    const Window cut = Intersect({AtMillis(run.begin), AtMillis(run.last)}, window_);
    if (cut.empty()) continue;
    const HolderTable::Holder& holder = holders_->holder(run.who);
    rows.snapshot_id.push_back(0);
    rows.cluster.emplace_back(target.cluster);
    rows.node.emplace_back(run.node);
    rows.device.push_back(device.uuid);
    rows.instance.push_back(device.instance);
    rows.ns.push_back(holder.ns);
    rows.name.push_back(holder.name);
    rows.begin.push_back(cut.begin);
    rows.until.push_back(cut.until);
  }
}

void BindingFolder::FoldDevice(const Target& target, Sightings& sightings) const {
  std::erase_if(sightings.list, [&](const Sighting& seen) {
    const HolderTable::Holder& holder = holders_->holder(seen.holder);
    return excluded_.contains({holder.ns, holder.name});
  });
  Settle(sightings);
  std::map<std::int32_t, Run> open;  // by who
  std::vector<Run> closed;
  const auto close = [&](Run run, std::int64_t at) {
    run.last = std::min(run.last + hold_, at);
    closed.push_back(run);
  };
  const std::vector<Sighting>& list = sightings.list;
  for (std::size_t first = 0; first < list.size();) {
    const std::int64_t now = list[first].at;
    std::size_t next = first;
    for (; next < list.size() && list[next].at == now; ++next) {
      const std::int32_t who = holders_->WhoOf(list[next].holder);
      const std::string_view node = holders_->holder(list[next].holder).node;
      const auto [run, begins] = open.try_emplace(who, Run{who, now, now, node});
      if (!begins && now - run->second.last > hold_) {
        close(run->second, now);
        run->second = {who, now, now, node};
      }
      run->second.last = now;
      run->second.node = std::max(run->second.node, node);
    }
    std::erase_if(open, [&](const auto& run) {
      if (run.second.last == now) return false;
      close(run.second, now);
      return true;
    });
    if (open.size() > 1 && *target.on_shared) (*target.on_shared)(target.device, now);
    first = next;
  }
  for (const auto& [who, run] : open) close(run, INT64_MAX);
  Emit(target, closed);
}

void BindingFolder::Fold(std::string_view cluster, BindingBatch& rows, const OnShared& on_shared) {
  std::vector<std::int32_t> order;
  order.reserve(sightings_.size());
  for (const auto& [device, seen] : sightings_) order.push_back(device);
  std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
    return devices_->device(a) < devices_->device(b);
  });
  for (const std::int32_t device : order) {
    FoldDevice({device, cluster, &rows, &on_shared}, sightings_[device]);
  }
}

}  // namespace plimsoll
