#include "purchase/spot/lifetime_text.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "units/human_text.h"
#include "units/money.h"

namespace plimsoll {
namespace {

constexpr const char* kNumber = "0123456789.";

Error Wrong(std::string what) { return {ErrorCode::kInvalidArgument, std::move(what)}; }

std::string Quoted(std::string_view text) { return "'" + std::string(text.substr(0, 40)) + "'"; }

// A decimal that is not negative, in billionths. Sums and text forms are those of Money.
Result<int128> Billionths(std::string_view text) {
  const Result<Money> value = Money::Parse(text);
  if (!value || *value < Money() || *value > Money::Units(1'000'000'000)) {
    return Wrong(Quoted(text) + " is not a number from 0");
  }
  return value->nanos();
}

using Parameters = std::vector<std::pair<std::string_view, std::string_view>>;

Result<Parameters> ParametersOf(std::string_view text) {
  Parameters parameters;
  while (!text.empty()) {
    const std::string_view item = text.substr(0, text.find(','));
    text.remove_prefix(std::min(item.size() + 1, text.size()));
    const std::size_t equals = item.find('=');
    if (equals == std::string_view::npos || equals + 1 == item.size()) {
      return Wrong(Quoted(item) + " is not a parameter; write weibull:k=0.56,scale=2.09h");
    }
    parameters.emplace_back(item.substr(0, equals), item.substr(equals + 1));
  }
  return parameters;
}

Result<double> NumberOf(std::string_view text) {
  PLIMSOLL_TRY(const int128 billionths, Billionths(text));
  return static_cast<double>(billionths) / 1e9;
}

// In milliseconds; a bare number is hours.
Result<double> TimeOf(std::string_view text) {
  const bool bare = text.find_first_not_of(kNumber) == std::string_view::npos;
  PLIMSOLL_TRY(const Duration span, ParseSpan(bare ? std::string(text) + "h" : std::string(text)));
  return static_cast<double>(span.base());
}

Result<Lifetime> WeibullOf(const Parameters& parameters, std::optional<Duration> mtbf) {
  std::optional<double> shape, scale;
  for (const auto& [name, value] : parameters) {
    if (name == "k" || name == "shape") {
      PLIMSOLL_TRY(shape, NumberOf(value));
    } else if (name == "scale") {
      PLIMSOLL_TRY(scale, TimeOf(value));
    } else {
      return Wrong("weibull has no parameter " + Quoted(name) + "; it has k and scale");
    }
  }
  if (!shape) return Wrong("weibull needs its shape; write weibull:k=0.56,scale=2.09h");
  if (scale.has_value() == mtbf.has_value()) {
    return Wrong(scale ? "the scale of a weibull gives its mean: leave out the MTBF"
                       : "weibull needs a scale or an MTBF");
  }
  return scale ? Lifetime::Weibull(*shape, *scale)
               : Lifetime::WeibullOfMean(*shape, static_cast<double>(mtbf->base()));
}

Result<Lifetime> BathtubOf(const Parameters& parameters, std::optional<Duration> mtbf) {
  if (mtbf) return Wrong("the parameters of a bathtub give its mean: leave out the MTBF");
  BathtubLife life;
  for (const auto& [name, value] : parameters) {
    double* const time = name == "tau1"   ? &life.early
                         : name == "tau2" ? &life.late
                         : name == "b"    ? &life.knee
                         : name == "cap"  ? &life.cap
                                          : nullptr;
    if (name == "a") {
      PLIMSOLL_TRY(life.height, NumberOf(value));
    } else if (time != nullptr) {
      PLIMSOLL_TRY(*time, TimeOf(value));
    } else {
      return Wrong("bathtub has no parameter " + Quoted(name) +
                   "; it has a, tau1, tau2, b and cap");
    }
  }
  return Lifetime::Bathtub(life);
}

}  // namespace

Result<Lifetime> ParseLifetime(std::string_view text, std::optional<Duration> mtbf) {
  const std::string_view law = text.substr(0, text.find(':'));
  PLIMSOLL_TRY(const Parameters parameters,
               ParametersOf(text.substr(std::min(law.size() + 1, text.size()))));
  if (law == "weibull") return WeibullOf(parameters, mtbf);
  if (law == "bathtub") return BathtubOf(parameters, mtbf);
  if (law != "exponential") {
    return Wrong(Quoted(law) +
                 " is no law of lifetimes; there are exponential, weibull, bathtub "
                 "and lifetimes:FILE.csv");
  }
  if (!parameters.empty()) return Wrong("exponential has no parameter but the MTBF");
  if (!mtbf) return Wrong("exponential needs an MTBF");
  return Lifetime::Exponential(static_cast<double>(mtbf->base()));
}

}  // namespace plimsoll
