#include "allocation/attribute.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

namespace plimsoll {
std::string NormalizedLabelKey(std::string_view key) {
  std::string out(key);
  for (char& c : out) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (!plain) c = '_';
  }
  return out;
}

std::map<std::string, std::string> NormalizedLabels(std::string_view text) {
  std::map<std::string, std::string> labels;
  if (text.empty() || text == "{}") return labels;
  const auto json = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return labels;
  for (const auto& [key, value] : json.items()) {  // sorted by key
    const auto* const string = value.get_ptr<const std::string*>();
    labels.emplace(
        NormalizedLabelKey(key),
        string ? *string : value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  }
  return labels;
}

bool MatchesPattern(std::string_view pattern, std::string_view text) {
  if (!pattern.ends_with('*')) return text == pattern;
  return text.starts_with(pattern.substr(0, pattern.size() - 1));
}

namespace {

// True if everything that the fallback gives is the subject's, and it gives something.
bool Stands(const OwnerFallback& owner, const Attributor::Subject& subject) {
  const std::pair<std::string_view, std::string_view> exact[] = {
      {owner.ns, subject.ns}, {owner.account, subject.account}, {owner.user, subject.user}};
  bool any = false;
  for (const auto& [given, is] : exact) {
    if (given.empty()) continue;
    if (given != is) return false;
    any = true;
  }
  if (owner.resource.empty()) return any;
  return MatchesPattern(owner.resource, subject.resource);
}

bool IsRegistered(const DimensionRule& rule, const std::string& value) {
  return rule.values.empty() ||
         std::find(rule.values.begin(), rule.values.end(), value) != rule.values.end();
}

}  // namespace

Attributor::Attributor(const AttributionRules& rules, Instant at) : rules_(rules) {
  std::erase_if(rules_.mappings, [&](const auto& rule) { return !rule.time.holds_at(at); });
  std::erase_if(rules_.fallbacks, [&](const auto& rule) { return !rule.time.holds_at(at); });
  for (DimensionRule& rule : rules_.dimensions) {
    for (std::string& key : rule.keys) key = NormalizedLabelKey(key);
  }
}

const std::string& Attributor::Mapped(Dimension dimension, const std::string& value) const {
  if (value.empty()) return value;
  for (const ValueMapping& mapping : rules_.mappings) {
    if (mapping.dimension == dimension && MatchesPattern(mapping.from, value)) return mapping.to;
  }
  return value;
}

const Attributor::Values& Attributor::ValuesOf(std::string_view labels) {
  const auto [entry, is_new] = cache_.try_emplace(std::string(labels));
  if (!is_new) return entry->second;
  const auto parsed = NormalizedLabels(labels);
  for (std::size_t i = 0; i < kDimensionCount; ++i) {
    for (const std::string& key : rules_.dimensions[i].keys) {
      const auto label = parsed.find(key);
      if (label == parsed.end() || label->second.empty()) continue;
      entry->second[i] = label->second;
      break;
    }
    entry->second[i] = Mapped(static_cast<Dimension>(i), entry->second[i]);
  }
  return entry->second;
}

Attribution Attributor::Of(const Subject& subject) {
  const Values& values = ValuesOf(subject.labels);
  const auto accepted = [&](Dimension dimension) {
    const auto i = static_cast<std::size_t>(dimension);
    return IsRegistered(rules_.dimensions[i], values[i]) ? values[i] : std::string();
  };
  Attribution out;
  out.team = accepted(Dimension::kTeam);
  out.environment = accepted(Dimension::kEnvironment);
  out.workload_type = accepted(Dimension::kWorkloadType);
  out.model = accepted(Dimension::kModel);
  out.cost_center = accepted(Dimension::kCostCenter);
  if (!out.team.empty()) return out;
  if (!values[static_cast<std::size_t>(Dimension::kTeam)].empty()) {
    out.reason = kReasonUnknownValue;
    return out;
  }
  for (const OwnerFallback& owner : rules_.fallbacks) {
    if (!Stands(owner, subject)) continue;
    out.team = owner.team;
    if (out.cost_center.empty()) out.cost_center = owner.cost_center;
    return out;
  }
  const bool has_account = subject.is_slurm && !subject.account.empty();
  out.reason = has_account ? kReasonNoOwner : kReasonNoLabel;
  return out;
}

}  // namespace plimsoll
