// Where a waiting job would start: places, quota, and who has to make room.
#include <algorithm>

#include "base/check.h"
#include "capacity/queue/queue_engine.h"

namespace plimsoll {

std::vector<std::uint32_t> QueueEngine::FlavorsOf(const WaitClass& wait_class) const {
  std::vector<std::uint32_t> flavors;
  for (const std::uint32_t flavor : wait_class.flavor_order) {
    if (Accepts(wait_class.need.shape.flavors, flavor)) flavors.push_back(flavor);
  }
  if (!wait_class.flavor_order.empty()) return flavors;
  const auto count = static_cast<std::uint32_t>(room_.cluster().flavors().size());
  for (std::uint32_t flavor = 0; flavor < count; ++flavor) {
    if (Accepts(wait_class.need.shape.flavors, flavor)) flavors.push_back(flavor);
  }
  return flavors;
}

// Whether it would start on such a cluster, whatever quota says.
bool QueueEngine::HeadFits(const WaitClass& wait_class, const Room& room) const {
  if (wait_class.flavor_order.empty() && !quota_) return room.Fits(wait_class.need);
  return FitsOnOne(wait_class.need, FlavorsOf(wait_class), room);
}

bool QueueEngine::FitsOnOne(const GangNeed& need, std::span<const std::uint32_t> flavors,
                            const Room& room) {
  return std::ranges::any_of(flavors, [&](std::uint32_t flavor) {
    GangNeed on_one = need;
    on_one.shape.flavors = FlavorSet{1} << flavor;
    return room.Fits(on_one);
  });
}

QuotaClaim QueueEngine::ClaimOf(const WaitingLines::Head& head, std::uint32_t flavor,
                                std::int32_t pods) const {
  const WaitClass& wait_class = lines_.at(head.wait_class);
  const PodShape& shape = wait_class.need.shape;
  QuotaClaim claim;
  claim.job = head.key.job;
  claim.queue = wait_class.queue;
  claim.flavor = flavor;
  claim.priority = wait_class.priority;
  claim.queued = head.key.since;
  claim.preemptible = JobAt(head.key.job).preemptible;
  claim.gpu_milli = pods * GpuMilli(shape);
  claim.cpu_milli = pods * shape.cpu_milli;
  claim.memory_mib = pods * shape.memory_mib;
  claim.pods = pods;
  return claim;
}

// Lowers `pods` to what quota admits of an elastic gang.
bool QueueEngine::AskQuota(const WaitingLines::Head& head, std::uint32_t flavor, Seat& seat,
                           std::int32_t& pods) const {
  const auto ask = [&](std::int32_t count) { return quota_->Ask(ClaimOf(head, flavor, count)); };
  const auto admits = [](QuotaAnswer answer) { return answer <= QuotaAnswer::kBorrows; };
  std::int32_t least = lines_.at(head.wait_class).need.pods_min;
  QuotaAnswer answer = ask(pods);
  if (admits(answer)) return true;
  if (least < pods) answer = ask(least);
  if (!admits(answer)) {
    seat.cause = answer == QuotaAnswer::kBorrowed ? WaitCause::kBorrowed : WaitCause::kQuota;
    return false;
  }
  for (std::int32_t most = pods; most - least > 1;) {  // admitted, not admitted
    const std::int32_t middle = least + (most - least) / 2;
    (admits(ask(middle)) ? least : most) = middle;
  }
  pods = least;
  return true;
}

bool QueueEngine::PlaceOn(const WaitClass& wait_class, FlavorSet flavors, std::int32_t pods,
                          Seat& seat) {
  GangNeed need = wait_class.need;
  need.shape.flavors = flavors;
  need.pods = pods;
  const bool is_free = need.topology.mode == TopologyMode::kNone && need.topology.slice_pods == 0;
  seat.found = chooser_ && is_free ? room_.Place(need, *chooser_, seat.places)
                                   : room_.Place(need, seat.places);
  seat.shape = need.shape;
  if (!seat.found) seat.cause = room_.WhyNot(need);
  return seat.found;
}

QueueEngine::Seat QueueEngine::FindSeat(const WaitingLines::Head& head) {
  const WaitClass& wait_class = lines_.at(head.wait_class);
  Seat seat;
  if (wait_class.flavor_order.empty() && !quota_) {
    PlaceOn(wait_class, wait_class.need.shape.flavors, wait_class.need.pods, seat);
    return seat;
  }
  std::optional<WaitCause> cause;  // of the first flavor that quota lets it have
  Seat refusal;
  for (const std::uint32_t flavor : FlavorsOf(wait_class)) {
    std::int32_t pods = wait_class.need.pods;
    if (quota_ && !AskQuota(head, flavor, refusal, pods)) continue;
    if (PlaceOn(wait_class, FlavorSet{1} << flavor, pods, seat)) {
      if (quota_) seat.claim = ClaimOf(head, flavor, PodsOf(seat.places));
      return seat;
    }
    if (!cause) cause = seat.cause;
  }
  seat.refused = !cause;
  seat.cause = cause.value_or(refusal.cause);
  return seat;
}

// Stops others if the job starts then, and finds its seat.
bool QueueEngine::Preempt(const WaitingLines::Head& head, Seat& seat) {
  const std::vector<LiveId> victims =
      quota_ && seat.refused ? VictimsByQuota(head) : VictimsByPriority(head);
  if (victims.empty()) return false;
  for (const LiveId victim : victims) Stop(victim, StopKind::kPreemption);
  seat = FindSeat(head);
  PLIMSOLL_CHECK(seat.found || quota_);
  return seat.found;
}

// The lowest priority first, of equal ones the latest started; then as many as can go on do, the
// last chosen first. Room on a flavor that quota refuses is none.
std::vector<LiveId> QueueEngine::VictimsByPriority(const WaitingLines::Head& head) {
  const WaitClass& wait_class = lines_.at(head.wait_class);
  const std::int32_t priority = JobAt(head.key.job).priority;
  std::vector<std::uint32_t> flavors;
  if (quota_) {
    flavors = FlavorsOf(wait_class);
    std::erase_if(flavors, [&](std::uint32_t flavor) {
      Seat refusal;
      std::int32_t pods = wait_class.need.pods;
      return !AskQuota(head, flavor, refusal, pods);
    });
  }
  const auto fits_now = [&] {
    return quota_ ? FitsOnOne(wait_class.need, flavors, room_) : HeadFits(wait_class, room_);
  };
  std::vector<LiveId> victims;
  bool fits = false;
  for (const auto& [victim_priority, start, id] : preemptible_) {
    if (victim_priority >= priority || fits) break;
    victims.push_back(id);
    room_.Give(live_[id].shape, live_[id].places);
    fits = fits_now();
  }
  std::vector<LiveId> needed;
  for (auto id = victims.rbegin(); id != victims.rend(); ++id) {
    room_.TakeAgain(live_[*id].shape, live_[*id].places);
    if (!fits || fits_now()) continue;
    room_.Give(live_[*id].shape, live_[*id].places);
    needed.push_back(*id);
  }
  for (const LiveId id : needed) room_.TakeAgain(live_[id].shape, live_[id].places);
  return needed;
}

// Whom the gate names, if the job finds its places without them.
std::vector<LiveId> QueueEngine::VictimsByQuota(const WaitingLines::Head& head) {
  const WaitClass& wait_class = lines_.at(head.wait_class);
  for (const std::uint32_t flavor : FlavorsOf(wait_class)) {
    const QuotaClaim claim = ClaimOf(head, flavor, wait_class.need.pods);
    std::vector<LiveId> victims;
    for (const std::uint32_t job : quota_->Victims(claim, Now())) {
      const auto runs = [&](const LiveJob& live) { return live.runs && live.job == job; };
      const auto found = std::ranges::find_if(live_, runs);
      PLIMSOLL_CHECK(found != live_.end());
      victims.push_back(static_cast<LiveId>(found - live_.begin()));
    }
    GangNeed need = wait_class.need;
    need.shape.flavors = FlavorSet{1} << flavor;
    for (const LiveId id : victims) room_.Give(live_[id].shape, live_[id].places);
    const bool fits = room_.Fits(need);
    for (const LiveId id : victims) room_.TakeAgain(live_[id].shape, live_[id].places);
    if (fits && !victims.empty()) return victims;
  }
  return {};
}

}  // namespace plimsoll
