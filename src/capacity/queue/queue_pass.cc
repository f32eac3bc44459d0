// Who starts now: one pass of a queue engine.
#include <algorithm>
#include <limits>
#include <map>

#include "base/check.h"
#include "capacity/queue/queue_engine.h"
#include "capacity/queue/start_plan.h"

namespace plimsoll {

QueueDiscipline QueueEngine::DisciplineOf(std::size_t line) const {
  if (options_.line_per_queue && line < options_.of_queue.size()) return options_.of_queue[line];
  return options_.discipline;
}

void QueueEngine::Pass() {
  pass_is_due_ = false;
  ++totals_.passes;
  if (options_.discipline == QueueDiscipline::kEasy) {
    EasyPass();
  } else if (options_.discipline == QueueDiscipline::kConservative) {
    ConservativePass();
  } else {
    CyclePass();
  }
  // Nobody waits, or nothing that is to come lets anybody start.
  const bool all_came = next_arrival_ == workload_.jobs.size() && !probe_is_due_;
  if (all_came && running_ == 0 && !pass_is_due_ && !until_ &&
      (lines_.size() == 0 || timers_ == 0)) {
    is_over_ = true;
    simulation_.Stop();
  }
}

bool QueueEngine::TryStart(const WaitingLines::Head& head, Seat& seat) {
  seat = FindSeat(head);
  if (!seat.found && (options_.preemption || quota_)) Preempt(head, seat);
  if (!seat.found) return false;
  Start(head.key.live, std::move(seat));
  return true;
}

// One head of each line that may start: of a strict one the first, else the first of a class that
// is not known to find no place.
std::vector<QueueEngine::CycleHead> QueueEngine::CycleHeads() const {
  std::vector<CycleHead> heads;
  for (std::size_t line = 0; line < lines_.lines(); ++line) {
    const bool is_strict = DisciplineOf(line) == QueueDiscipline::kStrict;
    const auto head = lines_.First(line, [&](const WaitClass& wait_class) {
      return !is_strict && wait_class.blocked == releases_;
    });
    if (!head) continue;
    const OfLine& of_line = of_line_[line];
    if (is_strict && of_line.blocked == releases_ && of_line.head == head->key.live) continue;
    heads.push_back({*head, line, false});
  }
  if (heads.size() < 2) return heads;
  if (quota_) {  // who need not borrow goes first (Kueue)
    for (CycleHead& entry : heads) {
      const WaitClass& wait_class = lines_.at(entry.head.wait_class);
      const std::uint32_t flavor = FlavorsOf(wait_class).front();
      const QuotaClaim claim = ClaimOf(entry.head, flavor, wait_class.need.pods);
      entry.borrows = quota_->Ask(claim) != QuotaAnswer::kFits;
    }
  }
  std::ranges::sort(heads, [](const CycleHead& a, const CycleHead& b) {
    return a.borrows != b.borrows ? b.borrows : a.head.key < b.head.key;
  });
  return heads;
}

void QueueEngine::CyclePass() {
  for (;;) {
    const std::vector<CycleHead> heads = CycleHeads();
    if (heads.empty()) break;
    for (const CycleHead& head : heads) TryCycleHead(head);
  }
  NoteHeadOfLine();
}

void QueueEngine::TryCycleHead(const CycleHead& head) {
  const LiveId id = head.head.key.live;
  Seat seat;
  if (TryStart(head.head, seat)) return;
  WaitClass& wait_class = lines_.at(head.head.wait_class);
  wait_class.blocked = releases_;
  if (DisciplineOf(head.line) == QueueDiscipline::kStrict) {
    BlockLine(head.line, id, seat.cause);
  } else {
    wait_class.meter.Set(seat.cause, Now());
  }
}

void QueueEngine::BlockLine(std::size_t line, LiveId head, WaitCause cause) {
  OfLine& of_line = of_line_[line];
  // Who was first before waits for the new head now.
  if (of_line.head && *of_line.head != head) SetCause(*of_line.head, WaitCause::kHeadOfLine);
  of_line = {releases_, head};
  SetCause(head, cause);
}

// Whether a blocked head holds up somebody of its line who would fit.
void QueueEngine::NoteHeadOfLine() {
  bool holds_up = false;
  for (std::size_t line = 0; line < lines_.lines() && !holds_up; ++line) {
    if (!of_line_[line].head || DisciplineOf(line) != QueueDiscipline::kStrict) continue;
    holds_up = std::ranges::any_of(lines_.active(line), [&](WaitingLines::ClassId id) {
      return lines_.at(id).blocked != releases_ && HeadFits(lines_.at(id), room_);
    });
  }
  occupancy_.SetHeadOfLine(holds_up, Now());
}

void QueueEngine::EasyPass() {
  const auto head = StartHeads();
  const std::optional<LiveId> id = head ? std::optional(head->key.live) : std::nullopt;
  if (id != easy_head_) shadow_->HeadChanged();
  easy_head_ = id;
  // Who starts may leave another, who was in the head's way before, other nodes that are not.
  while (head && Backfill(*head)) {
  }
}

// Starts jobs in their order; the head is the first that finds no place. Whom quota refuses is
// passed over: no end of a run is known to help it.
std::optional<WaitingLines::Head> QueueEngine::StartHeads() {
  for (;;) {
    const auto head = lines_.First(
        0, [&](const WaitClass& wait_class) { return wait_class.refused == releases_; });
    if (!head) return std::nullopt;
    WaitClass& wait_class = lines_.at(head->wait_class);
    if (wait_class.blocked == releases_) return head;
    Seat seat;
    if (TryStart(*head, seat)) continue;
    wait_class.blocked = releases_;
    wait_class.meter.Set(seat.cause, Now());
    if (!seat.refused) return head;
    wait_class.refused = releases_;
  }
}

// One class on its way through a backfill.
struct QueueEngine::Cursor {
  WaitingLines::ClassId wait_class = 0;
  std::set<WaitKey>::const_iterator at;
  bool is_short = false;  // only who ends before the head starts may start
};

// True if somebody started after another was turned down.
bool QueueEngine::Backfill(const WaitingLines::Head& head) {
  std::vector<Cursor> cursors;
  for (const WaitingLines::ClassId id : lines_.active(0)) {
    const WaitClass& wait_class = lines_.at(id);
    if (wait_class.blocked != releases_) {
      cursors.push_back({id, wait_class.waiting.begin(), false});
    }
  }
  if (cursors.empty()) return false;
  const auto fits = [&](const Room& room) { return HeadFits(lines_.at(head.wait_class), room); };
  const auto shadow = shadow_->Reserve(Now(), live_, fits);
  bool turned_down = false, again = false;
  for (std::int32_t tries = 0; tries < options_.backfill.jobs_max && !cursors.empty(); ++tries) {
    const std::size_t running = running_;
    const auto first = std::ranges::min_element(
        cursors, [](const Cursor& a, const Cursor& b) { return *a.at < *b.at; });
    const bool stays = TryBackfill(*first, head, shadow);
    again |= turned_down && running_ > running;
    turned_down |= first->is_short;
    const WaitClass& wait_class = lines_.at(first->wait_class);
    if (!stays || first->at == wait_class.waiting.end()) cursors.erase(first);
  }
  return again;
}

// Whether others of the class may start too.
bool QueueEngine::TryBackfill(Cursor& cursor, const WaitingLines::Head& head,
                              std::optional<Instant> shadow) {
  const WaitKey key = *cursor.at++;
  const LiveJob& live = live_[key.live];
  WaitClass& wait_class = lines_.at(cursor.wait_class);
  const Instant now = Now();
  if (cursor.is_short && now + EstimateOf(live, wait_class.need.pods) > *shadow) return true;
  Seat seat = FindSeat({cursor.wait_class, key});
  if (!seat.found) {
    wait_class.blocked = releases_;
    if (seat.refused) wait_class.refused = releases_;
    wait_class.meter.Set(seat.cause, now);
    return false;
  }
  if (shadow && now + EstimateOf(live, PodsOf(seat.places)) > *shadow) {
    room_.Take(seat.shape, seat.places);
    seat.is_taken = true;
    if (!shadow_->Leaves(seat.shape, seat.places, [&](const Room& room) {
          return HeadFits(lines_.at(head.wait_class), room);
        })) {
      room_.Give(seat.shape, seat.places);
      wait_class.meter.Set(WaitCause::kReservation, now);
      cursor.is_short = true;
      return true;
    }
  }
  Start(key.live, std::move(seat));
  return true;
}

void QueueEngine::ConservativePass() {
  const Instant now = Now();
  if (next_backfill_ && now < *next_backfill_) {
    if (!StartInOrder() || backfill_is_due_) return;
    simulation_.At(*next_backfill_, {EventKind::kBackfill, 0});
    backfill_is_due_ = true;
    ++timers_;
    return;
  }
  if (options_.backfill.interval > Duration()) next_backfill_ = now + options_.backfill.interval;
  // Starts change which nodes are tight, and with them the plan of those who were looked at before.
  while (lines_.size() > 0 && PlanAll()) {
  }
}

// A plan, and what it knows of classes: a job starts no earlier than one of its class that was
// planned before it and takes no longer.
struct QueueEngine::Planner {
  StartPlan plan;
  std::map<WaitingLines::ClassId, std::map<Duration, Instant>> starts;

