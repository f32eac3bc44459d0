#include "ingest/cluster/kueue_objects.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <sstream>

#include "capacity/quota/quota_tree.h"
#include "ingest/cluster/yaml_json.h"
#include "ingest/kubernetes/field_reader.h"
#include "ingest/kubernetes/json_items.h"
#include "ingest/kubernetes/kubernetes_quantity.h"

namespace plimsoll {
namespace {

using nlohmann::json;

bool IsQuantity(const std::string& key) {
  return key == "nominalQuota" || key == "borrowingLimit" || key == "lendingLimit" ||
         key == "weight";
}

// Quantities may be written as numbers; they are read as texts.
void QuantitiesToTexts(json& value) {
  if (value.is_array()) {
    for (json& item : value) QuantitiesToTexts(item);
  } else if (value.is_object()) {
    for (auto& [key, item] : value.items()) {
      if (IsQuantity(key) && item.is_number()) item = item.dump();
      QuantitiesToTexts(item);
    }
  }
}

template <class Value>
struct Choice {
  const char* text;
  Value value;
};

constexpr Choice<PreemptionPolicy> kPolicies[] = {
    {"Never", PreemptionPolicy::kNever},
    {"LowerPriority", PreemptionPolicy::kLowerPriority},
    {"LowerOrNewerEqualPriority", PreemptionPolicy::kLowerOrNewerEqualPriority},
    {"Any", PreemptionPolicy::kAny}};
// Borrow and Preempt are what v1beta1 called MayStopSearch.
constexpr Choice<FlavorSearch> kSearches[] = {{"MayStopSearch", FlavorSearch::kMayStopSearch},
                                              {"TryNextFlavor", FlavorSearch::kTryNextFlavor},
                                              {"Borrow", FlavorSearch::kMayStopSearch},
                                              {"Preempt", FlavorSearch::kMayStopSearch}};
constexpr Choice<FlavorPreference> kPreferences[] = {
    {"BorrowingOverPreemption", FlavorPreference::kBorrowingOverPreemption},
    {"PreemptionOverBorrowing", FlavorPreference::kPreemptionOverBorrowing}};
constexpr Choice<QueueingStrategy> kStrategies[] = {
    {"BestEffortFIFO", QueueingStrategy::kBestEffortFifo},
    {"StrictFIFO", QueueingStrategy::kStrictFifo}};

// Leaves `value` as it is where the field is absent.
template <class Value, std::size_t kSize>
void ReadChoice(const FieldReader& object, const char* path, const Choice<Value> (&choices)[kSize],
                Value& value) {
  const std::string text = object.Text(path);
  if (text.empty()) return;
  std::string known;
  for (const Choice<Value>& one : choices) {
    known += (known.empty() ? "" : ", ") + std::string(one.text);
    if (text != one.text) continue;
    value = one.value;
    return;
  }
  object.Fail(path, "'" + text + "' is none of " + known);
}

std::optional<std::int64_t> ReadQuantity(const FieldReader& object, const char* path,
                                         std::int64_t scale) {
  const std::string text = object.Text(path);
  if (text.empty()) return std::nullopt;
  const Result<std::int64_t> amount = ParseKubernetesQuantity(text, scale);
  if (!amount) {
    object.Fail(path, amount.error().message);
    return std::nullopt;
  }
  return *amount;
}

std::int32_t ReadInt32(const FieldReader& object, const char* path) {
  const std::int64_t value = object.Integer(path);
  if (value >= INT32_MIN && value <= INT32_MAX) return static_cast<std::int32_t>(value);
  object.Fail(path, "is no 32-bit number");
  return 0;
}

std::vector<QuotaGroup> ReadGroups(const FieldReader& object) {
  std::vector<QuotaGroup> groups;
  for (const FieldReader& group : object.Elements("spec.resourceGroups")) {
    QuotaGroup& to = groups.emplace_back();
    for (const FieldReader& flavor : group.Elements("flavors")) {
      FlavorQuotas& quotas = to.emplace_back();
      quotas.flavor = flavor.Text("name");
      if (quotas.flavor.empty()) flavor.Fail("name", "a flavor needs a name");
      for (const FieldReader& resource : flavor.Elements("resources")) {
        ResourceQuota& quota = quotas.resources.emplace_back();
        quota.resource = resource.Text("name");
        const std::int64_t scale = quota.resource == "cpu" ? 1'000 : 1;
        const std::optional<std::int64_t> nominal = ReadQuantity(resource, "nominalQuota", scale);
        if (quota.resource.empty()) resource.Fail("name", "a quota needs the name of a resource");
        if (!nominal) resource.Fail("nominalQuota", "is missing; write 0 for none");
        quota.nominal = nominal.value_or(0);
        quota.borrowing_limit = ReadQuantity(resource, "borrowingLimit", scale);
        quota.lending_limit = ReadQuantity(resource, "lendingLimit", scale);
      }
    }
  }
  return groups;
}

std::string EitherText(const FieldReader& object, const char* path, const char* newer) {
  const std::string text = object.Text(newer);
  return text.empty() ? object.Text(path) : text;
}

class Objects {
 public:
  Status Add(const std::string& file, json object) {
    if (!object.is_object()) return Ok();
    QuantitiesToTexts(object);
    FieldError error;
    const FieldReader reader(object, "", error);
    const std::string kind = reader.Text("kind");
    if (kind == "List") {
      for (json& item : object["items"]) PLIMSOLL_RETURN_IF_ERROR(Add(file, std::move(item)));
      return Ok();
    }
    if (!IsKueues(kind, reader.Text("apiVersion"))) return Ok();
    const std::string name = reader.Text("metadata.name");
    const std::string ns = kind == "LocalQueue" ? reader.Text("metadata.namespace") : "";
    if (name.empty()) reader.Fail("metadata.name", "is missing");
    if (!seen_.insert(kind + "/" + ns + "/" + name).second) {
      reader.Fail("metadata.name", "the object is there twice; leave one of them out");
    }
    Read(kind, name, reader);
    if (!reader.has_error()) return Ok();
    return Error{ErrorCode::kBadData,
                 file + ": " + kind + " '" + name + "': " + error.path + ": " + error.reason};
  }

