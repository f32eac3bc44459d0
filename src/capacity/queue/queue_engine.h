// QueueEngine: the state of a simulated cluster and queue, and the events that move it.
//
// A copy is a branch: it goes on from the same state, with the same events and draws to come, and
// shares nothing with the original but what does not change. Use SimulateQueue from outside.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <tuple>
#include <vector>

#include "capacity/queue/cloned.h"
#include "capacity/queue/live_job.h"
#include "capacity/queue/multifactor.h"
#include "capacity/queue/occupancy.h"
#include "capacity/queue/outages.h"
#include "capacity/queue/queue_simulation.h"
#include "capacity/queue/room.h"
#include "capacity/queue/shadow.h"
#include "capacity/queue/waiting_lines.h"
#include "sim/simulation.h"

namespace plimsoll {

class QueueEngine {
 public:
  // The arguments outlive the engine and its copies.
  QueueEngine(const Cluster& cluster, const TrainingWorkload& workload, const QueueOptions& options,
              QueueSeed seed);

  // Everything that happens at `limit` or before.
  void RunUntil(Instant limit);
  // The same to the end; fills in what the run has recorded.
  QueueOutcome Finish();

  Instant begin() const { return begin_; }
  Instant last_submission() const;

  // What a probe that is submitted at that time gets to know. Call it on a copy that has run to
  // just before. REQUIRES: `job` outlives the call
  ProbeAnswer Ask(const TrainingJob& job, Instant at, Duration within);

 private:
  enum class EventKind : unsigned char {
    kArrivals,
    kEnd,
    kPass,
    kRelax,
    kRecalculate,
    kBackfill,
    kFailure,
    kRepair,
    kEviction,
    kReturn,
    kDomainFailure,
    kDomainRepair,
    kDrain,
    kMaintenance,
    kMaintained,
    kProbe
  };
  struct Event {
    EventKind kind;
    std::uint32_t id;
  };
  enum class StopKind : unsigned char { kFailure, kEviction, kMaintenance, kPreemption };

  // Where a waiting job would start now, or why not.
  struct Seat {
    bool found = false;
    bool refused = false;  // by quota, on every flavor
    WaitCause cause = WaitCause::kBusy;
    PodShape shape;
    GangPlaces places;
    bool is_taken = false;  // already, on the cluster
    std::optional<QuotaClaim> claim;
  };

  Instant Now() const { return finished_.value_or(simulation_.now()); }
  bool IsMeasured() const { return Now() >= measured_; }

  // queue_engine.cc: jobs come, start, end and stop.
  void Begin();
  void Handle(const Event& event);
  void Arrive();
  void Submit(std::uint32_t job, Instant now);
  void Start(LiveId id, Seat seat);
  void End(LiveId id);
  void Stop(LiveId id, StopKind kind);
  void Release(LiveId id);
  void Record(LiveId id, const JobStay& stay);
  void Enqueue(LiveId id);
  void Relax(LiveId id);
  WaitingLines::ClassId ClassOf(const TrainingJob& job, bool is_relaxed);
  bool AsksFirst(const TrainingJob& job) const;
  WaitCause WhyNever(const WaitClass& wait_class) const;
  void SetCause(LiveId id, WaitCause cause);
  void Join(LiveId id, WaitingLines::ClassId wait_class, const WaitKey& key);
  void Leave(LiveId id);
  void Settle(LiveJob& live);
  WaitKey KeyOf(const LiveJob& live, LiveId id, Instant since) const;
  void SchedulePass();
  void FinishJobs();
  const TrainingJob& JobOf(const LiveJob& live) const { return JobAt(live.job); }
  const TrainingJob& JobAt(std::uint32_t job) const;
  JobOutcome& OutcomeOf(std::uint32_t job);
  Duration EstimateOf(const LiveJob& live, std::int32_t pods) const;
  JobStart StartOf(const LiveJob& live, std::int32_t pods) const;

