#include "ingest/kubernetes/set_asides.h"

#include <algorithm>
#include <utility>

#include "ingest/kubernetes/pod_object.h"
#include "ingest/kubernetes/pod_template.h"

namespace plimsoll {
namespace {

constexpr std::int64_t kReplicasMax = 1'000'000;

}  // namespace

void CapacityBuffers::AddTemplate(const FieldReader& object, const std::string& kind) {
  const auto pod_template = TemplateOf(object);
  if (!pod_template) return;
  Template read{object.Text("metadata.resourceVersion"), CardMicrosOf(*pod_template)};
  if (object.has_error()) return;
  const Name name{object.Text("metadata.namespace"), object.Text("metadata.name")};
  Template& kept = templates_[{name, kind}];
  if (IsLaterVersion(kept.resource_version, read.resource_version)) return;
  kept = std::move(read);
}

void CapacityBuffers::AddBuffer(const FieldReader& object, const Sighting& sighting) {
  Buffer buffer;
  buffer.resource_version = object.Text("metadata.resourceVersion");
  buffer.kind = "PodTemplate";
  buffer.target = object.Text("status.podTemplateRef.name");
  if (buffer.target.empty()) buffer.target = object.Text("spec.podTemplateRef.name");
  if (buffer.target.empty()) {
    buffer.kind = object.Text("spec.scalableRef.kind");
    buffer.target = object.Text("spec.scalableRef.name");
  }
  buffer.replicas = std::clamp<std::int64_t>(object.Integer("status.replicas"), 0, kReplicasMax);
  for (const FieldReader& condition : object.Elements("status.conditions")) {
    if (!condition.Text("type").starts_with("Ready")) continue;  // ReadyForProvisioning
    buffer.changed = condition.Time("lastTransitionTime");
    if (condition.Text("status") == "False") buffer.replicas = 0;
  }
  const Name name{object.Text("metadata.namespace"), object.Text("metadata.name")};
  if (name.second.empty()) object.Fail("metadata.name", "is missing");
  if (object.has_error()) return;
  if (sighting.gone) {
    buffer.replicas = 0;
    buffer.changed.reset();
  }
  const auto [at, is_new] = buffers_[name].emplace(sighting.at, buffer);
  if (!is_new &&
      (sighting.gone || !IsLaterVersion(at->second.resource_version, buffer.resource_version))) {
    at->second = std::move(buffer);
  }
}

std::vector<SetAsideHistory> CapacityBuffers::Histories(Instant as_of,
                                                        std::int64_t& unresolved) const {
  std::vector<SetAsideHistory> histories;
  for (const auto& [name, sightings] : buffers_) {
    SetAsideHistory history{"capacity-buffer", name.first, name.second, name.first, {}};
    for (const auto& [at, buffer] : sightings) {
      const auto found = templates_.find({{name.first, buffer.target}, buffer.kind});
      if (found == templates_.end() && buffer.replicas > 0) {
        ++unresolved;
        history.sightings.clear();
        break;
      }
      const std::int64_t micros = buffer.replicas == 0 ? 0 : found->second.micros * buffer.replicas;
      history.sightings.push_back({std::to_string(WholeCards(micros)), at.value_or(as_of),
                                   buffer.changed, std::to_string(buffer.replicas) + " replicas"});
    }
    if (!history.sightings.empty()) histories.push_back(std::move(history));
  }
  return histories;
}

}  // namespace plimsoll
