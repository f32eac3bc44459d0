// A second simulator of the queue, from its rules alone: it looks at every millisecond and at
// every job, keeps whole tables of what is free, and knows neither events nor indexes.
//
// Whole GPUs, one level of domains, equal nodes in nothing but their number of GPUs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace plimsoll::naive {

enum class Discipline { kStrict, kBestEffort, kEasy, kConservative };

struct Job {
  int submitted = 0, run = 1, limit = 1;  // limit: the estimate
  int pods = 1, gpus = 1, priority = 0;
  bool in_one_domain = false;
};

// Nodes that are away in [begin, until).
struct Away {
  std::size_t node = 0;
  int begin = 0, until = 0;
};

struct Machine {
  std::vector<int> gpus, domain;  // by node
  std::vector<Away> away;
};

using Table = std::vector<int>;                           // by node; -1: down
using Places = std::vector<std::pair<std::size_t, int>>;  // node, pods

inline Places FillNodes(const Job& job, const Table& slots, const std::vector<std::size_t>& order) {
  Places places;
  int left = job.pods;
  for (const std::size_t node : order) {
    const int here = std::min(left, slots[node]);
    if (here > 0) places.push_back({node, here});
    left -= std::max(here, 0);
    if (left == 0) return places;
  }
  return {};
}

// Of a domain the nodes with the most slots first, and last the one with the fewest that suffices
// (Kueue's best fit).
inline Places FillDomain(const Job& job, Table slots) {
  Places places;
  for (int left = job.pods; left > 0;) {
    std::size_t best = 0;
    for (std::size_t node = 1; node < slots.size(); ++node) {
      const bool enough = slots[node] >= left, best_enough = slots[best] >= left;
      const bool better = enough ? !best_enough || slots[node] < slots[best]
                                 : !best_enough && slots[node] > slots[best];
      if (better) best = node;
    }
    const int here = std::min(left, slots[best]);
    if (here <= 0) return {};
    places.push_back({best, here});
    left -= here;
    slots[best] = 0;
  }
  return places;
}

// Tightest node first by `free`, as many pods a node as `slots`; one domain: the tightest that
// suffices, of equal ones the first. Starts that are planned fill it tightest node first too.
inline Places Choose(const Job& job, const Machine& machine, const Table& slots, const Table& free,
                     bool is_plan) {
  std::vector<std::size_t> order(slots.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t node) { return std::pair(free[node], node); });
  if (!job.in_one_domain) return FillNodes(job, slots, order);
  std::optional<std::pair<int, int>> best;  // slots, domain
  for (int domain = 0; domain <= *std::ranges::max_element(machine.domain); ++domain) {
    int sum = 0;
    for (std::size_t node = 0; node < slots.size(); ++node) {
      if (machine.domain[node] == domain) sum += slots[node];
    }
    if (sum >= job.pods && (!best || std::pair(sum, domain) < *best)) best = {sum, domain};
  }
  if (!best) return {};
  if (!is_plan) {
    Table in_domain = slots;
    for (std::size_t node = 0; node < slots.size(); ++node) {
      if (machine.domain[node] != best->second) in_domain[node] = 0;
    }
    return FillDomain(job, in_domain);
  }
  std::erase_if(order, [&](std::size_t node) { return machine.domain[node] != best->second; });
  return FillNodes(job, slots, order);
}

