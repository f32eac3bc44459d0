#include <fmt/format.h>

#include <algorithm>

#include "base/check.h"
#include "demo/layout.h"
#include "demo/scenario.h"

namespace plimsoll {
namespace {

struct Spot {
  std::size_t node;
  std::vector<std::size_t> units;
};

struct Service {
  std::string name, team, model;
  std::int64_t gpus = 1;
  std::vector<Spot> places;
  std::size_t min = 1;
};

struct Replica {
  std::size_t place;
  std::string pod;
  PodLife life;
  std::size_t set;
};

PodTemplate ServingPod(const Service& s) {
  return {"inference",
          "vllm",
          {{"app.kubernetes.io/name", s.name},
           {"platform.example.com/team", s.team},
           {"platform.example.com/environment", "production"},
           {"platform.example.com/workload-type", "inference"},
           {"platform.example.com/model", s.model}},
          s.team,
          "nvidia.com/gpu",
          s.gpus,
          16 * s.gpus,
          160 * s.gpus,
          DemoActivity::kServing};
}

// Runs one Deployment through the window: replicas by traffic, a rolling update on day 2.
class Rollout {
 public:
  Rollout(FleetBuilder& builder, Service service)
      : builder_(builder),
        service_(std::move(service)),
        random_(builder.fleet().seed, "service/" + service_.name),
        used_(service_.places.size()) {
    const Instant created = builder.window().begin - Days(8);
    labels_ = ServingPod(service_).labels;
    deployment_ = builder_.AddOwner(
        {"Deployment", "apps/v1", "inference", service_.name, "", "", labels_, created});
    NewSet(created);
  }

  void Run() {
    const Window window = builder_.window();
    const Instant before = window.begin - Hours(30);
    const std::size_t at_begin = Wanted(window.begin);
    while (live_.size() < at_begin) Start(before + Minutes(random_.Between(0, 59)));
    for (Instant hour = window.begin; hour + Hours(1) < window.until; hour = hour + Hours(1)) {
      if (hour == builder_.At(2, 11)) RollOver(hour);
      if (hour == builder_.At(2, 11) || Steady(hour)) continue;
      const Instant when = hour + Minutes(random_.Between(2, 50));
      while (live_.size() < Wanted(hour)) Start(when);
      while (live_.size() > Wanted(hour)) Stop(live_.size() - 1, when);
    }
    for (const Replica& replica : live_) Add(replica);
  }

 private:
  std::size_t Wanted(Instant t) const {
    const std::size_t range = service_.places.size() - service_.min;
    return service_.min + (range * static_cast<std::size_t>(TrafficAt(t)) + 50) / 100;
  }
  // No replica comes or goes around the hours in which an exporter is silent (day 3, 12:00).
  bool Steady(Instant hour) const {
    return hour >= builder_.At(3, 11) && hour < builder_.At(3, 17);
  }

  void NewSet(Instant created) {
    hash_ = PodSuffix(random_, 10);
    auto labels = labels_;
    labels["pod-template-hash"] = hash_;
    set_ = builder_.AddOwner({"ReplicaSet", "apps/v1", "inference", service_.name + "-" + hash_, "",
                              "", labels, created},
                             deployment_);
  }

  void Start(Instant bind) {
    const auto free = std::find(used_.begin(), used_.end(), false);
    PLIMSOLL_CHECK(free != used_.end());
    *free = true;
    const Instant ready = bind + Minutes(random_.Between(3, 9));
    live_.push_back({static_cast<std::size_t>(free - used_.begin()),
                     service_.name + "-" + hash_ + "-" + PodSuffix(random_, 5),
                     {bind - Minutes(1), bind, ready, std::nullopt, "Completed"},
                     set_});
  }
  // Returns when the place is free.
  Instant Stop(std::size_t i, Instant when) {
    Replica& replica = live_[i];
    const Instant end = std::max(when, replica.life.ready + Minutes(10));
    replica.life.end = end;
    Add(replica);
    used_[replica.place] = false;
    live_.erase(live_.begin() + static_cast<std::ptrdiff_t>(i));
    return end;
  }
  // Without surge: one replica ends, its successor takes the place a minute later.
  void RollOver(Instant hour) {
    NewSet(hour);
    for (std::size_t i = 0, count = live_.size(); i < count; ++i) {
      const Instant end = Stop(0, hour + Minutes(static_cast<std::int64_t>(i % 4) * 12 + 3));
      Start(end + Minutes(1));
    }
  }
  void Add(const Replica& replica) {
    const Spot& place = service_.places[replica.place];
    PodTemplate pod = ServingPod(service_);
    pod.labels["pod-template-hash"] =
        builder_.fleet().owners[replica.set].labels.at("pod-template-hash");
    builder_.AddPod(pod, replica.set, replica.pod, place.node, place.units, replica.life);
  }