  Result<KueueObjects> Finish() {
    if (objects_.quotas.queues.empty()) {
      return Error{ErrorCode::kBadData,
                   "no ClusterQueue in the files; print them with kubectl get clusterqueues,"
                   "cohorts,resourceflavors,localqueues -A -o yaml"};
    }
    PLIMSOLL_RETURN_IF_ERROR(CheckReferences());
    const Result<QuotaTree> tree = QuotaTree::Build(objects_.quotas);
    if (!tree) return tree.error();
    return std::move(objects_);
  }

 private:
  static bool IsKueues(const std::string& kind, const std::string& version) {
    if (kind == "PriorityClass") return version.starts_with("scheduling.k8s.io/");
    return version.starts_with("kueue.x-k8s.io/") &&
           (kind == "ClusterQueue" || kind == "Cohort" || kind == "ResourceFlavor" ||
            kind == "LocalQueue" || kind == "WorkloadPriorityClass");
  }

  void Read(const std::string& kind, const std::string& name, const FieldReader& object) {
    if (kind == "ClusterQueue") ReadQueue(name, object);
    if (kind == "Cohort") ReadCohort(name, object);
    if (kind == "ResourceFlavor") ReadFlavor(name, object);
    if (kind == "LocalQueue") {
      objects_.local_queues.push_back(
          {object.Text("metadata.namespace"), name, object.Text("spec.clusterQueue")});
    }
    // Kueue's own classes go before the cluster's of the same name.
    if (kind == "WorkloadPriorityClass") objects_.priorities[name] = ReadInt32(object, "value");
    if (kind == "PriorityClass" && !seen_.contains("WorkloadPriorityClass//" + name)) {
      objects_.priorities[name] = ReadInt32(object, "value");
    }
  }

  void ReadQueue(const std::string& name, const FieldReader& object) {
    QueueSpec& queue = objects_.quotas.queues.emplace_back();
    queue.name = name;
    queue.cohort = EitherText(object, "spec.cohort", "spec.cohortName");
    queue.weight_nano =
        ReadQuantity(object, "spec.fairSharing.weight", kWeightOne).value_or(kWeightOne);
    queue.groups = ReadGroups(object);
    ReadChoice(object, "spec.queueingStrategy", kStrategies, queue.strategy);
    QueuePreemption& preemption = queue.preemption;
    ReadChoice(object, "spec.preemption.withinClusterQueue", kPolicies, preemption.within_queue);
    ReadChoice(object, "spec.preemption.reclaimWithinCohort", kPolicies,
               preemption.reclaim_within_cohort);
    if (const auto borrow = object.Object("spec.preemption.borrowWithinCohort")) {
      PreemptionPolicy policy = PreemptionPolicy::kNever;
      ReadChoice(*borrow, "policy", kPolicies, policy);
      preemption.borrow_within_cohort = policy != PreemptionPolicy::kNever;
      ReadThreshold(*borrow, preemption);
    }
    FlavorFungibility& fungibility = queue.fungibility;
    ReadChoice(object, "spec.flavorFungibility.whenCanBorrow", kSearches,
               fungibility.when_can_borrow);
    ReadChoice(object, "spec.flavorFungibility.whenCanPreempt", kSearches,
               fungibility.when_can_preempt);
    ReadChoice(object, "spec.flavorFungibility.preference", kPreferences, fungibility.preference);
    const std::string stop = object.Text("spec.stopPolicy");
    if (!stop.empty() && stop != "None") objects_.stopped.push_back(name);
  }