class Queue {
 public:
  Queue(Machine machine, std::vector<Job> jobs, Discipline discipline, bool by_priority)
      : machine_(std::move(machine)), jobs_(std::move(jobs)), discipline_(discipline) {
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
      order_.emplace_back(by_priority ? -jobs_[i].priority : 0, jobs_[i].submitted, i);
    }
    std::ranges::sort(order_);
    free_ = machine_.gpus;
    states_.resize(jobs_.size());
  }

  // All starts of each job: a job that is interrupted starts anew.
  std::vector<std::vector<int>> Run(int until) {
    for (now_ = 0; now_ < until; ++now_) {
      for (std::size_t i = 0; i < jobs_.size(); ++i) {
        if (states_[i].runs && states_[i].end == now_) Leave(i, true);
      }
      for (const Away& away : machine_.away) Change(away);
      for (std::size_t before = ~std::size_t{0}; before != started_;) {
        before = started_;
        Schedule();
      }
    }
    std::vector<std::vector<int>> starts;
    for (const State& state : states_) starts.push_back(state.starts);
    return starts;
  }

 private:
  struct State {
    bool runs = false, done = false;
    int end = 0, estimated_end = 0;
    Places places;
    std::vector<int> starts;
  };

  void Leave(std::size_t i, bool done) {
    states_[i].runs = false;
    states_[i].done = done;
    for (const auto& [node, pods] : states_[i].places) free_[node] += pods * jobs_[i].gpus;
  }

  void Change(const Away& away) {
    if (away.begin == now_) {
      for (std::size_t i = 0; i < jobs_.size(); ++i) {
        const auto& places = states_[i].places;
        const auto here = [&](const auto& place) { return place.first == away.node; };
        if (states_[i].runs && std::ranges::any_of(places, here)) Leave(i, false);
      }
      free_[away.node] = -1;
    }
    if (away.until == now_) free_[away.node] = machine_.gpus[away.node];
  }

  Table Slots(const Job& job, const Table& free) const {
    Table slots;
    for (const int gpus : free) slots.push_back(std::max(gpus, 0) / job.gpus);
    return slots;
  }
  Places PlaceIn(const Job& job, const Table& free) const {
    return Choose(job, machine_, Slots(job, free), free, false);
  }

  void Start(std::size_t i, const Places& places) {
    State& state = states_[i];
    state.runs = true;
    ++started_;
    state.places = places;
    state.end = now_ + jobs_[i].run;
    state.estimated_end = now_ + jobs_[i].limit;
    state.starts.push_back(now_);
    for (const auto& [node, pods] : places) free_[node] -= pods * jobs_[i].gpus;
  }

  std::vector<std::size_t> Waiting() const {
    std::vector<std::size_t> waiting;
    for (const auto& [rank, submitted, i] : order_) {
      if (submitted <= now_ && !states_[i].runs && !states_[i].done) waiting.push_back(i);
    }
    return waiting;
  }

  void Schedule() {
    if (discipline_ == Discipline::kConservative) return Conservative();
    if (discipline_ == Discipline::kEasy) return Easy();
    for (const std::size_t i : Waiting()) {
      const Places places = PlaceIn(jobs_[i], free_);
      if (!places.empty()) Start(i, places);
      if (places.empty() && discipline_ == Discipline::kStrict) return;
    }
  }

  void Easy() {
    std::optional<std::size_t> head;
    Table then;  // free when the head starts
    int shadow = std::numeric_limits<int>::max(), bound = shadow;
    for (const std::size_t i : Waiting()) {
      const Job& job = jobs_[i];
      const Places places = PlaceIn(job, free_);
      if (!head) {
        if (!places.empty()) {
          Start(i, places);
          continue;
        }
        head = i;
        std::tie(bound, then) = Shadow(job);
        shadow = std::max(bound, now_);
        continue;
      }
      if (places.empty()) continue;
      if (now_ + job.limit > shadow) {
        Table after = then;
        for (const auto& [node, pods] : places) after[node] -= pods * job.gpus;
        if (PlaceIn(jobs_[*head], after).empty()) continue;
        then = after;
      } else if (now_ + job.limit > bound) {
        for (const auto& [node, pods] : places) then[node] -= pods * job.gpus;
      }
      Start(i, places);
    }
  }

  // The first estimated end by which the head fits, and what is free then.
  std::pair<int, Table> Shadow(const Job& head) const {
    std::vector<int> ends;
    for (const State& state : states_) {
      if (state.runs) ends.push_back(state.estimated_end);
    }
    std::ranges::sort(ends);
    for (const int end : ends) {
      Table then = free_;
      for (std::size_t i = 0; i < jobs_.size(); ++i) {
        if (!states_[i].runs || states_[i].estimated_end > end) continue;
        for (const auto& [node, pods] : states_[i].places) then[node] += pods * jobs_[i].gpus;
      }
      if (!PlaceIn(head, then).empty()) return {end, then};
    }
    return {std::numeric_limits<int>::max(), free_};
  }

  struct Hold {
    int begin, until;
    std::size_t node;
    int gpus;
  };

  void Conservative() {
    std::vector<Hold> holds;
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
      if (!states_[i].runs) continue;
      for (const auto& [node, pods] : states_[i].places) {
        holds.push_back(
            {now_, std::max(states_[i].estimated_end, now_ + 1), node, pods * jobs_[i].gpus});
      }
    }
    for (const std::size_t i : Waiting()) {
      const auto planned = Plan(jobs_[i], holds);
      if (!planned) continue;
      const auto& [at, places] = *planned;
      for (const auto& [node, pods] : places) {
        holds.push_back({at, at + jobs_[i].limit, node, pods * jobs_[i].gpus});
      }
      if (at == now_) Start(i, places);
    }
  }

  std::optional<std::pair<int, Places>> Plan(const Job& job, const std::vector<Hold>& holds) const {
    int last = now_;
    for (const Hold& hold : holds) last = std::max(last, hold.until);
    for (int at = now_; at <= last; ++at) {
      Table slots(machine_.gpus.size(), std::numeric_limits<int>::max());
      for (int t = at; t < at + job.limit; ++t) {
        for (std::size_t node = 0; node < slots.size(); ++node) {
          int gpus = free_[node] < 0 ? 0 : machine_.gpus[node];
          for (const Hold& hold : holds) {
            const bool holds_then = hold.begin <= t && t < hold.until;
            if (hold.node == node && holds_then) gpus -= hold.gpus;
          }
          slots[node] = std::min(slots[node], std::max(gpus, 0) / job.gpus);
        }
      }
      const Places places = Choose(job, machine_, slots, free_, true);
      if (!places.empty()) return std::pair(at, places);
    }
    return std::nullopt;
  }

  Machine machine_;
  std::vector<Job> jobs_;
  Discipline discipline_;
  std::vector<std::tuple<int, int, std::size_t>> order_;
  Table free_;
  std::vector<State> states_;
  int now_ = 0;
  std::size_t started_ = 0;
};

}  // namespace plimsoll::naive
