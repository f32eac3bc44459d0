#include "ingest/kubernetes/owners.h"

#include <charconv>
#include <string_view>

namespace plimsoll {
namespace {

constexpr int kChainMax = 16;  // longer is a cycle

void NameByTemplateHash(OwnerIndex::Top& top, const std::map<std::string, std::string>& labels) {
  const auto hash = labels.find("pod-template-hash");
  if (top.kind != "ReplicaSet" || hash == labels.end()) return;
  const std::string suffix = "-" + hash->second;
  if (hash->second.empty() || top.name.size() <= suffix.size()) return;
  if (!std::string_view(top.name).ends_with(suffix)) return;
  top.kind = "Deployment";
  top.name.resize(top.name.size() - suffix.size());
}

// Owners that name themselves on their pods: below which kind, by which label.
struct NamingLabel {
  std::string_view below, label, kind;
};
constexpr NamingLabel kNamingLabels[] = {
    {"Job", "jobset.sigs.k8s.io/jobset-name", "JobSet"},
    {"StatefulSet", "leaderworkerset.sigs.k8s.io/name", "LeaderWorkerSet"},
    {"Pod", "leaderworkerset.sigs.k8s.io/name", "LeaderWorkerSet"},
    {"StatefulSet", "notebook-name", "Notebook"},
    {"Deployment", "serving.kserve.io/inferenceservice", "InferenceService"},
    {"ReplicaSet", "serving.kserve.io/inferenceservice", "InferenceService"},
    {"Revision", "serving.kserve.io/inferenceservice", "InferenceService"},
};

void NameByLabels(OwnerIndex::Top& top, const std::map<std::string, std::string>& labels) {
  for (const NamingLabel& naming : kNamingLabels) {
    const auto name = labels.find(std::string(naming.label));
    if (top.kind != naming.below || name == labels.end() || name->second.empty()) continue;
    top.kind = naming.kind;
    top.name = name->second;
    return;
  }
  const auto kind = labels.find("ray.io/originated-from-crd");
  const auto name = labels.find("ray.io/originated-from-cr-name");
  if (top.kind != "RayCluster" || kind == labels.end() || name == labels.end()) return;
  if (kind->second.empty() || name->second.empty()) return;
  top.kind = kind->second;
  top.name = name->second;
}

// The CronJob controller ends a Job's name with the minute for which it was due.
void NameByMinute(OwnerIndex::Top& top, Instant created) {
  const std::size_t dash = top.name.rfind('-');
  if (top.kind != "Job" || dash == std::string::npos || dash == 0) return;
  const char* const end = top.name.data() + top.name.size();
  std::int64_t minute = 0;
  const auto [stop, error] = std::from_chars(top.name.data() + dash + 1, end, minute);
  if (error != std::errc() || stop != end) return;
  const std::int64_t latest = created.base() / Minutes(1).base() + 1;
  if (minute > latest || minute < latest - Days(7).base() / Minutes(1).base()) return;
  top.kind = "CronJob";
  top.name.resize(dash);
}

}  // namespace

OwnerRef ControllerOf(const FieldReader& object) {
  OwnerRef first;
  bool is_first = true;
  for (const FieldReader& reference : object.Elements("metadata.ownerReferences")) {
    OwnerRef owner{reference.Text("kind"), reference.Text("name"), reference.Text("uid")};
    if (reference.Boolean("controller")) return owner;
    if (is_first) first = std::move(owner);
    is_first = false;
  }
  return first;
}

OwnerIndex::Top OwnerIndex::Climb(const OwnerRef& owner,
                                  const std::map<std::string, std::string>& pod_labels,
                                  std::optional<Instant> created) {
  Top top{owner.kind, owner.name, ""};
  OwnerRef at = owner;
  bool cut = false;  // the chain leads to an object that is not known
  for (int steps = 0; steps < kChainMax && !at.kind.empty(); ++steps) {
    top.kind = at.kind;
    top.name = at.name;
    const auto object = objects_.find(at.uid);
    cut = object == objects_.end();
    if (cut) break;
    used_kinds_.insert(object->second.kind);
    if (top.queue.empty()) top.queue = object->second.queue;
    at = object->second.owner;
  }
  NameByTemplateHash(top, pod_labels);
  if (!cut) return top;
  NameByLabels(top, pod_labels);
  if (created) NameByMinute(top, *created);
  return top;
}

std::vector<std::string> OwnerIndex::Chain(const OwnerRef& owner) const {
  std::vector<std::string> uids;
  OwnerRef at = owner;
  for (int steps = 0; steps < kChainMax && !at.uid.empty(); ++steps) {
    uids.push_back(at.uid);
    const auto object = objects_.find(at.uid);
    if (object == objects_.end()) break;
    at = object->second.owner;
  }
  return uids;
}

}  // namespace plimsoll
