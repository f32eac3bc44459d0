// TrainingQuota: Kueue's quotas over the jobs and the nodes of `plan training`.
//
// Jobs wait in ClusterQueues, which they name themselves or by a LocalQueue. A group of nodes is
// the ResourceFlavor of its own name, else of its GPU's name. GPUs are pieces of the one GPU
// resource that the quotas name.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "capacity/queue/queue_options.h"
#include "capacity/quota/quota_spec.h"
#include "ingest/cluster/kueue_objects.h"

namespace plimsoll {

struct TargetFile;
struct TrainingModel;
struct TrainingSettings;

enum class QuotaLimit : unsigned char { kNominal, kBorrowing, kLending };
inline constexpr const char* kQuotaLimitKeys[] = {"quota", "borrowing", "lending"};

// A quota of GPUs that is to be another.
struct QuotaChange {
  QuotaLimit limit = QuotaLimit::kNominal;
  std::string holder, flavor;        // a ClusterQueue or a cohort, and a ResourceFlavor
  std::optional<std::int64_t> gpus;  // null: without that limit

  friend bool operator==(const QuotaChange&, const QuotaChange&) = default;
};

struct TrainingQuota {
  std::string file;  // for messages
  QuotaSpec spec;
  std::string gpu_resource;                       // "nvidia.com/gpu"
  std::vector<std::string> flavors;               // the ResourceFlavor of each group
  std::map<std::string, std::string> queue_of;    // what jobs may write: their ClusterQueue
  std::map<std::string, std::int64_t> names_for;  // different names in the jobs, by ClusterQueue
};

// Puts the model's jobs into ClusterQueues and gives it the quotas. Returns what of them counts for
// nothing, a sentence each. Fails with kInvalidArgument, naming the file and the remedy: a queue
// that is not there or has no quota of these nodes, a group without a flavor, no GPU resource.
Result<std::vector<std::string>> UseQuota(const std::string& file, const KueueObjects& objects,
                                          TrainingModel& model);

// Names of LocalQueues become their ClusterQueues'. Fails with kInvalidArgument: a gang without a
// queue where there are several, a class of a LocalQueue that shares its ClusterQueue.
Status NameClusterQueues(const TrainingQuota& quota, TargetFile& targets);

// "quota:QUEUE/FLAVOR=N", "borrowing:..." or "lending:..." of a number or "none"; false for
// another text.
bool IsQuotaChange(const std::string& text);
// Fails with kInvalidArgument, naming the option and what there is.
Result<QuotaChange> ParseQuotaChange(const TrainingQuota& quota, const std::string& option,
                                     const std::string& text);
std::string QuotaChangeText(const QuotaChange& change);

// With the model's quotas, as the settings change them: the gate, a line for each queue, and the
// queues' own strategies unless the settings have a discipline. Fails as QuotaTree::Build does.
Status SetQuota(const TrainingModel& model, const TrainingSettings& settings,
                QueueOptions& options);

// Whether the gang's queue could have it on the empty cluster, on a flavor with room for it.
bool QuotaAllows(const QuotaGate& gate, const Cluster& cluster, const TrainingJob& gang);

}  // namespace plimsoll
