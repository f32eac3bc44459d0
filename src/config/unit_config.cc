#include "config/unit_config.h"

#include <optional>
#include <set>
#include <string>

namespace plimsoll {
namespace {

constexpr std::int64_t kWindowMax = 1'000'000'000;

void ReadValue(YamlMap& map, QualityTarget& target) {
  if (map.Has("at_most") == map.Has("at_least")) {
    map.Fail(map.Has("at_most") ? "at_most" : "metric",
             "needs one of at_most (as of a loss) and at_least (as of an accuracy)");
    return;
  }
  target.at_most = map.Has("at_most");
  const char* key = target.at_most ? "at_most" : "at_least";
  std::string text;
  map.Text(key, &text);
  const Result<ExactDecimal> value = ExactDecimal::Parse(text);
  if (value) {
    target.value = *value;
  } else if (!text.empty()) {
    map.Fail(key, "'" + text.substr(0, 40) + "' is not a decimal such as 2.5");
  }
}

void ReadWindow(YamlMap& map, QualityTarget& target) {
  if (map.Has("window") && map.Has("window_steps")) {
    map.Fail("window_steps", "give window (evaluations) or window_steps, not both");
    return;
  }
  target.window_in_steps = map.Has("window_steps");
  const char* key = target.window_in_steps ? "window_steps" : "window";
  std::optional<std::int64_t> window;
  map.Whole(key, 1, kWindowMax, &window);
  target.window = window.value_or(target.window);
}

}  // namespace

void ReadUnitAlerts(YamlMap& top, UnitAlertConfig& alerts) {
  top.Map("unit_alerts", [&](YamlMap& map) {
    std::optional<std::int64_t> band, weeks;
    map.Whole("band_percent", 1, 1'000, &band);
    map.Whole("weeks", 1, 52, &weeks);
    alerts.band_percent = band.value_or(alerts.band_percent);
    alerts.weeks = weeks.value_or(alerts.weeks);
  });
}

void ReadTargets(YamlMap& top, std::vector<QualityTarget>& targets) {
  std::set<std::string> experiments;
  top.Maps("targets", [&](YamlMap& map) {
    QualityTarget target;
    map.Text("experiment", &target.experiment);
    map.Require("metric", "metric: the name under which the runs log it, such as loss");
    map.Text("metric", &target.metric);
    ReadValue(map, target);
    ReadWindow(map, target);
    if (!experiments.insert(target.experiment).second) {
      map.Fail(map.Has("experiment") ? "experiment" : "metric",
               target.experiment.empty()
                   ? "a target without an experiment is for all others, so that there is one"
                   : "'" + target.experiment + "' has a target already; keep one");
    }
    targets.push_back(std::move(target));
  });
}

}  // namespace plimsoll
