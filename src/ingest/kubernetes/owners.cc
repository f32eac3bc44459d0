#include "ingest/kubernetes/owners.h"

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
                                  const std::map<std::string, std::string>& pod_labels) {
  Top top{owner.kind, owner.name, ""};
  OwnerRef at = owner;
  for (int steps = 0; steps < kChainMax && !at.kind.empty(); ++steps) {
    top.kind = at.kind;
    top.name = at.name;
    const auto object = objects_.find(at.uid);
    if (object == objects_.end()) break;
    used_kinds_.insert(object->second.kind);
    if (top.queue.empty()) top.queue = object->second.queue;
    at = object->second.owner;
  }
  NameByTemplateHash(top, pod_labels);
  return top;
}

}  // namespace plimsoll
