// SpotSaving: what running on spot saved against on demand, net of what evictions cost.
//
// Of a node: on demand the same work would have needed its hours less those that evictions lost,
// at the list price. So
//
//   net = list x (hours - lost) - spot cost = (list x hours - spot cost) - list x lost
//       = gross saving - time lost to evictions at the LIST price - what spot needs beside it
//
// A saving is known only of nodes whose list cost is known; others are counted, never as 0.
// Pure and exact: every table adds up to the totals, to the last nano.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "units/money.h"
#include "units/quantity.h"
#include "units/time.h"

namespace plimsoll {

struct SpotLoss {
  GpuHours recomputation, restart;
};

// A node on spot and what of it lies in the window.
struct SpotNode {
  std::string cluster, node, provider, currency, instance_type, gpu_model, zone;
  Money effective;                            // what it cost
  std::optional<Money> list;                  // of the same time on demand; null: not known
  bool is_list_priced = false;                // by an on-demand price, as no bill tells it
  GpuHours gpu_time, idle_time;               // provisioned; of it held by nobody
  std::map<std::string, GpuHours> team_time;  // of all GPU time; "" is nobody's
  std::optional<Instant> begin, until;        // existence, whatever the window
  Duration seen;                              // existed in the window
  std::optional<Instant> taken;               // until, if work on it was cut off then
  std::map<std::string, SpotLoss> lost;       // by team, of runs with a log
  GpuHours unlogged;  // that work without a log held when it was taken, since it began
};

// An amount that spot costs beside the nodes.
struct SpotDeclared {
  std::string name, kind;
  Money amount;
  std::string filter;  // "": a monthly amount
};

struct SpotRate {  // billionths per instance-hour, 95 % interval
  std::int64_t rate = 0, low = 0, high = 0;
};

struct SpotSums {
  std::vector<std::string> keys;
  std::int64_t nodes = 0, evictions = 0;
  Duration time;  // instance time
  GpuHours gpu_time;
  Money effective;
  Money known_effective, list;   // of nodes whose list cost is known
  Money recomputation, restart;  // at list prices
  std::optional<SpotRate> rate;
  bool has_unlogged = false;  // work without a run log was cut off

  bool is_lost_known() const { return !has_unlogged || recomputation + restart != Money(); }
  Money gross() const { return list - known_effective; }
  Money net() const { return gross() - recomputation - restart; }
};

struct SpotSaving {
  Window window;
  std::string currency;
  std::vector<std::string> other_currencies;  // their nodes are left out
  std::vector<SpotNode> nodes;                // by cluster and name
  SpotSums all;
  std::vector<SpotSums> flavors;  // keys: instance type, GPU model, zone
  std::vector<SpotSums> teams;    // keys: team, "" what nobody held; by gross, greatest first
  std::vector<SpotDeclared> declared;
  std::int64_t nodes_unknown = 0, nodes_priced = 0;  // without a list cost; by a price
  std::int64_t evictions_unlogged = 0;               // that cut off work without a run log
  Money unlogged_at_most;  // all that such work had done on those nodes, at list prices
  Money idle_gross;        // of the gross saving, on time that nobody held
  GpuHours lost_recomputation, lost_restart;

  Money declared_sum() const;
  // False if no node has a list cost.
  bool is_gross_known() const { return nodes_unknown < all.nodes; }
  // False if evictions cut off nothing but work without a run log.
  bool is_lost_known() const { return all.evictions == 0 || evictions_unlogged < all.evictions; }
  // At most this: work without a log may have lost more.
  Money net() const { return all.net() - declared_sum(); }
  Money net_at_least() const { return net() - unlogged_at_most; }
  bool is_net_exact() const { return evictions_unlogged == 0 && nodes_unknown == 0; }
};

// What `lost` of the node's time costs at its list price, half even; 0 if that is not known.
// Fails with kOutOfRange past 38 digits.
Result<Money> AtList(const SpotNode& node, GpuHours lost);

// Adds up the nodes in `currency`. Rates are filled in by the caller.
// Fails with kOutOfRange past 38 digits.
Result<SpotSaving> SavingOf(Window window, const std::string& currency, std::vector<SpotNode> nodes,
                            std::vector<SpotDeclared> declared);

}  // namespace plimsoll
