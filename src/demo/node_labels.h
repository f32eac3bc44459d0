// What Kubernetes says of a node: its labels and its capacity.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "demo/fleet.h"

namespace plimsoll {

// Well-known, Karpenter's and GPU feature discovery's labels.
std::map<std::string, std::string> NodeLabelsOf(const DemoNode& node);

// Extended resources by name: "nvidia.com/gpu" (whole cards), "nvidia.com/mig-1g.5gb", ...
std::map<std::string, std::int64_t> DevicesOf(const DemoNode& node);

// "aws:///us-east-1a/i-0123456789abcdef0"
std::string ProviderIdOf(const DemoNode& node);

}  // namespace plimsoll
