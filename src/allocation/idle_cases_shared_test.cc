// Published and constructed cases of idle time (../shared, not part of the repository): what a
// node, a queue or an exporter says, and the class and size that must come of it.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "allocation/test_fleet.h"

namespace plimsoll {
namespace {

using Json = nlohmann::json;

// GPUs by class name, of the hour that begins at kDay.
using Sizes = std::map<std::string, std::int64_t>;

std::string ClassOf(const std::string& name) {
  static const std::map<std::string, std::string> kNames{{"BUSY", "used"},
                                                         {"HUNG_SUSPECT", "hung"},
                                                         {"SETUP", "startup"},
                                                         {"UNKNOWN", "usage_unknown"},
                                                         {"HEADROOM_DECLARED", "reserve"},
                                                         {"FAILURE_RESERVE", "reserve"},
                                                         {"MAINTENANCE", "unavailable"},
                                                         {"UNHEALTHY", "unavailable"},
                                                         {"INITIALISING", "unavailable"},
                                                         {"FRAGMENTED", "stranded"},
                                                         {"QUOTA_HELD", "quota_held"},
                                                         {"SCALE_DOWN_DELAY", "scale_down_delay"},
                                                         {"EXCESS_HEADROOM", "waste"},
                                                         {"UNALLOCATED_WASTE", "waste"}};
  const auto found = kNames.find(name);
  return found == kNames.end() ? "no class for " + name : found->second;
}

// Turns one case's input into facts. A case is an hour from kDay; ages count back from its
// begin. What a case says of objects is written as the importers write it (src/ingest/).
class Case {
 public:
  explicit Case(const Json& input) : in_(input) {}

  Sizes Run() {
    fleet_.options.window = {kDay, kDay + Hours(1)};
    fleet_.options.data_until = kDay + Hours(1);
    if (in_.contains("free_per_node")) AddFreeNodes();
    if (in_.contains("capacity") || in_.contains("empty_min")) AddNode();
    if (in_.contains("workload")) AddQuota();
    if (in_.contains("cluster_queue")) Node("free", in_["free_gpus"]);
    if (in_.contains("pod")) AddPod(in_["pod"]);
    if (in_.contains("slurm_node")) AddSlurmNode();
    if (in_.contains("slurm_reservation")) AddSlurmReservation(in_["slurm_reservation"]);
    if (in_.contains("az_reserve")) AddZoneReserve();
    if (in_.contains("amd")) AddSilentPartition();
    AllocationInput input = fleet_.Input();
    input.conditions = &conditions_;
    const auto out = Allocate(input, fleet_.options);
    EXPECT_TRUE(out) << out.error().message;
    Sizes sizes;
    if (!out) return sizes;
    for (std::size_t i = 0; i < RowsOf(out->lines); ++i) {
      const auto name = NameOf(static_cast<CostClass>(out->lines.cost_class[i]));
      sizes[std::string(name)] += out->lines.gpu_time[i].base();
    }
    for (auto& [name, size] : sizes) {
      EXPECT_EQ(size % 3'600'000, 0) << name;
      size /= 3'600'000;
    }
    return sizes;
  }

 private:
  std::size_t Node(const std::string& name, std::int64_t gpus) { return fleet_.Node(name, gpus); }