  Instant NotBefore(WaitingLines::ClassId wait_class, Duration length, Instant now) const {
    const auto of_class = starts.find(wait_class);
    if (of_class == starts.end()) return now;
    const auto longer = of_class->second.upper_bound(length);
    return longer == of_class->second.begin() ? now : std::prev(longer)->second;
  }
};

// True if somebody started.
bool QueueEngine::PlanAll() {
  const std::size_t running = running_;
  Planner planner{StartPlan(room_, Now(), options_.backfill.resolution), {}};
  StartPlan& plan = planner.plan;
  for (const LiveJob& live : live_) {
    if (live.runs) plan.AddRun(live.shape, live.places, live.ends_by);
  }
  const auto most = static_cast<std::size_t>(options_.backfill.jobs_max);
  for (const WaitingLines::Head& head : lines_.FirstOf(0, most)) PlanJob(planner, head);
  return running_ > running;
}

// Between two backfill passes: whoever is first starts, until one finds no place. True if somebody
// is left.
bool QueueEngine::StartInOrder() {
  for (;;) {
    const auto head = lines_.First(0, [](const WaitClass&) { return false; });
    if (!head) return false;
    Seat seat = FindSeat(*head);
    if (!seat.found) {
      SetCause(head->key.live, seat.cause);
      return true;
    }
    Start(head->key.live, std::move(seat));
  }
}

void QueueEngine::PlanJob(Planner& planner, const WaitingLines::Head& head) {
  const Instant now = Now();
  StartPlan& plan = planner.plan;
  const WaitClass& wait_class = lines_.at(head.wait_class);
  const LiveJob& live = live_[head.key.live];
  const Duration length = EstimateOf(live, wait_class.need.pods);
  const Instant until = options_.backfill.window
                            ? now + *options_.backfill.window + Millis(1)
                            : AtMillis(std::numeric_limits<std::int64_t>::max() / 2);
  const Instant begin = planner.NotBefore(head.wait_class, length, now);
  std::vector<FlavorSet> tries;
  if (wait_class.flavor_order.empty()) tries.push_back(wait_class.need.shape.flavors);
  for (const std::uint32_t flavor : wait_class.flavor_order) {
    if (Accepts(wait_class.need.shape.flavors, flavor)) tries.push_back(FlavorSet{1} << flavor);
  }
  std::optional<StartPlan::Start> best;
  GangNeed need = wait_class.need, best_need = need;
  for (const FlavorSet flavors : tries) {
    need.shape.flavors = flavors;
    const auto start = plan.Earliest(need, length, {begin, best ? best->at : until});
    if (!start) continue;
    best = start;
    best_need = need;
  }
  planner.starts[head.wait_class][length] = best ? best->at : until;
  if (best && best->at == now) {
    Seat seat;
    seat.shape = best_need.shape;
    seat.places = best->places;
    Start(head.key.live, std::move(seat));
    plan.AddStart(best_need.shape, best->places, now + length);
    return;
  }
  if (best) plan.Reserve(best_need.shape, best->places, {best->at, best->at + length});
  SetCause(head.key.live,
           HeadFits(wait_class, room_) ? WaitCause::kReservation : room_.WhyNot(wait_class.need));
}

void QueueEngine::Recalculate() {
  std::vector<std::int64_t> used(queue_use_.size());
  for (std::size_t i = 0; i < used.size(); ++i) {
    queue_use_[i].Advance(Now());
    used[i] = static_cast<std::int64_t>(queue_use_[i].sum() - queue_use_seen_[i]);
    queue_use_seen_[i] = queue_use_[i].sum();
  }
  multifactor_->AddUsage(used, Now());
  for (std::size_t line = 0; line < lines_.lines(); ++line) {
    for (const WaitingLines::Head& head : lines_.FirstOf(line, lines_.size())) {
      LiveJob& live = live_[head.key.live];
      lines_.Erase(head.wait_class, head.key);
      live.key = KeyOf(live, head.key.live, head.key.since);
      lines_.Insert(head.wait_class, live.key);
    }
  }
  simulation_.After(options_.multifactor.recalculation, {EventKind::kRecalculate, 0});
  if (lines_.size() > 0) SchedulePass();
}

}  // namespace plimsoll
