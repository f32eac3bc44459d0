#include "property/naive_allocation.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace plimsoll {
namespace {

using Cell = std::pair<std::string, CostClass>;  // workload, class

// Largest remainder, by sorting: the specification in words.
std::vector<int128> Divide(int128 total, const std::vector<int128>& weights) {
  const int128 sum = std::accumulate(weights.begin(), weights.end(), int128{0});
  std::vector<int128> parts;
  std::vector<std::pair<int128, std::size_t>> rests;
  int128 left = total;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    parts.push_back(total * weights[i] / sum);
    rests.emplace_back(-(total * weights[i] % sum), i);
    left -= parts.back();
  }
  std::sort(rests.begin(), rests.end());
  for (std::size_t i = 0; left > 0; ++i, --left) ++parts[rests[i].second];
  return parts;
}

class Naive {
 public:
  explicit Naive(const RandomFleet& fleet) : f_(fleet) {}

  NaiveLines Run() {
    for (std::int64_t hour = 0; hour < kFleetHours; ++hour) {
      for (std::size_t n = 0; n < f_.nodes.node.size(); ++n) {
        DoNodeHour(n, kFleetBegin + Hours(hour));
      }
    }
    for (std::size_t i = 0; i < f_.charges.line.size(); ++i) {
      if (f_.charges.resource_id[i].empty()) SpreadDirect(i);
    }
    std::erase_if(lines_, [](const auto& line) { return line.second == NaiveLine{}; });
    return lines_;
  }

 private:
  static bool Held(const HoldingBatch& h, std::size_t i, Instant t) {
    return h.begin[i] <= t && t < *h.until[i];
  }
  std::string DeviceOf(std::size_t holding) const { return f_.bindings.device[holding]; }

  // Covered and busy parts-per-million of a device in the twelfth of `t`; covered false: none.
  struct Sample {
    bool covered = false;
    std::int64_t ppm = 0;
  };
  Sample SampleOf(const std::string& device, Instant t) const {
    const Instant hour = FloorTo(t, Hours(1));
    for (std::size_t i = 0; i < f_.usage.device.size(); ++i) {
      if (f_.usage.device[i] != device || f_.usage.hour[i] != hour) continue;
      const auto twelfth = static_cast<std::size_t>(Between(hour, t).base() / kTwelfth.base());
      if (f_.usage.covered[i][twelfth] == 0) return {};
      return {true, f_.usage.active[i][twelfth] / kTwelfth.base()};
    }
    return {};
  }

  bool HeldInTwelfth(const std::string& device, Instant t, Window provisioned) const {
    const Window twelfth =
        Intersect({FloorTo(t, kTwelfth), FloorTo(t, kTwelfth) + kTwelfth}, provisioned);
    for (std::size_t i = 0; i < f_.holdings.node.size(); ++i) {
      if (DeviceOf(i) != device) continue;
      if (!Intersect({f_.holdings.begin[i], *f_.holdings.until[i]}, twelfth).empty()) return true;
    }
    return false;
  }

