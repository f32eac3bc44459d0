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

class SpotSlot {
 public:
  SpotSlot(FleetBuilder& builder, std::int64_t slot)
      : builder_(builder),
        slot_(slot),
        random_(builder.fleet().seed, fmt::format("spot/{}", slot)) {}

  void Run() {
    Instant t = builder_.window().begin + Minutes(15 * random_.Between(2, 9));
    while (t + Hours(1) < builder_.window().until) {
      const Window life{t, t + Minutes(15 * random_.Between(30, 120))};
      const std::size_t node = AddSpotNode(builder_.fleet(), life, random_);
      std::vector<Work> again;
      // Two halves of the node, or the whole of it for the first piece of work.
      const bool whole = random_.Chance(40);
      const std::size_t part = whole ? kSpotCards : kSpotCards / 2;
      for (std::size_t first = 0; first < kSpotCards; first += part) {
        Fill(node, first, part, life, again);
      }
      waiting_.insert(waiting_.end(), again.begin(), again.end());
      t = life.until + Minutes(15 * random_.Between(2, 14));
    }
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
  std::vector<Work> waiting_;
  int jobs_ = 0;
};

}  // namespace

void AddSpotBatch(FleetBuilder& builder, std::int64_t slots) {
  for (std::int64_t slot = 1; slot <= slots; ++slot) SpotSlot(builder, slot).Run();
}

}  // namespace plimsoll
