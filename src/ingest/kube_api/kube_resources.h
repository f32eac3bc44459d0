// KubeResources: the collections of the API that hold what cost is made of.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

namespace plimsoll {

struct KubeResource {
  const char* group;                  // "" for the core group
  std::vector<const char*> versions;  // the first that the server has is read
  const char* plural;
  const char* kind;
  bool required = false;  // without it there is no inventory

  // "/apis/batch/v1/jobs", "/api/v1/pods": of all namespaces.
  std::string PathOf(const char* version) const;
  std::string ApiVersionOf(const char* version) const;  // "batch/v1", "v1"
  // What a ClusterRole must say to allow it, on one line.
  std::string RuleFor() const;
};

// Nodes first, then pods, what owns pods, what sets capacity aside, volumes, DRA.
std::span<const KubeResource> KubeResources();

}  // namespace plimsoll