  void State(const std::string& node, const char* aspect, const char* value, Instant since,
             std::int64_t gpus = 0) {
    const std::size_t i = AddBlank(conditions_.states);
    conditions_.states.cluster[i] = "c";
    conditions_.states.node[i] = node;
    conditions_.states.aspect[i] = aspect;
    conditions_.states.value[i] = value;
    conditions_.states.gpus[i] = gpus;
    conditions_.states.since[i] = conditions_.states.seen[i] = since;
  }
  std::size_t SetAside(const char* kind, const char* source, std::int64_t gpus) {
    const std::size_t i = AddBlank(conditions_.set_asides);
    conditions_.set_asides.cluster[i] = "c";
    conditions_.set_asides.source[i] = source;
    conditions_.set_asides.kind[i] = kind;
    conditions_.set_asides.gpus[i] = gpus;
    conditions_.set_asides.since[i] = kDay - Hours(1);
    conditions_.set_asides.seen[i] = kDay + Hours(1);
    return i;
  }
  void Reserve(std::int64_t gpus) {
    DeclaredReserve reserve;
    reserve.name = "declared";
    reserve.gpus = gpus;
    reserve.owner = "platform";
    fleet_.options.idle.reserves.push_back(reserve);
  }
  void Wait(std::int64_t gpus) {
    const std::size_t i = AddBlank(conditions_.pending);
    conditions_.pending.cluster[i] = "c";
    conditions_.pending.devices[i] = conditions_.pending.unit_devices[i] = gpus;
    conditions_.pending.device_kind[i] = "gpu";
    conditions_.pending.queued[i] = kDay - Hours(1);
  }

  void AddFreeNodes() {
    std::int64_t number = 0;
    for (const Json& gpus : in_["free_per_node"]) Node("n" + std::to_string(number++), gpus);
    for (const Json& wait : in_["pending"]) Wait(wait["gpu_per_pod"]);
  }

  void AddNode() {
    const std::string name = in_.value("node", "n");
    const std::int64_t capacity = in_.value("capacity", std::int64_t{8});
    const bool is_starting = capacity == 0;  // labelled as a GPU node, but offers none
    // Its expected count comes from the instance type: eight here.
    Node(name, is_starting ? 8 : capacity);
    if (is_starting) {
      State(name, "health", "initializing", kDay - Minutes(in_.value("age_min", 0)));
    } else if (in_.value("allocatable", capacity) < capacity) {
      State(name, "gpus", "", kDay - Hours(2), in_["allocatable"]);
    }
    if (in_.value("unschedulable", false)) State(name, "schedulable", "no", kDay - Hours(5));
    if (in_.value("maintenance_window", false)) {
      fleet_.options.idle.maintenance.push_back({{}, {kDay - Hours(1), kDay + Hours(2)}, "m"});
    }
    if (in_.contains("declared_headroom_gpus")) Reserve(in_["declared_headroom_gpus"]);
    for (const Json& buffer : in_.value("capacity_buffers", Json::array())) {
      const std::int64_t chunks = buffer["status_replicas"];
      SetAside("capacity-buffer", "kubernetes",
               chunks * buffer["gpu_per_chunk"].get<std::int64_t>());
    }
    if (in_.contains("empty_min")) {
      // The hour stands for the minutes since the node was emptied; the delay is in scale.
      const std::int64_t empty = in_["empty_min"];
      const std::int64_t delay = in_["scale_down_delay_min"];
      fleet_.options.idle.scale_down_delay = Minutes(60 * delay / empty);
      fleet_.Hold(name, "gone", capacity, {kDay - Hours(3), kDay});
    }
    for (const Json& pod : in_.value("pods", Json::array())) AddNodePod(name, pod);
  }

  void AddNodePod(const std::string& node, const Json& pod) {
    const Window hour{kDay, kDay + Hours(1)};
    const std::int64_t gpus = pod["gpu"];
    const auto row = fleet_.Hold(node, pod.value("name", "pod"), gpus, hour);
    if (pod.value("priority", 0) < 0) fleet_.holdings.role[row] = "placeholder";
    if (!pod.contains("util")) return;
    for (std::int64_t gpu = 0; gpu < gpus; ++gpu) {
      const std::string device = "GPU-" + std::to_string(gpu);
      fleet_.Bind(node, device, "pod", hour);
      fleet_.Use(node, device, 100);  // held and busy: its size is what the case is about
    }
  }

  void AddQuota() {
    Node("n", in_["gpu"]);
    const auto i = SetAside("kueue-workload", "kubernetes", in_["gpu"]);
    conditions_.set_asides.owner[i] = "queue";
  }

