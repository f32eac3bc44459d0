// DeviceClaims: GPUs that pods hold by ResourceClaims (DRA), which no request shows.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "ingest/kubernetes/pod_object.h"

namespace plimsoll {

// Reads resource.k8s.io objects of v1 and its betas. A whole device is a "gpu.claim", so that
// it never mixes with the device plugin's "gpu"; a MIG device is its profile.
class DeviceClaims {
 public:
  void AddSlice(const FieldReader& object);
  void AddClaim(const FieldReader& object);

  // First every bound pod is told, then each is given what it holds: of a claim that several
  // pods share, one part among as many as ever held it at the same time as the pod.
  void TakePod(const PodObject& pod);
  // False if a claim of the pod, or what its device is, is not among the objects.
  bool Apply(PodObject& pod) const;

  // Whether DRA gives out the node's GPUs; how many cards its slices show.
  bool HasNode(const std::string& node) const;
  std::int64_t CardsOf(const std::string& node) const;

 private:
  using Name = std::pair<std::string, std::string>;  // namespace, name
  struct Device {
    std::string driver, pool, name;
    friend auto operator<=>(const Device&, const Device&) = default;
  };
  struct Claim {
    std::string resource_version;
    std::vector<Device> devices;  // of GPU drivers
    std::set<std::string> reserved_for;
    bool allocated = false;
  };
  struct HeldSpan {
    std::string uid;
    Instant begin;
    std::optional<Instant> until;
  };
  std::optional<DeviceUnit> UnitOf(const Device& device) const;
  std::int64_t SharersOf(const Name& name, const Claim& claim, const PodObject& pod) const;

  std::map<Device, std::string> profiles_;              // of MIG devices; "" of whole ones
  std::map<std::string, std::set<std::string>> cards_;  // by node: UUIDs, else names
  std::set<std::string> nodes_;
  std::map<Name, Claim> claims_;
  std::map<Name, std::vector<HeldSpan>> holders_;
};

}  // namespace plimsoll
