#include "cli/training_settings.h"

#include <algorithm>
#include <iterator>

#include "cli/plan_input.h"
#include "config/duration.h"
#include "units/human_text.h"

namespace plimsoll {
namespace {

constexpr std::int64_t kUnitsMax = 1'000'000;

Error Wrong(const std::string& option, const std::string& what) {
  return {ErrorCode::kInvalidArgument, option + ": " + what};
}

// The index of a group, or its number of groups if there is none of that name.
std::size_t GroupOf(const TrainingModel& model, const std::string& name) {
  const auto found = std::find_if(model.groups.begin(), model.groups.end(),
                                  [&](const FleetAxis& group) { return group.name == name; });
  return static_cast<std::size_t>(found - model.groups.begin());
}

std::string GroupNames(const TrainingModel& model) {
  std::string names;
  for (const FleetAxis& group : model.groups) names += (names.empty() ? "" : ", ") + group.name;
  return names;
}

template <std::size_t kCount>
Result<std::size_t> OneOf(const std::string& option, const std::string& text,
                          const char* const (&names)[kCount]) {
  std::string forms;
  for (std::size_t i = 0; i < kCount; ++i) {
    if (text == names[i]) return i;
    forms += (i == 0 ? "" : ", ") + std::string(names[i]);
  }
  return Wrong(option, "'" + text + "' is none of " + forms);
}

Result<std::int64_t> WholeOf(const std::string& option, const std::string& text) {
  if (const auto number = ParseWhole(text, 0, kUnitsMax)) return *number;
  return Wrong(option, "'" + text + "' is no whole number from 0 to " + std::to_string(kUnitsMax));
}

// Per 1,000 node-days, with up to three decimals, as millionths.
Result<std::int64_t> FailureRate(const std::string& option, const std::string& text) {
  const Result<Money> rate = Money::Parse(text);
  constexpr std::int64_t kNanosPerThousandth = Money::kNanosPerUnit / 1'000;
  if (rate && *rate >= Money() && *rate <= Money::Units(kUnitsMax) &&
      rate->nanos() % kNanosPerThousandth == 0) {
    return static_cast<std::int64_t>(rate->nanos() / kNanosPerThousandth);
  }
  return Wrong(option, "'" + text + "' are no failures per 1,000 node-days such as 6.5");
}

Status ApplyPolicy(const std::string& option, const std::string& key, const std::string& value,
                   TrainingSettings& settings) {
  if (key == "order") {
    PLIMSOLL_TRY(const std::size_t at, OneOf(option, value, kQueueOrderNames));
    settings.order = static_cast<QueueOrder>(at);
  } else if (key == "discipline") {
    PLIMSOLL_TRY(const std::size_t at, OneOf(option, value, kQueueDisciplineNames));
    settings.discipline = static_cast<QueueDiscipline>(at);
  } else if (key == "preemption") {
    constexpr const char* kStates[] = {"off", "on"};
    PLIMSOLL_TRY(const std::size_t at, OneOf(option, value, kStates));
    settings.preemption = at == 1;
  } else if (key == "prefer-topology") {
    PLIMSOLL_TRY(settings.prefer_topology_for, SpanOption(option, value));
  } else if (key == "failures") {
    PLIMSOLL_TRY(settings.failures, FailureRate(option, value));
  } else if (key == "checkpoint") {
    PLIMSOLL_TRY(settings.checkpoint, SpanOption(option, value));
  } else {
    PLIMSOLL_TRY(settings.spares, WholeOf(option, value));
  }
  return Ok();
}

}  // namespace

FlavorSet GroupsOf(const std::vector<FlavorSet>& groups_of_flavor, FlavorSet flavors) {
  if (flavors == kAnyFlavor) return kAnyFlavor;
  FlavorSet groups = 0;
  for (std::size_t i = 0; i < groups_of_flavor.size(); ++i) {
    if (Accepts(flavors, static_cast<std::uint32_t>(i))) groups |= groups_of_flavor[i];
  }
  return groups;
}

TrainingSettings SettingsOf(const TrainingModel& model) {
  TrainingSettings settings;
  for (const FleetAxis& group : model.groups) settings.units.push_back(group.units.at(0));
  return settings;
}

Status ApplySetting(const TrainingModel& model, const std::string& option, const std::string& text,
                    TrainingSettings& settings) {
  if (IsQuotaChange(text)) {
    if (!model.quota) {
      return Wrong(option, "'" + text + "' changes a quota: give the quotas with --quota FILE");
    }
    PLIMSOLL_TRY(QuotaChange change, ParseQuotaChange(*model.quota, option, text));
    settings.quotas.push_back(std::move(change));
    return Ok();
  }
  const std::size_t equals = text.find('=');
  const std::string key = text.substr(0, equals);
  const std::string value = equals == std::string::npos ? "" : text.substr(equals + 1);
  constexpr const char* kKeys[] = {"order",    "discipline", "preemption", "prefer-topology",
                                   "failures", "checkpoint", "spares"};
  const std::size_t group = GroupOf(model, key);
  const bool is_policy = std::find(std::begin(kKeys), std::end(kKeys), key) != std::end(kKeys);
  if (equals == std::string::npos || (group == model.groups.size() && !is_policy)) {
    return Wrong(option, "'" + text + "' is no change such as failures=2.34; there is a group (" +
                             GroupNames(model) +
                             ") with its units, order, discipline, preemption, prefer-topology, "
                             "failures, checkpoint, spares" +
                             (model.quota ? ", quota:QUEUE/FLAVOR=GPUS" : ""));
  }
  if (group == model.groups.size()) return ApplyPolicy(option, key, value, settings);
  PLIMSOLL_TRY(settings.units[group], WholeOf(option, value));
  return Ok();
}

Result<SimulatedFleet> FleetOf(const TrainingModel& model, const TrainingSettings& settings) {
  SimulatedFleet fleet = model.fleet(settings.units);
  QueueOptions& options = fleet.options;
  options.order = settings.order;
  options.discipline = settings.discipline.value_or(QueueDiscipline::kBestEffort);
  options.preemption = settings.preemption;
  options.prefer_topology_for = settings.prefer_topology_for;
  options.warm_up = settings.warm_up;
  PLIMSOLL_RETURN_IF_ERROR(SetQuota(model, settings, options));
  if (settings.failures) {
    options.risks.of_flavor.resize(fleet.cluster.flavors().size());
    for (NodeRisk& risk : options.risks.of_flavor) {
      risk.failures_per_million_node_days = *settings.failures;
    }
  }
  if (!settings.spares) return fleet;
  const auto nodes = static_cast<std::int64_t>(fleet.cluster.size());
  if (*settings.spares >= nodes) {
    return Wrong("spares", std::to_string(*settings.spares) + " of " + std::to_string(nodes) +
                               " nodes leave none for jobs");
  }
  options.risks.spares.clear();
  for (std::int64_t i = nodes - *settings.spares; i < nodes; ++i) {
    options.risks.spares.push_back(static_cast<NodeId>(i));
  }
  return fleet;
}

std::string SettingsText(const TrainingSettings& settings) {
  std::string text;
  const auto add = [&](const std::string& part) { text += part + ";"; };
  for (const std::int64_t units : settings.units) add(std::to_string(units));
  add(kQueueOrderNames[static_cast<std::size_t>(settings.order)]);
  const QueueDiscipline discipline = settings.discipline.value_or(QueueDiscipline::kBestEffort);
  add(kQueueDisciplineNames[static_cast<std::size_t>(discipline)]);
  add(settings.preemption ? "preemption" : "none");
  const auto time = [&](const std::optional<Duration>& value) {
    add(value ? std::to_string(value->base()) : "-");
  };
  time(settings.prefer_topology_for);
  add(settings.failures ? std::to_string(*settings.failures) : "-");
  time(settings.checkpoint);
  add(settings.spares ? std::to_string(*settings.spares) : "-");
  time(settings.warm_up);
  for (const QuotaChange& change : settings.quotas) add(QuotaChangeText(change));
  return text;
}

Result<FleetAxis> ParseAxis(const TrainingModel& model, const std::string& text) {
  const std::string option = "--grid";
  const std::size_t equals = text.find('=');
  const std::size_t group = GroupOf(model, text.substr(0, equals));
  if (equals == std::string::npos || group == model.groups.size()) {
    return Wrong(option, "'" + text + "' does not begin with a group's name and '='; there is " +
                             GroupNames(model) + ": write " +
                             (model.groups.empty() ? "h100" : model.groups[0].name) + "=4..16/2");
  }
  FleetAxis axis = model.groups[group];
  axis.units.clear();
  std::string rest = text.substr(equals + 1);
  const std::size_t dots = rest.find("..");
  if (dots != std::string::npos) {
    const std::size_t slash = rest.find('/', dots);
    std::int64_t step = 1;
    if (slash != std::string::npos) {
      PLIMSOLL_TRY(step, WholeOf(option, rest.substr(slash + 1)));
      rest.resize(slash);
    }
    PLIMSOLL_TRY(const std::int64_t first, WholeOf(option, rest.substr(0, dots)));
    PLIMSOLL_TRY(const std::int64_t last, WholeOf(option, rest.substr(dots + 2)));
    if (step < 1 || last < first) {
      return Wrong(option, "'" + text + "' is no range such as 4..16/2");
    }
    if ((last - first) / step >= static_cast<std::int64_t>(kGridPointsMax)) {
      return Wrong(option, "'" + text + "' has too many steps: take larger ones");
    }
    for (std::int64_t units = first; units <= last; units += step) axis.units.push_back(units);
    return axis;
  }
  for (std::size_t begin = 0; begin <= rest.size();) {
    const std::size_t end = std::min(rest.find(',', begin), rest.size());
    PLIMSOLL_TRY(const std::int64_t units, WholeOf(option, rest.substr(begin, end - begin)));
    axis.units.push_back(units);
    begin = end + 1;
  }
  return axis;
}

}  // namespace plimsoll
