#include "conformance/kueue_preemption_cases.h"

#include <algorithm>
#include <map>
#include <utility>

#include "ingest/kubernetes/kubernetes_quantity.h"

namespace plimsoll {
namespace {

using Json = nlohmann::json;
using FlavorResource = std::pair<std::string, std::string>;

Error Bad(const std::string& where, const std::string& what) {
  return {ErrorCode::kBadData, where + ": " + what};
}

// A workload without a creation time is older than any with one.
constexpr Instant kLongAgo = AtSeconds(-100'000'000'000);

Result<std::string> ReadText(const Json& object, const char* key, const std::string& where) {
  const auto at = object.find(key);
  if (at == object.end() || at->is_null()) return std::string();
  if (!at->is_string()) return Bad(where + "." + key, "must be a text");
  return at->get<std::string>();
}

Result<std::string> ReadName(const Json& object, const char* key, const std::string& where) {
  if (!object.is_object()) return Bad(where, "must be an object");
  PLIMSOLL_TRY(std::string name, ReadText(object, key, where));
  if (name.empty()) return Bad(where, std::string("has no ") + key);
  return name;
}

Result<std::int64_t> ReadInteger(const Json& object, const char* key, std::int64_t missing,
                                 const std::string& where) {
  const auto at = object.find(key);
  if (at == object.end() || at->is_null()) return missing;
  if (!at->is_number_integer()) return Bad(where + "." + key, "must be a whole number");
  const auto value = at->get<std::int64_t>();
  if (value < -1'000'000'000'000 || value > 1'000'000'000'000) {
    return Bad(where + "." + key, "is out of range");
  }
  return value;
}

Result<std::int32_t> ReadPriority(const Json& object, const char* key, const std::string& where) {
  PLIMSOLL_TRY(const std::int64_t value, ReadInteger(object, key, 0, where));
  if (value < INT32_MIN || value > INT32_MAX) return Bad(where + "." + key, "is out of range");
  return static_cast<std::int32_t>(value);
}

// A list under a key; none where it is absent.
Result<std::vector<Json>> ReadList(const Json& object, const char* key, const std::string& where) {
  const auto at = object.find(key);
  if (at == object.end() || at->is_null()) return std::vector<Json>();
  if (!at->is_array()) return Bad(where + "." + key, "must be a list");
  return at->get<std::vector<Json>>();
}

// CPU in milli, the rest in the resource's unit.
Result<std::int64_t> ReadQuantity(const Json& value, const std::string& resource,
                                  const std::string& where) {
  if (!value.is_string()) return Bad(where, "must be a quantity as a text");
  const std::int64_t scale = resource == "cpu" ? 1'000 : 1;
  const Result<std::int64_t> amount = ParseKubernetesQuantity(value.get<std::string>(), scale);
  if (!amount) return Bad(where, amount.error().message);
  return *amount;
}

Result<std::optional<std::int64_t>> ReadLimit(const Json& quota, const char* key,
                                              const std::string& resource,
                                              const std::string& where) {
  const auto at = quota.find(key);
  if (at == quota.end() || at->is_null()) return std::optional<std::int64_t>();
  PLIMSOLL_TRY(const std::int64_t limit, ReadQuantity(*at, resource, where + "." + key));
  return std::optional(limit);
}

Result<std::vector<QuotaGroup>> ReadGroups(const Json& object, const std::string& where) {
  std::vector<QuotaGroup> out;
  PLIMSOLL_TRY(const std::vector<Json> groups, ReadList(object, "resourceGroups", where));
  for (const Json& group : groups) {
    if (!group.is_array()) return Bad(where + ".resourceGroups", "must be lists of flavors");
    QuotaGroup& to = out.emplace_back();
    for (const Json& flavor : group) {
      FlavorQuotas& quotas = to.emplace_back();
      PLIMSOLL_TRY(quotas.flavor, ReadName(flavor, "flavor", where + ".resourceGroups"));
      const auto resources = flavor.find("resources");
      if (resources == flavor.end()) continue;
      if (!resources->is_object())
        return Bad(where + "." + quotas.flavor, "needs resources by name");
      for (const auto& [resource, quota] : resources->items()) {
        const std::string here = where + "." + quotas.flavor + "." + resource;
        if (!quota.is_object()) return Bad(here, "must be an object with nominal");
        PLIMSOLL_TRY(const auto nominal, ReadLimit(quota, "nominal", resource, here));
        PLIMSOLL_TRY(const auto borrowing, ReadLimit(quota, "borrowingLimit", resource, here));
        PLIMSOLL_TRY(const auto lending, ReadLimit(quota, "lendingLimit", resource, here));
        quotas.resources.push_back({resource, nominal.value_or(0), borrowing, lending});
      }
    }
  }
  return out;
}

Result<PreemptionPolicy> ReadPolicy(const Json& object, const char* key, const std::string& where) {
  PLIMSOLL_TRY(const std::string text, ReadText(object, key, where));
  if (text.empty() || text == "Never") return PreemptionPolicy::kNever;
  if (text == "LowerPriority") return PreemptionPolicy::kLowerPriority;
  if (text == "LowerOrNewerEqualPriority") return PreemptionPolicy::kLowerOrNewerEqualPriority;
  if (text == "Any") return PreemptionPolicy::kAny;
  return Bad(where + "." + key,
             "is '" + text + "', not Never, LowerPriority, " + "LowerOrNewerEqualPriority or Any");
}

Result<QueuePreemption> ReadPreemption(const Json& queue, const std::string& where) {
  QueuePreemption out;
  const auto at = queue.find("preemption");
  if (at == queue.end()) return out;
  const std::string here = where + ".preemption";
  if (!at->is_object()) return Bad(here, "must be an object");
  PLIMSOLL_TRY(out.within_queue, ReadPolicy(*at, "withinClusterQueue", here));
  PLIMSOLL_TRY(out.reclaim_within_cohort, ReadPolicy(*at, "reclaimWithinCohort", here));
  const auto borrow = at->find("borrowWithinCohort");
  if (borrow == at->end() || borrow->is_null()) return out;
  if (!borrow->is_object()) return Bad(here + ".borrowWithinCohort", "must be an object");
  PLIMSOLL_TRY(const PreemptionPolicy policy,
               ReadPolicy(*borrow, "policy", here + ".borrowWithinCohort"));
  out.borrow_within_cohort = policy != PreemptionPolicy::kNever;
  if (out.borrow_within_cohort && borrow->contains("maxPriorityThreshold")) {
    PLIMSOLL_TRY(out.max_priority_threshold,
                 ReadPriority(*borrow, "maxPriorityThreshold", here + ".borrowWithinCohort"));
  }
  return out;
}

Result<std::int64_t> ReadWeight(const Json& object, const std::string& where) {
  PLIMSOLL_TRY(const std::string text, ReadText(object, "fairWeight", where));
  if (text.empty()) return kWeightOne;
  const Result<std::int64_t> weight = ParseKubernetesQuantity(text, kWeightOne);
  if (!weight) return Bad(where + ".fairWeight", weight.error().message);
  return *weight;
}

Result<QueueSpec> ReadQueue(const Json& object, const std::string& where) {
  QueueSpec queue;
  PLIMSOLL_TRY(queue.name, ReadName(object, "name", where));
  const std::string here = where + " '" + queue.name + "'";
  PLIMSOLL_TRY(queue.cohort, ReadText(object, "cohort", here));
  PLIMSOLL_TRY(queue.weight_nano, ReadWeight(object, here));
  PLIMSOLL_TRY(queue.groups, ReadGroups(object, here));
  PLIMSOLL_TRY(queue.preemption, ReadPreemption(object, here));
  return queue;
}

Result<CohortSpec> ReadCohort(const Json& object, const std::string& where) {
  CohortSpec cohort;
  PLIMSOLL_TRY(cohort.name, ReadName(object, "name", where));
  const std::string here = where + " '" + cohort.name + "'";
  PLIMSOLL_TRY(cohort.parent, ReadText(object, "parent", here));
  PLIMSOLL_TRY(cohort.weight_nano, ReadWeight(object, here));
  PLIMSOLL_TRY(cohort.groups, ReadGroups(object, here));
  return cohort;
}

// Requests of a workload by resource: of its pod sets, or of its one pod.
Result<std::vector<std::map<std::string, std::int64_t>>> ReadRequests(const Json& object,
                                                                      const std::string& where) {
  std::vector<std::map<std::string, std::int64_t>> out;
  PLIMSOLL_TRY(std::vector<Json> pod_sets, ReadList(object, "podSets", where));
  if (pod_sets.empty()) pod_sets.push_back(object);
  for (const Json& pod_set : pod_sets) {
    auto& requests = out.emplace_back();
    if (!pod_set.is_object()) return Bad(where + ".podSets", "must be objects");
    PLIMSOLL_TRY(const std::int64_t count, ReadInteger(pod_set, "count", 1, where));
    if (count < 0 || count > 1'000'000) return Bad(where + ".count", "is out of range");
    const auto at = pod_set.find("requests");
    if (at == pod_set.end()) continue;
    if (!at->is_object()) return Bad(where + ".requests", "must be quantities by resource");
    for (const auto& [resource, quantity] : at->items()) {
      PLIMSOLL_TRY(const std::int64_t amount,
                   ReadQuantity(quantity, resource, where + ".requests." + resource));
      if (amount > kQuotaAmountMax / 1'000'000) return Bad(where + "." + resource, "is too large");
      requests[resource] = amount * count;
    }
  }
  return out;
}

void AddUsage(PreemptionCase::Workload& to, const FlavorResource& cell, std::int64_t amount) {
  for (auto& [at, sum] : to.usage) {
    if (at != cell) continue;
    sum += amount;
    return;
  }
  to.usage.emplace_back(cell, amount);
}

// An assignment's quantities are of all its pods together.
Status ReadAssignment(const Json& object, PreemptionCase::Workload& to, const std::string& where) {
  PLIMSOLL_TRY(const std::vector<Json> pod_sets, ReadList(object, "assignment", where));
  for (const Json& pod_set : pod_sets) {
    if (!pod_set.is_object() || !pod_set.contains("assign") || !pod_set["assign"].is_object()) {
      return Bad(where + ".assignment", "needs assign: flavor and quantity by resource");
    }
    for (const auto& [resource, one] : pod_set["assign"].items()) {
      const std::string here = where + ".assignment." + resource;
      PLIMSOLL_TRY(const std::string flavor, ReadName(one, "flavor", here));
      if (!one.contains("quantity")) return Bad(here, "has no quantity");
      PLIMSOLL_TRY(const std::int64_t amount, ReadQuantity(one["quantity"], resource, here));
      if (amount > kQuotaAmountMax / 1'000'000) return Bad(here, "is too large");
      AddUsage(to, {flavor, resource}, amount);
    }
  }
  return Ok();
}

// status.conditions as Kubernetes has them, or the short form evicted: true.
Result<bool> ReadEvicted(const Json& object, const std::string& where) {
  if (object.contains("evicted")) {
    if (!object["evicted"].is_boolean()) return Bad(where + ".evicted", "must be true or false");
    return object["evicted"].get<bool>();
  }
  PLIMSOLL_TRY(const std::vector<Json> conditions, ReadList(object, "conditions", where));
  for (const Json& one : conditions) {
    PLIMSOLL_TRY(const std::string type, ReadName(one, "type", where + ".conditions"));
    PLIMSOLL_TRY(const std::string status, ReadText(one, "status", where + ".conditions"));
    if (type == "Evicted" && status == "True") return true;
  }
  return false;
}

Result<PreemptionCase::Workload> ReadWorkload(const Json& object, const std::string& where) {
  PreemptionCase::Workload out;
  PLIMSOLL_TRY(out.name, ReadName(object, "name", where));
  const std::string here = where + " '" + out.name + "'";
  PLIMSOLL_TRY(out.queue, ReadText(object, "clusterQueue", here));
  PLIMSOLL_TRY(out.priority, ReadPriority(object, "priority", here));
  PLIMSOLL_TRY(const std::int64_t reserved, ReadInteger(object, "reservedAt_s", 0, here));
  out.reserved = AtSeconds(reserved);
  out.created = kLongAgo;
  if (object.contains("created")) {
    PLIMSOLL_TRY(const std::int64_t created, ReadInteger(object, "created", 0, here));
    out.created = AtSeconds(created);
  }
  PLIMSOLL_TRY(out.evicted, ReadEvicted(object, here));
  return out;
}

Result<PreemptionCase::Workload> ReadAdmitted(const Json& object, const std::string& where) {
  PLIMSOLL_TRY(PreemptionCase::Workload out, ReadWorkload(object, where));
  const std::string here = where + " '" + out.name + "'";
  if (out.queue.empty()) return Bad(here, "has no clusterQueue");
  PLIMSOLL_RETURN_IF_ERROR(ReadAssignment(object, out, here));
  if (!out.usage.empty()) return out;
  PLIMSOLL_TRY(const std::string flavor, ReadName(object, "flavor", here));
  PLIMSOLL_TRY(const auto requests, ReadRequests(object, here));
  for (const auto& pod_set : requests) {
    for (const auto& [resource, amount] : pod_set) AddUsage(out, {flavor, resource}, amount);
  }
  return out;
}

// "flavorassigner.Preempt" or "Preempt": whether the flavor is contested.
Result<bool> ReadMode(const Json& flavor, const std::string& where) {
  PLIMSOLL_TRY(const std::string text, ReadName(flavor, "Mode", where));
  const std::string mode = text.substr(text.rfind('.') + 1);
  if (mode != "Preempt" && mode != "Fit") {
    return Bad(where + ".Mode", "is '" + text + "', not Preempt or Fit");
  }
  return mode == "Preempt";
}

// Of a pod set's requests those of so many pods; all of them below 0.
Result<std::int64_t> ScaleTo(std::int64_t amount, std::int64_t pods, const Json& incoming,
                             std::size_t pod_set) {
  if (pods < 0) return amount;
  std::int64_t count = 1;
  if (incoming.contains("podSets")) {
    PLIMSOLL_TRY(count, ReadInteger(incoming["podSets"][pod_set], "count", 1, "incoming"));
  }
  if (pods > count) return Bad("nominatedAssignment.Count", "is more than the pod set has");
  return count == 0 ? 0 : amount / count * pods;
}

// The flavors of each pod set of the incoming workload.
Status ReadNominated(const Json& nominated, const Json& incoming, PreemptionCase& out) {
  const std::string where = "nominatedAssignment";
  if (!nominated.is_object()) return Bad(where, "must be flavors by resource");
  std::vector<Json> flavors = {nominated};
  std::vector<std::int64_t> counts = {-1};  // of the pod set: the assignment may have fewer
  if (nominated.contains("PodSets")) {
    PLIMSOLL_TRY(const std::vector<Json> pod_sets, ReadList(nominated, "PodSets", where));
    flavors.clear();
    counts.clear();
    for (const Json& pod_set : pod_sets) {
      if (!pod_set.is_object() || !pod_set.contains("Flavors") || !pod_set["Flavors"].is_object()) {
        return Bad(where + ".PodSets", "needs Flavors by resource");
      }
      flavors.push_back(pod_set["Flavors"]);
      PLIMSOLL_TRY(counts.emplace_back(), ReadInteger(pod_set, "Count", -1, where));
    }
  }
  PLIMSOLL_TRY(const auto requests, ReadRequests(incoming, "incoming"));
  if (requests.size() != flavors.size()) {
    return Bad(where, "has " + std::to_string(flavors.size()) +
                          " pod sets, the incoming workload " + std::to_string(requests.size()));
  }
  for (std::size_t i = 0; i < requests.size(); ++i) {
    for (const auto& [resource, flavor] : flavors[i].items()) {
      PLIMSOLL_TRY(const std::string name, ReadName(flavor, "Name", where + "." + resource));
      PLIMSOLL_TRY(const bool contested, ReadMode(flavor, where + "." + resource));
      if (contested) out.contested.emplace_back(name, resource);
      const auto at = requests[i].find(resource);
      if (at == requests[i].end() || at->second == 0) continue;
      PLIMSOLL_TRY(const std::int64_t amount, ScaleTo(at->second, counts[i], incoming, i));
      if (amount > 0) AddUsage(out.incoming, {name, resource}, amount);
    }
    for (const auto& [resource, amount] : requests[i]) {
      if (amount == 0 || flavors[i].contains(resource)) continue;
      return Bad(where, "has no flavor for " + resource);
    }
  }
  return Ok();
}

Status ReadFair(const Json& object, PreemptionCase& out) {
  out.rules.fair_sharing = true;
  PLIMSOLL_TRY(std::string flavor, ReadText(object, "assignmentFlavor", out.name));
  if (flavor.empty()) flavor = "default";
  PLIMSOLL_TRY(const auto requests, ReadRequests(object["incoming"], "incoming"));
  for (const auto& pod_set : requests) {
    for (const auto& [resource, amount] : pod_set) {
      out.contested.emplace_back(flavor, resource);
      if (amount > 0) AddUsage(out.incoming, {flavor, resource}, amount);
    }
  }
  PLIMSOLL_TRY(const std::vector<Json> strategies, ReadList(object, "strategies", out.name));
  if (!strategies.empty()) out.rules.fair_strategies.clear();
  for (const Json& one : strategies) {
    if (one == "LessThanOrEqualToFinalShare") {
      out.rules.fair_strategies.push_back(FairStrategy::kLessThanOrEqualToFinalShare);
    } else if (one == "LessThanInitialShare") {
      out.rules.fair_strategies.push_back(FairStrategy::kLessThanInitialShare);
    } else {
      return Bad("strategies", one.dump() + " is no strategy of fair sharing");
    }
  }
  return Ok();
}

void DropLendingLimits(QuotaSpec& spec) {
  const auto drop = [](std::vector<QuotaGroup>& groups) {
    for (QuotaGroup& group : groups) {
      for (FlavorQuotas& flavor : group) {
        for (ResourceQuota& quota : flavor.resources) quota.lending_limit.reset();
      }
    }
  };
  for (QueueSpec& queue : spec.queues) drop(queue.groups);
  for (CohortSpec& cohort : spec.cohorts) drop(cohort.groups);
}

// Gates that do not concern who is evicted are let be.
Status ReadGates(const Json& object, PreemptionCase& out) {
  const auto at = object.find("featureGates");
  if (at == object.end() || at->is_null()) return Ok();
  if (!at->is_object()) return Bad("featureGates", "must be true or false by name");
  for (const auto& [gate, value] : at->items()) {
    if (!value.is_boolean()) return Bad("featureGates." + gate, "must be true or false");
    const bool on = value.get<bool>();
    const std::string name = gate.substr(gate.rfind('.') + 1);
    QuotaRules& rules = out.rules;
    if (name == "FairSharingPreemptWithinNominal") rules.fair_sharing_preempt_within_nominal = on;
    if (name == "FairSharingReevaluatePreemptionCandidates") {
      rules.fair_sharing_reevaluate_preemption_candidates = on;
    }
    if (name == "LendingLimit" && !on) DropLendingLimits(out.spec);
    if (name == "SchedulerTimestampPreemptionBuffer") {
      rules.scheduler_timestamp_preemption_buffer = on;
    }
  }
  return Ok();
}

Status ReadWanted(const Json& object, PreemptionCase& out) {
  PLIMSOLL_TRY(const std::vector<Json> wanted, ReadList(object, "wantPreempted", "case"));
  for (const Json& one : wanted) {
    PLIMSOLL_TRY(const std::string workload, ReadName(one, "workload", "wantPreempted"));
    PLIMSOLL_TRY(const std::string reason, ReadName(one, "reason", "wantPreempted"));
    out.wanted.push_back(workload + " " + reason);
  }
  std::sort(out.wanted.begin(), out.wanted.end());
  return Ok();
}

// A cohort that the set names gets what the case says of it.
Status ReadTree(const Json& document, const Json& object, PreemptionCase& out) {
  PLIMSOLL_TRY(const std::string set, ReadName(object, "clusterQueueSet", "case"));
  const Json& sets = document["clusterQueueSets"];
  if (!sets.contains(set)) return Bad("clusterQueueSet", "there is no set '" + set + "'");
  PLIMSOLL_TRY(const std::vector<Json> queues, ReadList(sets, set.c_str(), "clusterQueueSets"));
  for (const Json& one : queues) {
    PLIMSOLL_TRY(QueueSpec queue, ReadQueue(one, "clusterQueueSets." + set));
    out.spec.queues.push_back(std::move(queue));
  }
  PLIMSOLL_TRY(const std::vector<Json> cohorts, ReadList(object, "cohorts", "case"));
  for (const Json& one : cohorts) {
    PLIMSOLL_TRY(CohortSpec cohort, ReadCohort(one, "cohorts"));
    out.spec.cohorts.push_back(std::move(cohort));
  }
  return Ok();
}

Status ReadCase(const Json& document, const Json& object, PreemptionCase& out) {
  PLIMSOLL_RETURN_IF_ERROR(ReadTree(document, object, out));
  PLIMSOLL_TRY(const std::vector<Json> admitted, ReadList(object, "admitted", "case"));
  for (const Json& one : admitted) {
    PLIMSOLL_TRY(PreemptionCase::Workload workload, ReadAdmitted(one, "admitted"));
    out.admitted.push_back(std::move(workload));
  }
  if (!object.contains("incoming")) return Bad("incoming", "is missing");
  PLIMSOLL_TRY(out.incoming, ReadWorkload(object["incoming"], "incoming"));
  PLIMSOLL_TRY(out.incoming.queue, ReadName(object, "targetClusterQueue", "case"));
  PLIMSOLL_RETURN_IF_ERROR(ReadGates(object, out));
  PLIMSOLL_RETURN_IF_ERROR(ReadWanted(object, out));
  const auto nominated = object.find("nominatedAssignment");
  return nominated == object.end() ? ReadFair(object, out)
                                   : ReadNominated(*nominated, object["incoming"], out);
}

// Quotas of 0 for what is used or asked for without one, as Kueue takes it.
void NameAllCells(PreemptionCase& one) {
  CohortSpec& apart = one.spec.cohorts.emplace_back();
  apart.name = "\n";  // no Kubernetes object bears such a name
  std::map<FlavorResource, int> cells;
  for (const auto& [cell, amount] : one.incoming.usage) cells[cell];
  for (const FlavorResource& cell : one.contested) cells[cell];
  for (const PreemptionCase::Workload& workload : one.admitted) {
    for (const auto& [cell, amount] : workload.usage) cells[cell];
  }
  for (const auto& [cell, unused] : cells) {
    apart.groups.push_back({{cell.first, {{cell.second, 0, {}, {}}}}});
  }
}

}  // namespace

bool HasPreemptionCases(const Json& document) {
  return document.is_object() && document.contains("clusterQueueSets") &&
         document["clusterQueueSets"].is_object() && document.contains("cases") &&
         document["cases"].is_array();
}

Result<std::vector<PreemptionCase>> ReadPreemptionCases(const Json& document) {
  std::vector<PreemptionCase> out;
  for (const Json& object : document["cases"]) {
    const std::string where = "cases[" + std::to_string(out.size()) + "]";
    PreemptionCase& one = out.emplace_back();
    PLIMSOLL_TRY(one.name, ReadName(object, "name", where));
    const Status status = ReadCase(document, object, one);
    if (!status) return Bad(where + " '" + one.name + "'", status.error().message);
    NameAllCells(one);
  }
  return out;
}

Result<std::vector<std::string>> EvaluatePreemptionCase(const PreemptionCase& one) {
  PLIMSOLL_TRY(QuotaTree tree, QuotaTree::Build(one.spec));
  QuotaState state(std::move(tree));
  std::vector<std::string> names;  // ids by name: the tests' UIDs are names
  for (const PreemptionCase::Workload& workload : one.admitted) names.push_back(workload.name);
  std::sort(names.begin(), names.end());
  const auto amounts = [&](const PreemptionCase::Workload& workload) {
    std::vector<QuotaAmount> usage;
    for (const auto& [cell, amount] : workload.usage) {
      usage.push_back({state.tree().FindCell(cell.first, cell.second), amount});
    }
    return usage;
  };
  for (const PreemptionCase::Workload& workload : one.admitted) {
    const QuotaNode queue = state.tree().FindQueue(workload.queue);
    if (queue == kNoQuotaNode) {
      return Bad("admitted '" + workload.name + "'", "no queue '" + workload.queue + "'");
    }
    const auto id = static_cast<std::uint64_t>(
        std::lower_bound(names.begin(), names.end(), workload.name) - names.begin());
    state.Admit({id, queue, workload.priority, workload.created, workload.reserved,
                 workload.evicted, amounts(workload)});
  }
  const QuotaNode queue = state.tree().FindQueue(one.incoming.queue);
  if (queue == kNoQuotaNode)
    return Bad("targetClusterQueue", "no queue '" + one.incoming.queue + "'");
  const std::vector<QuotaAmount> usage = amounts(one.incoming);
  std::vector<QuotaCell> contested;
  for (const auto& [flavor, resource] : one.contested) {
    contested.push_back(state.tree().FindCell(flavor, resource));
  }
  std::vector<std::string> got;
  const auto victims = FindVictims(
      state, {queue, one.incoming.priority, one.incoming.created, usage, contested}, one.rules);
  for (const Victim& victim : victims) {
    got.push_back(names[state.workload(victim.workload).id] + " " +
                  kPreemptionReasonNames[static_cast<std::size_t>(victim.reason)]);
  }
  std::sort(got.begin(), got.end());
  return got;
}

Result<CaseTally> RunPreemptionCases(const Json& document, std::ostream& out) {
  PLIMSOLL_TRY(const std::vector<PreemptionCase> cases, ReadPreemptionCases(document));
  const auto text = [](const std::vector<std::string>& victims) {
    std::string joined;
    for (const std::string& one : victims) joined += (joined.empty() ? "" : ", ") + one;
    return joined.empty() ? std::string("none") : joined;
  };
  CaseTally tally;
  for (const PreemptionCase& one : cases) {
    const Result<std::vector<std::string>> got = EvaluatePreemptionCase(one);
    if (!got) return Bad("case '" + one.name + "'", got.error().message);
    if (*got == one.wanted) {
      ++tally.passed;
      continue;
    }
    ++tally.failed;
    out << "FAIL " << one.name << ": wanted " << text(one.wanted) << "; got " << text(*got) << "\n";
  }
  return tally;
}

}  // namespace plimsoll
