// The readers of single formats, for ReadWorkload (ingest/cluster/workload_reader.h).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ingest/cluster/workload_reader.h"

namespace plimsoll {

Result<WorkloadReading> ReadJobsCsv(const WorkloadSource& source);
Result<WorkloadReading> ReadJobsJson(const WorkloadSource& source);  // list, or {"jobs": list}

// Attempts are retries: a job runs for as long as all of them together, on the GPUs of the one
// that had most. A job without an attempt never started and says nothing of its size.
Result<WorkloadReading> ReadPhillyJobs(const WorkloadSource& source);
Result<WorkloadReading> ReadPhillySubset(const WorkloadSource& source);

Result<WorkloadReading> ReadHeliosJobs(const WorkloadSource& source);
Result<WorkloadReading> ReadAcmeJobs(const WorkloadSource& source);

// A task is a gang; plan_gpu is percent of a card. Times are seconds from the trace's start, and
// nothing says how long a task waited.
Result<WorkloadReading> ReadPaiTasks(const WorkloadSource& source);

// A job's time is its steps at the throughput of its type and scale. Fails with kBadData without
// the throughputs.
Result<WorkloadReading> ReadGavelJobs(const WorkloadSource& source);
Result<WorkloadReading> ReadTiresiasJobs(const WorkloadSource& source);

// A processor counts as a GPU. -1 is unknown; partial executions (status 2, 3, 4) are left out for
// their job has a line of its own.
Result<WorkloadReading> ReadSwf(const WorkloadSource& source);

// Wait is Start - Eligible; the rows of a job that was requeued are one job with all its run time.
Result<WorkloadReading> ReadSacctJobs(const WorkloadSource& source);

// Times are those of conditions, of which Kubernetes keeps the last change only.
Result<WorkloadReading> ReadKueueWorkloads(const WorkloadSource& source);

// Jobs of a delay profile; those of others run as long as a platform lets them, and are refused.
Result<WorkloadReading> ReadBatsimJobs(const WorkloadSource& source);

}  // namespace plimsoll
