#include "allocation/classify.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <tuple>
#include <utility>

namespace plimsoll {
namespace {

// An hour of a card weighs 3.6e12 x the denominator; this keeps it and its sums in 64 bits.
constexpr std::int64_t kDenominatorMax = 2'000'000;
constexpr auto kNobody = static_cast<std::int32_t>(kNoId);

void AddWeight(std::vector<ClassWeight>& weights, std::int32_t workload, CostClass cost_class,
               std::int64_t weight) {
  if (weight <= 0) return;
  for (ClassWeight& known : weights) {
    if (known.cost_class == cost_class && known.workload == workload) {
      known.weight += weight;
      return;
    }
  }
  weights.push_back({workload, cost_class, weight});
}

void SortWeights(std::vector<ClassWeight>& weights) {
  std::sort(weights.begin(), weights.end(), [](const ClassWeight& a, const ClassWeight& b) {
    return std::tie(a.cost_class, a.workload) < std::tie(b.cost_class, b.workload);
  });
}

// Used part of `millis` held, in ppm x ms, from a twelfth's busy integral. Never above the
// whole, whatever the sample says.
std::int64_t UsedPart(std::int64_t millis, std::int64_t covered, std::int64_t active) {
  const std::int64_t whole = millis * kPartsPerMillion;
  if (millis == covered) return std::clamp<std::int64_t>(active, 0, whole);
  const int128 used = DivideHalfEven(int128{active} * millis, covered);
  return static_cast<std::int64_t>(std::clamp<int128>(used, 0, whole));
}

// The row that tells how busy a piece was: its instance's if the card has instance rows.
UsageCell CellOf(const DeviceHour& device, const Piece& piece) {
  if (piece.instance < 0 || device.instances.empty()) return device.card;
  for (const InstanceCell& instance : device.instances) {
    if (instance.instance == piece.instance) return instance.cell;
  }
  return {};
}

// Coverage and activity of the device as a whole in one twelfth.
std::pair<std::int64_t, std::int64_t> WholeDevice(const DeviceHour& device, std::size_t twelfth) {
  // A card in MIG mode has a row of its own for its power alone: no coverage.
  if (device.card.has_row() && (*device.card.covered)[twelfth] > 0) {
    return {(*device.card.covered)[twelfth], (*device.card.active)[twelfth]};
  }
  std::pair<std::int64_t, std::int64_t> sum{0, 0};
  for (const InstanceCell& instance : device.instances) {
    sum.first += (*instance.cell.covered)[twelfth];
    sum.second += (*instance.cell.active)[twelfth];
  }
  return sum;
}

bool IsMixed(std::span<const Window> mixed, Instant t) {
  const auto after = std::upper_bound(mixed.begin(), mixed.end(), t,
                                      [](Instant at, const Window& w) { return at < w.begin; });
  return after != mixed.begin() && std::prev(after)->contains(t);
}

}  // namespace

CostClass Classifier::IdleClass(const DeviceHour& device, std::size_t twelfth,
                                bool may_be_busy) const {
  const auto bit = 1u << twelfth;
  if ((device.covered & bit) == 0) {
    return (device.node_covered & bit) != 0 ? CostClass::kUnavailable : CostClass::kWaste;
  }
  if (!may_be_busy) return CostClass::kWaste;
  const auto [covered, active] = WholeDevice(device, twelfth);
  const bool is_busy = covered > 0 && int128{active} >= int128{busy_ppm_min_} * covered;
  return is_busy ? CostClass::kBusyUnattributed : CostClass::kWaste;
}

void Classifier::NoteIdle(CostClass idle, std::size_t twelfth, std::int64_t parts) {
  if (!notes_idle_ || idle != CostClass::kWaste || parts == 0) return;
  has_idle_ = true;
  IdleTwelfth& at = idle_[twelfth];
  at.waste += parts;
  if (holders_.empty()) {
    at.is_free = true;
  } else {
    at.shared += parts;
  }
}

bool Classifier::Classify(const DeviceHour& device, std::vector<ClassWeight>& weights) {
  weights.clear();
  if (std::exchange(has_idle_, false)) idle_ = {};
  holders_.clear();
  pieces_.clear();
  denominator_ = 1;
  for (const Piece& piece : device.pieces) {
    if (piece.begin < device.provisioned.until && device.provisioned.begin < piece.until) {
      pieces_.push_back(&piece);
    }
  }
  if (ClassifySimple(device, weights)) return true;
  if (!CommonDenominator(device.stranded.den)) return false;
  CutTime(device);
  for (std::size_t i = 0; i + 1 < cuts_.size(); ++i) {
    const Segment segment{
        static_cast<std::size_t>(Between(device.hour, cuts_[i]).base() / kTwelfth.base()),
        {cuts_[i], cuts_[i + 1]}};
    WeighSegment(device, segment, weights);
  }
  SortWeights(weights);
  return true;
}

// The common case, a whole hour with one running holder of the whole card, or with none:
// the same sums as the general case, without cutting.
bool Classifier::ClassifySimple(const DeviceHour& device, std::vector<ClassWeight>& weights) {
  if (device.provisioned.length() != Hours(1) || pieces_.size() > 1) return false;
  if (device.stranded.num > 0) return false;
  constexpr std::int64_t kMillis = kTwelfth.base();
  if (pieces_.empty()) {
    for (std::size_t t = 0; t < 12; ++t) {
      const CostClass idle = IdleClass(device, t, true);
      AddWeight(weights, kNobody, idle, kMillis * kPartsPerMillion);
      NoteIdle(idle, t, kMillis * kIdleParts);
    }
    SortWeights(weights);
    return true;
  }
  const Piece& piece = *pieces_.front();
  if (piece.ready > device.provisioned.begin || piece.until < device.provisioned.until ||
      piece.share_num != piece.share_den || (!piece.has_evidence && !device.mixed.empty())) {
    return false;
  }
  const UsageCell cell = CellOf(device, piece);
  if (cell.stalled != 0) return false;
  std::int64_t used = cell.is_plain ? cell.active_sum : 0;
  std::int64_t unknown = 0;
  for (std::size_t t = 0; !cell.is_plain && t < 12; ++t) {
    const std::int64_t covered = cell.has_row() ? (*cell.covered)[t] : 0;
    if (covered <= 0 && piece.used_ppm >= 0) {
      used += kMillis * std::min(piece.used_ppm, kPartsPerMillion);
    } else if (covered <= 0) {
      unknown += kMillis * kPartsPerMillion;
    } else {
      used += UsedPart(kMillis, covered, (*cell.active)[t]);
    }
  }
  AddWeight(weights, piece.workload, CostClass::kUsed, used);
  AddWeight(weights, piece.workload, CostClass::kUnused,
            12 * kMillis * kPartsPerMillion - used - unknown);
  AddWeight(weights, piece.workload, CostClass::kUsageUnknown, unknown);
  return true;
}

bool Classifier::CommonDenominator(std::int64_t least) {
  denominator_ = least;
  for (const Piece* piece : pieces_) {
    const std::int64_t factor = piece->share_den / std::gcd(denominator_, piece->share_den);
    if (factor > kDenominatorMax / denominator_) return false;
    denominator_ *= factor;
  }
  return true;
}

void Classifier::CutTime(const DeviceHour& device) {
  cuts_.clear();
  const auto cut = [&](Instant t) {
    if (device.provisioned.begin < t && t < device.provisioned.until) cuts_.push_back(t);
  };
  for (std::int64_t t = 1; t < 12; ++t) cut(device.hour + Millis(t * kTwelfth.base()));
  bool is_guessed = false;
  for (const Piece* piece : pieces_) {
    cut(piece->begin);
    cut(piece->ready);
    cut(piece->until);
    is_guessed = is_guessed || !piece->has_evidence;
  }
  if (is_guessed) {
    for (const Window& window : device.mixed) {
      cut(window.begin);
      cut(window.until);
    }
  }
  cuts_.push_back(device.provisioned.begin);
  cuts_.push_back(device.provisioned.until);
  std::sort(cuts_.begin(), cuts_.end());
  cuts_.erase(std::unique(cuts_.begin(), cuts_.end()), cuts_.end());
}

// Who holds the card during the segment. A card that would be more than full is a stale
// label: later begins win, the rest lose the time.
void Classifier::PickHolders(const Segment& segment) {
  holders_.clear();
  held_share_ = 0;
  const auto share_of = [&](const Piece& piece) {  // a unit is never more than a card
    const std::int64_t num = std::min(piece.share_num, piece.share_den + 1);
    return num * (denominator_ / piece.share_den);
  };
  for (const Piece* piece : pieces_) {
    if (piece->begin > segment.time.begin || piece->until <= segment.time.begin) continue;
    holders_.push_back(piece);
    held_share_ = std::min(held_share_ + share_of(*piece), denominator_ + 1);
  }
  if (held_share_ <= denominator_) return;
  std::stable_sort(holders_.begin(), holders_.end(), [](const Piece* a, const Piece* b) {
    return a->begin != b->begin ? a->begin > b->begin : a->holding < b->holding;
  });
  held_share_ = 0;
  std::erase_if(holders_, [&](const Piece* piece) {
    const std::int64_t share = share_of(*piece);
    if (held_share_ + share <= denominator_) {
      held_share_ += share;
      return false;
    }
    losses_.push_back({piece->holding, segment.time.length().base()});
    return true;
  });
}

void Classifier::WeighSegment(const DeviceHour& device, const Segment& segment,
                              std::vector<ClassWeight>& weights) {
  PickHolders(segment);
  if (holders_.empty()) {
    WeighUnheld(device, segment, weights);
    return;
  }
  for (const Piece* piece : holders_) WeighHeld(device, *piece, segment, weights);
  WeighIdle(device, IdleClass(device, segment.twelfth, false), segment, weights);
}

void Classifier::WeighHeld(const DeviceHour& device, const Piece& piece, const Segment& segment,
                           std::vector<ClassWeight>& weights) const {
  const std::int64_t millis = segment.time.length().base();
  const std::int64_t whole = millis * kPartsPerMillion;
  const std::int64_t share = piece.share_num * (denominator_ / piece.share_den);
  if (segment.time.begin < piece.ready) {
    AddWeight(weights, piece.workload, CostClass::kStartup, whole * share);
    return;
  }
  const UsageCell cell = CellOf(device, piece);
  const std::int64_t covered = cell.has_row() ? (*cell.covered)[segment.twelfth] : 0;
  const bool is_guess = !piece.has_evidence && IsMixed(device.mixed, segment.time.begin);
  std::int64_t used = 0;
  if (covered > 0 && !is_guess) {
    if ((cell.stalled & (1U << segment.twelfth)) != 0) {
      AddWeight(weights, piece.workload, CostClass::kHung, whole * share);
      return;
    }
    used = UsedPart(millis, covered, (*cell.active)[segment.twelfth]);
  } else if (piece.used_ppm >= 0) {  // what the job's own accounting tells
    used = millis * std::min(piece.used_ppm, kPartsPerMillion);
  } else {
    AddWeight(weights, piece.workload, CostClass::kUsageUnknown, whole * share);
    return;
  }
  AddWeight(weights, piece.workload, CostClass::kUsed, used * share);
  AddWeight(weights, piece.workload, CostClass::kUnused, (whole - used) * share);
}

// What nobody holds of the card in the segment; of it, what no MIG instance can take.
void Classifier::WeighIdle(const DeviceHour& device, CostClass idle, const Segment& segment,
                           std::vector<ClassWeight>& weights) {
  const std::int64_t millis = segment.time.length().base();
  std::int64_t share = denominator_ - held_share_;
  if (idle == CostClass::kWaste && device.stranded.num > 0) {
    const std::int64_t stranded =
        std::min(share, device.stranded.num * (denominator_ / device.stranded.den));
    AddWeight(weights, kNobody, CostClass::kStranded, millis * kPartsPerMillion * stranded);
    share -= stranded;
  }
  AddWeight(weights, kNobody, idle, millis * kPartsPerMillion * share);
  const int128 parts = int128{millis} * kIdleParts * share / denominator_;
  NoteIdle(idle, segment.twelfth, static_cast<std::int64_t>(parts));
}

void Classifier::WeighUnheld(const DeviceHour& device, const Segment& segment,
                             std::vector<ClassWeight>& weights) {
  const Instant begin =
      device.hour + Millis(static_cast<std::int64_t>(segment.twelfth) * kTwelfth.base());
  const Window twelfth = Intersect({begin, begin + kTwelfth}, device.provisioned);
  const bool is_touched = std::any_of(pieces_.begin(), pieces_.end(), [&](const Piece* piece) {
    return piece->begin < twelfth.until && twelfth.begin < piece->until;
  });
  const CostClass idle = is_touched ? CostClass::kWaste : IdleClass(device, segment.twelfth, true);
  WeighIdle(device, idle, segment, weights);
}

}  // namespace plimsoll
