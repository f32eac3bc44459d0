// WorkloadReader: job logs and object lists in any known format as the workload of a queue.
//
// docs/formats/job-traces.md describes the formats and what each of them leaves open.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "capacity/model/training_job.h"

namespace plimsoll {

enum class WorkloadFormat : unsigned char {
  kJobs,       // our own jobs.csv, or the same as JSON (docs/formats/jobs-csv.md)
  kPhilly,     // cluster_job_log: JSON, jobs with attempts
  kPhillySia,  // CSV: timestamp,duration,num_gpus,gpu_time,cluster
  kHelios,     // CSV of HeliosData: job_id,user,vc,gpu_num,...
  kAcme,       // CSV of AcmeTrace: job_id,user,node_num,gpu_num,...
  kPai,        // pai_task_table of Alibaba's 2020 trace, with its header or without
  kGavel,      // tab separated: job type, steps, arrival, scale factor
  kTiresias,   // CSV: job_id,num_gpu,submit_time,...
  kSwf,        // Standard Workload Format of the Parallel Workloads Archive
  kSacct,      // sacct --parsable2 or --json
  kKueue,      // Workload objects, JSON or YAML, a list or one after another
  kBatsim,     // JSON: nb_res, jobs, profiles
};
std::vector<std::string> WorkloadFormatNames();  // as --jobs-format takes them

// Fails with kInvalidArgument, naming the formats.
Result<WorkloadFormat> ParseWorkloadFormat(const std::string& name);

struct WorkloadSource {
  std::string file;       // for messages
  std::string_view text;  // of the whole file
  std::optional<WorkloadFormat> format = {};
  // How a job's GPUs lie on nodes where the format only counts them: equal pods, the largest that
  // fit into a node of so many.
  std::int32_t gpus_per_node = 8;
  std::string time_zone = {};         // of times without one (sacct); "" is UTC
  std::string_view throughputs = {};  // gavel: the text of its throughputs JSON
  std::string gpu_type = "v100";      // gavel: the column of throughputs to run on
};

// A row or object that could not be taken. Its GPU-time is what it would have added, if known.
struct RefusedJob {
  std::int64_t line = 0;  // 1-based; 0 in formats without lines
  std::string field;      // column or path; "" for the whole row
  std::string reason;     // a sentence with the remedy
  std::string raw;        // cut to kRawBytesMax
  std::optional<GpuHours> gpu_time;
};

struct WorkloadReading {
  std::string format;
  TrainingWorkload workload;         // jobs by `submitted`
  std::vector<std::string> flavors;  // what bit i of a shape's flavors and flavor_order mean
  std::vector<std::string> levels;   // what a topology request's level means
  std::int64_t rows = 0;             // jobs + refused + left out
  std::vector<RefusedJob> refused;
  std::map<std::string, std::int64_t> left_out;  // why, and how many: never started...
  std::vector<std::string> notes;                // what the format does not tell; one sentence each

  GpuHours gpu_time() const;          // of the jobs, run x GPUs, to the millisecond
  GpuHours refused_gpu_time() const;  // as far as it is known
};

// By content. Fails with kBadData, saying what the formats look like.
Result<WorkloadFormat> RecognizeWorkload(const WorkloadSource& source);

// Fails with kBadData, naming file, line, field and remedy, where the file is none of its format
// or has not one job; single rows that are wrong are in `refused`.
Result<WorkloadReading> ReadWorkload(const WorkloadSource& source);

// "FILE, line 7, field gpus: REASON", for messages.
std::string RefusalText(const std::string& file, const RefusedJob& refused);

}  // namespace plimsoll
