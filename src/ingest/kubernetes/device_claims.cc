#include "ingest/kubernetes/device_claims.h"

#include <algorithm>

namespace plimsoll {
namespace {

constexpr std::int64_t kSharersMax = 10'000;

// Drivers whose devices are accelerators; network cards come by claims too.
bool IsAccelerator(const std::string& driver) {
  for (const char* known : {"gpu.nvidia.com", "gpu.amd.com", "gpu.intel.com", "gaudi.intel.com",
                            "tpu.google.com", "neuron.aws.com"}) {
    if (driver == known) return true;
  }
  return false;
}

std::string TextAttribute(const FieldReader& device, const char* name) {
  for (const char* path : {"attributes.", "basic.attributes."}) {
    const std::string text = device.Text(path + std::string(name) + ".string");
    if (!text.empty()) return text;
  }
  return "";
}

// "gpu-2-mig-1g10gb-9" names its profile: "1g.10gb". "" if it does not.
std::string ProfileInName(const std::string& device) {
  const std::size_t mark = device.find("-mig-");
  if (mark == std::string::npos) return "";
  std::string profile = device.substr(mark + 5);
  profile.resize(std::min(profile.find('-'), profile.size()));
  const std::size_t slices = profile.find('g');
  if (slices != std::string::npos) profile.insert(slices + 1, ".");
  return MigUnitOf(profile) ? profile : "";
}

}  // namespace

void DeviceClaims::AddSlice(const FieldReader& object) {
  const std::string driver = object.Text("spec.driver");
  const std::string pool = object.Text("spec.pool.name");
  std::string node = object.Text("spec.nodeName");
  if (!IsAccelerator(driver)) return;
  if (node.empty()) node = pool;
  for (const FieldReader& device : object.Elements("spec.devices")) {
    const std::string name = device.Text("name");
    const bool is_mig = TextAttribute(device, "type") == "mig";
    std::string card = TextAttribute(device, is_mig ? "parentUUID" : "uuid");
    if (card.empty() && !is_mig) card = name;
    if (!card.empty()) cards_[node].insert(card);
    profiles_[{driver, pool, name}] = is_mig ? TextAttribute(device, "profile") : "";
  }
  nodes_.insert(node);
}

void DeviceClaims::AddClaim(const FieldReader& object) {
  const Name name{object.Text("metadata.namespace"), object.Text("metadata.name")};
  Claim claim;
  claim.resource_version = object.Text("metadata.resourceVersion");
  for (const FieldReader& result : object.Elements("status.allocation.devices.results")) {
    Device device{result.Text("driver"), result.Text("pool"), result.Text("device")};
    // Admin access watches a device and keeps it from nobody.
    if (!IsAccelerator(device.driver) || result.Boolean("adminAccess")) continue;
    nodes_.insert(device.pool);
    claim.devices.push_back(std::move(device));
  }
  for (const FieldReader& consumer : object.Elements("status.reservedFor")) {
    if (consumer.Text("resource") == "pods") claim.reserved_for.insert(consumer.Text("uid"));
  }
  claim.allocated = object.Object("status.allocation").has_value();
  if (name.second.empty()) object.Fail("metadata.name", "is missing");
  if (object.has_error()) return;
  const auto [at, is_new] = claims_.emplace(name, claim);
  if (is_new) return;
  Claim& kept = at->second;
  const bool later = !IsLaterVersion(kept.resource_version, claim.resource_version);
  // A claim that was given back says no more what its pods held, but an earlier sighting did.
  if (claim.allocated && (later || !kept.allocated)) {
    kept.devices = std::move(claim.devices);
    kept.allocated = true;
  }
  kept.reserved_for.merge(claim.reserved_for);
  if (later) kept.resource_version = claim.resource_version;
}

void DeviceClaims::TakePod(const PodObject& object) {
  const PodRecord& pod = object.pod;
  if (pod.node.empty() || !pod.scheduled) return;
  for (const std::string& claim : object.claims) {
    holders_[{pod.ns, claim}].push_back({pod.uid, *pod.scheduled, pod.ended});
  }
}

std::optional<DeviceUnit> DeviceClaims::UnitOf(const Device& device) const {
  const auto known = profiles_.find(device);
  const bool named_mig = device.name.find("-mig-") != std::string::npos;
  if (known == profiles_.end() && !named_mig) return DeviceUnit{"gpu.claim", 1, 1};
  if (known != profiles_.end() && known->second.empty() && !named_mig) {
    return DeviceUnit{"gpu.claim", 1, 1};
  }
  const std::string profile = known != profiles_.end() && !known->second.empty()
                                  ? known->second
                                  : ProfileInName(device.name);
  return MigUnitOf(profile);
}

std::int64_t DeviceClaims::SharersOf(const Name& name, const Claim& claim,
                                     const PodObject& object) const {
  std::set<std::string> sharers = {object.pod.uid};
  std::set<std::string> known;
  if (const auto holders = holders_.find(name); holders != holders_.end()) {
    const Instant begin = *object.pod.scheduled;
    for (const HeldSpan& span : holders->second) {
      known.insert(span.uid);
      const bool after = object.pod.ended && span.begin >= *object.pod.ended;
      const bool before = span.until && *span.until <= begin;
      if (!after && !before) sharers.insert(span.uid);
    }
  }
  for (const std::string& uid : claim.reserved_for) {
    if (!known.contains(uid) && !object.pod.ended) sharers.insert(uid);
  }
  return std::min(static_cast<std::int64_t>(sharers.size()), kSharersMax);
}

bool DeviceClaims::Apply(PodObject& object) const {
  if (object.pod.node.empty() || !object.pod.scheduled) return true;
  bool complete = true;
  for (std::size_t i = 0; i < object.claims.size(); ++i) {
    const Name name{object.pod.ns, object.claims[i]};
    const auto claim = claims_.find(name);
    if (claim == claims_.end() || !claim->second.allocated) {
      complete = false;
      continue;
    }
    const std::int64_t sharers = SharersOf(name, claim->second, object);
    for (const Device& device : claim->second.devices) {
      auto unit = UnitOf(device);
      if (!unit) {
        complete = false;
        continue;
      }
      unit->share_den *= sharers;
      const std::string resource = "claim/" + std::to_string(i) + "/" + unit->kind;
      ++object.pod.requests[resource];
      object.pod.units[resource] = *unit;
    }
  }
  return complete;
}

bool DeviceClaims::HasNode(const std::string& node) const { return nodes_.contains(node); }

std::int64_t DeviceClaims::CardsOf(const std::string& node) const {
  const auto cards = cards_.find(node);
  return cards == cards_.end() ? 0 : static_cast<std::int64_t>(cards->second.size());
}

}  // namespace plimsoll
