#include "allocation/node_hour.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "units/split.h"

namespace plimsoll {
namespace {

constexpr auto kNobody = static_cast<std::int32_t>(kNoId);

// Shares finer than this on one node-hour's cards together are refused: weights stay exact.
constexpr std::int64_t kDenominatorMax = 1'000'000'000'000;

// amount / unit with two decimals, rounded up: "3.00", and never "0.00".
std::string Hundredths(int128 amount, int128 unit) {
  const int128 hundredths = (amount * 100 + unit - 1) / unit;
  const std::string rest = std::to_string(static_cast<std::int64_t>(hundredths % 100) + 100);
  return std::to_string(static_cast<std::int64_t>(hundredths / 100)) + "." + rest.substr(1);
}

}  // namespace

NodeHourDivider::NodeHourDivider(const Facts& facts, const Options& options)
    : facts_(facts),
      classifier_(options.busy_ppm_min, options.notes_idle),
      no_telemetry_(options.no_telemetry),
      piece_cursor_(facts.devices.size()),
      request_cursor_(facts.nodes.nodes().size()),
      missing_(facts.devices.size()),
      lost_(facts.holdings.size()),
      unprovisioned_(facts.nodes.nodes().size()),
      over_cpu_(facts.nodes.nodes().size()),
      over_memory_(facts.nodes.nodes().size()) {}

// Pieces of the device that may overlap times from `begin` on; those all over are skipped
// once and for all, since hours come in order.
std::span<const Piece> NodeHourDivider::PiecesFrom(std::int32_t device, Instant begin) {
  const auto& pieces = facts_.pieces.of_device[static_cast<std::size_t>(device)];
  std::size_t& cursor = piece_cursor_[static_cast<std::size_t>(device)];
  while (cursor < pieces.size() && pieces[cursor].until <= begin) ++cursor;
  std::size_t end = cursor;
  while (end < pieces.size() && pieces[end].begin < begin + Hours(1)) ++end;
  return std::span(pieces).subspan(cursor, end - cursor);
}

NodeHourDivider::Cell& NodeHourDivider::CellOf(std::int32_t workload, CostClass cost_class) {
  for (Cell& cell : cells_) {
    if (cell.workload == workload && cell.cost_class == cost_class) return cell;
  }
  cells_.push_back({workload, cost_class, 0, costs_.size()});
  costs_.resize(costs_.size() + 3 * scope_count_);
  return cells_.back();
}

Status NodeHourDivider::Divide(const NodeHour& at, std::vector<HourLine>& lines) {
  if (at.provisioned.empty()) {
    DivideIdle(at, lines);
    return Ok();
  }
  cells_.clear();
  costs_.clear();
  idle_ = {};
  idle_.node = at.node;
  idle_.provisioned = at.provisioned;
  scope_count_ = at.scopes.size();
  PickDevices(at);
  bool fits = DivideGpus(at);
  if (fits && facts_.nodes.at(at.node).no_telemetry) {
    Cell& cell = CellOf(no_telemetry_, CostClass::kUsageUnknown);
    for (std::size_t s = 0; s < scope_count_; ++s) {
      CostIn(cell, s, kCpu) += at.scopes[s].parts[kCpu];
      CostIn(cell, s, kMemory) += at.scopes[s].parts[kMemory];
    }
  } else if (fits) {
    GatherAsked(at);
    fits = DivideRequested(at, kCpu) && DivideRequested(at, kMemory);
  }
  if (!fits) {
    return Error{ErrorCode::kOutOfRange,
                 "node " + facts_.nodes.at(at.node).node + " at " + ToString(at.begin) +
                     ": shares of a GPU or a cost do not fit exact arithmetic; check share_den "
                     "of its holdings and the charges of that hour"};
  }
  Emit(at, lines);
  return Ok();
}

// Cost of an hour in which the node did not run (a tax, a late credit): nobody's.
void NodeHourDivider::DivideIdle(const NodeHour& at, std::vector<HourLine>& lines) const {
  const bool has_gpu = facts_.devices.CardsOf(at.node) > 0;
  const CostClass cost_class = has_gpu ? CostClass::kWaste : CostClass::kNone;
  for (const ScopeCost& scope : at.scopes) {
    HourLine line{scope.scope, at.node, kNobody, static_cast<std::int32_t>(cost_class)};
    line.gpu = scope.parts[kGpu];
    line.cpu = scope.parts[kCpu];
    line.memory = scope.parts[kMemory];
    if (!line.is_zero()) lines.push_back(line);
  }
}

// The cards that exist in this hour: if more were seen than there are (a replacement), those
// with coverage come first.
void NodeHourDivider::PickDevices(const NodeHour& at) {
  const std::int32_t first = facts_.devices.first(at.node);
  const std::int32_t end = facts_.devices.first(at.node + 1);
  picked_.clear();
  masks_.clear();
  node_mask_ = 0;
  for (std::int32_t id = first; id < end; ++id) {
    const std::uint16_t mask = facts_.devices.CoveredMask(id, at.hour);
    masks_.push_back(mask);
    node_mask_ = static_cast<std::uint16_t>(node_mask_ | mask);
    picked_.push_back(id);
  }
  const auto cards = static_cast<std::size_t>(facts_.devices.CardsOf(at.node));
  if (picked_.size() <= cards) return;
  std::stable_partition(picked_.begin(), picked_.end(), [&](std::int32_t id) {
    return masks_[static_cast<std::size_t>(id - first)] != 0;
  });
  picked_.resize(cards);
  std::sort(picked_.begin(), picked_.end());
}

bool NodeHourDivider::WeighDevice(const NodeHour& at, std::int32_t device) {
  if (facts_.nodes.at(at.node).no_telemetry) {
    weights_.assign(1, {no_telemetry_, CostClass::kUsageUnknown,
                        at.provisioned.length().base() * kPartsPerMillion});
    return true;
  }
  DeviceHour hour;
  hour.hour = at.begin;
  hour.provisioned = at.provisioned;
  hour.card = facts_.devices.CardCell(device, at.hour);
  hour.instances = facts_.devices.InstanceCells(device, at.hour);
  hour.covered = masks_[static_cast<std::size_t>(device - facts_.devices.first(at.node))];
  hour.node_covered = node_mask_;
  hour.pieces = PiecesFrom(device, at.begin);
  hour.mixed = facts_.pieces.mixed[static_cast<std::size_t>(at.node)];
  hour.stranded = facts_.devices.StrandedShare(device, at.hour);
  if (!classifier_.Classify(hour, weights_)) return false;
  for (std::size_t t = 0; classifier_.has_idle() && t < 12; ++t) {
    const IdleTwelfth& idle = classifier_.idle()[t];
    idle_.waste[t] += idle.waste;
    idle_.shared[t] += idle.shared;
    idle_.free_cards[t] += idle.is_free ? 1 : 0;
  }
  const unsigned missing = static_cast<unsigned>(node_mask_) & ~static_cast<unsigned>(hour.covered);
  for (std::size_t t = 0; missing != 0 && t < 12; ++t) {
    idle_.missing_cards[t] += (missing >> t) & 1U;
  }
  if (!classifier_.has_losses()) return true;
  for (const Classifier::Loss& loss : classifier_.TakeLosses()) {
    lost_[static_cast<std::size_t>(loss.holding)] += loss.millis;
  }
  return true;
}

// Brings the weights so far to a denominator that `denominator` divides.
bool NodeHourDivider::WidenDenominator(std::int64_t denominator) {
  const std::int64_t factor = denominator / std::gcd(denominator_, denominator);
  if (factor == 1) return true;
  if (factor > kDenominatorMax / denominator_) return false;
  denominator_ *= factor;
  for (Cell& cell : cells_) cell.weight *= factor;
  return true;
}

// Adds the class weights of one card to the node-hour's.
bool NodeHourDivider::AddDevice(std::int32_t device) {
  const std::int64_t denominator = classifier_.denominator();
  if (!WidenDenominator(denominator)) return false;
  const std::int64_t scale = denominator_ / denominator;
  for (const ClassWeight& weight : weights_) {
    CellOf(weight.workload, weight.cost_class).weight += int128{weight.weight} * scale;
    if (weight.cost_class == CostClass::kUnavailable) {
      missing_[static_cast<std::size_t>(device)] +=
          weight.weight / (kPartsPerMillion * denominator);
    }
  }
  return true;
}

bool NodeHourDivider::DivideOverCells(int128 total) {
  wide_weights_.clear();
  for (const Cell& cell : cells_) wide_weights_.push_back(cell.weight);
  shares_.resize(cells_.size());
  return SplitInto(total, std::span<const int128>(wide_weights_), shares_);
}

// The cards' time and cost are divided once over all of them: every card has the same time
// and the same part of the cost, and fractions of cards that make a whole leave no remainder.
bool NodeHourDivider::DivideGpus(const NodeHour& at) {
  denominator_ = 1;
  for (const std::int32_t device : picked_) {
    if (!WeighDevice(at, device) || !AddDevice(device)) return false;
  }
  SortCells();
  if (cells_.empty()) return true;
  const auto cards = static_cast<int128>(picked_.size());
  if (!DivideOverCells(cards * at.provisioned.length().base())) return false;
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    cells_[i].gpu_millis = static_cast<std::int64_t>(shares_[i]);
  }
  for (std::size_t s = 0; s < scope_count_; ++s) {
    if (at.scopes[s].parts[kGpu] == 0) continue;
    if (!DivideOverCells(at.scopes[s].parts[kGpu])) return false;
    for (std::size_t i = 0; i < cells_.size(); ++i) CostIn(cells_[i], s, kGpu) += shares_[i];
  }
  return true;
}

