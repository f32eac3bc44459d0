#include "demo/signals.h"

#include <algorithm>

#include "demo/builder.h"
#include "demo/layout.h"
#include "demo/random.h"

namespace plimsoll {
namespace {

// Noise of one purpose at one time: no order of evaluation changes it.
std::int64_t NoiseAt(std::uint64_t stream, Instant t, std::int64_t below) {
  const std::uint64_t bits = MixBits(stream ^ static_cast<std::uint64_t>(t.base()));
  return static_cast<std::int64_t>(bits % static_cast<std::uint64_t>(below));
}

std::int64_t TrainingPercent(std::uint64_t stream, const DemoHold& hold, Instant t) {
  const std::int64_t step = Between(hold.ready, t).base() / kDemoStep.base();
  if (step % 12 == 11) return 34 + NoiseAt(stream, t, 9);                 // a checkpoint is written
  if (NoiseAt(stream + 1, t, 97) == 0) return 9 + NoiseAt(stream, t, 9);  // data stall
  return 87 + NoiseAt(stream, t, 11);
}

std::int64_t ServingPercent(std::uint64_t stream, Instant t) {
  const std::int64_t level = 10 + TrafficAt(t) * 6 / 10;
  return std::clamp<std::int64_t>(level + NoiseAt(stream, t, 13) - 6, 1, 97);
}

// The seven replicas of a slice service share one level; their offsets add up to nothing, so
// that seven instances of equal slices are together a whole number of percents of a card.
std::int64_t SlicesPercent(std::uint64_t seed, const DemoHold& hold, std::size_t card, Instant t) {
  const std::uint64_t service =
      MixBits(seed ^ static_cast<std::uint64_t>(hold.cpu * 64 + hold.gib));
  const std::int64_t level = 15 + TrafficAt(t) * 45 / 100 + NoiseAt(service, t, 4);
  return level + static_cast<std::int64_t>(card) - 3;
}

std::int64_t NotebookPercent(std::uint64_t stream, Instant t) {
  const std::int64_t hour = Between(FloorTo(t, Days(1)), t).base() / Hours(1).base();
  const bool at_work = WeekdayOf(t) <= 5 && hour >= 8 && hour < 18;
  if (at_work && NoiseAt(stream, t, 10) < 4) return 10 + NoiseAt(stream + 1, t, 50);
  return NoiseAt(stream, t, 20) == 0 ? 1 : 0;
}

class Filler {
 public:
  explicit Filler(DemoFleet& fleet) : fleet_(fleet) {}

  void Fill(DemoNode& node, std::size_t unit_index) {
    DemoUnit& unit = node.units[unit_index];
    std::sort(unit.holds.begin(), unit.holds.end(), [&](std::size_t a, std::size_t b) {
      return fleet_.holds[a].bind < fleet_.holds[b].bind;
    });
    const std::uint64_t stream =
        DemoRandom(fleet_.seed, node.name + "/" + std::to_string(unit_index)).Next();
    std::size_t next = 0;
    for (std::size_t i = 0; i < unit.percent.size(); ++i) {
      const Instant t = fleet_.grid(i);
      if (!Measured(node, unit, t)) continue;
      while (next < unit.holds.size() &&
             fleet_.holds[unit.holds[next]].span(fleet_.window.until).until <= t) {
        ++next;
      }
      const bool held = next < unit.holds.size() && fleet_.holds[unit.holds[next]].bind <= t;
      unit.percent[i] = static_cast<std::uint8_t>(
          held ? Percent(fleet_.holds[unit.holds[next]], unit, stream, t) : 0);
    }
  }

 private:
  bool Measured(const DemoNode& node, const DemoUnit& unit, Instant t) const {
    const Instant first = node.begin > fleet_.window.begin ? node.begin + kDemoStep : node.begin;
    return t >= first && (!node.until || t < *node.until) &&
           !(node.silent && node.silent->contains(t)) && !(unit.failed && unit.failed->contains(t));
  }

  std::int64_t Percent(const DemoHold& hold, const DemoUnit& unit, std::uint64_t stream,
                       Instant t) const {
    if (t < hold.ready) return 0;
    switch (hold.activity) {
      case DemoActivity::kIdle:
        return 0;
      case DemoActivity::kTraining:
        return TrainingPercent(stream, hold, t);
      case DemoActivity::kServing:
        return ServingPercent(stream, t);
      case DemoActivity::kSlices:
        return SlicesPercent(fleet_.seed + static_cast<std::uint64_t>(unit.sevenths), hold,
                             unit.card, t);
      case DemoActivity::kNotebook:
        return NotebookPercent(stream, t);
      case DemoActivity::kBatch:
        return 68 + NoiseAt(stream, t, 28);
      case DemoActivity::kSlurm:
        return 74 + NoiseAt(stream, t, 25);
    }
    return 0;
  }

  DemoFleet& fleet_;
};

}  // namespace

void FillSignals(DemoFleet& fleet) {
  Filler filler(fleet);
  for (DemoNode& node : fleet.nodes) {
    for (std::size_t unit = 0; unit < node.units.size(); ++unit) filler.Fill(node, unit);
  }
  const std::vector<std::size_t> notebooks = NodesOf(fleet, "notebook");
  DemoUnit& free = fleet.nodes[notebooks.front()].units.back();
  const Instant day = fleet.window.begin + Days(2);
  const Window bypass{day + Hours(20), day + Hours(23) + Minutes(35)};
  for (std::size_t i = 0; i < free.percent.size(); ++i) {
    const Instant t = fleet.grid(i);
    if (!bypass.contains(t) || free.percent[i] == kNoSample) continue;
    free.percent[i] = static_cast<std::uint8_t>(55 + NoiseAt(fleet.seed, t, 17));
  }
}

std::optional<std::size_t> HolderAt(const DemoFleet& fleet, const DemoUnit& unit, Instant t) {
  for (const std::size_t hold : unit.holds) {
    if (fleet.holds[hold].span(fleet.window.until).contains(t)) return hold;
  }
  return std::nullopt;
}

}  // namespace plimsoll
