// The queue's simulator against a second one that looks at every millisecond (naive_queue.h):
// small random clusters and workloads, the same starts of each job under every discipline.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <span>
#include <string>

#include "capacity/queue/queue_simulation.h"
#include "property/naive_queue.h"

namespace plimsoll {
namespace {

struct Dice {
  std::mt19937_64 random;
  // A plain modulo: a library's own distribution differs from the next one's.
  int Whole(int low, int high) {
    return low + static_cast<int>(random() % (static_cast<std::uint64_t>(high - low) + 1));
  }
};

struct Scene {
  naive::Machine machine;
  std::vector<naive::Job> jobs;
};

enum class Estimates { kExact, kAbove, kBelowToo };

Scene RandomScene(Dice& dice, Estimates estimates, bool with_outages) {
  Scene scene;
  const int nodes = dice.Whole(1, 5), domains = dice.Whole(1, 3), most = dice.Whole(1, 8);
  for (int i = 0; i < nodes; ++i) {
    scene.machine.gpus.push_back(dice.Whole(1, most));
    scene.machine.domain.push_back(std::min(i, dice.Whole(0, domains - 1)));
  }
  // Domains are numbered by their first node.
  std::vector<int> number(8, -1);
  int next = 0;
  for (int& domain : scene.machine.domain) {
    if (number[static_cast<std::size_t>(domain)] < 0)
      number[static_cast<std::size_t>(domain)] = next++;
    domain = number[static_cast<std::size_t>(domain)];
  }
  int at = 0;
  const int jobs = dice.Whole(1, 14), gap = dice.Whole(0, 4);
  for (int i = 0; i < jobs; ++i) {
    naive::Job job;
    job.submitted = at += dice.Whole(0, gap);
    job.run = dice.Whole(1, 12);
    job.limit = job.run;
    if (estimates != Estimates::kExact) job.limit += dice.Whole(0, 8);
    if (estimates == Estimates::kBelowToo) job.limit = dice.Whole(1, job.limit);
    job.gpus = dice.Whole(1, std::max(1, most - dice.Whole(0, most)));
    job.pods = dice.Whole(1, 3);
    job.priority = dice.Whole(0, 2);
    job.in_one_domain = dice.Whole(0, 3) == 0;
    scene.jobs.push_back(job);
  }
  for (int node = 0; with_outages && node < nodes; ++node) {
    if (dice.Whole(0, 1) == 0) continue;
    const int begin = dice.Whole(1, 30);
    scene.machine.away.push_back(
        {static_cast<std::size_t>(node), begin, begin + dice.Whole(1, 20)});
  }
  return scene;
}

Cluster ClusterOf(const naive::Machine& machine) {
  DomainTree tree({"rack"});
  std::vector<NodeSpec> nodes;
  for (std::size_t i = 0; i < machine.gpus.size(); ++i) {
    NodeSpec node;
    node.name = "n" + std::to_string(i);
    node.gpus = machine.gpus[i];
    node.domains = tree.Add(std::vector<std::string>{"r" + std::to_string(machine.domain[i])});
    nodes.push_back(node);
  }
  return Cluster({"gpu"}, tree, nodes);
}

TrainingWorkload WorkloadOf(const std::vector<naive::Job>& jobs) {
  TrainingWorkload workload;
  workload.queues = {"q"};
  for (const naive::Job& from : jobs) {
    TrainingJob job;
    job.submitted = AtMillis(from.submitted);
    job.shape.gpus = from.gpus;
    job.pods = job.pods_min = from.pods;
    job.priority = from.priority;
    job.run = Millis(from.run);
    job.time_limit = Millis(from.limit);
    if (from.in_one_domain) job.topology.mode = TopologyMode::kRequired;
    workload.jobs.push_back(job);
  }
  return workload;
}

// The first start of each job and how many it had; -1: it never starts.
void ExpectSameStarts(const Scene& scene, QueueDiscipline discipline, bool by_priority) {
  constexpr int kUntil = 700;
  QueueOptions options;
  options.discipline = discipline;
  options.order = by_priority ? QueueOrder::kPriority : QueueOrder::kSubmitted;
  options.begin = Instant();
  options.until = AtMillis(kUntil);
  for (const naive::Away& away : scene.machine.away) {
    options.risks.maintenance.push_back({{static_cast<NodeId>(away.node)},
                                         {AtMillis(away.begin), AtMillis(away.until)},
                                         Duration()});
  }
  const Cluster cluster = ClusterOf(scene.machine);
  const TrainingWorkload workload = WorkloadOf(scene.jobs);
  ASSERT_TRUE(CheckQueueInput(cluster, workload, options).has_value());
  const QueueOutcome outcome = SimulateQueue(cluster, workload, options, {1, 0});

  // Who would not start on the empty cluster is turned away, and holds up nobody.
  naive::Machine whole = scene.machine;
  whole.away.clear();
  std::vector<naive::Job> jobs = scene.jobs;
  for (naive::Job& job : jobs) {
    naive::Job alone = job;
    alone.submitted = 0;
    const auto starts = naive::Queue(whole, {alone}, naive::Discipline::kStrict, false).Run(1);
    if (starts[0].empty()) job.submitted = kUntil;
  }
  const auto starts =
      naive::Queue(scene.machine, jobs, static_cast<naive::Discipline>(discipline), by_priority)
          .Run(kUntil);
  std::int64_t waited = 0;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const JobOutcome& job = outcome.jobs[i];
    SCOPED_TRACE(i);
    ASSERT_EQ(static_cast<std::size_t>(job.starts), starts[i].size());
    if (!starts[i].empty()) {
      ASSERT_EQ(job.started->base(), starts[i].front());
    }
    if (job.started) {
      EXPECT_EQ(job.first_wait.total(), Between(workload.jobs[i].submitted, *job.started));
    }
    waited += job.first_wait.total().base() + job.later_waits.total().base();
  }
  EXPECT_EQ(outcome.totals.waiting_ms, waited);  // Little's law: the integral of the queue's length
}

// On one node, with exact estimates: whoever is planned in order starts no later than first come,
// first served. (By induction: every job before it ends no later, so at its old start there is
// room.)
TEST(QueuePropertyTest, ConservativeBackfillDelaysNobody) {
  for (int round = 0; round < 400; ++round) {
    SCOPED_TRACE(round);
    Dice dice{std::mt19937_64(91 + static_cast<std::uint64_t>(round))};
    Scene scene;
    scene.machine = {{8}, {0}, {}};
    int at = 0;
    for (int i = 0; i < 30; ++i) {
      naive::Job job;
      job.submitted = at += dice.Whole(0, 3);
      job.run = job.limit = dice.Whole(1, 15);
      job.gpus = dice.Whole(1, 8);
      scene.jobs.push_back(job);
    }
    QueueOptions options;
    options.order = QueueOrder::kSubmitted;
    const auto run = [&](QueueDiscipline discipline) {
      options.discipline = discipline;
      return SimulateQueue(ClusterOf(scene.machine), WorkloadOf(scene.jobs), options, {});
    };
    const QueueOutcome planned = run(QueueDiscipline::kConservative);
    const QueueOutcome strict = run(QueueDiscipline::kStrict);
    for (std::size_t i = 0; i < scene.jobs.size(); ++i) {
      ASSERT_LE(*planned.jobs[i].started, *strict.jobs[i].started) << i;
    }
  }
}

// The same of the head of an EASY line: once it is the head, nobody who comes later moves it.
TEST(QueuePropertyTest, WhoComesLaterDoesNotDelayTheHeadOfEasy) {
  for (int round = 0; round < 400; ++round) {
    SCOPED_TRACE(round);
    Dice dice{std::mt19937_64(7 + static_cast<std::uint64_t>(round))};
    Scene scene = RandomScene(dice, Estimates::kExact, false);
    QueueOptions options;
    options.order = QueueOrder::kSubmitted;
    options.discipline = QueueDiscipline::kEasy;
    const Cluster cluster = ClusterOf(scene.machine);
    TrainingWorkload workload = WorkloadOf(scene.jobs);
    // Some run; the next is the head from its submission on.
    for (std::size_t head = 1; head < workload.jobs.size(); ++head) {
      TrainingWorkload alone = workload;
      alone.jobs.resize(head + 1);
      const QueueOutcome first = SimulateQueue(cluster, alone, options, {});
      const Instant submitted = alone.jobs[head].submitted;
      const bool is_head =
          std::ranges::all_of(std::span(first.jobs).first(head), [&](const JobOutcome& job) {
            return job.state == JobState::kNever || *job.started <= submitted;
          });
      if (!is_head || !first.jobs[head].started) continue;
      const QueueOutcome all = SimulateQueue(cluster, workload, options, {});
      ASSERT_LE(*all.jobs[head].started, *first.jobs[head].started) << head;
    }
  }
}

class QueueOracle : public testing::TestWithParam<QueueDiscipline> {};

TEST_P(QueueOracle, StartsAreThoseOfTheSecondSimulator) {
  for (int round = 0; round < (GetParam() == QueueDiscipline::kConservative ? 300 : 1'500);
       ++round) {
    SCOPED_TRACE(round);
    Dice dice{std::mt19937_64(2'026 + static_cast<std::uint64_t>(round))};
    // Who runs past its estimate moves a conservative plan with every millisecond; the simulator
    // plans anew when something happens.
    const bool plans_all = GetParam() == QueueDiscipline::kConservative;
    const auto estimates = static_cast<Estimates>(round % (plans_all ? 2 : 3));
    const Scene scene = RandomScene(dice, estimates, round % 5 < 2);
    ExpectSameStarts(scene, GetParam(), round % 7 < 3);
    if (HasFatalFailure() || HasNonfatalFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Disciplines, QueueOracle,
                         testing::Values(QueueDiscipline::kStrict, QueueDiscipline::kBestEffort,
                                         QueueDiscipline::kEasy, QueueDiscipline::kConservative),
                         [](const auto& of) {
                           return kQueueDisciplineNames[static_cast<std::size_t>(of.param)];
                         });

}  // namespace
}  // namespace plimsoll