void NodeHourDivider::SortCells() {
  std::sort(cells_.begin(), cells_.end(), [](const Cell& a, const Cell& b) {
    return std::tie(a.workload, a.cost_class) < std::tie(b.workload, b.cost_class);
  });
}

// What each workload asked for within the provisioned time, by workload.
void NodeHourDivider::GatherAsked(const NodeHour& at) {
  asked_.clear();
  const auto requests = facts_.holdings.RequestsOf(at.node);
  std::size_t& cursor = request_cursor_[static_cast<std::size_t>(at.node)];
  while (cursor < requests.size() && requests[cursor].until <= at.begin) ++cursor;
  for (std::size_t i = cursor; i < requests.size(); ++i) {
    const RequestFact& request = requests[i];
    if (request.begin >= at.provisioned.until) break;
    const Window held = Intersect({request.begin, request.until}, at.provisioned);
    if (held.empty()) continue;
    const int128 millis = held.length().base();
    asked_.push_back({request.workload, request.cpu_milli * millis, request.memory_bytes * millis});
  }
  std::sort(asked_.begin(), asked_.end(),
            [](const Asked& a, const Asked& b) { return a.workload < b.workload; });
  std::size_t kept = 0;
  for (const Asked& asked : asked_) {
    if (kept > 0 && asked_[kept - 1].workload == asked.workload) {
      asked_[kept - 1].cpu += asked.cpu;
      asked_[kept - 1].memory += asked.memory;
    } else {
      asked_[kept++] = asked;
    }
  }
  asked_.resize(kept);
}

