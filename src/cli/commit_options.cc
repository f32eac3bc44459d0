#include "cli/commit_options.h"

#include <algorithm>

#include "cli/plan_input.h"
#include "purchase/commit/term_cost.h"
#include "units/decimal.h"

namespace plimsoll {
namespace {

std::vector<std::string> SplitAt(const std::string& text, char at) {
  std::vector<std::string> parts;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t end = std::min(text.find(at, from), text.size());
    parts.push_back(text.substr(from, end - from));
    from = end + 1;
  }
  return parts;
}

// The month of the forecast in which the calendar month or day `text` begins.
Result<std::int64_t> MonthFrom(const std::string& option, const std::string& text, Instant start) {
  const Result<Instant> at = ParseInstant(text.size() == 7 ? text + "-01" : text);
  if (!at) return OptionError(option, "'" + text + "' is not a month such as 2027-06");
  const std::int64_t month = Hours(kHoursPerMonth).base();
  const std::int64_t after = Between(start, *at).base();
  if (after > 60 * month) return OptionError(option, text + " is more than five years ahead");
  return after <= 0 ? 0 : (after + month / 2) / month;
}

Result<Scenario> ParseMigration(const std::string& text, Instant start) {
  const std::vector<std::string> parts = SplitAt(text, ':');
  if (parts.size() != 3 || parts[1].empty()) {
    return OptionError("--migrate",
                       "'" + text +
                           "' must be MONTH:FLAVOR:SHARE, as in 2027-06:H200:0.5 (half of "
                           "the use moves)");
  }
  Scenario scenario;
  scenario.kind = ScenarioKind::kMigration;
  PLIMSOLL_TRY(scenario.from_month, MonthFrom("--migrate", parts[0], start));
  scenario.target = parts[1];
  PLIMSOLL_TRY(scenario.share, ShareOption("--migrate", parts[2]));
  scenario.name = "migrate " + text;
  return scenario;
}

Result<Scenario> ParsePriceCut(const std::string& text, Instant start) {
  const std::vector<std::string> parts = SplitAt(text, ':');
  Scenario scenario;
  scenario.kind = ScenarioKind::kPriceCut;
  PLIMSOLL_TRY(scenario.share, ShareOption("--price-cut", parts[0]));
  if (parts.size() > 1) {
    PLIMSOLL_TRY(scenario.from_month, MonthFrom("--price-cut", parts[1], start));
  }
  if (parts.size() > 2)
    return OptionError("--price-cut", "'" + text + "' must be 44% or 44%:2027-06");
  scenario.name = "price cut " + text;
  return scenario;
}

Result<Scenario> ParseTrend(ScenarioKind kind, const std::string& text) {
  const bool growth = kind == ScenarioKind::kGrowth;
  const std::string option = growth ? "--growth" : "--decline";
  Scenario scenario;
  scenario.kind = kind;
  PLIMSOLL_TRY(scenario.share, ShareOption(option, text));
  if (!growth && scenario.share == 1'000'000'000) {
    return OptionError(option, "100% a year would leave nothing; give less, or a --migrate");
  }
  scenario.name = option.substr(2) + " " + text + " a year";
  return scenario;
}

}  // namespace

Result<std::vector<FlavorPrice>> ParsePrices(const std::string& option,
                                             const std::vector<std::string>& texts) {
  std::vector<FlavorPrice> prices;
  for (const std::string& text : texts) {
    const std::size_t equals = text.rfind('=');
    const std::string flavor = equals == text.npos ? "*" : text.substr(0, equals);
    const Result<ExactDecimal> price =
        ExactDecimal::Parse(equals == text.npos ? text : text.substr(equals + 1));
    if (!price || !price->is_nano_exact() || price->floor() < Money() ||
        price->floor() > Money::Units(10'000) || flavor.empty()) {
      return OptionError(option,
                         "'" + text +
                             "' is not the price of a unit for an hour, such as 10 or H100=10 "
                             "(0 to 10,000, at most nine decimals)");
    }
    prices.push_back({flavor, price->floor()});
  }
  return prices;
}

Result<std::vector<Scenario>> ParseScenarios(const ScenarioTexts& texts, Instant start) {
  std::vector<Scenario> scenarios;
  if (!texts.growth.empty()) {
    PLIMSOLL_TRY(Scenario scenario, ParseTrend(ScenarioKind::kGrowth, texts.growth));
    scenarios.push_back(std::move(scenario));
  }
  if (!texts.decline.empty()) {
    PLIMSOLL_TRY(Scenario scenario, ParseTrend(ScenarioKind::kDecline, texts.decline));
    scenarios.push_back(std::move(scenario));
  }
  for (const std::string& text : texts.migrations) {
    PLIMSOLL_TRY(Scenario scenario, ParseMigration(text, start));
    scenarios.push_back(std::move(scenario));
  }
  for (const std::string& text : texts.price_cuts) {
    PLIMSOLL_TRY(Scenario scenario, ParsePriceCut(text, start));
    scenarios.push_back(std::move(scenario));
  }
  if (scenarios.empty()) return scenarios;
  Scenario flat;
  flat.name = "as measured";
  scenarios.insert(scenarios.begin(), flat);
  return scenarios;
}

}  // namespace plimsoll
