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

namespace {

bool IsRegistered(const DimensionRule& rule, const std::string& value) {
  return rule.values.empty() ||
         std::find(rule.values.begin(), rule.values.end(), value) != rule.values.end();
}

}  // namespace

Attributor::Attributor(const AttributionRules& rules) : rules_(rules) {
  for (DimensionRule& rule : rules_.dimensions) {
    for (std::string& key : rule.keys) key = NormalizedLabelKey(key);
  }
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
    if (owner.ns.empty() && owner.account.empty()) continue;
    if (!owner.ns.empty() && owner.ns != subject.ns) continue;
    if (!owner.account.empty() && owner.account != subject.account) continue;
    out.team = owner.team;
    if (out.cost_center.empty()) out.cost_center = owner.cost_center;
    return out;
  }
  const bool has_account = subject.is_slurm && !subject.account.empty();
  out.reason = has_account ? kReasonNoOwner : kReasonNoLabel;
  return out;
}

}  // namespace plimsoll