// CPU or memory: what was asked for goes to who asked, the rest of the capacity to nobody.
bool NodeHourDivider::DivideRequested(const NodeHour& at, Part part) {
  const NodeFact& node = facts_.nodes.at(at.node);
  wide_weights_.clear();
  int128 sum = 0;
  for (const Asked& asked : asked_) {
    wide_weights_.push_back(part == kCpu ? asked.cpu : asked.memory);
    sum += wide_weights_.back();
  }
  const int128 capacity = int128{part == kCpu ? node.cpu_capacity : node.memory_capacity} *
                          at.provisioned.length().base();
  const int128 rest = std::max<int128>(capacity - sum, 0);
  if (capacity > 0 && sum > capacity) {
    auto& over = part == kCpu ? over_cpu_ : over_memory_;
    int128& most = over[static_cast<std::size_t>(at.node)];
    most = std::max(most, (sum - capacity) / at.provisioned.length().base());
  }
  wide_weights_.push_back(sum + rest == 0 ? 1 : rest);
  shares_.resize(wide_weights_.size());
  const CostClass rest_class =
      facts_.devices.CardsOf(at.node) > 0 ? CostClass::kWaste : CostClass::kNone;
  for (std::size_t s = 0; s < scope_count_; ++s) {
    const int128 cost = at.scopes[s].parts[part];
    if (cost == 0) continue;
    if (!SplitInto(cost, std::span<const int128>(wide_weights_), shares_)) return false;
    given_ = shares_;
    for (std::size_t i = 0; i < asked_.size(); ++i) {
      if (!GiveToHolder(asked_[i].workload, s, part, given_[i])) return false;
    }
    if (given_.back() != 0) CostIn(CellOf(kNobody, rest_class), s, part) += given_.back();
  }
  return true;
}

