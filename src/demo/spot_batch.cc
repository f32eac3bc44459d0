#include <fmt/format.h>

#include <algorithm>

#include "demo/layout.h"
#include "demo/scenario.h"

namespace plimsoll {
namespace {

constexpr std::size_t kSpotCards = 4;

// A Job's pod: 1, 2 or 4 GPUs for some minutes. Evicted ones are tried again with what is left.
struct Work {
  std::size_t owner = 0;
  std::string job;
  bool evals = false;
  std::size_t gpus = 1;
  std::int64_t minutes = 0;
};

PodTemplate BatchPod(const Work& work) {
  const auto gpus = static_cast<std::int64_t>(work.gpus);
  PodTemplate pod{"batch",
                  "main",
                  {{"batch.kubernetes.io/job-name", work.job},
                   {"platform.example.com/environment", "research"},
                   {"platform.example.com/workload-type", "batch"}},
                  "search",
                  "nvidia.com/gpu",
                  gpus,
                  10 * gpus,
                  40 * gpus,
                  DemoActivity::kBatch};
  if (work.evals) {
    pod.ns = "evals";  // no team label: the namespace stands for one
    pod.who = "research";
  } else {
    pod.labels["platform.example.com/team"] = "search";
  }
  return pod;
}

constexpr const char* kSpotTeam = "vision";

PodTemplate TrainingPod(const std::string& run, const std::string& job) {
  constexpr auto kGpus = static_cast<std::int64_t>(kSpotCards);
  return {"training",
          "pytorch",
          {{"platform.example.com/team", kSpotTeam},
           {"platform.example.com/environment", "research"},
           {"platform.example.com/workload-type", "training"},
           {"plimsoll.io/run", run},
           {"batch.kubernetes.io/job-name", job}},
          kSpotTeam,
          "nvidia.com/gpu",
          kGpus,
          10 * kGpus,
          40 * kGpus,
          DemoActivity::kTraining};
}

// A training run that lives on spot: an eviction ends an attempt, the next node takes it on.
class SpotRun {
 public:
  SpotRun(FleetBuilder& builder, std::int64_t slot) : builder_(builder) {
    run_.id = run_.name = fmt::format("distill-spot-{}", slot);
    run_.experiment = "distill";
    run_.model = "base-1b";
    run_.precision = "bf16";
    run_.cluster = kDemoCluster;
    run_.ns = "training";
    run_.gpus = static_cast<std::int64_t>(kSpotCards);
  }

  // On all cards of `node`, until it goes or the window ends.
  void Attempt(std::size_t node, Window life, DemoRandom& random) {
    const Instant bind = life.begin + Minutes(random.Between(6, 9));
    if (bind + Hours(2) > builder_.window().until) return;
    const std::string job = fmt::format("{}-r{}", run_.name, run_.attempts.size());
    const PodTemplate pod = TrainingPod(run_.id, job);
    const std::size_t owner =
        builder_.AddOwner({"Job", "batch/v1", pod.ns, job, "", "", pod.labels, bind - Minutes(4)});
    std::vector<std::size_t> units;
    for (std::size_t i = 0; i < kSpotCards; ++i) units.push_back(i);
    const std::string name = job + "-" + PodSuffix(random, 5);
    const Instant ready = bind + Minutes(random.Between(2, 5));
    const std::size_t hold =
        builder_.AddPod(pod, owner, name, node, units,
                        {bind - Minutes(4), bind, ready, life.until - Minutes(1), "Evicted"});
    const std::optional<Instant> end = builder_.fleet().holds[hold].end;
    run_.attempts.push_back({bind, ready, end, end.has_value(), true, name, node});
  }

  void Finish() {
    if (!run_.attempts.empty()) builder_.fleet().runs.push_back(std::move(run_));
  }

 private:
  FleetBuilder& builder_;
  DemoRun run_;
};

class SpotSlot {
 public:
  SpotSlot(FleetBuilder& builder, std::int64_t slot)
      : builder_(builder),
        slot_(slot),
        random_(builder.fleet().seed, fmt::format("spot/{}", slot)),
        run_(builder, slot) {}

  void Run() {
    Instant t = builder_.window().begin + Minutes(15 * random_.Between(2, 9));
    while (t + Hours(1) < builder_.window().until) {
      const Window life{t, t + Minutes(15 * random_.Between(30, 120))};
      const std::size_t node = AddSpotNode(builder_.fleet(), life, random_);
      std::vector<Work> again;
      // The whole of the node for a training run or another piece of work, or two halves.
      const bool whole = random_.Chance(60);
      if (whole && random_.Chance(70)) {
        run_.Attempt(node, life, random_);
        t = life.until + Minutes(15 * random_.Between(2, 14));
        continue;
      }
      const std::size_t part = whole ? kSpotCards : kSpotCards / 2;
      for (std::size_t first = 0; first < kSpotCards; first += part) {
        Fill(node, first, part, life, again);
      }
      waiting_.insert(waiting_.end(), again.begin(), again.end());
      t = life.until + Minutes(15 * random_.Between(2, 14));
    }
    run_.Finish();
  }

 private:
  Work NextWork(std::size_t gpus, Instant now) {
    const auto fits = std::find_if(waiting_.begin(), waiting_.end(),
                                   [&](const Work& w) { return w.gpus == gpus; });
    if (fits != waiting_.end()) {
      const Work work = *fits;
      waiting_.erase(fits);
      return work;
    }
    Work work;
    work.evals = random_.Chance(50);
    work.job = fmt::format("{}-{}-{}", work.evals ? "eval" : "index", slot_, ++jobs_);
    work.gpus = gpus;
    work.minutes = random_.Between(50, 7 * 60);
    const PodTemplate pod = BatchPod(work);
    work.owner = builder_.AddOwner(
        {"Job", "batch/v1", pod.ns, work.job, "", "", pod.labels, now - Minutes(4)});
    return work;
  }

  // Work one after another on cards [first, first + part), until the node goes.
  void Fill(std::size_t node, std::size_t first, std::size_t part, Window life,
            std::vector<Work>& again) {
    std::vector<std::size_t> units;
    for (std::size_t i = 0; i < part; ++i) units.push_back(first + i);
    const Instant last = life.until - Minutes(1);  // evicted a minute before the node goes
    Instant t = life.begin + Minutes(random_.Between(6, 9));
    while (t + Minutes(20) < last && t + Minutes(20) < builder_.window().until) {
      Work work = NextWork(part, t);
      const Instant ready = t + Minutes(random_.Between(2, 5));
      const bool killed = random_.Chance(8);
      const Instant done = ready + Minutes(killed ? 30 : work.minutes);
      const Instant end = std::min(done, last);
      const bool evicted = done > last;
      builder_.AddPod(BatchPod(work), work.owner, work.job + "-" + PodSuffix(random_, 5), node,
                      units,
                      {t - Minutes(4), t, ready, end,
                       evicted  ? "Evicted"
                       : killed ? "OOMKilled"
                                : "Completed"});
      if (evicted && last < builder_.window().until) again.push_back(work);
      t = end + Minutes(random_.Between(1, 30));
    }
  }

  FleetBuilder& builder_;
  std::int64_t slot_;
  DemoRandom random_;
  SpotRun run_;
  std::vector<Work> waiting_;
  int jobs_ = 0;
};

}  // namespace

void AddSpotBatch(FleetBuilder& builder, std::int64_t slots) {
  for (std::int64_t slot = 1; slot <= slots; ++slot) SpotSlot(builder, slot).Run();
}

}  // namespace plimsoll
