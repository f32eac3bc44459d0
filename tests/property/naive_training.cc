#include "property/naive_training.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <vector>

namespace plimsoll {
namespace {

using Number = std::optional<std::int64_t>;

const std::vector<std::string> kKinds{
    "start",          "resume",      "step",      "metric",  "checkpoint_begin",
    "checkpoint_end", "stall_begin", "stall_end", "failure", "stop"};

struct Told {
  std::int64_t at, seq;
  std::ptrdiff_t kind_place;
  Number gpus, step, tokens, samples;
  std::string name, value;

  auto Key() const {
    return std::tie(at, seq, kind_place, gpus, step, tokens, samples, name, value);
  }
  bool operator<(const Told& other) const { return Key() < other.Key(); }
  const std::string& kind() const { return kKinds[static_cast<std::size_t>(kind_place)]; }
  bool Is(const char* name_of_kind) const { return kind() == name_of_kind; }
};

// T2: of one attempt, in the writer's order, with times that do not go back.
std::vector<Told> InOrder(const std::set<Told>& told) {
  std::vector<Told> events(told.begin(), told.end());
  std::set<std::int64_t> seqs;
  for (const Told& event : events) seqs.insert(event.seq);
  if (seqs.size() == events.size() && *seqs.begin() >= 0) {
    std::sort(events.begin(), events.end(),
              [](const Told& a, const Told& b) { return a.seq < b.seq; });
  }
  for (std::size_t i = 1; i < events.size(); ++i) {
    events[i].at = std::max(events[i].at, events[i - 1].at);
  }
  return events;
}

bool Breaks(const Told& event) {
  return event.Is("failure") || event.Is("resume") || event.Is("stop");
}

struct Attempt {
  std::int64_t number = 0;
  std::vector<Told> events;
  bool is_last = false;
  std::vector<bool> kept;    // of each event
  std::vector<char> in_gap;  // of each millisecond: s(tall), c(heckpoint), f(ree)

