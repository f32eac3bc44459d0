#include "config/unit_config.h"

#include <charconv>
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
  std::string text;
  map.Text(key, &text);
  if (text.empty()) return;
  const auto [end, failure] =
      std::from_chars(text.data(), text.data() + text.size(), target.window);
  const bool is_whole = failure == std::errc() && end == text.data() + text.size();
  if (is_whole && target.window >= 1 && target.window <= kWindowMax) return;
  map.Fail(key, "'" + text.substr(0, 40) + "' is not a whole number from 1");
  target.window = 1;
}

void ReadWhole(YamlMap& map, const char* key, std::int64_t most, std::int64_t* value) {
  std::string text;
  map.Text(key, &text);
  if (text.empty()) return;
  std::int64_t read = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), read);
  if (failure == std::errc() && end == text.data() + text.size() && read >= 1 && read <= most) {
    *value = read;
    return;
  }
  map.Fail(key,
           "'" + text.substr(0, 40) + "' is not a whole number from 1 to " + std::to_string(most));
}

}  // namespace

void ReadUnitAlerts(YamlMap& top, UnitAlertConfig& alerts) {
  top.Map("unit_alerts", [&](YamlMap& map) {
    ReadWhole(map, "band_percent", 1'000, &alerts.band_percent);
    ReadWhole(map, "weeks", 52, &alerts.weeks);
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
