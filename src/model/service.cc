#include "model/service.h"

#include <algorithm>
#include <utility>

#include "units/decimal.h"

namespace plimsoll {
namespace {

struct LatencyUnit {
  const char* name;
  std::int64_t ns;
};
// Greatest first; "ms" is tried before "s" as the longer suffix.
constexpr LatencyUnit kUnits[] = {
    {"h", 3'600'000'000'000}, {"m", 60'000'000'000}, {"s", 1'000'000'000},
    {"ms", 1'000'000},        {"us", 1'000},         {"ns", 1}};
constexpr std::int64_t kLatencyMax = 24 * kUnits[0].ns;

const LatencyUnit* UnitOf(std::string_view text) {
  const std::size_t begin = text.find_last_of("0123456789.");
  const std::string_view suffix =
      text.substr(begin == std::string_view::npos ? text.size() : begin + 1);
  for (const LatencyUnit& unit : kUnits) {
    if (suffix == unit.name) return &unit;
  }
  return nullptr;
}

// A decimal of at most nine places times `scale`, if that is whole.
std::optional<int128> Scaled(std::string_view text, std::int64_t scale) {
  if (text.empty() || text.size() > 18 || text.front() == '-' || text.front() == '+') {
    return std::nullopt;
  }
  const Result<ExactDecimal> value = ExactDecimal::Parse(text);
  if (!value || !value->is_nano_exact()) return std::nullopt;
  const int128 nanos = value->floor().nanos() * scale;
  if (nanos % Money::kNanosPerUnit != 0) return std::nullopt;
  return nanos / Money::kNanosPerUnit;
}

}  // namespace

Result<std::int64_t> ParseLatency(std::string_view text) {
  const LatencyUnit* unit = UnitOf(text);
  std::optional<int128> ns;
  if (unit != nullptr) {
    ns = Scaled(text.substr(0, text.size() - std::string_view(unit->name).size()), unit->ns);
  }
  if (!ns || *ns <= 0 || *ns > kLatencyMax) {
    return Error{ErrorCode::kInvalidArgument,
                 "'" + std::string(text.substr(0, 40)) +
                     "' is not a time limit; write a number above 0 with its unit, as in 40ms, "
                     "1.5s or 2m, up to 24h"};
  }
  return static_cast<std::int64_t>(*ns);
}

std::string FormatLatency(std::int64_t ns) {
  for (const LatencyUnit& unit : kUnits) {
    if (ns != 0 && ns % unit.ns == 0) return std::to_string(ns / unit.ns) + unit.name;
  }
  return "0s";
}

Result<Slo> ParseSlo(std::string_view text) {
  Slo slo;
  const std::pair<const char*, std::optional<std::int64_t>*> limits[] = {
      {"ttft", &slo.ttft_ns}, {"tpot", &slo.tpot_ns}, {"e2e", &slo.e2e_ns}};
  const std::string shown(text.substr(0, 80));
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t comma = std::min(text.find(',', from), text.size());
    const std::string_view item = text.substr(from, comma - from);
    from = comma + 1;
    const std::size_t equals = std::min(item.find('='), item.size());
    const auto* const limit =
        std::find_if(std::begin(limits), std::end(limits),
                     [&](const auto& known) { return item.substr(0, equals) == known.first; });
    if (limit == std::end(limits) || equals == item.size()) {
      return Error{ErrorCode::kInvalidArgument,
                   "SLO '" + shown +
                       "': write it as ttft=20s,tpot=40ms,e2e=60s, with any of the "
                       "three"};
    }
    if (limit->second->has_value()) {
      return Error{ErrorCode::kInvalidArgument,
                   "SLO '" + shown + "': " + limit->first + " is given twice; keep one"};
    }
    PLIMSOLL_TRY(*limit->second, ParseLatency(item.substr(equals + 1)));
  }
  return slo;
}

std::string FormatSlo(const Slo& slo) {
  std::string text;
  const auto add = [&](const char* name, const std::optional<std::int64_t>& limit) {
    if (limit) text += (text.empty() ? "" : ",") + std::string(name) + "=" + FormatLatency(*limit);
  };
  add("ttft", slo.ttft_ns);
  add("tpot", slo.tpot_ns);
  add("e2e", slo.e2e_ns);
  return text;
}

Result<std::int64_t> ParseTokenWeight(std::string_view text) {
  const std::optional<int128> weight = Scaled(text, 1'000);
  if (!weight || *weight > 1'000'000'000) {
    return Error{ErrorCode::kInvalidArgument,
                 "'" + std::string(text.substr(0, 40)) +
                     "' is not a token weight; write a number from 0 to 1000000 with at most three "
                     "decimals, such as 0.1"};
  }
  return static_cast<std::int64_t>(*weight);
}

bool MatchesGlob(std::string_view text, std::string_view glob) {
  std::size_t at = 0;
  std::size_t in_glob = 0;
  std::size_t star = std::string_view::npos;
  std::size_t star_at = 0;
  while (at < text.size()) {
    const bool more = in_glob < glob.size();
    if (more && glob[in_glob] == '*') {
      star = in_glob++;
      star_at = at;
    } else if (more && (glob[in_glob] == '?' || glob[in_glob] == text[at])) {
      ++in_glob;
      ++at;
    } else if (star != std::string_view::npos) {
      in_glob = star + 1;
      at = ++star_at;
    } else {
      return false;
    }
  }
  while (in_glob < glob.size() && glob[in_glob] == '*') ++in_glob;
  return in_glob == glob.size();
}

bool Matches(const ServiceDeclaration& declaration, std::string_view service,
             std::string_view model) {
  const auto any = [](const std::vector<std::string>& globs, std::string_view text) {
    return globs.empty() || std::any_of(globs.begin(), globs.end(), [&](const std::string& glob) {
             return MatchesGlob(text, glob);
           });
  };
  return any(declaration.match_services, service) && any(declaration.match_models, model);
}

}  // namespace plimsoll