  std::int64_t begin() const { return events.front().at; }
  std::int64_t end() const { return events.back().at; }
  // The gap that a millisecond lies in: the last event that is not after it.
  std::size_t GapAt(std::int64_t t) const {
    std::size_t gap = 0;
    while (gap + 1 < events.size() && events[gap + 1].at <= t) ++gap;
    return gap;
  }
  // T5.
  bool IsStep(std::size_t e) const {
    if (!events[e].Is("step") || !events[e].step) return false;
    for (std::size_t before = e; before-- > 0;) {
      if (Breaks(events[before])) return true;
      if (events[before].Is("step") && events[before].step) {
        return events[before].step != events[e].step;
      }
    }
    return true;
  }
  bool Decides(std::size_t e) const { return IsStep(e) || Breaks(events[e]); }
  std::optional<std::size_t> Back(std::size_t gap) const {
    for (std::size_t e = gap + 1; e-- > 0;) {
      if (Decides(e)) return e;
    }
    return std::nullopt;
  }
  std::optional<std::size_t> Ahead(std::size_t gap) const {
    for (std::size_t e = gap + 1; e < events.size(); ++e) {
      if (Decides(e)) return e;
    }
    return std::nullopt;
  }
  std::int64_t FreeIn(std::int64_t from, std::int64_t until) const {
    std::int64_t free = 0;
    for (std::int64_t t = from; t < until; ++t) {
      free += in_gap[static_cast<std::size_t>(t - begin())] == 'f' ? 1 : 0;
    }
    return free;
  }
};

// T7.
bool InStall(const Attempt& attempt, std::size_t gap) {
  for (std::size_t e = gap + 1; e-- > 0;) {
    const Told& event = attempt.events[e];
    if (event.Is("stall_begin")) return true;
    if (!event.Is("start") && !event.Is("metric") && !event.Is("checkpoint_end")) return false;
  }
  return false;
}

bool InSave(const Attempt& attempt, std::size_t gap) {
  const std::vector<Told>& events = attempt.events;
  for (std::size_t begin = 0; begin <= gap; ++begin) {
    if (!events[begin].Is("checkpoint_begin")) continue;
    std::size_t end = events.size() - 1;
    for (std::size_t e = events.size() - 1; e > begin; --e) {
      if (events[e].Is("checkpoint_begin") || events[e].Is("checkpoint_end") || Breaks(events[e])) {
        end = e;
      }
    }
    bool went_on = false;
    for (std::size_t e = begin + 1; e <= end; ++e) went_on = went_on || attempt.IsStep(e);
    if (gap < end && !went_on) return true;
  }
  return false;
}

// T6: marks what is kept.
void MarkKept(std::vector<Attempt>& attempts) {
  struct Listed {
    std::size_t attempt, event;
    std::int64_t step;
  };
  std::vector<Listed> list;
  const auto remove_from = [&](std::int64_t step) {  // numbers of `step` or more
    std::erase_if(list, [&](const Listed& listed) { return listed.step >= step; });
  };
  bool tells_checkpoints = false, failed_last = false;
  Number durable;
  for (std::size_t a = 0; a < attempts.size(); ++a) {
    const Attempt& attempt = attempts[a];
    Number begun, last_step;
    for (std::size_t e = 0; e < attempt.events.size(); ++e) {
      const Told& event = attempt.events[e];
      const bool is_step = attempt.IsStep(e);
      if (is_step) {
        remove_from(*event.step);
        list.push_back({a, e, *event.step});
        last_step = event.step;
      }
      if (event.Is("resume") && event.step) {
        std::erase_if(list, [&](const Listed& listed) { return listed.step > *event.step; });
        durable = event.step;
      }
      if (event.Is("checkpoint_begin") && event.step) begun = event.step;
      if (event.Is("checkpoint_end")) {
        const Number of = event.step ? event.step : begun ? begun : last_step;
        if (of) durable = of;
      }
      tells_checkpoints =
          tells_checkpoints || event.Is("checkpoint_begin") || event.Is("checkpoint_end");
      if (attempt.Decides(e) && !event.Is("stop")) failed_last = event.Is("failure");
    }
  }
  if (failed_last && tells_checkpoints) {
    std::erase_if(list, [&](const Listed& l) { return !durable || l.step > *durable; });
  }
  for (Attempt& attempt : attempts) attempt.kept.assign(attempt.events.size(), false);
  for (const Listed& listed : list) attempts[listed.attempt].kept[listed.event] = true;
}

// T8.
std::int64_t UsualStep(const std::vector<Attempt>& attempts) {
  std::vector<std::int64_t> times;
  for (const Attempt& attempt : attempts) {
    for (std::size_t e = 1; e < attempt.events.size(); ++e) {
      const auto back = attempt.Back(e - 1);
      if (!attempt.IsStep(e) || !back || !attempt.IsStep(*back)) continue;
      times.push_back(attempt.FreeIn(attempt.events[*back].at, attempt.events[e].at));
    }
  }
  if (times.empty()) return 0;
  std::sort(times.begin(), times.end());
  return times[(times.size() - 1) / 2];
}

class Judge {
 public:
  Judge(const std::vector<Attempt>& attempts, const NaiveOptions& options)
      : attempts_(attempts), options_(options), usual_(UsualStep(attempts)) {}

  std::string CauseOf(std::size_t a, std::int64_t t) const {
    const Attempt& attempt = attempts_[a];
    const char cut = attempt.in_gap[static_cast<std::size_t>(t - attempt.begin())];
    if (cut == 'c') return "checkpoint";
    if (cut == 's') return "data_stall";
    const std::size_t gap = attempt.GapAt(t);
    const auto back = attempt.Back(gap), ahead = attempt.Ahead(gap);
    const bool back_step = back && attempt.IsStep(*back);
    if (ahead && attempt.IsStep(*ahead)) {
      const bool is_its = back_step || attempt.FreeIn(t, attempt.events[*ahead].at) <= usual_;
      if (!is_its) return StartUp(a, gap);
      return attempt.kept[*ahead] ? "effective" : "recomputation";
    }
    if (ahead && attempt.events[*ahead].Is("resume")) return StartUp(a, gap);
    const bool fails = ahead ? attempt.events[*ahead].Is("failure") : FailedSilently(attempt);
    if (fails && back_step) {
      const std::int64_t until = ahead ? attempt.events[*ahead].at : attempt.end();
      const std::int64_t tail = attempt.FreeIn(attempt.events[*back].at, until);
      return usual_ > 0 && tail > options_.hang_factor * usual_ ? "hang" : "recomputation";
    }
    const bool stops = ahead && attempt.events[*ahead].Is("stop");
    if (stops && attempt.events[*ahead].name == "preempted" && back_step) return "recomputation";
    if (back && attempt.events[*back].Is("stop")) return "unknown";
    if ((stops || !ahead) && back_step) return "unknown";
    return StartUp(a, gap);
  }

