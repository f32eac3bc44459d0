#include "ingest/prometheus/binding_fold.h"

#include <algorithm>
#include <utility>

namespace plimsoll {

std::int32_t HolderTable::Intern(const Holder& holder) {
  const auto [at, added] = index_.try_emplace(holder, static_cast<std::int32_t>(holders_.size()));
  if (added) holders_.push_back(holder);
  return at->second;
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

void BindingFolder::Emit(const Target& target, const HolderTable::Holder& holder,
                         Window run) const {
  const Window cut = Intersect(run, window_);
  if (cut.empty()) return;
  const DeviceTable::Device& device = devices_->device(target.device);
  BindingBatch& rows = *target.rows;
  rows.snapshot_id.push_back(0);
  rows.cluster.emplace_back(target.cluster);
  rows.node.push_back(holder.node);
  rows.device.push_back(device.uuid);
  rows.instance.push_back(device.instance);
  rows.ns.push_back(holder.ns);
  rows.name.push_back(holder.name);
  rows.begin.push_back(cut.begin);
  rows.until.push_back(cut.until);
}

void BindingFolder::FoldDevice(const Target& target, Sightings& sightings) const {
  std::erase_if(sightings.list, [&](const Sighting& seen) {
    const HolderTable::Holder& holder = holders_->holder(seen.holder);
    return excluded_.contains({holder.ns, holder.name});
  });
  Settle(sightings);
  std::map<std::int32_t, Run> open;
  const auto close = [&](std::int32_t holder, const Run& run, std::int64_t at) {
    const std::int64_t until = std::min(run.last + hold_, at);
    Emit(target, holders_->holder(holder), {AtMillis(run.begin), AtMillis(until)});
  };
  const std::vector<Sighting>& list = sightings.list;
  for (std::size_t first = 0; first < list.size();) {
    const std::int64_t now = list[first].at;
    std::size_t next = first;
    for (; next < list.size() && list[next].at == now; ++next) {
      const auto [run, begins] = open.try_emplace(list[next].holder, Run{now, now});
      if (!begins && now - run->second.last > hold_) {
        close(run->first, run->second, now);
        run->second.begin = now;
      }
      run->second.last = now;
    }
    std::erase_if(open, [&](const auto& run) {
      if (run.second.last == now) return false;
      close(run.first, run.second, now);
      return true;
    });
    first = next;
  }
  for (const auto& [holder, run] : open) close(holder, run, INT64_MAX);
}

void BindingFolder::Fold(std::string_view cluster, BindingBatch& rows) {
  std::vector<std::int32_t> order;
  order.reserve(sightings_.size());
  for (const auto& [device, seen] : sightings_) order.push_back(device);
  std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
    return devices_->device(a) < devices_->device(b);
  });
  for (const std::int32_t device : order) {
    FoldDevice({device, cluster, &rows}, sightings_[device]);
  }
}

}  // namespace plimsoll
