// Gang formula: what closed forms say of one class of jobs, to stand beside the simulated wait.
//
// A server is a place for the class's usual gang (GangServers); the load is the GPU time of all its
// jobs in such gangs. The forms know nothing of other classes that hold or break up domains, of
// priorities, quotas, failures and bursts beyond the two variabilities; so they are too hopeful
// where jobs are mixed, and they are exact only for M/M/c.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "capacity/model/cluster.h"
#include "capacity/model/training_job.h"
#include "capacity/sizing/queue_formula.h"
#include "units/time.h"

namespace plimsoll {

// How many such gangs the cluster as it is now takes at once, each within one domain of `level`
// (null: anywhere): the sum of floor(slots of the domain / pods). REQUIRES: pods >= 1
std::int64_t GangServers(const Cluster& cluster, const PodShape& shape, std::int32_t pods,
                         std::optional<std::uint32_t> level);

struct ClassLoad {
  std::int64_t jobs = 0;
  TrainingJob gang;         // the commonest in size; of equal ones the larger
  double between_ms = 0;    // mean time between two submissions
  double run_ms = 0;        // mean of a job
  Variability variability;  // of submissions and of runs
  double load = 0;          // GPU time by time, in gangs: erlangs
};

// Null of fewer than two jobs with GPUs, or if all were submitted at once.
std::optional<ClassLoad> LoadOf(std::span<const TrainingJob> jobs);

// Times in milliseconds; infinite where the load is not below the servers.
struct FormulaAnswer {
  std::int64_t servers = 0;
  double utilization = 0;
  double waits = 0;                                            // P(W > 0), M/M/c
  double within = 0;                                           // P(W <= the time asked for), M/M/c
  double mmc_ms = 0, allen_cunneen_ms = 0, sakasegawa_ms = 0;  // mean waits
  std::optional<double> kingman_ms;                            // of one server
};

FormulaAnswer FormulaOf(const ClassLoad& load, std::int64_t servers, Duration within);

}  // namespace plimsoll
