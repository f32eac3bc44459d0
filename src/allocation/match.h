// Match: which node a charge is for (rule S3).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "allocation/node_table.h"

namespace plimsoll {

// What is billed under a node's name: the key of its provider id, else the configured
// resource, else the provider id as it is, else the node's name.
//   aws:///us-east-1a/i-0abc       "i-0abc"
//   gce://p/z/n                    "projects/p/zones/z/instances/n"
//   azure:///subscriptions/A/...   "/subscriptions/a/..." (lower case)
struct NodeResource {
  enum class Kind : unsigned char { kAws, kGcp, kAzure, kOther };
  Kind kind = Kind::kOther;
  std::string key;
};
NodeResource ResourceOf(const NodeFact& node,
                        const std::map<std::string, std::string>& node_resources);

class NodeMatcher {
 public:
  NodeMatcher(const std::vector<NodeFact>& nodes,
              const std::map<std::string, std::string>& node_resources);

  // The first node, in order, that the resource names; -1 if none.
  std::int32_t Find(std::string_view resource_id, std::string_view resource_name) const;

 private:
  using Keys = std::unordered_map<std::string, std::int32_t>;
  Keys keys_[4];  // by NodeResource::Kind
  Keys names_;
};

// Row -> node of every charge that touches the window, -1 if none. A billed GPU machine that
// no node is (rule S5) becomes a node, added to `nodes`.
std::vector<std::int32_t> MatchCharges(const AllocationInput& input,
                                       const AllocationOptions& options, NodeTable& nodes);

// True if the charge is on some hour of the window.
bool TouchesWindow(const ChargeBatch& charges, std::size_t row, const Window& window);

// A charge that is about a node's own compute: not a commitment left unused, no purchase, no
// storage, no traffic.
bool IsAssetCost(const ChargeBatch& charges, std::size_t row);
bool IsUsage(const ChargeBatch& charges, std::size_t row);
bool IsStorage(const ChargeBatch& charges, std::size_t row);
bool IsNetworking(const ChargeBatch& charges, std::size_t row);
bool IsUnusedCommitment(const ChargeBatch& charges, std::size_t row);

}  // namespace plimsoll