  FleetBuilder& builder_;
  Service service_;
  DemoRandom random_;
  std::vector<bool> used_;
  std::vector<Replica> live_;
  std::map<std::string, std::string> labels_;
  std::size_t deployment_ = 0, set_ = 0;
  std::string hash_;
};

// A reranker on the last card of each serving node. On the first node the card falls off the
// bus on day 1 at 02:13: the pod fails, its successor waits two days for the repair.
void AddRerankers(FleetBuilder& builder, const std::vector<std::size_t>& nodes) {
  const Service service{"rerank", "search", "rerank-1b", 1, {}, 1};
  const Instant created = builder.window().begin - Days(6);
  DemoRandom random(builder.fleet().seed, "service/rerank");
  const std::size_t deployment = builder.AddOwner({"Deployment", "apps/v1", "inference", "rerank",
                                                   "", "", ServingPod(service).labels, created});
  PodTemplate pod = ServingPod(service);
  const std::string hash = pod.labels["pod-template-hash"] = PodSuffix(random, 9);
  const std::size_t set = builder.AddOwner(
      {"ReplicaSet", "apps/v1", "inference", "rerank-" + hash, "", "", pod.labels, created},
      deployment);
  const auto name = [&] { return "rerank-" + hash + "-" + PodSuffix(random, 5); };
  const Instant broken = builder.At(1, 2, 13), repaired = builder.At(3, 2, 15);
  for (const std::size_t node : nodes) {
    const Instant bind = created + Minutes(random.Between(5, 90));
    const std::optional<Instant> end = node == nodes.front() ? std::optional(broken) : std::nullopt;
    builder.AddPod(pod, set, name(), node, {7},
                   {bind - Minutes(1), bind, bind + Minutes(5), end, "Error"});
  }
  if (broken >= builder.window().until) return;
  builder.fleet().nodes[nodes.front()].units[7].failed = Window{broken, repaired};
  const Instant again = repaired + Minutes(6);
  if (again + Hours(1) > builder.window().until) {
    builder.AddPendingPod(pod, set, name(), broken + Minutes(1));
  } else {
    builder.AddPod(pod, set, name(), nodes.front(), {7},
                   {broken + Minutes(1), again, again + Minutes(6), std::nullopt, ""});
  }
}

}  // namespace

void AddServing(FleetBuilder& builder) {
  Service large{"chat-70b", "assistants", "chat-70b", 2, {}, 1};
  Service small{"chat-8b", "assistants", "chat-8b", 1, {}, 1};
  std::vector<std::size_t> nodes = NodesOf(builder.fleet(), "serve");
  for (const std::size_t node : nodes) {
    large.places.push_back({node, {0, 1}});
    large.places.push_back({node, {2, 3}});
    for (std::size_t unit = 4; unit < 7; ++unit) small.places.push_back({node, {unit}});
  }
  for (const std::size_t node : NodesOf(builder.fleet(), "mixed")) {
    for (std::size_t unit = 4; unit < 7; ++unit) small.places.push_back({node, {unit}});
    nodes.push_back(node);
  }
  large.min = std::max<std::size_t>(1, large.places.size() / 3);
  small.min = std::max<std::size_t>(1, small.places.size() / 3);
  if (!large.places.empty()) Rollout(builder, large).Run();
  Rollout(builder, small).Run();
  AddRerankers(builder, nodes);
  // One exporter is silent for four hours.
  const std::size_t silent = NodesOf(builder.fleet(), "serve").empty()
                                 ? NodesOf(builder.fleet(), "notebook").front()
                                 : nodes.back();
  builder.fleet().nodes[silent].silent = Window{builder.At(3, 12, 5), builder.At(3, 16, 10)};
}

}  // namespace plimsoll
