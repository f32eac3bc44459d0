#include "capacity/quota/pending_queue.h"

#include "base/check.h"

namespace plimsoll {

void PendingQueue::Push(const Entry& entry) {
  PLIMSOLL_CHECK(entries_.emplace(entry.id, entry).second);
  const Shape shape = ShapeOf(entry);
  Bucket& bucket = buckets_[shape];
  const bool had = !bucket.places.empty();
  const Place before = had ? *bucket.places.begin() : Place{};
  bucket.places.insert(PlaceOf(entry));
  if (bucket.aside || (had && before == *bucket.places.begin())) return;
  if (had) heads_.erase({before, shape});
  heads_.insert({*bucket.places.begin(), shape});
}

void PendingQueue::Remove(const Entry& entry) {
  const Shape shape = ShapeOf(entry);
  const auto at = buckets_.find(shape);
  Bucket& bucket = at->second;
  if (!bucket.aside) heads_.erase({*bucket.places.begin(), shape});
  bucket.places.erase(PlaceOf(entry));
  if (!bucket.places.empty() && !bucket.aside) heads_.insert({*bucket.places.begin(), shape});
  if (bucket.places.empty() && (!bucket.aside || entry.shape == 0)) {
    aside_.erase(shape);
    buckets_.erase(at);
  }
  entries_.erase(entry.id);
}

std::optional<PendingQueue::Entry> PendingQueue::Pop() {
  woken_ = false;
  if (!CanTry()) return std::nullopt;
  const std::uint64_t id = HasSticky() ? *sticky_ : std::get<2>(heads_.begin()->first);
  const Entry entry = entries_.at(id);
  Remove(entry);
  return entry;
}

bool PendingQueue::Requeue(const Entry& entry, QuotaVerdict verdict, bool flavors_left) {
  const bool is_strict = strategy_ == QueueingStrategy::kStrictFifo;
  if (sticky_ == entry.id) sticky_.reset();
  if (verdict == QuotaVerdict::kPreempting && !is_strict) sticky_ = entry.id;
  const bool at_once = is_strict || woken_ || flavors_left ||
                       verdict == QuotaVerdict::kPreempting || verdict == QuotaVerdict::kSkipped;
  Push(entry);
  if (!at_once) SetAside(ShapeOf(entry));
  return at_once;
}

void PendingQueue::SetAside(const Shape& shape) {
  Bucket& bucket = buckets_.at(shape);
  if (bucket.aside) return;
  heads_.erase({*bucket.places.begin(), shape});
  bucket.aside = true;
  aside_.insert(shape);
}

void PendingQueue::Wake() {
  woken_ = true;
  for (const Shape& shape : aside_) {
    const auto at = buckets_.find(shape);
    at->second.aside = false;
    if (at->second.places.empty()) {
      buckets_.erase(at);
    } else {
      heads_.insert({*at->second.places.begin(), shape});
    }
  }
  aside_.clear();
}

bool PendingQueue::Erase(std::uint64_t id) {
  const auto at = entries_.find(id);
  if (at == entries_.end()) return false;
  if (sticky_ == id) sticky_.reset();
  const Entry entry = at->second;
  Remove(entry);
  return true;
}

}  // namespace plimsoll