  // queue_pass.cc: who starts now.
  void Pass();
  void CyclePass();
  void EasyPass();
  void ConservativePass();
  bool PlanAll();
  struct CycleHead {
    WaitingLines::Head head;
    std::size_t line = 0;
    bool borrows = false;
  };
  std::vector<CycleHead> CycleHeads() const;
  void TryCycleHead(const CycleHead& head);
  void NoteHeadOfLine();
  bool TryStart(const WaitingLines::Head& head, Seat& seat);
  std::optional<WaitingLines::Head> StartHeads();
  bool Backfill(const WaitingLines::Head& head);
  struct Cursor;
  bool TryBackfill(Cursor& cursor, const WaitingLines::Head& head, std::optional<Instant> shadow);
  bool HeadFits(const WaitClass& wait_class, const Room& room) const;
  static bool FitsOnOne(const GangNeed& need, std::span<const std::uint32_t> flavors,
                        const Room& room);
  struct Planner;
  void PlanJob(Planner& planner, const WaitingLines::Head& head);
  QueueDiscipline DisciplineOf(std::size_t line) const;
  void BlockLine(std::size_t line, LiveId head, WaitCause cause);
  bool StartInOrder();
  void Recalculate();

  // queue_seat.cc: places, quota and preemption.
  Seat FindSeat(const WaitingLines::Head& head);
  bool PlaceOn(const WaitClass& wait_class, FlavorSet flavors, std::int32_t pods, Seat& seat);
  bool AskQuota(const WaitingLines::Head& head, std::uint32_t flavor, Seat& seat,
                std::int32_t& pods) const;
  QuotaClaim ClaimOf(const WaitingLines::Head& head, std::uint32_t flavor, std::int32_t pods) const;
  std::vector<std::uint32_t> FlavorsOf(const WaitClass& wait_class) const;
  bool Preempt(const WaitingLines::Head& head, Seat& seat);
  std::vector<LiveId> VictimsByPriority(const WaitingLines::Head& head);
  std::vector<LiveId> VictimsByQuota(const WaitingLines::Head& head);

  // queue_outages.cc: nodes go and come back.
  void BeginOutages();
  void HandleOutage(const Event& event);
  void HandleGroupOutage(const Event& event);
  std::vector<NodeId> NodesOf(const Event& event) const;
  void TakeDown(NodeId node, StopKind kind);
  void BringBack(NodeId node);
  void UpdateNode(NodeId node);
  void UseSpareFor(NodeId node);

  struct OfNode {
    std::int32_t outages = 0;
    std::int32_t drains = 0;
    bool is_spare = false;
    std::vector<LiveId> jobs;
  };
  struct OfLine {
    std::uint64_t blocked = 0;
    std::optional<LiveId> head;  // that blocks it
  };
  using Victim = std::tuple<std::int32_t, std::int64_t, LiveId>;  // priority, -start

  const TrainingWorkload& workload_;
  const QueueOptions& options_;
  std::shared_ptr<const Room> empty_;  // of nothing that runs
  Room room_;
  std::optional<Shadow> shadow_;  // kEasy
  Cloned<NodeChooser> chooser_;
  Cloned<QuotaGate> quota_;
  Outages outages_;
  Occupancy occupancy_;
  std::optional<Multifactor> multifactor_;
  std::vector<LevelIntegral> queue_use_;  // with kMultifactor
  std::vector<int128> queue_use_seen_;    // by it
  Simulation<Event> simulation_;

  std::vector<LiveJob> live_;
  std::vector<LiveId> unused_;
  std::size_t running_ = 0;
  std::set<Victim> preemptible_;
  WaitingLines lines_;
  std::vector<OfLine> of_line_;
  std::vector<OfNode> nodes_;
  std::uint32_t next_arrival_ = 0;
  std::uint64_t releases_ = 1;  // counts what may let blocked classes start
  bool pass_is_due_ = false;
  std::optional<LiveId> easy_head_;
  std::optional<Instant> next_backfill_;
  bool backfill_is_due_ = false;
  std::int32_t timers_ = 0;  // that may let somebody start: repairs, maintenance, relaxations
  bool is_over_ = false;

  Instant begin_;
  Instant measured_;  // from then on totals count
  std::optional<Instant> until_;
  std::optional<Instant> finished_;
  ClusterTotals totals_;
  std::shared_ptr<std::vector<JobOutcome>> outcomes_;  // null in a branch
  JobOutcome scratch_;
  const TrainingJob* probe_ = nullptr;
  bool probe_is_due_ = false;
  JobOutcome probe_outcome_;
};

}  // namespace plimsoll
