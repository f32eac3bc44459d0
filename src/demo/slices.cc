#include <fmt/format.h>

#include "demo/layout.h"
#include "demo/scenario.h"

namespace plimsoll {
namespace {

struct SliceService {
  const char* name;
  const char* team;  // label value; "" has none
  const char* who;
  const char* resource;
  std::size_t slot;  // which of a card's instances
};

// One replica on each of the seven partitioned cards. All start, end and become ready at the
// same minute (strategy Recreate), so that their sevenths add up to whole milliseconds.
void AddSliceService(FleetBuilder& builder, std::size_t node, const SliceService& service) {
  DemoRandom random(builder.fleet().seed, fmt::format("slices/{}", service.name));
  const Instant created = builder.window().begin - Days(5) + Minutes(random.Between(0, 300));
  PodTemplate pod{"services",
                  "server",
                  {{"app", service.name},
                   {"platform.example.com/environment", "production"},
                   {"platform.example.com/workload-type", "inference"}},
                  service.who,
                  service.resource,
                  1,
                  2,
                  16,
                  DemoActivity::kSlices};
  if (*service.team != '\0') pod.labels["platform.example.com/team"] = service.team;
  const std::size_t deployment = builder.AddOwner(
      {"Deployment", "apps/v1", "services", service.name, "", "", pod.labels, created});
  const auto start = [&](Instant bind, std::optional<Instant> end) {
    const std::string hash = pod.labels["pod-template-hash"] = PodSuffix(random, 9);
    const std::size_t set =
        builder.AddOwner({"ReplicaSet", "apps/v1", "services",
                          fmt::format("{}-{}", service.name, hash), "", "", pod.labels, bind},
                         deployment);
    for (std::size_t card = 0; card < 7; ++card) {
      builder.AddPod(pod, set, fmt::format("{}-{}-{}", service.name, hash, PodSuffix(random, 5)),
                     node, {card * 4 + service.slot},
                     {bind, bind, bind + Minutes(5), end, "Completed"});
    }
  };
  const Instant rollout = builder.At(2, 14, 20);
  if (service.slot == 0 && rollout < builder.window().until - Hours(1)) {
    start(created, rollout);
    start(rollout + Minutes(1), std::nullopt);
  } else {
    start(created, std::nullopt);
  }
}

}  // namespace

void AddSliceServices(FleetBuilder& builder) {
  for (const std::size_t node : NodesOf(builder.fleet(), "mig")) {
    AddSliceService(builder, node, {"embed", "search", "search", "nvidia.com/mig-3g.20gb", 0});
    AddSliceService(builder, node,
                    {"moderate", "trust-safety", "trust-safety", "nvidia.com/mig-2g.10gb", 1});
    AddSliceService(builder, node, {"tagger", "", "no-label", "nvidia.com/mig-1g.5gb", 2});
    // The eighth card is whole; its team is not a registered one.
    const Instant bind = builder.window().begin - Days(4);
    const PodTemplate pod{"services",
                          "server",
                          {{"app", "speech"},
                           {"platform.example.com/team", "voice-lab"},
                           {"platform.example.com/environment", "staging"}},
                          "unknown-value",
                          "nvidia.com/gpu",
                          1,
                          8,
                          64,
                          DemoActivity::kServing};
    const std::size_t deployment =
        builder.AddOwner({"Deployment", "apps/v1", "services", "speech", "", "", pod.labels, bind});
    DemoRandom random(builder.fleet().seed, "speech");
    const std::string set_name = "speech-" + PodSuffix(random, 9);
    const std::size_t set = builder.AddOwner(
        {"ReplicaSet", "apps/v1", "services", set_name, "", "", pod.labels, bind}, deployment);
    builder.AddPod(pod, set, set_name + "-" + PodSuffix(random, 5), node, {28},
                   {bind, bind, bind + Minutes(4), std::nullopt, ""});
  }
}

void AddAgents(FleetBuilder& builder) {
  const Instant created = builder.window().begin - Days(8);
  const PodTemplate pod{
      "monitoring", "agent", {{"app", "node-agent"}}, "platform", "", 0, 1, 2, DemoActivity::kIdle};
  const std::size_t owner = builder.AddOwner(
      {"DaemonSet", "apps/v1", "monitoring", "node-agent", "", "", pod.labels, created});
  DemoRandom random(builder.fleet().seed, "agents");
  for (std::size_t node = 0; node < builder.fleet().nodes.size(); ++node) {
    const DemoNode& on = builder.fleet().nodes[node];
    if (on.slurm() || on.pool == "spot") continue;
    const Instant bind = created + Minutes(random.Between(0, 9));
    builder.AddPod(pod, owner, "node-agent-" + PodSuffix(random, 5), node, {},
                   {bind, bind, bind + Minutes(1), std::nullopt, ""});
  }
}

}  // namespace plimsoll
