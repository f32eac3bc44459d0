// SetAsides: GPUs that an object keeps from others while no pod of its own is on them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "ingest/kubernetes/field_reader.h"
#include "ingest/kubernetes/runs.h"

namespace plimsoll {

// When and how an object was seen.
struct Sighting {
  std::string list_kind;      // "PodList", names the kind of an object that does not itself
  std::optional<Instant> at;  // null: when the whole input was read
  bool gone = false;          // a watch told that the object was deleted
};

// What one object set aside over time. `sightings` have the GPUs as their value.
struct SetAsideHistory {
  std::string kind, ns, name, owner;  // as SetAsideBatch
  std::vector<Sighted> sightings;
};

// CapacityBuffers (autoscaling.x-k8s.io): status.replicas of a pod template, kept free by the
// autoscaler. The pods exist in its memory only, so the object is all there is to see.
class CapacityBuffers {
 public:
  // Remembers the template of any object that a buffer may name.
  void AddTemplate(const FieldReader& object, const std::string& kind);
  void AddBuffer(const FieldReader& object, const Sighting& sighting);

  // One history a buffer. Sightings without a time are of `as_of`. Buffers whose template is
  // not among the objects are counted in `unresolved`, and say nothing.
  std::vector<SetAsideHistory> Histories(Instant as_of, std::int64_t& unresolved) const;

 private:
  struct Buffer {
    std::string resource_version, kind, target;
    std::int64_t replicas = 0;
    std::optional<Instant> changed;
  };
  using Name = std::pair<std::string, std::string>;  // namespace, name
  struct Template {
    std::string resource_version;
    std::int64_t micros = 0;
  };
  std::map<std::pair<Name, std::string>, Template> templates_;  // by name and kind
  std::map<Name, std::map<std::optional<Instant>, Buffer>> buffers_;
};

}  // namespace plimsoll
