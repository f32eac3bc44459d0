// The simulated fleet behind the demo: nodes, their GPUs, who held them, and the bill.
//
// Plain data, made by GenerateDemo and read by the writers and by the truth. All times are
// whole minutes, all shapes and requests whole vCPUs and GiB, all busy fractions whole
// percents, and prices multiples of kExactNanos, so that every split of every hour divides
// without a rest (see truth.h).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "demo/produced.h"
#include "units/money.h"
#include "units/time.h"

namespace plimsoll {

// Every price per split weight is a multiple of this: 60 min x 100 % x 7 slices x 10.
inline constexpr std::int64_t kExactNanos = 420'000;
inline constexpr Duration kDemoStep = Minutes(5);  // telemetry grid
inline constexpr std::uint8_t kNoSample = 255;     // a twelfth in which a unit has no sample
inline constexpr std::int64_t kWholeCard = 7;      // sevenths of a card
inline constexpr const char* kDemoCluster = "demo";
inline constexpr const char* kDemoSlurmCluster = "hpc";

struct DemoShape {
  std::string instance_type;
  std::string model_name;  // as dcgm-exporter prints it
  std::string product;     // as GPU feature discovery labels it
  std::int64_t gpus = 0, cpu = 0, gib = 0;
  std::int64_t fb_mib = 0, idle_watts = 0, deciwatts_per_percent = 0;
  std::int64_t weights() const { return 90 * gpus + 9 * cpu + gib; }
};

// What can be held: a whole card or one MIG instance of it.
struct DemoUnit {
  std::size_t card = 0;
  std::string instance, profile;  // GPU_I_ID and GPU_I_PROFILE; "" for a whole card
  std::int64_t sevenths = kWholeCard;
  std::vector<std::uint8_t> percent;  // busy, one a twelfth of the window, or kNoSample
  std::vector<std::size_t> holds;     // indices into DemoFleet::holds, in time order
  std::optional<Window> failed;       // the card has fallen off the bus
};

struct DemoCard {
  std::string uuid;
  std::vector<std::size_t> units;
  bool mig() const { return units.size() > 1; }
};

// How a node is bought, which decides its rows in the bill.
enum class DemoPurchase : unsigned char { kOnDemand, kCommitted, kSpot };

struct DemoNode {
  std::string cluster, name, zone, pool;
  DemoShape shape;
  DemoPurchase purchase = DemoPurchase::kOnDemand;
  std::string instance_id;  // AWS "i-0...", Google a number
  Instant begin;            // may lie before the window
  std::optional<Instant> until;
  std::optional<Window> silent;  // its exporter gives no samples
  std::vector<DemoCard> cards;
  std::vector<DemoUnit> units;

  bool slurm() const { return cluster == kDemoSlurmCluster; }
  // Nanos per split weight and hour.
  std::int64_t price = 0, list_price = 0;
  std::vector<std::int64_t> spot_price;  // by day of the window; empty if not spot
};

// How busy a holder keeps its units.
enum class DemoActivity : unsigned char {
  kIdle,
  kTraining,
  kServing,
  kSlices,
  kNotebook,
  kBatch,
  kSlurm
};

// A holder on one node: a pod, or a Slurm job's part of a node.
struct DemoHold {
  std::size_t node = 0;
  std::vector<std::size_t> units;
  std::int64_t cpu = 0, gib = 0;
  Instant bind, ready;
  std::optional<Instant> end;  // none: still held when the window ends
  std::string workload;        // unique key of the workload
  std::string who;             // team, or the reason why it has none
  std::string ns, name;        // pod; for a Slurm job ns is "" and name its id
  std::string container;
  DemoActivity activity = DemoActivity::kIdle;

  Window span(Instant window_end) const { return {bind, end.value_or(window_end)}; }
};

// Owner objects of pods; kind "Deployment" has ReplicaSets between it and its pods.
struct DemoOwner {
  std::string kind, api_version, ns, name, uid;
  std::string parent_uid;  // ReplicaSet -> Deployment, StatefulSet -> Notebook; or ""
  std::map<std::string, std::string> labels;
  Instant created;
};

struct DemoPod {
  std::optional<std::size_t> hold;  // none: never bound within the window
  std::string ns, name, uid, container;
  std::size_t owner = 0;
  std::map<std::string, std::string> labels;
  std::string resource;  // "nvidia.com/gpu", "nvidia.com/mig-1g.5gb", or ""
  std::int64_t count = 0, cpu = 0, gib = 0;
  Instant created;
  std::string end_reason;  // "", Completed, Error, OOMKilled, Evicted
};

struct DemoJob {
  std::vector<std::size_t> holds;  // one a node; empty: never started
  std::string id, raw_id, name, account, user, state, requested_by;
  std::int64_t user_id = 0, group_id = 0;
  std::int64_t nodes = 1, gpus_per_node = 0, cpu_per_node = 0, gib_per_node = 0;
  std::int64_t limit_minutes = 0;
  Instant submit;
  std::string exit_code = "0:0";
};

// One row of a bill. Costs are exact; "" is null.
struct DemoCharge {
  Window period;
  std::string category = "Usage", frequency = "Usage-Based", pricing_category = "Standard";
  std::string service_category, service_subcategory, service_name, description;
  std::string resource_id, resource_name, resource_type, zone;
  std::string sku_id, pricing_unit, pricing_quantity, consumed_quantity;
  std::string instance_type, commitment_status;  // "", Used, Unused
  std::string commitment_quantity;
  bool commitment = false;
  std::string tags;  // JSON object, or ""
  std::string list_unit_price, contracted_unit_price;
  Money list, contracted, billed, effective;

  // For the truth: the node it pays for (then it is split), or who carries it.
  std::optional<std::size_t> node;
  std::string who;
};

struct DemoBill {
  std::string provider, issuer, account, account_name, sub_account, sub_account_name, region,
      region_name, currency = "USD", invoice_prefix, commitment_id, commitment_name;
  std::vector<DemoCharge> charges;
};

struct DemoFleet {
  std::uint64_t seed = 0;
  std::int64_t gpus = 0;
  Window window;
  std::vector<DemoNode> nodes;
  std::vector<DemoHold> holds;
  std::vector<DemoOwner> owners;
  std::vector<DemoPod> pods;
  std::vector<DemoJob> jobs;
  std::vector<DemoBill> bills;  // AWS, Google Cloud (if there is a Slurm cluster)
  std::vector<DemoRun> runs;
  std::optional<DemoService> service;  // the one whose requests are logged, if it runs

  std::size_t twelfths() const {
    return static_cast<std::size_t>(window.length().base() / kDemoStep.base());
  }
  Instant grid(std::size_t i) const {
    return window.begin + Millis(static_cast<std::int64_t>(i) * kDemoStep.base());
  }
};

}  // namespace plimsoll