  // Absent is not 0.
  static void ReadThreshold(const FieldReader& borrow, QueuePreemption& preemption) {
    FieldError none;
    const FieldReader quiet = borrow.WithError(none);
    const bool is_text = !quiet.Text("maxPriorityThreshold").empty();
    if (none.reason.empty() && !is_text) return;  // a number would have been no text
    preemption.max_priority_threshold = ReadInt32(borrow, "maxPriorityThreshold");
  }

  void ReadCohort(const std::string& name, const FieldReader& object) {
    CohortSpec& cohort = objects_.quotas.cohorts.emplace_back();
    cohort.name = name;
    cohort.parent = EitherText(object, "spec.parent", "spec.parentName");
    cohort.weight_nano =
        ReadQuantity(object, "spec.fairSharing.weight", kWeightOne).value_or(kWeightOne);
    cohort.groups = ReadGroups(object);
  }

  void ReadFlavor(const std::string& name, const FieldReader& object) {
    KueueFlavor& flavor = objects_.flavors.emplace_back();
    flavor.name = name;
    flavor.node_labels = object.Texts("spec.nodeLabels");
    flavor.topology = object.Text("spec.topologyName");
    for (const FieldReader& taint : object.Elements("spec.nodeTaints")) {
      flavor.node_taints.push_back({taint.Text("key"), taint.Text("value"), taint.Text("effect")});
    }
  }

  // Flavors and queues are held to the objects that describe them, if there are any of the kind.
  Status CheckReferences() const {
    const auto knows = [&](const std::string& kind, const std::string& name) {
      return seen_.contains(kind + "//" + name);
    };
    for (const QueueSpec& queue : objects_.quotas.queues) {
      for (const QuotaGroup& group : queue.groups) {
        for (const FlavorQuotas& flavor : group) {
          if (objects_.flavors.empty() || knows("ResourceFlavor", flavor.flavor)) continue;
          return Error{ErrorCode::kBadData, "ClusterQueue '" + queue.name +
                                                "' has quota of flavor '" + flavor.flavor +
                                                "', of which there is no ResourceFlavor"};
        }
      }
    }
    for (const KueueLocalQueue& one : objects_.local_queues) {
      if (knows("ClusterQueue", one.cluster_queue)) continue;
      return Error{ErrorCode::kBadData, "LocalQueue '" + one.ns + "/" + one.name +
                                            "' leads to ClusterQueue '" + one.cluster_queue +
                                            "', which is not in the files"};
    }
    return Ok();
  }

  KueueObjects objects_;
  std::set<std::string> seen_;  // kind/namespace/name
};

Status ReadJson(const KueueFile& file, Objects& objects) {
  std::istringstream in(file.second);
  Status status = Ok();
  const auto keep = [&](Status one) {
    if (status) status = std::move(one);
  };
  JsonItemHandlers handlers;
  handlers.on_item = [&](const JsonItem&, const json& object) {
    keep(objects.Add(file.first, object));
  };
  handlers.on_broken = [&](const std::string& path, const std::string& reason) {
    keep(Error{ErrorCode::kBadData, file.first + ": " + path + ": " + reason});
  };
  const JsonEnd end = ReadJsonItems(in, handlers);
  if (!end.error.empty()) {
    keep(Error{ErrorCode::kBadData,
               file.first + ", line " + std::to_string(end.line) + ": " + end.error});
  }
  return status;
}

Status ReadFile(const KueueFile& file, Objects& objects) {
  const std::size_t first = file.second.find_first_not_of(" \t\r\n");
  if (first != std::string::npos && (file.second[first] == '{' || file.second[first] == '[')) {
    return ReadJson(file, objects);
  }
  Status status = Ok();
  const Status read = ReadYamlDocuments(file.first, file.second, [&](const json& document) {
    Status one = objects.Add(file.first, document);
    if (status) status = std::move(one);
  });
  return status ? read : status;
}

}  // namespace

Result<KueueObjects> ReadKueueObjects(std::span<const KueueFile> files) {
  Objects objects;
  for (const KueueFile& file : files) PLIMSOLL_RETURN_IF_ERROR(ReadFile(file, objects));
  return objects.Finish();
}

}  // namespace plimsoll
