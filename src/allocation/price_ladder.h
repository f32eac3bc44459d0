// PriceLadder: what a node that no bill names costs (rule S6).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "allocation/node_table.h"
#include "catalog/price_book.h"

namespace plimsoll {

struct NodePrice {
  Money cost;
  std::string_view rung;     // kRung*; kRungNone: cost is 0 and unknown
  std::string_view source;   // AssetCostBatch::price_source
  bool is_stand_in = false;  // on-demand price for a spot or reserved node
  bool is_owned = false;     // what the machine costs its owner, used or not
};

class PriceLadder {
 public:
  PriceLadder(const AllocationInput& input, const AllocationOptions& options);

  // The cost of the node's `provisioned` time at the price in force when it begins.
  // REQUIRES: provisioned begins within the window. Fails with kOutOfRange past 38 digits.
  Result<NodePrice> CostOfTime(std::int32_t node, const NodeFact& fact, const Window& provisioned);

 private:
  struct Step {
    Window window;
    UnitPrice<GpuHours> price;  // per block of milliseconds
    std::string rung, source;
    bool is_stand_in = false;
    bool is_owned = false;
  };
  using Key =
      std::tuple<std::string, std::string, std::string, std::string, std::string, std::string>;
  const std::vector<Step>& StepsOf(std::int32_t node, const NodeFact& fact);

  PriceBook book_;
  Window window_;
  std::string currency_;
  std::map<Key, std::vector<Step>> steps_;  // by (provider, region, type, purchase)
  std::map<std::int32_t, const std::vector<Step>*> of_node_;
};

}  // namespace plimsoll
