#include "ingest/kubernetes/kueue_workloads.h"

#include <algorithm>
#include <set>

#include "ingest/kubernetes/kubernetes_quantity.h"
#include "ingest/kubernetes/pod_template.h"

namespace plimsoll {
namespace {

constexpr std::int64_t kCountMax = 1'000'000;

// Cards in a map of resources and quantities.
std::int64_t CardMicrosOf(const std::map<std::string, std::string>& amounts) {
  PodRecord all;
  for (const auto& [resource, text] : amounts) {
    const auto amount = ParseKubernetesQuantity(text, 1);
    if (amount && DeviceUnitOf(resource)) all.requests[resource] = std::min(*amount, kCountMax);
  }
  return plimsoll::CardMicrosOf(all);
}

}  // namespace

void KueueWorkloads::ReadConditions(const FieldReader& object, Workload& workload) {
  for (const FieldReader& condition : object.Elements("status.conditions")) {
    const std::string type = condition.Text("type");
    const bool is_true = condition.Text("status") == "True";
    const auto changed = condition.Time("lastTransitionTime");
    if ((type == "QuotaReserved" || type == "Admitted") && is_true && changed) {
      workload.reserved = workload.reserved ? std::min(*workload.reserved, *changed) : *changed;
    } else if (type == "QuotaReserved" && changed) {
      workload.released = changed;
    } else if (type == "Finished" && is_true && changed) {
      workload.released = changed;
      workload.reserved.reset();
    } else if (type == "Evicted") {
      workload.evicted = is_true;
    }
  }
}

void KueueWorkloads::ReadPodSets(const FieldReader& object, Workload& workload) {
  for (const FieldReader& set : object.Elements("status.admission.podSetAssignments")) {
    workload.micros += CardMicrosOf(set.Texts("resourceUsage"));
  }
  if (object.Elements("status.admission.podSetAssignments").empty()) {
    for (const FieldReader& set : object.Elements("spec.podSets")) {
      const auto pod_template = set.Object("template");
      if (!pod_template) continue;
      workload.micros += plimsoll::CardMicrosOf(*pod_template) *
                         std::clamp<std::int64_t>(set.Integer("count"), 0, kCountMax);
    }
  }
  workload.micros = std::clamp<std::int64_t>(workload.micros, 0, kCountMax * kMicrosPerCard);
  for (const FieldReader& set : object.Elements("status.reclaimablePods")) {
    workload.reclaimable += std::clamp<std::int64_t>(set.Integer("count"), 0, kCountMax);
  }
}

void KueueWorkloads::Add(const FieldReader& object, const Sighting& sighting) {
  const Name name{object.Text("metadata.namespace"), object.Text("metadata.name")};
  Workload workload;
  workload.resource_version = object.Text("metadata.resourceVersion");
  workload.queue = object.Text("spec.queueName");
  workload.cluster_queue = object.Text("status.admission.clusterQueue");
  workload.at = sighting.at;
  workload.gone = sighting.gone;
  for (const FieldReader& owner : object.Elements("metadata.ownerReferences")) {
    workload.owners.push_back(owner.Text("uid"));
  }
  ReadConditions(object, workload);
  ReadPodSets(object, workload);
  if (name.second.empty()) object.Fail("metadata.name", "is missing");
  if (object.has_error()) return;
  for (const std::string& owner : workload.owners) by_owner_[owner] = name;
  const auto [at, is_new] = workloads_.emplace(name, workload);
  if (is_new) return;
  Workload& kept = at->second;
  const bool later = !IsLaterVersion(kept.resource_version, workload.resource_version);
  if (workload.gone || (later && !kept.gone)) kept = std::move(workload);
}

void KueueWorkloads::TakePod(const PodObject& object, const OwnerIndex& owners) {
  const PodRecord& pod = object.pod;
  if (workloads_.empty() || pod.node.empty() || !pod.scheduled) return;
  auto workload = workloads_.find({pod.ns, object.kueue_workload});
  std::vector<std::string> chain = owners.Chain(object.owner);
  chain.insert(chain.begin(), pod.uid);
  for (const std::string& uid : chain) {
    if (workload != workloads_.end()) break;
    const auto owned = by_owner_.find(uid);
    if (owned != by_owner_.end()) workload = workloads_.find(owned->second);
  }
  if (workload == workloads_.end()) return;
  workload->second.held.push_back({*pod.scheduled, pod.ended, plimsoll::CardMicrosOf(pod),
                                   pod.ended && pod.end_reason == "Completed"});
}

std::vector<Sighted> KueueWorkloads::StepsOf(const Workload& workload, Instant as_of) {
  const Instant seen = workload.at.value_or(as_of);
  if (!workload.reserved || workload.gone) {
    return {{"0", seen, workload.gone ? std::nullopt : workload.released, ""}};
  }
  const Instant begin = std::min(*workload.reserved, seen);
  std::vector<HeldSpan> held = workload.held;
  // The first to complete are those whose part was given back.
  std::sort(held.begin(), held.end(), [](const HeldSpan& a, const HeldSpan& b) {
    return std::tie(a.until, a.begin, a.micros) < std::tie(b.until, b.begin, b.micros);
  });
  std::int64_t given_back = workload.reclaimable;
  for (HeldSpan& span : held) {
    if (!span.completed || given_back == 0) continue;
    span.until.reset();
    --given_back;
  }
  std::set<Instant> times = {begin};
  for (const HeldSpan& span : held) {
    if (span.begin > begin && span.begin <= seen) times.insert(span.begin);
    if (span.until && *span.until > begin && *span.until <= seen) times.insert(*span.until);
  }
  std::vector<Sighted> steps;
  for (const Instant time : times) {
    std::int64_t micros = workload.micros;
    for (const HeldSpan& span : held) {
      if (span.begin <= time && (!span.until || *span.until > time)) micros -= span.micros;
    }
    const std::string value = std::to_string(WholeCards(std::max<std::int64_t>(micros, 0)));
    std::string why = "quota reserved";
    if (!workload.cluster_queue.empty()) why += " in " + workload.cluster_queue;
    if (workload.evicted) why += ", evicted";
    if (steps.empty() || steps.back().value != value) steps.push_back({value, time, time, why});
  }
  Sighted last = steps.back();
  last.seen = seen;
  if (last.seen != steps.back().seen) steps.push_back(std::move(last));
  return steps;
}

std::vector<SetAsideHistory> KueueWorkloads::Histories(Instant as_of) const {
  std::vector<SetAsideHistory> histories;
  for (const auto& [name, workload] : workloads_) {
    if (workload.micros == 0) continue;
    histories.push_back(
        {"kueue-workload", name.first, name.second, workload.queue, StepsOf(workload, as_of)});
  }
  return histories;
}

}  // namespace plimsoll
