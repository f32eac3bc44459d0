#include "capacity/queue/queue_engine.h"

#include <algorithm>
#include <limits>

#include "base/check.h"

namespace plimsoll {
namespace {

Instant FirstOf(const QueueOptions& options, const TrainingWorkload& workload) {
  if (options.begin) return *options.begin;
  return workload.jobs.empty() ? Instant() : workload.jobs.front().submitted;
}

std::shared_ptr<const Room> EmptyRoom(const Cluster& cluster, const RiskModel& risks) {
  Room room(cluster);
  for (const NodeId spare : risks.spares) room.SetUp(spare, false);
  return std::make_shared<const Room>(std::move(room));
}

}  // namespace

QueueEngine::QueueEngine(const Cluster& cluster, const TrainingWorkload& workload,
                         const QueueOptions& options, QueueSeed seed)
    : workload_(workload),
      options_(options),
      empty_(EmptyRoom(cluster, options.risks)),
      room_(cluster),
      chooser_(options.node_chooser.get()),
      quota_(options.quota.get()),
      outages_(cluster, options.risks, seed.seed, seed.replication),
      occupancy_(cluster, QueuesOf(workload), FirstOf(options, workload) + options.warm_up,
                 options.timeline_step),
      lines_(options.line_per_queue ? QueuesOf(workload) : 1),
      of_line_(lines_.lines()),
      nodes_(cluster.size()),
      begin_(FirstOf(options, workload)),
      measured_(begin_ + options.warm_up),
      until_(options.until),
      outcomes_(std::make_shared<std::vector<JobOutcome>>(workload.jobs.size())) {
  if (options.discipline == QueueDiscipline::kEasy) shadow_.emplace(cluster);
  if (options.order == QueueOrder::kMultifactor) {
    multifactor_.emplace(options.multifactor, workload, cluster.gpu_milli_total());
    queue_use_.assign(QueuesOf(workload), LevelIntegral(begin_, Duration()));
    queue_use_seen_.assign(QueuesOf(workload), 0);
  }
  Begin();
}

void QueueEngine::Begin() {
  while (next_arrival_ < workload_.jobs.size() &&
         workload_.jobs[next_arrival_].submitted < begin_) {
    ++next_arrival_;
  }
  if (next_arrival_ < workload_.jobs.size()) {
    simulation_.At(workload_.jobs[next_arrival_].submitted, {EventKind::kArrivals, 0});
  } else {
    simulation_.At(begin_, {EventKind::kPass, 0});
  }
  if (multifactor_) {
    simulation_.At(begin_ + options_.multifactor.recalculation, {EventKind::kRecalculate, 0});
  }
  BeginOutages();
}

Instant QueueEngine::last_submission() const {
  return workload_.jobs.empty() ? begin_ : workload_.jobs.back().submitted;
}

void QueueEngine::RunUntil(Instant limit) {
  if (is_over_) return;
  RunLimits limits;
  limits.until = until_ ? std::min(limit, *until_ - Millis(1)) : limit;
  simulation_.Run([this](const Event& event) { Handle(event); }, limits);
}

void QueueEngine::Handle(const Event& event) {
  switch (event.kind) {
    case EventKind::kArrivals:
      return Arrive();
    case EventKind::kEnd:
      return End(event.id);
    case EventKind::kPass:
      return Pass();
    case EventKind::kRelax:
      return Relax(event.id);
    case EventKind::kRecalculate:
      return Recalculate();
    case EventKind::kBackfill:
      backfill_is_due_ = false;
      --timers_;
      return SchedulePass();
    case EventKind::kProbe:
      probe_is_due_ = false;
      return Submit(static_cast<std::uint32_t>(workload_.jobs.size()), Now());
    default:
      return HandleOutage(event);
  }
}

const TrainingJob& QueueEngine::JobAt(std::uint32_t job) const {
  return job < workload_.jobs.size() ? workload_.jobs[job] : *probe_;
}

JobOutcome& QueueEngine::OutcomeOf(std::uint32_t job) {
  if (job == workload_.jobs.size()) return probe_outcome_;
  return outcomes_ ? (*outcomes_)[job] : scratch_;
}

void QueueEngine::SchedulePass() {
  if (pass_is_due_) return;
  pass_is_due_ = true;
  simulation_.At(Now(), {EventKind::kPass, 0});
}

void QueueEngine::Arrive() {
  const Instant now = Now();
  while (next_arrival_ < workload_.jobs.size() && workload_.jobs[next_arrival_].submitted <= now) {
    Submit(next_arrival_++, now);
  }
  if (next_arrival_ < workload_.jobs.size()) {
    simulation_.At(workload_.jobs[next_arrival_].submitted, {EventKind::kArrivals, 0});
  }
  SchedulePass();
}

void QueueEngine::Submit(std::uint32_t index, Instant now) {
  const TrainingJob& job = JobAt(index);
  JobOutcome& outcome = OutcomeOf(index);
  const WaitingLines::ClassId wait_class = ClassOf(job, false);
  if (const auto never = lines_.at(wait_class).never) {
    outcome.state = JobState::kNever;
    outcome.never = *never;
    return;
  }
  LiveId id = static_cast<LiveId>(live_.size());
  if (unused_.empty()) {
    live_.emplace_back();
  } else {
    id = unused_.back();
    unused_.pop_back();
    live_[id] = LiveJob();
  }
  live_[id].job = index;
  live_[id].left = PodMillis(job);
  outcome.state = JobState::kWaiting;
  Enqueue(id);
  PLIMSOLL_CHECK(live_[id].key.job == index && now == Now());
}

// Whether it asks for its preferred domain first, and for any nodes only later.
bool QueueEngine::AsksFirst(const TrainingJob& job) const {
  return options_.prefer_topology_for && job.topology.mode == TopologyMode::kPreferred;
}

WaitingLines::ClassId QueueEngine::ClassOf(const TrainingJob& job, bool is_relaxed) {
  WaitClass like;
  like.need = {job.shape, job.pods, job.pods_min, job.topology};
  if (AsksFirst(job)) {
    like.need.topology.mode = is_relaxed ? TopologyMode::kNone : TopologyMode::kRequired;
  }
  like.queue = job.queue;
  if (options_.preemption || quota_) like.priority = job.priority;
  like.flavor_order = job.flavor_order;
  like.line = options_.line_per_queue ? job.queue : 0;
  bool is_fresh = false;
  const WaitingLines::ClassId id = lines_.Find(like, is_fresh);
  if (!is_fresh) return id;
  WaitClass& fresh = lines_.at(id);
  // Who asks for a domain first may have none that is large enough, and still start later.
  WaitClass asked = fresh;
  if (AsksFirst(job)) asked.need.topology.mode = TopologyMode::kNone;
  if (!HeadFits(asked, *empty_)) {
    fresh.never = empty_->WhyNot(asked.need);
  } else if (quota_) {
    const WaitingLines::Head head{id, {0, Now(), 0, 0}};
    const auto may_use = [&](std::uint32_t flavor) {
      return quota_->Ask(ClaimOf(head, flavor, fresh.need.pods_min)) != QuotaAnswer::kNever;
    };
    if (!std::ranges::any_of(FlavorsOf(fresh), may_use)) fresh.never = WaitCause::kQuota;
  }
  return id;
}

WaitKey QueueEngine::KeyOf(const LiveJob& live, LiveId id, Instant since) const {
  const TrainingJob& job = JobOf(live);
  std::int64_t rank = 0;
  if (options_.order == QueueOrder::kPriority) rank = -std::int64_t{job.priority};
  if (options_.order == QueueOrder::kDeadline) {
    rank = job.deadline ? job.deadline->base() : std::numeric_limits<std::int64_t>::max();
  }
  if (multifactor_) rank = -multifactor_->Priority(job, since, Now());
  return {rank, since, live.job, id};
}

void QueueEngine::Enqueue(LiveId id) {
  LiveJob& live = live_[id];
  const TrainingJob& job = JobOf(live);
  const Instant since = options_.requeue_at == RequeueAt::kFront ? job.submitted : Now();
  live.split = WaitSplit();
  live.relax = EventId();
  if (AsksFirst(job)) {
    live.relax = simulation_.After(*options_.prefer_topology_for, {EventKind::kRelax, id});
    ++timers_;
  }
  occupancy_.Wait(1, GpuMilli(job), Now());
  Join(id, ClassOf(job, false), KeyOf(live, id, since));
  SchedulePass();
}

void QueueEngine::Relax(LiveId id) {
  LiveJob& live = live_[id];
  --timers_;
  live.relax = EventId();
  const WaitKey key = live.key;
  Leave(id);
  Join(id, ClassOf(JobOf(live), true), key);
  SchedulePass();
}

void QueueEngine::Join(LiveId id, WaitingLines::ClassId wait_class, const WaitKey& key) {
  LiveJob& live = live_[id];
  live.wait_class = wait_class;
  live.key = key;
  lines_.Insert(wait_class, key);
  const QueueDiscipline discipline = DisciplineOf(lines_.at(wait_class).line);
  live.is_metered =
      discipline == QueueDiscipline::kBestEffort || discipline == QueueDiscipline::kEasy;
  live.cause = WaitCause::kHeadOfLine;
  live.cause_since = Now();
  if (live.is_metered) live.reading = lines_.at(wait_class).meter.Read(Now());
}

void QueueEngine::Leave(LiveId id) {
  LiveJob& live = live_[id];
  Settle(live);
  lines_.Erase(live.wait_class, live.key);
  if (easy_head_ == id) easy_head_.reset();
  OfLine& line = of_line_[lines_.at(live.wait_class).line];
  if (line.head == id) line.head.reset();
}

// Adds what has held it since the last time to its wait.
void QueueEngine::Settle(LiveJob& live) {
  const Instant now = Now();
  if (live.is_metered) {
    const WaitSplit& reading = lines_.at(live.wait_class).meter.Read(now);
    for (std::size_t i = 0; i < kWaitCauses; ++i) {
      live.split.by_cause[i] += reading.by_cause[i] - live.reading.by_cause[i];
    }
    live.reading = reading;
  } else {
    live.split[live.cause] += Between(live.cause_since, now);
  }
  live.cause_since = now;
}

void QueueEngine::SetCause(LiveId id, WaitCause cause) {
  LiveJob& live = live_[id];
  if (!live.is_metered && live.cause == cause) return;
  Settle(live);
  live.is_metered = false;
  live.cause = cause;
}

JobStart QueueEngine::StartOf(const LiveJob& live, std::int32_t pods) const {
  return {JobOf(live).checkpoint, live.starts > 0, live.left, pods};
}

Duration QueueEngine::EstimateOf(const LiveJob& live, std::int32_t pods) const {
  const TrainingJob& job = JobOf(live);
  return job.time_limit ? *job.time_limit : WallTime(StartOf(live, pods));
}

void QueueEngine::Start(LiveId id, Seat seat) {
  LiveJob& live = live_[id];
  const Instant now = Now();
  const TrainingJob& job = JobOf(live);
  JobOutcome& outcome = OutcomeOf(live.job);
  Leave(id);
  if (simulation_.Cancel(live.relax)) --timers_;
  occupancy_.Wait(-1, -GpuMilli(job), now);
  WaitSplit& wait = live.starts == 0 ? outcome.first_wait : outcome.later_waits;
  for (std::size_t i = 0; i < kWaitCauses; ++i) wait.by_cause[i] += live.split.by_cause[i];

  if (!seat.is_taken) room_.Take(seat.shape, seat.places);
  live.runs = true;
  live.started = now;
  live.shape = seat.shape;
  live.places = std::move(seat.places);
  live.claim = seat.claim;
  const std::int32_t pods = PodsOf(live.places);
  live.ends_by = now + EstimateOf(live, pods);
  live.start = StartOf(live, pods);
  live.end = simulation_.After(WallTime(live.start), {EventKind::kEnd, id});
  ++live.starts;
  ++running_;
  if (IsMeasured()) ++totals_.starts;
  outcome.state = JobState::kRunning;
  if (!outcome.started) outcome.started = now;
  ++outcome.starts;
  outcome.pods = pods;

  simulation_.Note(live.job);
  for (const PodsOnNode& place : live.places) {
    occupancy_.Take(place.node, job.queue, place.pods * GpuMilli(live.shape), now);
    nodes_[place.node].jobs.push_back(id);
    simulation_.Note(place.node);
  }
  if (multifactor_) queue_use_[job.queue].Add(pods * GpuMilli(live.shape), now);
  if (options_.preemption && job.preemptible) {
    preemptible_.insert({job.priority, -now.base(), id});
  }
  if (quota_) quota_->Reserve(*live.claim, now);
  if (shadow_) shadow_->Started(id, live);
  if (live.job == workload_.jobs.size()) {  // the probe has its answer
    is_over_ = true;
    simulation_.Stop();
  }
}

void QueueEngine::Release(LiveId id) {
  LiveJob& live = live_[id];
  const Instant now = Now();
  const TrainingJob& job = JobOf(live);
  room_.Give(live.shape, live.places);
  for (const PodsOnNode& place : live.places) {
    occupancy_.Take(place.node, job.queue, -place.pods * GpuMilli(live.shape), now);
    auto& jobs = nodes_[place.node].jobs;
    *std::ranges::find(jobs, id) = jobs.back();
    jobs.pop_back();
  }
  if (multifactor_) queue_use_[job.queue].Add(-PodsOf(live.places) * GpuMilli(live.shape), now);
  if (options_.preemption) preemptible_.erase({job.priority, -live.started.base(), id});
  if (quota_) quota_->Release(*live.claim);
  if (shadow_) shadow_->Stopped(id, live);
  live.runs = false;
  live.places.clear();
  --running_;
  ++releases_;
  SchedulePass();
}

void QueueEngine::Record(LiveId id, const JobStay& stay) {
  const LiveJob& live = live_[id];
  const std::int64_t milli = PodsOf(live.places) * GpuMilli(live.shape);
  std::int64_t held = 0;
  PLIMSOLL_CHECK(!__builtin_mul_overflow(Between(live.started, Now()).base(), milli, &held));
  GpuUseSplit split;
  for (std::size_t i = 0; i < kGpuUses; ++i) {
    split.by_use[i] = GpuMicros::FromBase(stay.by_use[i].base() * milli);
  }
  PLIMSOLL_CHECK(split.total().base() == held);
  OutcomeOf(live.job).gpu_time.Add(split);
  if (IsMeasured()) totals_.uses.Add(split);
}

void QueueEngine::End(LiveId id) {
  LiveJob& live = live_[id];
  const JobStay stay = Continued(live.start, Between(live.started, Now()));
  PLIMSOLL_CHECK(stay.done == live.left);
  Record(id, stay);
  Release(id);
  JobOutcome& outcome = OutcomeOf(live.job);
  outcome.state = JobState::kDone;
  outcome.ended = Now();
  if (IsMeasured()) ++totals_.ends;
  unused_.push_back(id);
}

void QueueEngine::Stop(LiveId id, StopKind kind) {
  LiveJob& live = live_[id];
  PLIMSOLL_CHECK(simulation_.Cancel(live.end));
  const JobStay stay = Interrupted(live.start, Between(live.started, Now()));
  Record(id, stay);
  Release(id);
  live.left -= stay.done;
  JobOutcome& outcome = OutcomeOf(live.job);
  outcome.state = JobState::kWaiting;
  switch (kind) {
    case StopKind::kFailure:
      ++outcome.failures;
      break;
    case StopKind::kEviction:
      ++outcome.evictions;
      break;
    case StopKind::kMaintenance:
      ++outcome.maintenances;
      break;
    case StopKind::kPreemption:
      ++outcome.preemptions;
      if (IsMeasured()) ++totals_.preemptions;
      break;
  }
  simulation_.Note(live.job);
  Enqueue(id);
}

void QueueEngine::FinishJobs() {
  for (std::size_t line = 0; line < lines_.lines(); ++line) {
    for (const auto& head : lines_.FirstOf(line, lines_.size())) {
      LiveJob& live = live_[head.key.live];
      Settle(live);
      JobOutcome& outcome = OutcomeOf(live.job);
      WaitSplit& wait = live.starts == 0 ? outcome.first_wait : outcome.later_waits;
      for (std::size_t i = 0; i < kWaitCauses; ++i) wait.by_cause[i] += live.split.by_cause[i];
    }
  }
  for (LiveId id = 0; id < live_.size(); ++id) {
    if (live_[id].runs) Record(id, Continued(live_[id].start, Between(live_[id].started, Now())));
  }
}

QueueOutcome QueueEngine::Finish() {
  RunUntil(AtMillis(std::numeric_limits<std::int64_t>::max()));
  finished_ = std::max(until_.value_or(simulation_.now()), begin_);
  FinishJobs();
  QueueOutcome outcome;
  outcome.totals = totals_;
  outcome.totals.events = static_cast<std::int64_t>(simulation_.events());
  occupancy_.Finish(*finished_, outcome);
  outcome.jobs = std::move(*outcomes_);
  outcome.fingerprint = simulation_.fingerprint();
  if (measured_ == begin_) {
    GpuMicros held;
    for (const JobOutcome& job : outcome.jobs) held += job.gpu_time.total();
    PLIMSOLL_CHECK(held == outcome.totals.used);
  }
  return outcome;
}

ProbeAnswer QueueEngine::Ask(const TrainingJob& job, Instant at, Duration within) {
  outcomes_.reset();
  occupancy_.ForgetTimeline();
  until_.reset();
  is_over_ = false;
  TrainingJob probe = job;
  probe.submitted = at;
  probe_ = &probe;
  probe_outcome_ = JobOutcome();
  probe_is_due_ = true;
  simulation_.At(at, {EventKind::kProbe, 0});
  RunUntil(at + within);
  ProbeAnswer answer;
  answer.at = at;
  answer.never = probe_outcome_.state == JobState::kNever;
  if (probe_outcome_.started) {
    answer.wait = Between(at, *probe_outcome_.started);
  } else if (!answer.never) {
    finished_ = at + within;
    FinishJobs();
  }
  answer.split = probe_outcome_.first_wait;
  return answer;
}

}  // namespace plimsoll