  // Adds one minute of one device to the weights: ppm x ms.
  void WeighMinute(std::size_t node, const std::string& device, Instant t, Window provisioned) {
    const Sample sample = SampleOf(device, t);
    const int128 whole = int128{60'000} * kPartsPerMillion;
    for (std::size_t i = 0; i < f_.holdings.node.size(); ++i) {
      if (DeviceOf(i) != device || !Held(f_.holdings, i, t)) continue;
      const std::string& workload = f_.holdings.workload[i];
      if (f_.holdings.ready[i] && t < *f_.holdings.ready[i]) {
        weights_[{workload, CostClass::kStartup}] += whole;
      } else if (!sample.covered) {
        weights_[{workload, CostClass::kUsageUnknown}] += whole;
      } else {
        weights_[{workload, CostClass::kUsed}] += int128{60'000} * sample.ppm;
        weights_[{workload, CostClass::kUnused}] += whole - int128{60'000} * sample.ppm;
      }
      return;
    }
    weights_[{"", UnheldClass(node, device, t, sample, provisioned)}] += whole;
  }

  CostClass UnheldClass(std::size_t node, const std::string& device, Instant t, Sample sample,
                        Window provisioned) const {
    if (HeldInTwelfth(device, t, provisioned)) return CostClass::kWaste;
    if (!sample.covered) {
      for (std::int64_t g = 0; g < f_.nodes.gpu_count[node]; ++g) {
        if (SampleOf(f_.nodes.node[node] + "-" + std::to_string(g), t).covered) {
          return CostClass::kUnavailable;
        }
      }
      return CostClass::kWaste;
    }
    return sample.ppm >= 10'000 ? CostClass::kBusyUnattributed : CostClass::kWaste;
  }

  void DoNodeHour(std::size_t node, Instant hour) {
    int128 cost = 0;
    Window provisioned{hour + Hours(1), hour};
    for (std::size_t i = 0; i < f_.charges.line.size(); ++i) {
      if (f_.charges.resource_id[i] != "i-" + f_.nodes.node[node]) continue;
      if (FloorTo(f_.charges.charge_begin[i], Hours(1)) != hour) continue;
      cost += f_.charges.effective_cost[i].nanos();
      provisioned = {std::min(provisioned.begin, f_.charges.charge_begin[i]),
                     std::max(provisioned.until, f_.charges.charge_until[i])};
    }
    if (provisioned.empty()) return;
    const std::vector<int128> parts =
        Divide(cost, {int128{90} * f_.nodes.gpu_count[node] * 1'000 * (1LL << 30),
                      int128{9} * f_.nodes.cpu_milli[node] * (1LL << 30),
                      int128{1} * f_.nodes.memory_bytes[node] * 1'000});
    weights_.clear();
    for (std::int64_t g = 0; g < f_.nodes.gpu_count[node]; ++g) {
      const std::string device = f_.nodes.node[node] + "-" + std::to_string(g);
      for (Instant t = provisioned.begin; t < provisioned.until; t = t + Minutes(1)) {
        WeighMinute(node, device, t, provisioned);
      }
    }
    DivideGpus(node, hour, provisioned, parts[0]);
    DivideRequested(node, hour, provisioned, {parts[1], parts[2]});
  }

  void DivideGpus(std::size_t node, Instant hour, Window provisioned, int128 cost) {
    std::erase_if(weights_, [](const auto& cell) { return cell.second == 0; });
    std::vector<int128> weights;
    for (const auto& [cell, weight] : weights_) weights.push_back(weight);
    const auto millis =
        Divide(int128{f_.nodes.gpu_count[node]} * provisioned.length().base(), weights);
    const auto costs = Divide(cost, weights);
    std::size_t i = 0;
    for (const auto& [cell, weight] : weights_) {
      NaiveLine& line = lines_[{hour, f_.nodes.node[node], cell.first, cell.second}];
      line.gpu_millis = static_cast<std::int64_t>(millis[i]);
      line.gpu = costs[i++];
    }
  }

  void DivideRequested(std::size_t node, Instant hour, Window provisioned,
                       std::pair<int128, int128> cost) {
    std::map<std::string, std::pair<int128, int128>> asked;
    for (std::size_t i = 0; i < f_.holdings.node.size(); ++i) {
      if (f_.holdings.node[i] != f_.nodes.node[node]) continue;
      const Window held = Intersect({f_.holdings.begin[i], *f_.holdings.until[i]}, provisioned);
      if (held.empty()) continue;
      auto& [cpu, memory] = asked[f_.holdings.workload[i]];
      cpu += int128{f_.holdings.cpu_milli[i]} * held.length().base();
      memory += int128{f_.holdings.memory_bytes[i]} * held.length().base();
    }
    const int128 length = provisioned.length().base();
    for (const bool is_cpu : {true, false}) {
      std::vector<int128> weights;
      int128 sum = 0;
      for (const auto& [workload, both] : asked) {
        weights.push_back(is_cpu ? both.first : both.second);
        sum += weights.back();
      }
      const int128 capacity =
          length * (is_cpu ? f_.nodes.cpu_milli[node] : f_.nodes.memory_bytes[node]);
      weights.push_back(std::max<int128>(capacity - sum, 0));
      const auto parts = Divide(is_cpu ? cost.first : cost.second, weights);
      std::size_t i = 0;
      for (const auto& [workload, both] : asked) {
        GiveToClasses({hour, f_.nodes.node[node], workload, CostClass::kNone}, parts[i++], is_cpu);
      }
      NaiveLine& rest = lines_[{hour, f_.nodes.node[node], "", CostClass::kWaste}];
      (is_cpu ? rest.cpu : rest.memory) += parts.back();
    }
  }

  // A workload's CPU or memory follows its classes of GPU time in the node-hour.
  void GiveToClasses(const NaiveKey& key, int128 cost, bool is_cpu) {
    std::vector<NaiveLine*> classes;
    std::vector<int128> weights;
    for (auto& [at, line] : lines_) {
      const bool same = std::get<0>(at) == std::get<0>(key) &&
                        std::get<1>(at) == std::get<1>(key) && std::get<2>(at) == std::get<2>(key);
      if (!same || line.gpu_millis == 0) continue;
      classes.push_back(&line);
      weights.push_back(line.gpu_millis);
    }
    if (classes.empty()) {
      (is_cpu ? lines_[key].cpu : lines_[key].memory) += cost;
      return;
    }
    const auto parts = Divide(cost, weights);
    for (std::size_t i = 0; i < classes.size(); ++i) {
      (is_cpu ? classes[i]->cpu : classes[i]->memory) += parts[i];
    }
  }

  void SpreadDirect(std::size_t row) {
    const Window charge{f_.charges.charge_begin[row], f_.charges.charge_until[row]};
    std::vector<Instant> hours;
    std::vector<int128> weights;
    for (Instant h = FloorTo(charge.begin, Hours(1)); h < charge.until; h = h + Hours(1)) {
      hours.push_back(h);
      weights.push_back(Intersect(charge, {h, h + Hours(1)}).length().base());
    }
    const auto parts = Divide(f_.charges.effective_cost[row].nanos(), weights);
    for (std::size_t i = 0; i < hours.size(); ++i) {
      if (!f_.options.window.contains(hours[i])) continue;
      lines_[{hours[i], "", "Support", CostClass::kNone}].overhead += parts[i];
    }
  }

  const RandomFleet& f_;
  std::map<Cell, int128> weights_;
  NaiveLines lines_;
};

}  // namespace

NaiveLines AllocateNaively(const RandomFleet& fleet) { return Naive(fleet).Run(); }

}  // namespace plimsoll