// A holder's part follows its GPU classes in the node-hour, by their time.
bool NodeHourDivider::GiveToHolder(std::int32_t workload, std::size_t scope, Part part,
                                   int128 cost) {
  if (cost == 0) return true;
  // Cells of the GPU stage are sorted by (workload, class) and come first.
  const auto first = std::find_if(cells_.begin(), cells_.end(), [&](const Cell& cell) {
    return cell.workload == workload && cell.gpu_millis > 0;
  });
  if (first == cells_.end()) {
    CostIn(CellOf(workload, CostClass::kNone), scope, part) += cost;
    return true;
  }
  plain_weights_.clear();
  auto end = first;
  for (; end != cells_.end() && end->workload == workload; ++end) {
    plain_weights_.push_back(end->gpu_millis);
  }
  shares_.resize(plain_weights_.size());
  if (!SplitInto(cost, std::span<const std::int64_t>(plain_weights_), shares_)) return false;
  for (auto it = first; it != end; ++it) {
    CostIn(*it, scope, part) += shares_[static_cast<std::size_t>(it - first)];
  }
  return true;
}

void NodeHourDivider::Emit(const NodeHour& at, std::vector<HourLine>& lines) {
  SortCells();
  for (std::size_t s = 0; s < scope_count_; ++s) {
    for (const Cell& cell : cells_) {
      HourLine line{at.scopes[s].scope, at.node, cell.workload,
                    static_cast<std::int32_t>(cell.cost_class)};
      line.gpu_millis = s == at.carrier ? cell.gpu_millis : 0;
      line.gpu = CostIn(cell, s, kGpu);
      line.cpu = CostIn(cell, s, kCpu);
      line.memory = CostIn(cell, s, kMemory);
      if (!line.is_zero()) lines.push_back(line);
    }
  }
}

void NodeHourDivider::NoteUnprovisioned(std::int32_t node, const Window& hour,
                                        const Window& provisioned) {
  for (std::int32_t id = facts_.devices.first(node); id < facts_.devices.first(node + 1); ++id) {
    for (const Piece& piece : PiecesFrom(id, hour.begin)) {
      const Window held = Intersect({piece.begin, piece.until}, hour);
      if (held.empty()) continue;
      const Window paid = Intersect(held, provisioned);
      const std::int64_t millis = held.length().base() - (paid.empty() ? 0 : paid.length().base());
      unprovisioned_[static_cast<std::size_t>(node)] +=
          int128{millis} * piece.share_num / piece.share_den;
    }
  }
}

// Who held it divides the whole node in proportion, so the parts add up and none is idle; that
// they do not get what they hold is said here.
void NodeHourDivider::ReportOverCommitted(FindingLog& findings) const {
  const auto say = [&](std::size_t id, const std::string& amount) {
    findings.Add("over-committed", facts_.nodes.at(static_cast<std::int32_t>(id)).node,
                 "over-committed by " + amount +
                     " in its fullest hour: its holders asked for, or used, more than it has; "
                     "each pays for its part of the whole, and none of it is idle");
  };
  for (std::size_t id = 0; id < over_memory_.size(); ++id) {
    if (over_cpu_[id] > 0) say(id, Hundredths(over_cpu_[id], 1'000) + " CPUs");
    if (over_memory_[id] > 0) {
      say(id, Hundredths(over_memory_[id], int128{1} << 30) + " GiB of memory");
    }
  }
}

void NodeHourDivider::Report(const AllocationInput& input, FindingLog& findings) {
  for (std::size_t id = 0; id < missing_.size(); ++id) {
    if (missing_[id] == 0) continue;
    const DeviceFact& device = facts_.devices.at(static_cast<std::int32_t>(id));
    const NodeFact& node = facts_.nodes.at(device.node);
    findings.Add("device-missing", device.uuid,
                 "paid on " + node.node +
                     " and held by nothing, but without telemetry while "
                     "other devices of the node have it",
                 {missing_[id], {}});
  }
  const HoldingBatch& h = input.holdings;
  for (std::size_t i = 0; i < lost_.size(); ++i) {
    if (lost_[i] == 0) continue;
    const std::size_t row = facts_.holdings.at(i).row;
    findings.Add("label-stale", h.ns[row].text() + "/" + h.name[row],
                 "telemetry on " + h.node[row].text() +
                     " kept its name while a later holder had the device; the later one counts",
                 {lost_[i], {}});
  }
  for (std::size_t id = 0; id < unprovisioned_.size(); ++id) {
    if (unprovisioned_[id] == 0) continue;
    const NodeFact& node = facts_.nodes.at(static_cast<std::int32_t>(id));
    findings.Add("held-not-provisioned", node.node,
                 "GPUs were held while the node was neither billed nor known to exist; that "
                 "time has no cost",
                 {unprovisioned_[id], {}});
  }
  ReportOverCommitted(findings);
}

}  // namespace plimsoll
