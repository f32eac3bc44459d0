#include "ingest/slurm/node_state.h"

#include <algorithm>
#include <cctype>

namespace plimsoll {
namespace {

enum class Says : unsigned char { kNothing, kFailed, kMaintenance, kStarting, kDraining, kPlanned };

struct Word {
  std::string_view text;
  Says says;
};

constexpr Word kWords[] = {
    {"ALLOCATED", Says::kNothing},
    {"ALLOC", Says::kNothing},
    {"IDLE", Says::kNothing},
    {"MIXED", Says::kNothing},
    {"MIX", Says::kNothing},
    {"COMPLETING", Says::kNothing},
    {"COMP", Says::kNothing},
    {"RESERVED", Says::kNothing},
    {"RESV", Says::kNothing},
    {"CLOUD", Says::kNothing},
    {"DYNAMIC_NORM", Says::kNothing},
    {"DYNAMIC_FUTURE", Says::kNothing},
    {"PERFCTRS", Says::kNothing},
    {"BLOCKED", Says::kNothing},
    {"POWERED_DOWN", Says::kNothing},
    {"POWER_DOWN", Says::kNothing},
    {"POWERING_DOWN", Says::kNothing},
    {"POWER_DRAIN", Says::kNothing},
    {"REBOOT", Says::kNothing},
    {"REBOOT_REQUESTED", Says::kNothing},
    {"RESUME", Says::kNothing},
    {"DOWN", Says::kFailed},
    {"ERROR", Says::kFailed},
    {"FAIL", Says::kFailed},
    {"FAILING", Says::kFailed},
    {"UNKNOWN", Says::kFailed},
    {"UNK", Says::kFailed},
    {"NOT_RESPONDING", Says::kFailed},
    {"NO_RESPOND", Says::kFailed},
    {"INVALID_REG", Says::kFailed},
    {"INVAL", Says::kFailed},
    {"MAINT", Says::kMaintenance},
    {"MAINTENANCE", Says::kMaintenance},
    {"REBOOT_ISSUED", Says::kStarting},
    {"POWERING_UP", Says::kStarting},
    {"POWER_UP", Says::kStarting},
    {"CONFIGURING", Says::kStarting},
    {"FUTURE", Says::kStarting},
    {"FUTR", Says::kStarting},
    {"DRAIN", Says::kDraining},
    {"DRAINED", Says::kDraining},
    {"DRAINING", Says::kDraining},
    {"DRNG", Says::kDraining},
    {"PLANNED", Says::kPlanned},
    {"PLND", Says::kPlanned},
};

// What sinfo and older scontrol hang on a state.
Says SuffixSays(char suffix) {
  switch (suffix) {
    case '*':
      return Says::kFailed;
    case '$':
      return Says::kMaintenance;
    case '#':
    case '^':
      return Says::kStarting;
    case '-':
      return Says::kPlanned;
    default:
      return Says::kNothing;  // '~' powered down, '%' powering down, '!' and '@' are to come
  }
}

class Reader {
 public:
  void Take(Says says) {
    failed_ = failed_ || says == Says::kFailed;
    maintenance_ = maintenance_ || says == Says::kMaintenance;
    starting_ = starting_ || says == Says::kStarting;
    state_.schedulable = state_.schedulable && says != Says::kDraining;
    state_.planned = state_.planned || says == Says::kPlanned;
  }
  SlurmNodeState state() {
    state_.health = maintenance_ ? "maintenance"
                    : failed_    ? "failed"
                    : starting_  ? "initializing"
                                 : "ok";
    return state_;
  }

 private:
  SlurmNodeState state_;
  bool failed_ = false, maintenance_ = false, starting_ = false;
};

void AppendRow(const NodeSighting& sighting, const std::string& cluster, const char* aspect,
               const std::string& value, NodeStateBatch& states) {
  const bool explained = value == "failed" || value == "maintenance" || value == "no";
  states.snapshot_id.push_back(0);
  states.cluster.emplace_back(cluster);
  states.node.emplace_back(sighting.node);
  states.aspect.emplace_back(aspect);
  states.value.emplace_back(value);
  states.gpus.push_back(0);
  const bool is_planned = std::string_view(aspect) == "planned";
  states.reason.push_back(explained && !is_planned ? sighting.reason : "");
}

}  // namespace

std::optional<SlurmNodeState> ParseNodeState(std::string_view text) {
  Reader reader;
  bool known = false;
  while (!text.empty()) {
    const std::size_t plus = std::min(text.find('+'), text.size());
    std::string word(text.substr(0, plus));
    text = plus == text.size() ? std::string_view() : text.substr(plus + 1);
    for (char& c : word) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    while (!word.empty() && std::string_view("*$#^-~%!@").find(word.back()) != std::string::npos) {
      reader.Take(SuffixSays(word.back()));
      word.pop_back();
    }
    const auto* found = std::find_if(std::begin(kWords), std::end(kWords),
                                     [&](const Word& entry) { return entry.text == word; });
    if (found == std::end(kWords)) continue;
    known = true;
    reader.Take(found->says);
  }
  if (!known) return std::nullopt;
  return reader.state();
}

void AppendSighting(const NodeSighting& sighting, const std::string& cluster, Instant as_of,
                    NodeStateBatch& states) {
  const SlurmNodeState& state = sighting.state;
  const auto append = [&](Instant since, const char* aspect, const std::string& value) {
    AppendRow(sighting, cluster, aspect, value, states);
    states.since.push_back(since);
    states.seen.push_back(as_of);
  };
  append(as_of, "health", state.health);
  append(as_of, "schedulable", state.schedulable ? "yes" : "no");
  append(as_of, "planned", state.planned ? "yes" : "no");
  if (!sighting.reason_at || *sighting.reason_at >= as_of) return;
  if (state.health == "failed") append(*sighting.reason_at, "health", "failed");
  if (!state.schedulable) append(*sighting.reason_at, "schedulable", "no");
}

}  // namespace plimsoll