  void AddPod(const Json& pod) {
    const Window hour{kDay, kDay + Hours(1)};
    const std::int64_t gpus = pod["gpu"];
    Node("n", gpus);
    const auto row = fleet_.Hold("n", "pod", gpus, hour);
    if (pod.value("phase", "") == "Pending") fleet_.holdings.ready[row] = hour.until;
    for (std::int64_t gpu = 0; pod.contains("gpu_util") && gpu < gpus; ++gpu) {
      const std::string device = "GPU-" + std::to_string(gpu);
      fleet_.Bind("n", device, "pod", hour);
      const auto use = fleet_.Use("n", device, 0);
      // What usage folding marks: busy by GPU_UTIL, dead by SM_ACTIVE, near idle power.
      const bool is_stalled = pod["gpu_util"] >= 90 && pod["sm_active"] < 0.01;
      fleet_.usage.stalled[use] = is_stalled ? 0xFFF : 0;
    }
  }

  void AddSlurmNode() {
    const std::string name = in_["slurm_node"];
    const std::string state = in_["state"];
    Node(name, in_["gpus"]);
    if (state.find("PLANNED") != std::string::npos) {
      State(name, "planned", "yes", kDay - Hours(1));
      conditions_.states.seen.back() = kDay + Hours(1);
    }
    if (state.starts_with("DOWN")) State(name, "health", "failed", kDay - Hours(1));
  }

  void AddSlurmReservation(const Json& reservation) {
    const std::int64_t gpus = reservation["gpus"];
    const std::int64_t used = reservation.value("used", std::int64_t{0});
    Node("n", gpus);
    const bool is_maintenance = reservation["flags"] == "MAINT";
    const auto i =
        SetAside(is_maintenance ? "slurm-maintenance" : "slurm-reservation", "slurm", gpus);
    conditions_.set_asides.node[i] = "n";
    conditions_.set_asides.owner[i] = reservation["accounts"];
    if (used > 0) AddNodePod("n", {{"gpu", used}, {"util", 0.9}});
    for (std::int64_t gpu = used; used > 0 && gpu < gpus; ++gpu) {
      fleet_.Use("n", "GPU-" + std::to_string(gpu), 0);
    }
  }

  void AddZoneReserve() {
    const Json& reserve = in_["az_reserve"];
    fleet_.nodes.zone[Node("b", in_["free_in_zone"])] = reserve["zone"];
    Reserve(reserve["declared_gpus"]);
    fleet_.options.idle.reserves[0].scope.zone = reserve["zone"];
  }

  // A partition that carries no activity of its own has a row without coverage.
  void AddSilentPartition() {
    const Window hour{kDay, kDay + Hours(1)};
    Node("n", 1);
    fleet_.Hold("n", "pod", 1, hour);
    fleet_.Bind("n", "gpu-3", "pod", hour);
    const auto use = fleet_.Use("n", "gpu-3", 0);
    fleet_.usage.covered[use] = {};
    fleet_.usage.active[use] = {};
  }

  const Json& in_;
  TestFleet fleet_;
  Conditions conditions_;
};

TEST(IdleCasesSharedTest, EveryCaseGivesItsClassAndSize) {
  const char* shared = std::getenv("PLIMSOLL_SHARED");
  const char* root = std::getenv("PLIMSOLL_ROOT");
  const std::filesystem::path base =
      shared != nullptr ? std::filesystem::path(shared)
                        : std::filesystem::path(root == nullptr ? "." : root) / ".." / "shared";
  const std::filesystem::path path = base / "data" / "guardrails" / "idle_class_cases.json";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no shared data at " << path;
  std::ifstream file(path);
  const Json cases = Json::parse(file)["cases"];
  ASSERT_GE(cases.size(), 20U);
  for (const Json& one : cases) {
    SCOPED_TRACE(one["id"].get<std::string>() + ": " + one["why"].get<std::string>());
    Sizes expected;
    for (const auto& [name, size] : one["expected_class"].items()) {
      // "expected count from instance type" is the eight GPUs of the case's node.
      expected[ClassOf(name)] += size.is_number() ? size.get<std::int64_t>() : 8;
    }
    EXPECT_EQ(Case(one["input"]).Run(), expected);
  }
}

}  // namespace
}  // namespace plimsoll
