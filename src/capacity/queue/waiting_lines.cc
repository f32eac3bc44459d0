#include "capacity/queue/waiting_lines.h"

#include <algorithm>

#include "base/check.h"
#include "sim/fingerprint.h"

namespace plimsoll {

namespace {

std::uint64_t HashOf(const WaitClass& wait_class) {
  const GangNeed& need = wait_class.need;
  Fingerprint hash;
  hash.Add(need.shape.cpu_milli);
  hash.Add(need.shape.memory_mib);
  hash.Add(std::int64_t{need.shape.gpus} * kMilliPerGpu + need.shape.gpu_milli);
  hash.Add(static_cast<std::int64_t>(need.shape.flavors));
  hash.Add(std::int64_t{need.pods} << 32 | need.pods_min);
  hash.Add(static_cast<std::int64_t>(need.topology.mode) << 32 | need.topology.level);
  hash.Add(std::int64_t{wait_class.queue} << 32 ^ wait_class.priority);
  return hash.value();
}

}  // namespace

WaitingLines::ClassId WaitingLines::Find(const WaitClass& like, bool& fresh) {
  std::vector<ClassId>& ids = by_hash_[HashOf(like)];
  const auto found =
      std::ranges::find_if(ids, [&](ClassId id) { return classes_[id].Alike(like); });
  fresh = found == ids.end();
  if (!fresh) return *found;
  ids.push_back(static_cast<ClassId>(classes_.size()));
  classes_.push_back(like);
  return ids.back();
}

void WaitingLines::Insert(ClassId id, const WaitKey& key) {
  WaitClass& wait_class = classes_[id];
  if (wait_class.waiting.empty()) active_[wait_class.line].push_back(id);
  PLIMSOLL_CHECK(wait_class.waiting.insert(key).second);
  ++size_;
}

void WaitingLines::Erase(ClassId id, const WaitKey& key) {
  WaitClass& wait_class = classes_[id];
  PLIMSOLL_CHECK(wait_class.waiting.erase(key) == 1);
  --size_;
  if (wait_class.waiting.empty()) std::erase(active_[wait_class.line], id);
}

std::vector<WaitingLines::Head> WaitingLines::FirstOf(std::size_t line, std::size_t count) const {
  std::vector<Head> heads;
  for (const ClassId id : active_[line]) {
    std::size_t taken = 0;
    for (const WaitKey& key : classes_[id].waiting) {
      if (taken++ == count) break;
      heads.push_back({id, key});
    }
  }
  std::ranges::sort(heads, {}, &Head::key);
  if (heads.size() > count) heads.resize(count);
  return heads;
}

}  // namespace plimsoll
