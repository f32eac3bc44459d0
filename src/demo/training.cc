#include <fmt/format.h>

#include <algorithm>

#include "demo/layout.h"
#include "demo/scenario.h"

namespace plimsoll {
namespace {

// A place where one gang runs at a time: units on one or two nodes.
struct Place {
  std::vector<std::size_t> nodes;
  std::size_t first_unit = 0, units = 8;  // of each node
};

struct Gang {
  std::string name, run, team;
  Instant bind, end;
  std::string reason;
};

PodTemplate TrainingPod(const Gang& gang, std::size_t units) {
  const auto gpus = static_cast<std::int64_t>(units);
  return {"training",
          "pytorch",
          {{"platform.example.com/team", gang.team},
           {"platform.example.com/environment", "research"},
           {"platform.example.com/workload-type", "training"},
           {"platform.example.com/model", "base-13b"},
           {"plimsoll.io/run", gang.run},
           {"training.kubeflow.org/job-name", gang.name},
           {"training.kubeflow.org/operator-name", "pytorchjob-controller"}},
          gang.team,
          "nvidia.com/gpu",
          gpus,
          gpus * 22,
          gpus * 220,
          DemoActivity::kTraining};
}

// Pods of `per_pod` units until the place is full: a master, then workers.
DemoAttempt AddGang(FleetBuilder& builder, const Place& place, std::size_t per_pod,
                    const Gang& gang) {
  DemoRandom random(builder.fleet().seed, "gang/" + gang.name);
  const Instant created = gang.bind - Minutes(random.Between(1, 25));
  const std::size_t owner = builder.AddOwner({"PyTorchJob",
                                              "kubeflow.org/v1",
                                              "training",
                                              gang.name,
                                              "",
                                              "",
                                              {{"platform.example.com/team", gang.team}},
                                              created});
  DemoAttempt attempt{
      gang.bind, gang.bind, gang.end, gang.reason == "Error", true, gang.name + "-master-0"};
  std::size_t number = 0;
  for (const std::size_t node : place.nodes) {
    for (std::size_t u = place.first_unit; u < place.first_unit + place.units; u += per_pod) {
      std::vector<std::size_t> units;
      for (std::size_t i = 0; i < per_pod; ++i) units.push_back(u + i);
      PodTemplate pod = TrainingPod(gang, per_pod);
      pod.labels["training.kubeflow.org/replica-type"] = number == 0 ? "master" : "worker";
      pod.labels["training.kubeflow.org/replica-index"] =
          fmt::format("{}", number == 0 ? 0 : number - 1);
      const std::string name = number == 0 ? gang.name + "-master-0"
                                           : fmt::format("{}-worker-{}", gang.name, number - 1);
      const PodLife life{created, gang.bind, gang.bind + Minutes(random.Between(4, 12)), gang.end,
                         gang.reason};
      const std::size_t hold = builder.AddPod(pod, owner, name, node, units, life);
      attempt.ready = std::max(attempt.ready, life.ready);
      attempt.end = builder.fleet().holds[hold].end;
      ++number;
    }
  }
  attempt.failed = attempt.failed && attempt.end;
  return attempt;
}

// People submit in the week: nothing starts from Saturday 02:00 to Sunday 18:00.
Instant AfterWeekend(Instant t) {
  const std::int64_t weekday = WeekdayOf(t);
  const Instant midnight = FloorTo(t, Days(1));
  if (weekday == 6 && t >= midnight + Hours(2)) return midnight + Hours(42);
  if (weekday == 7 && t < midnight + Hours(18)) return midnight + Hours(18);
  return t;
}

// One job with its retries on a place.
struct Campaign {
  std::string name, team;
  Instant begin;
  std::int64_t minutes = 0;  // of work
  bool may_fail = true;
};

// Experiments by turns; `fp8` trains faster and never gets where the others do.
DemoRun NewRun(const Campaign& campaign, std::int64_t gpus, std::size_t number) {
  static constexpr const char* kExperiments[] = {"data-mix", "long-context", "fp8"};
  DemoRun run;
  run.id = run.name = campaign.name;
  run.experiment = kExperiments[number % 3];
  run.model = "base-13b";
  run.precision = number % 3 == 2 ? "fp8" : "bf16";
  run.cluster = kDemoCluster;
  run.ns = "training";
  run.gpus = gpus;
  return run;
}

// Returns when the place is free. Of what a failed attempt did, a quarter has to be done again.
Instant AddCampaign(FleetBuilder& builder, const Place& place, const Campaign& campaign) {
  DemoRandom random(builder.fleet().seed, "campaign/" + campaign.name);
  const std::size_t per_pod = place.nodes.size() == 2 ? 8 : 4;
  Instant t = campaign.begin;
  const auto gpus = static_cast<std::int64_t>(place.nodes.size() * place.units);
  DemoRun run = NewRun(campaign, gpus, builder.fleet().runs.size());
  std::int64_t left = campaign.minutes;
  for (int attempt = 0; left > 0 && t < builder.window().until - Hours(1); ++attempt) {
    const bool fails = campaign.may_fail && attempt < 2 && random.Chance(35);
    const std::int64_t share = fails ? random.Between(20, 80) : 100;
    const std::int64_t ran = std::max<std::int64_t>(60, left * share / 100);
    const std::string name =
        attempt == 0 ? campaign.name : fmt::format("{}-r{}", campaign.name, attempt);
    if (t + Minutes(ran) > builder.window().begin) {
      run.attempts.push_back(AddGang(builder, place, per_pod,
                                     {name, campaign.name, campaign.team, t, t + Minutes(ran),
                                      fails ? "Error" : "Completed"}));
    } else {
      run.attempts.push_back(
          {t, t + Minutes(8), t + Minutes(ran), fails, false, name + "-master-0"});
    }
    t = t + Minutes(ran + random.Between(3, 11));
    left = fails ? std::max<std::int64_t>(60, left - ran * 3 / 4) : 0;
  }
  if (run.attempts.back().seen) builder.fleet().runs.push_back(std::move(run));
  return t;
}

// One job after another on a place. Two nodes run a wide job or, at times, one job each.
void AddGangs(FleetBuilder& builder, const Place& place, std::string_view stem) {
  DemoRandom random(builder.fleet().seed, fmt::format("gangs/{}", stem));
  const auto campaign = [&](std::string name, Instant t) {
    return Campaign{std::move(name), random.Chance(70) ? "pretraining" : "vision", t,
                    random.Between(9 * 60, 34 * 60), true};
  };
  Instant t = builder.window().begin - Minutes(random.Between(120, 600));
  for (int number = 1; t < builder.window().until - Hours(1); ++number) {
    const std::string name = fmt::format("{}-{}", stem, number);
    Instant free = t;
    if (place.nodes.size() == 2 && random.Chance(40)) {
      for (std::size_t n = 0; n < 2; ++n) {
        const Place one{{place.nodes[n]}, place.first_unit, place.units};
        free = std::max(free, AddCampaign(builder, one, campaign(name + (n == 0 ? "a" : "b"), t)));
      }
    } else {
      Campaign wide = campaign(name, t);
      wide.may_fail = number > 1;
      free = AddCampaign(builder, place, wide);
    }
    t = AfterWeekend(free + Minutes(random.Between(10, 300)));
  }
}

}  // namespace

void AddTraining(FleetBuilder& builder) {
  const std::vector<std::size_t> train = NodesOf(builder.fleet(), "train");
  for (const std::size_t node : NodesOf(builder.fleet(), "mixed")) {
    AddGangs(builder, {{node}, 0, 4}, "finetune-a");
  }
  std::size_t i = 0;
  for (; i + 1 < train.size(); i += 2) {
    // Every second pair only has 8-GPU jobs.
    const std::string pair = fmt::format("{}", static_cast<char>('a' + (i / 2) % 26)) +
                             (i / 2 >= 26 ? fmt::format("{}", i / 2 / 26) : "");
    if (i % 4 == 0) {
      AddGangs(builder, {{train[i], train[i + 1]}, 0, 8}, "pretrain-" + pair);
    } else {
      AddGangs(builder, {{train[i]}, 0, 8}, "finetune-" + pair + "1");
      AddGangs(builder, {{train[i + 1]}, 0, 8}, "finetune-" + pair + "2");
    }
  }
  for (; i < train.size(); ++i) {
    AddGangs(builder, {{train[i]}, 0, 8}, fmt::format("finetune-z{}", i));
  }
}

}  // namespace plimsoll
