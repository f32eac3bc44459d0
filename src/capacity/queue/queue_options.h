// QueueOptions: how a cluster's queue decides, what breaks, and what of a run is recorded.
//
// Times are simulated ones. Rates are whole numbers per million node-days: Meta's 6.50 failures
// per 1,000 node-days (arXiv 2410.21680) is 6'500.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "capacity/model/cluster.h"
#include "capacity/model/training_job.h"
#include "capacity/queue/node_chooser.h"
#include "capacity/queue/quota_gate.h"
#include "units/time.h"

namespace plimsoll {

// Who goes first. Among equals: the earlier submitted, then the earlier in the workload.
enum class QueueOrder : unsigned char {
  kSubmitted,
  kPriority,     // the greater TrainingJob::priority
  kDeadline,     // the earlier one; jobs without a deadline last
  kMultifactor,  // Slurm's priority/multifactor: see MultifactorWeights
};
inline constexpr const char* kQueueOrderNames[] = {"submitted", "priority", "deadline",
                                                   "multifactor"};

// What happens behind a job that cannot start.
enum class QueueDiscipline : unsigned char {
  kStrict,        // all behind it wait
  kBestEffort,    // who fits starts; nothing is promised to who does not
  kEasy,          // who fits starts unless it moves the head's start by the estimates (Lifka 1995)
  kConservative,  // ... unless it moves that of any job before it, up to BackfillLimits
};
inline constexpr const char* kQueueDisciplineNames[] = {"strict", "best_effort", "easy",
                                                        "conservative"};

// Of kConservative; the defaults are exact. Slurm's own: bf_window 1 day, bf_resolution 60 s,
// bf_max_job_test 500, bf_interval 30 s.
struct BackfillLimits {
  std::optional<Duration> window;     // no start is planned later than that from now
  Duration resolution = Millis(1);    // planned starts are rounded up to it
  std::int32_t jobs_max = 1'000'000;  // looked at in one pass
  Duration interval;                  // between two passes; zero: whenever something changed
  friend bool operator==(const BackfillLimits&, const BackfillLimits&) = default;
};

// Slurm's job priority: sum of weight x factor, each factor from 0 to 1. Age is the time that it
// waits over age_max; size the GPUs over those of the cluster; partition and QOS are normalised
// TrainingJob::priority; fairshare is 2^(-usage/share), usage decaying by half_life.
struct MultifactorWeights {
  std::int64_t age = 1'000, size = 0, priority = 1'000, fairshare = 10'000;
  Duration age_max = Days(7);
  Duration half_life = Days(7);
  Duration recalculation = Minutes(5);
  std::vector<std::int64_t> shares;  // of each queue (account); empty: all alike
};

// What takes nodes of one flavor away, each node by itself, at exponential times while it is up.
struct NodeRisk {
  std::int64_t failures_per_million_node_days = 0;
  Duration repair = Hours(4);                        // mean
  std::int64_t evictions_per_million_node_days = 0;  // spot
  Duration away = Minutes(10);                       // mean, until there is capacity again
};

// What takes all nodes of one domain away at once: a switch, a power feed.
struct DomainRisk {
  std::uint32_t level = 0;
  std::int64_t failures_per_million_domain_days = 0;
  Duration repair = Hours(2);  // mean
};

// Nodes that are away for a planned time. From `drain` before, nothing new starts on them.
struct Maintenance {
  std::vector<NodeId> nodes;
  Window window;
  Duration drain;
};

struct RiskModel {
  std::vector<NodeRisk> of_flavor;  // by the cluster's flavors; shorter: the rest never fails
  std::vector<DomainRisk> domains;
  std::vector<Maintenance> maintenance;
  bool repair_is_exponential = true;  // else each takes its mean
  // Nodes that nobody uses until one fails; each takes the place of the next node of its flavor
  // that fails by itself, at once, and the repaired one becomes the spare. Not of failed domains.
  std::vector<NodeId> spares;
};

// Where a job that was interrupted or preempted queues again.
enum class RequeueAt : unsigned char {
  kFront,  // by the time when it was submitted
  kBack,   // as if submitted now
};

// "When would this start if it were submitted now?", asked at epochs of a Poisson process over
// the measured window (PASTA: they see time averages). Each answer is that of a branch, a copy of
// the whole state that goes on with the job in it; the run itself does not change.
struct ProbeSpec {
  TrainingJob job;  // its `submitted` is set
  Duration within = Hours(4);
  std::int32_t epochs = 100;
  std::vector<Instant> at;  // asked at these times instead, in the window or not
};

struct QueueOptions {
  QueueOrder order = QueueOrder::kPriority;
  QueueDiscipline discipline = QueueDiscipline::kBestEffort;
  // Each queue of the workload is a line of its own (Kueue's ClusterQueues): a head holds up its
  // own line only. Not with kEasy and kConservative.
  bool line_per_queue = false;
  std::vector<QueueDiscipline> of_queue;  // of each line, where they differ
  BackfillLimits backfill;
  MultifactorWeights multifactor;

  // A job that finds no place stops preemptible ones of lower priority if it starts then: the
  // lowest first, of equal ones the latest started, no more than needed.
  bool preemption = false;
  RequeueAt requeue_at = RequeueAt::kFront;
  // Preferred topology asks for one domain that long and takes any nodes from then on (Philly: two
  // to three minutes). Null: it takes any nodes at once where no domain has room.
  std::optional<Duration> prefer_topology_for;

  std::shared_ptr<const NodeChooser> node_chooser;  // null: the tightest node first
  std::shared_ptr<const QuotaGate> quota;           // null: no limits
  RiskModel risks;

  std::optional<Instant> begin;           // default: the first submission
  std::optional<Instant> until;           // default: when no job is left that can end
  Duration warm_up;                       // from `begin`; totals and probes count from its end on
  std::optional<Duration> timeline_step;  // null: no timeline
  std::vector<ProbeSpec> probes;
};

}  // namespace plimsoll
