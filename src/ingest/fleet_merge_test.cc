#include "ingest/fleet_merge.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace plimsoll {
namespace {

struct HoldingRow {
  std::string uid = "u1", node = "n1", kind = "gpu", labels = "{}";
  std::string owner_kind = "Job", owner = "train";
  std::int64_t devices = 1;
  std::int64_t begin = 100;
  std::optional<std::int64_t> until = std::nullopt;
  std::string reason = {};
};

void Add(HoldingBatch& batch, const HoldingRow& row) {
  batch.snapshot_id.push_back(0);
  batch.cluster.emplace_back("c");
  batch.node.push_back(row.node);
  batch.source.emplace_back("kubernetes");
  batch.ns.emplace_back("ml");
  batch.name.push_back("pod-" + row.uid);
  batch.uid.push_back(row.uid);
  batch.workload_kind.push_back(row.owner_kind);
  batch.workload.push_back(row.owner);
  batch.account.emplace_back();
  batch.user_name.emplace_back();
  batch.queue.emplace_back();
  batch.labels.push_back(row.labels);
  batch.devices.push_back(row.devices);
  batch.device_kind.push_back(row.kind);
  batch.share_num.push_back(1);
  batch.share_den.push_back(1);
  batch.cpu_milli.push_back(100);
  batch.memory_bytes.push_back(100);
  batch.queued.push_back(AtSeconds(50));
  batch.begin.push_back(AtSeconds(row.begin));
  batch.ready.emplace_back();
  batch.until.push_back(row.until ? std::optional(AtSeconds(*row.until)) : std::nullopt);
  batch.end_reason.push_back(row.reason);
  batch.role.emplace_back();
  batch.used_ppm.emplace_back();
  batch.used_signal.emplace_back();
}

void Add(NodeBatch& batch, const std::string& node, const std::string& labels) {
  batch.snapshot_id.push_back(0);
  batch.cluster.emplace_back("c");
  batch.node.push_back(node);
  for (auto* text :
       {&batch.provider_id, &batch.instance_type, &batch.region, &batch.zone, &batch.gpu_model}) {
    text->emplace_back();
  }
  batch.capacity_type.emplace_back("unknown");
  batch.gpu_count.push_back(8);
  batch.cpu_milli.push_back(1);
  batch.memory_bytes.push_back(1);
  batch.begin.emplace_back();
  batch.until.emplace_back();
  batch.labels.push_back(labels);
}

void Add(PendingBatch& batch, const std::string& name, std::int64_t queued) {
  batch.snapshot_id.push_back(0);
  batch.cluster.emplace_back("c");
  batch.source.emplace_back("kubernetes");
  batch.ns.emplace_back("ml");
  batch.name.push_back(name);
  batch.workload_kind.emplace_back("Job");
  batch.workload.emplace_back("train");
  batch.queue.emplace_back();
  batch.labels.emplace_back("{}");
  batch.devices.push_back(1);
  batch.queued.push_back(AtSeconds(queued));
  batch.reason.emplace_back();
  batch.unit_devices.push_back(1);
  batch.device_kind.emplace_back("gpu");
}

// One row of default values; the caller fills in what matters.
template <class Batch>
std::size_t AddDefault(Batch& batch) {
  std::apply([&](auto... column) { ((batch.*(column.values)).emplace_back(), ...); },
             Batch::kColumns);
  return RowsOf(batch) - 1;
}

void Add(NodeStateBatch& batch, const std::string& value, std::int64_t since, std::int64_t seen) {
  const std::size_t row = AddDefault(batch);
  batch.node[row] = "n1";
  batch.aspect[row] = "health";
  batch.value[row] = value;
  batch.since[row] = AtSeconds(since);
  batch.seen[row] = AtSeconds(seen);
}

void Add(BindingBatch& batch, const std::string& device, std::int64_t begin, std::int64_t until) {
  batch.snapshot_id.push_back(0);
  batch.cluster.emplace_back("c");
  batch.node.emplace_back("n1");
  batch.device.push_back(device);
  batch.instance.emplace_back();
  batch.ns.emplace_back("ml");
  batch.name.emplace_back("p");
  batch.begin.push_back(AtSeconds(begin));
  batch.until.push_back(AtSeconds(until));
}

TEST(FleetMergeTest, EndOfAHoldingBeatsStillHeldAndKeepsItsReason) {
  FleetFacts facts;
  Add(facts.holdings, {.until = 300, .reason = "Completed"});
  Add(facts.holdings, {});
  Add(facts.holdings, {.until = 200, .reason = "Evicted"});
  const FleetFacts merged = MergeFacts(facts);
  ASSERT_EQ(RowsOf(merged.holdings), 1U);
  EXPECT_EQ(merged.holdings.until[0], AtSeconds(300));
  EXPECT_EQ(merged.holdings.end_reason[0], "Completed");
}

TEST(FleetMergeTest, OwnerFurthestUpNamesTheWorkload) {
  FleetFacts facts;
  Add(facts.holdings, {.owner_kind = "Deployment", .owner = "web"});
  Add(facts.holdings, {.owner_kind = "ReplicaSet", .owner = "web-5d4f"});
  Add(facts.holdings, {.owner_kind = "Pod", .owner = "zzz"});
  const FleetFacts merged = MergeFacts(facts);
  EXPECT_EQ(merged.holdings.workload_kind[0], "Deployment");
  EXPECT_EQ(merged.holdings.workload[0], "web");
}

TEST(FleetMergeTest, NodeThatComesLaterStillTurnsGpusIntoShares) {
  FleetFacts pods;
  Add(pods.holdings, {});
  FleetFacts facts = MergeFacts(pods);
  EXPECT_EQ(facts.holdings.device_kind[0], "gpu");
  Add(facts.nodes, "n1", R"({"nvidia.com/gpu.replicas":"4"})");
  AppendFacts(facts, pods);
  const FleetFacts merged = MergeFacts(facts);
  ASSERT_EQ(RowsOf(merged.holdings), 1U);
  EXPECT_EQ(merged.holdings.device_kind[0], "gpu.shared");
  EXPECT_EQ(merged.holdings.share_den[0], 4);
}

TEST(FleetMergeTest, UnknownCapacityTypeYieldsToAKnownOne) {
  FleetFacts facts;
  Add(facts.nodes, "n1", "{}");
  Add(facts.nodes, "n1", "{}");
  facts.nodes.capacity_type[1] = "on-demand";
  EXPECT_EQ(MergeFacts(facts).nodes.capacity_type[0], "on-demand");
}

TEST(FleetMergeTest, StateLabelFollowsItsAsOf) {
  FleetFacts facts;
  Add(facts.nodes, "n1",
      R"({"slurm/state":"IDLE","slurm/state.as-of":"2026-01-02T00:00:00Z","a":"1"})");
  Add(facts.nodes, "n1",
      R"({"slurm/state":"MIXED","slurm/state.as-of":"2026-01-01T00:00:00Z","a":"2"})");
  EXPECT_EQ(MergeFacts(facts).nodes.labels[0],
            R"({"a":"2","slurm/state":"IDLE","slurm/state.as-of":"2026-01-02T00:00:00Z"})");
}

TEST(FleetMergeTest, WaitEndsWhenTheNameIsHeldAndBeginsAgainWhenRequeued) {
  FleetFacts facts;
  Add(facts.holdings, {.begin = 100});
  Add(facts.pending, "pod-u1", 60);
  EXPECT_EQ(RowsOf(MergeFacts(facts).pending), 0U);
  Add(facts.pending, "pod-u1", 150);
  const FleetFacts merged = MergeFacts(facts);
  ASSERT_EQ(RowsOf(merged.pending), 1U);
  EXPECT_EQ(merged.pending.queued[0], AtSeconds(150));
}

TEST(FleetMergeTest, TouchingBindingsJoinAndApartOnesStay) {
  FleetFacts facts;
  Add(facts.bindings, "GPU-1", 10, 20);
  Add(facts.bindings, "GPU-1", 20, 30);
  Add(facts.bindings, "GPU-1", 31, 40);
  Add(facts.bindings, "GPU-2", 15, 25);
  const FleetFacts merged = MergeFacts(facts);
  ASSERT_EQ(RowsOf(merged.bindings), 3U);
  EXPECT_EQ(merged.bindings.until[0], AtSeconds(30));
}

TEST(FleetMergeTest, AChangeOfStateIsARowAndALaterSightingOfItIsNot) {
  FleetFacts facts;
  Add(facts.states, "failed", 20, 30);
  Add(facts.states, "ok", 10, 15);
  Add(facts.states, "failed", 20, 90);
  const FleetFacts merged = MergeFacts(facts);
  ASSERT_EQ(RowsOf(merged.states), 2U);
  EXPECT_EQ(merged.states.value[0], "ok");
  EXPECT_EQ(merged.states.value[1], "failed");
  EXPECT_EQ(merged.states.seen[1], AtSeconds(90));
}

// Facts that disagree in every field that may differ, as parts of one random row each.
std::vector<FleetFacts> RandomParts(std::mt19937_64& random) {
  const auto pick = [&](std::initializer_list<const char*> texts) {
    return std::string(*(texts.begin() + static_cast<std::ptrdiff_t>(random() % texts.size())));
  };
  std::vector<FleetFacts> parts(24);
  for (FleetFacts& part : parts) {
    const auto n = static_cast<std::int64_t>(random() % 5);
    switch (random() % 7) {
      case 0:
        Add(part.nodes, pick({"n1", "n2"}),
            pick({"{}", R"({"nvidia.com/gpu.replicas":"4"})", R"({"team":"a"})",
                  R"({"s":"x","s.as-of":"1"})", R"({"s":"a","s.as-of":"2"})"}));
        part.nodes.capacity_type[0] = pick({"", "unknown", "spot", "on-demand"});
        part.nodes.instance_type[0] = pick({"", "p5.48xlarge"});
        if (n > 1) part.nodes.begin[0] = AtSeconds(n);
        if (n > 2) part.nodes.until[0] = AtSeconds(1'000 + n);
        break;
      case 1:
        Add(part.holdings, {.uid = pick({"u1", "u2"}),
                            .node = pick({"n1", "n2"}),
                            .kind = pick({"gpu", "gpu.shared", "mig-1g.10gb"}),
                            .labels = pick({"{}", R"({"team":"a"})", R"({"team":"b","x":"y"})"}),
                            .owner_kind = pick({"Pod", "ReplicaSet", "Deployment"}),
                            .owner = pick({"p", "q"}),
                            .devices = n,
                            .begin = 100 + n,
                            .until = n > 2 ? std::optional(200 + n) : std::nullopt,
                            .reason = n > 2 ? pick({"Completed", "Failed"}) : ""});
        break;
      case 2:
        Add(part.pending, pick({"pod-u1", "pod-u9"}), n > 2 ? 500 + n : 50 + n);
        part.pending.reason[0] = pick({"", "Unschedulable"});
        break;
      case 3:
        Add(part.states, pick({"ok", "failed"}), 10 * n, 10 * n + 5);
        part.states.gpus[0] = n;
        break;
      case 4: {
        const std::size_t row = AddDefault(part.set_asides);
        part.set_asides.name[row] = pick({"w1", "w2"});
        part.set_asides.owner[row] = pick({"", "q"});
        part.set_asides.gpus[row] = n;
        part.set_asides.seen[row] = AtSeconds(n);
        if (n > 2) part.set_asides.until[row] = AtSeconds(100 + n);
        break;
      }
      case 5: {
        const std::size_t row = AddDefault(part.volumes);
        part.volumes.claim[row] = pick({"data", "models"});
        part.volumes.uid[row] = pick({"", "u1"});
        part.volumes.workload_kind[row] = pick({"Pod", "Deployment"});
        part.volumes.workload[row] = pick({"p", "q"});
        part.volumes.labels[row] = pick({"{}", R"({"team":"a"})", R"({"team":"b"})"});
        part.volumes.bytes[row] = n;
        part.volumes.begin[row] = AtSeconds(n);
        if (n > 2) part.volumes.until[row] = AtSeconds(100 + n);
        break;
      }
      default:
        Add(part.bindings, pick({"GPU-1", "GPU-2"}), 10 * n, 10 * n + 10);
    }
  }
  return parts;
}

template <class T>
void ExpectSameColumn(const char* name, const std::vector<T>& a, const std::vector<T>& b) {
  EXPECT_TRUE(a == b) << name << " differs";
}

template <class Batch>
void ExpectSame(const Batch& a, const Batch& b) {
  std::apply(
      [&](auto... column) {
        (ExpectSameColumn(column.name, a.*(column.values), b.*(column.values)), ...);
      },
      Batch::kColumns);
}

void ExpectSameFacts(const FleetFacts& a, const FleetFacts& b) {
  ExpectSame(a.nodes, b.nodes);
  ExpectSame(a.holdings, b.holdings);
  ExpectSame(a.pending, b.pending);
  ExpectSame(a.bindings, b.bindings);
  ExpectSame(a.states, b.states);
  ExpectSame(a.set_asides, b.set_asides);
  ExpectSame(a.volumes, b.volumes);
}

TEST(FleetMergePropertyTest, AnyOrderPartitionAndDuplicationOfTheFactsGivesTheSameRows) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    std::vector<FleetFacts> parts = RandomParts(random);
    FleetFacts at_once;
    for (const FleetFacts& part : parts) AppendFacts(at_once, part);
    const FleetFacts expected = MergeFacts(at_once);

    const std::size_t count = parts.size();
    for (std::size_t i = 0; i < count / 2; ++i) parts.push_back(parts[random() % count]);
    std::shuffle(parts.begin(), parts.end(), random);
    FleetFacts loaded;  // what a store would hold after loading the parts one by one
    FleetFacts waiting;
    for (const FleetFacts& part : parts) {
      AppendFacts(waiting, part);
      if (random() % 2 == 0) continue;
      AppendFacts(waiting, loaded);
      loaded = MergeFacts(waiting);
      waiting = {};
    }
    AppendFacts(waiting, loaded);
    ExpectSameFacts(MergeFacts(waiting), expected);
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace plimsoll
