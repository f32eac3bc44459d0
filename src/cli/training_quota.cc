#include "cli/training_quota.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <set>

#include "capacity/queue/kueue_gate.h"
#include "capacity/sizing/gang_formula.h"
#include "cli/plan_input.h"
#include "cli/training_settings.h"
#include "cli/training_targets.h"
#include "units/human_text.h"

namespace plimsoll {
namespace {

constexpr std::int64_t kGpusMax = 1'000'000'000;

Error Wrong(const std::string& where, const std::string& what) {
  return {ErrorCode::kInvalidArgument, where + ": " + what};
}

std::string Listed(const auto& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text.empty() ? "none" : text;
}

std::string JobsText(std::int64_t jobs) {
  return std::to_string(jobs) + (jobs == 1 ? " job" : " jobs");
}

void AddResources(const std::vector<QuotaGroup>& groups, std::set<std::string>& resources) {
  for (const QuotaGroup& group : groups) {
    for (const FlavorQuotas& flavor : group) {
      for (const ResourceQuota& quota : flavor.resources) resources.insert(quota.resource);
    }
  }
}

std::set<std::string> ResourcesOf(const QuotaSpec& spec) {
  std::set<std::string> resources;
  for (const QueueSpec& queue : spec.queues) AddResources(queue.groups, resources);
  for (const CohortSpec& cohort : spec.cohorts) AddResources(cohort.groups, resources);
  return resources;
}

bool IsSimulated(const std::string& resource) {
  return resource == "cpu" || resource == "memory" || resource == "pods";
}

// The usual one, else the only one that looks like GPUs, else the only extended one.
Result<std::string> GpuResourceOf(const std::string& file, const QuotaSpec& spec) {
  const std::set<std::string> resources = ResourcesOf(spec);
  if (resources.contains("nvidia.com/gpu")) return std::string("nvidia.com/gpu");
  std::vector<std::string> gpus, extended;
  for (const std::string& resource : resources) {
    if (resource.find("gpu") != std::string::npos) gpus.push_back(resource);
    if (resource.find('/') != std::string::npos) extended.push_back(resource);
  }
  const std::vector<std::string>& found = gpus.empty() ? extended : gpus;
  if (found.size() == 1) return found.front();
  return Wrong(file, "the quotas name " +
                         (found.empty() ? "no resource of GPUs; there are: " + Listed(resources)
                                        : "several resources of GPUs: " + Listed(found)) +
                         "; give quotas of one, such as nvidia.com/gpu");
}

// The flavors of a queue's GPU quotas.
std::set<std::string> GpuFlavorsOf(const std::vector<QuotaGroup>& groups,
                                   const std::string& resource) {
  std::set<std::string> flavors;
  for (const QuotaGroup& group : groups) {
    for (const FlavorQuotas& flavor : group) {
      if (std::ranges::find(flavor.resources, resource, &ResourceQuota::resource) !=
          flavor.resources.end()) {
        flavors.insert(flavor.flavor);
      }
    }
  }
  return flavors;
}

Result<std::vector<std::string>> FlavorsOfGroups(const TrainingModel& model,
                                                 const TrainingQuota& quota) {
  std::set<std::string> known;
  for (const QueueSpec& queue : quota.spec.queues) {
    known.merge(GpuFlavorsOf(queue.groups, quota.gpu_resource));
  }
  std::vector<std::string> flavors;
  for (const FleetAxis& group : model.groups) {
    const bool by_name = known.contains(group.name);
    if (!by_name && !known.contains(group.flavor) && group.gpus_per_unit > 0) {
      return Wrong(quota.file, "no ClusterQueue has " + quota.gpu_resource +
                                   " of a flavor for group '" + group.name + "' (" + group.flavor +
                                   "); there is quota of: " + Listed(known) +
                                   ". Give the group, or its flavor in the cluster file, the name "
                                   "of the ResourceFlavor of its nodes");
    }
    flavors.push_back(by_name ? group.name : group.flavor);
  }
  return flavors;
}

// Every way to write a queue. A ClusterQueue's own name goes first; a LocalQueue's needs its
// namespace where two of the name lead to different ones: then the short name leads to "".
std::map<std::string, std::string> QueueNames(const KueueObjects& objects) {
  std::map<std::string, std::string> names;
  for (const KueueLocalQueue& local : objects.local_queues) {
    const auto [at, is_new] = names.emplace(local.name, local.cluster_queue);
    if (!is_new && at->second != local.cluster_queue) at->second.clear();
  }
  for (const KueueLocalQueue& local : objects.local_queues) {
    names[local.ns + "/" + local.name] = local.cluster_queue;
  }
  for (const QueueSpec& queue : objects.quotas.queues) names[queue.name] = queue.name;
  return names;
}

std::vector<std::string> ClusterQueues(const TrainingQuota& quota) {
  std::vector<std::string> names;
  for (const QueueSpec& queue : quota.spec.queues) names.push_back(queue.name);
  return names;
}

// Where a name leads. `who` is asked to write it otherwise.
Result<std::string> ClusterQueueOf(const TrainingQuota& quota, const std::string& name,
                                   const std::string& who) {
  const auto found = quota.queue_of.find(name);
  if (found != quota.queue_of.end() && !found->second.empty()) return found->second;
  if (found != quota.queue_of.end()) {
    return Wrong(quota.file, who + " queue '" + name +
                                 "', and LocalQueues of that name lead to different ClusterQueues: "
                                 "write NAMESPACE/" +
                                 name);
  }
  // "default": jobs that name none, where a format has it so.
  const bool is_unnamed = name.empty() || name == "default";
  if (is_unnamed && quota.spec.queues.size() == 1) return quota.spec.queues[0].name;
  return Wrong(quota.file, who +
                               (name.empty() ? std::string(" no queue")
                                             : " queue '" + name +
                                                   "', which is no ClusterQueue and no LocalQueue "
                                                   "there") +
                               ": write one of the ClusterQueues " + Listed(ClusterQueues(quota)));
}

// Jobs with GPUs of each queue of the workload, and all of them.
struct QueueJobs {
  std::int64_t jobs = 0, with_gpus = 0;
};
std::vector<QueueJobs> JobsByQueue(const TrainingWorkload& workload) {
  std::vector<QueueJobs> counts(workload.queues.size());
  for (const TrainingJob& job : workload.jobs) {
    ++counts.at(job.queue).jobs;
    counts[job.queue].with_gpus += job.shape.gpus > 0 ? 1 : 0;
  }
  return counts;
}

// Jobs of all LocalQueues of one ClusterQueue wait in one line.
Status MoveJobs(TrainingQuota& quota, TrainingWorkload& workload) {
  const std::vector<QueueJobs> counts = JobsByQueue(workload);
  std::vector<std::string> queues;
  std::vector<std::uint32_t> moved(workload.queues.size(), 0);
  for (std::size_t i = 0; i < workload.queues.size(); ++i) {
    if (counts[i].jobs == 0) continue;
    PLIMSOLL_TRY(
        const std::string name,
        ClusterQueueOf(quota, workload.queues[i],
                       JobsText(counts[i].jobs) + (counts[i].jobs == 1 ? " names" : " name")));
    const auto at = std::ranges::find(queues, name);
    moved[i] = static_cast<std::uint32_t>(at - queues.begin());
    if (at == queues.end()) queues.push_back(name);
    ++quota.names_for[name];
  }
  for (TrainingJob& job : workload.jobs) job.queue = moved[job.queue];
  workload.queues = std::move(queues);
  return Ok();
}

bool OffersAny(const TrainingQuota& quota, const QueueSpec& queue) {
  const std::set<std::string> offered = GpuFlavorsOf(queue.groups, quota.gpu_resource);
  return std::ranges::any_of(quota.flavors,
                             [&](const std::string& flavor) { return offered.contains(flavor); });
}

// Those with jobs must have quota; of the others, a gang may ask those that have.
Status CheckOffers(const TrainingQuota& quota, TrainingWorkload& workload) {
  const std::vector<QueueJobs> counts = JobsByQueue(workload);
  for (const QueueSpec& queue : quota.spec.queues) {
    const auto at = std::ranges::find(workload.queues, queue.name);
    const bool offers = OffersAny(quota, queue);
    if (at == workload.queues.end()) {
      if (offers) workload.queues.push_back(queue.name);
      continue;
    }
    const QueueJobs& jobs = counts[static_cast<std::size_t>(at - workload.queues.begin())];
    if (offers || jobs.with_gpus == 0) continue;
    return Wrong(quota.file, "ClusterQueue '" + queue.name + "', in which " +
                                 JobsText(jobs.with_gpus) + " wait, has no " + quota.gpu_resource +
                                 " of any of the cluster's flavors (" +
                                 Listed(std::set(quota.flavors.begin(), quota.flavors.end())) +
                                 "): give it a quota, which may be 0 with a cohort to borrow from");
  }
  return Ok();
}

std::vector<std::string> NotesOf(const TrainingQuota& quota, const KueueObjects& objects) {
  std::vector<std::string> unused, notes;
  for (const std::string& resource : ResourcesOf(quota.spec)) {
    if (resource != quota.gpu_resource && !IsSimulated(resource)) unused.push_back(resource);
  }
  if (!unused.empty()) {
    notes.push_back(Listed(unused) + ": no job asks for it here, so its quota limits nothing");
  }
  for (const std::string& queue : objects.stopped) {
    notes.push_back("ClusterQueue '" + queue +
                    "' is stopped (stopPolicy); it is simulated as if it were not");
  }
  return notes;
}

ResourceQuota* FindQuota(std::vector<QuotaGroup>& groups, const std::string& flavor,
                         const std::string& resource) {
  for (QuotaGroup& group : groups) {
    for (FlavorQuotas& of : group) {
      if (of.flavor != flavor) continue;
      const auto quota = std::ranges::find(of.resources, resource, &ResourceQuota::resource);
      if (quota != of.resources.end()) return &*quota;
    }
  }
  return nullptr;
}

// Null if the holder is not there, or has no such flavor.
ResourceQuota* FindQuota(QuotaSpec& spec, const QuotaChange& change, const std::string& resource) {
  for (QueueSpec& queue : spec.queues) {
    if (queue.name == change.holder) return FindQuota(queue.groups, change.flavor, resource);
  }
  for (CohortSpec& cohort : spec.cohorts) {
    if (cohort.name == change.holder) return FindQuota(cohort.groups, change.flavor, resource);
  }
  return nullptr;
}

// Every QUEUE/FLAVOR that can be changed.
std::vector<std::string> Changeable(const TrainingQuota& quota) {
  std::vector<std::string> texts;
  const auto add = [&](const std::string& name, const std::vector<QuotaGroup>& groups) {
    for (const std::string& flavor : GpuFlavorsOf(groups, quota.gpu_resource)) {
      texts.push_back(name + "/" + flavor);
    }
  };
  for (const QueueSpec& queue : quota.spec.queues) add(queue.name, queue.groups);
  for (const CohortSpec& cohort : quota.spec.cohorts) add(cohort.name, cohort.groups);
  return texts;
}

void Apply(const QuotaChange& change, ResourceQuota& quota) {
  switch (change.limit) {
    case QuotaLimit::kNominal:
      quota.nominal = change.gpus.value_or(0);
      break;
    case QuotaLimit::kBorrowing:
      quota.borrowing_limit = change.gpus;
      break;
    case QuotaLimit::kLending:
      quota.lending_limit = change.gpus;
      break;
  }
}

}  // namespace

Result<std::vector<std::string>> UseQuota(const std::string& file, const KueueObjects& objects,
                                          TrainingModel& model) {
  auto quota = std::make_shared<TrainingQuota>();
  quota->file = file;
  quota->spec = objects.quotas;
  PLIMSOLL_TRY(quota->gpu_resource, GpuResourceOf(file, quota->spec));
  PLIMSOLL_TRY(quota->flavors, FlavorsOfGroups(model, *quota));
  quota->queue_of = QueueNames(objects);
  PLIMSOLL_RETURN_IF_ERROR(MoveJobs(*quota, model.history));
  PLIMSOLL_RETURN_IF_ERROR(CheckOffers(*quota, model.history));
  std::vector<std::string> notes = NotesOf(*quota, objects);
  model.quota = std::move(quota);
  return notes;
}

Status NameClusterQueues(const TrainingQuota& quota, TargetFile& targets) {
  for (ClassText& one : targets.classes) {
    if (one.queue.empty()) continue;
    PLIMSOLL_TRY(const std::string queue, ClusterQueueOf(quota, one.queue, one.name + " names"));
    const auto names = quota.names_for.find(queue);
    if (queue != one.queue && names != quota.names_for.end() && names->second > 1) {
      return Wrong(one.name, "queue '" + one.queue + "' shares ClusterQueue '" + queue +
                                 "' with others, and all their jobs wait in its line: name the "
                                 "ClusterQueue");
    }
    one.queue = queue;
  }
  for (GangText& gang : targets.gangs) {
    const std::string who =
        gang.name.empty() ? "the gang of " + std::to_string(gang.gpus) + " GPUs" : gang.name;
    PLIMSOLL_TRY(gang.queue, ClusterQueueOf(quota, gang.queue, who + " names"));
  }
  return Ok();
}

bool IsQuotaChange(const std::string& text) {
  return std::ranges::any_of(
      kQuotaLimitKeys, [&](const char* key) { return text.starts_with(std::string(key) + ":"); });
}

Result<QuotaChange> ParseQuotaChange(const TrainingQuota& quota, const std::string& option,
                                     const std::string& text) {
  const std::size_t colon = text.find(':');
  const std::size_t equals = text.find('=', colon);
  const std::size_t slash = text.rfind('/', equals);
  QuotaChange change;
  const auto key = std::ranges::find(kQuotaLimitKeys, text.substr(0, colon));
  change.limit = static_cast<QuotaLimit>(key - std::begin(kQuotaLimitKeys));
  if (equals == std::string::npos || slash == std::string::npos || slash < colon) {
    return Wrong(option, "'" + text + "' is no change of a quota such as quota:" +
                             Changeable(quota).front() + "=16");
  }
  change.holder = text.substr(colon + 1, slash - colon - 1);
  change.flavor = text.substr(slash + 1, equals - slash - 1);
  QuotaSpec spec = quota.spec;
  if (FindQuota(spec, change, quota.gpu_resource) == nullptr) {
    return Wrong(option, "'" + text + "' names no quota of " + quota.gpu_resource + " in " +
                             quota.file + "; there are: " + Listed(Changeable(quota)));
  }
  const std::string number = text.substr(equals + 1);
  if (number == "none" && change.limit != QuotaLimit::kNominal) return change;
  change.gpus = ParseWhole(number, 0, kGpusMax);
  if (change.gpus) return change;
  return Wrong(option, "'" + text + "': '" + number + "' is no number of GPUs such as 16" +
                           (change.limit == QuotaLimit::kNominal ? "" : ", and not none"));
}

std::string QuotaChangeText(const QuotaChange& change) {
  return std::string(kQuotaLimitKeys[static_cast<std::size_t>(change.limit)]) + ":" +
         change.holder + "/" + change.flavor + "=" +
         (change.gpus ? std::to_string(*change.gpus) : "none");
}

Status SetQuota(const TrainingModel& model, const TrainingSettings& settings,
                QueueOptions& options) {
  if (!model.quota) return Ok();
  const TrainingQuota& quota = *model.quota;
  QuotaSpec spec = quota.spec;
  for (const QuotaChange& change : settings.quotas) {
    if (ResourceQuota* const of = FindQuota(spec, change, quota.gpu_resource)) Apply(change, *of);
  }
  const std::vector<std::string>& queues = model.history.queues;
  PLIMSOLL_TRY(options.quota,
               KueueGate::Build(spec, {}, {queues, quota.flavors, quota.gpu_resource}));
  // Backfill plans for one line of all queues.
  const QueueDiscipline discipline = settings.discipline.value_or(QueueDiscipline::kBestEffort);
  options.line_per_queue =
      discipline == QueueDiscipline::kBestEffort || discipline == QueueDiscipline::kStrict;
  if (!settings.discipline) options.of_queue = DisciplinesOf(spec, queues);
  return Ok();
}

bool QuotaAllows(const QuotaGate& gate, const Cluster& cluster, const TrainingJob& gang) {
  QuotaClaim claim;
  claim.queue = gang.queue;
  claim.gpu_milli = GpuMilli(gang);
  claim.cpu_milli = gang.pods * gang.shape.cpu_milli;
  claim.memory_mib = gang.pods * gang.shape.memory_mib;
  claim.pods = gang.pods;
  std::optional<std::uint32_t> level;
  if (gang.topology.mode == TopologyMode::kRequired) level = gang.topology.level;
  for (std::uint32_t flavor = 0; flavor < cluster.flavors().size(); ++flavor) {
    if (!Accepts(gang.shape.flavors, flavor)) continue;
    claim.flavor = flavor;
    PodShape shape = gang.shape;
    shape.flavors = FlavorSet{1} << flavor;
    if (gate.Ask(claim) != QuotaAnswer::kNever &&
        GangServers(cluster, shape, gang.pods, level) > 0) {
      return true;
    }
  }
  return false;
}

}  // namespace plimsoll