  // The cause of what is held after the last event; "" if nothing is.
  std::string CauseAfter(const Attempt& attempt) const {
    const auto last = attempt.Back(attempt.events.size() - 1);
    if (last && attempt.events[*last].Is("stop")) return "";
    return last && attempt.events[*last].Is("failure") ? "restart" : "unknown";
  }

 private:
  std::string StartUp(std::size_t a, std::size_t gap) const {
    if (a > 0) return "restart";
    for (std::size_t e = 0; e <= gap; ++e) {
      const Attempt& attempt = attempts_[a];
      if (attempt.Decides(e) && !attempt.events[e].Is("resume")) return "restart";
    }
    return "startup";
  }

  // T10.
  static bool FailedSilently(const Attempt& attempt) {
    if (attempt.is_last) return false;
    const auto last = attempt.Back(attempt.events.size() - 1);
    return !last || !(attempt.events[*last].Is("failure") || attempt.events[*last].Is("stop"));
  }

  const std::vector<Attempt>& attempts_;
  const NaiveOptions& options_;
  std::int64_t usual_;
};

std::vector<Attempt> AttemptsOf(const RunEventBatch& events) {
  std::map<std::int64_t, std::set<Told>> told;
  for (std::size_t i = 0; i < RowsOf(events); ++i) {
    const auto kind = std::find(kKinds.begin(), kKinds.end(), events.kind[i].text());
    if (kind == kKinds.end() || events.attempt[i] < 0) continue;
    told[events.attempt[i]].insert({events.at[i].base(), events.seq[i], kind - kKinds.begin(),
                                    events.gpus[i], events.step[i], events.tokens[i],
                                    events.samples[i], events.name[i], events.value[i]});
  }
  std::vector<Attempt> attempts;
  for (const auto& [number, of_it] : told) {
    attempts.push_back({number, InOrder(of_it), false, {}, {}});
  }
  if (!attempts.empty()) attempts.back().is_last = true;
  MarkKept(attempts);
  for (Attempt& attempt : attempts) {
    for (std::int64_t t = attempt.begin(); t < attempt.end(); ++t) {
      const std::size_t gap = attempt.GapAt(t);
      attempt.in_gap.push_back(InSave(attempt, gap) ? 'c' : InStall(attempt, gap) ? 's' : 'f');
    }
  }
  return attempts;
}

Number Told0(const Told& event) {
  return event.gpus && *event.gpus >= 0 ? event.gpus : std::nullopt;
}

// T4.
std::int64_t GpusAt(const std::vector<Attempt>& attempts, std::size_t a, std::size_t gap,
                    Number declared) {
  const std::vector<Told>& events = attempts[a].events;
  for (std::size_t e = gap + 1; e-- > 0;) {
    if (const Number gpus = Told0(events[e])) return *gpus;
  }
  for (const Told& event : events) {
    if (const Number gpus = Told0(event)) return *gpus;
  }
  for (std::size_t earlier = a; earlier-- > 0;) {
    const std::vector<Told>& theirs = attempts[earlier].events;
    for (std::size_t e = theirs.size(); e-- > 0;) {
      if (const Number gpus = Told0(theirs[e])) return *gpus;
    }
  }
  for (std::size_t later = a + 1; later < attempts.size(); ++later) {
    for (const Told& event : attempts[later].events) {
      if (const Number gpus = Told0(event)) return *gpus;
    }
  }
  return declared && *declared >= 0 ? *declared : 0;
}

}  // namespace

std::map<std::string, std::int64_t> NaiveAccount(const RunEventBatch& events,
                                                 const NaiveOptions& options) {
  const std::vector<Attempt> attempts = AttemptsOf(events);
  const Judge judge(attempts, options);
  std::map<std::string, std::int64_t> spent;
  for (std::size_t a = 0; a < attempts.size(); ++a) {
    const Attempt& attempt = attempts[a];
    for (std::int64_t t = attempt.begin(); t < attempt.end(); ++t) {
      const std::int64_t gpus = GpusAt(attempts, a, attempt.GapAt(t), options.gpus);
      spent[judge.CauseOf(a, t)] += gpus;
    }
    const auto until = options.held_until.find(attempt.number);
    const std::string after = judge.CauseAfter(attempt);
    if (until == options.held_until.end() || after.empty()) continue;
    for (std::int64_t t = attempt.end(); t < until->second.base(); ++t) {
      spent[after] += GpusAt(attempts, a, attempt.events.size() - 1, options.gpus);
    }
  }
  return spent;
}

}  // namespace plimsoll
