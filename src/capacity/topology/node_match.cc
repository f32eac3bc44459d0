// SPDX-License-Identifier: Apache-2.0
#include "capacity/topology/node_match.h"

#include <algorithm>

#include "units/human_text.h"

namespace plimsoll {
namespace {

bool Tolerates(const Toleration& toleration, const NodeTaint& taint) {
  if (toleration.effect.has_value() && *toleration.effect != taint.effect) return false;
  if (!toleration.key.empty() && toleration.key != taint.key) return false;
  if (toleration.op == TolerationOperator::kExists) return true;
  if (toleration.op == TolerationOperator::kEqual) return toleration.value == taint.value;
  const auto of_taint = ParseWhole(taint.value), limit = ParseWhole(toleration.value);
  if (!of_taint.has_value() || !limit.has_value()) return false;
  return toleration.op == TolerationOperator::kLess ? *of_taint < *limit : *of_taint > *limit;
}

bool Holds(const LabelRule& rule, const LabelMap& labels) {
  const auto found = labels.find(rule.key);
  const bool has = found != labels.end();
  const auto among = [&] { return std::ranges::find(rule.values, found->second); };
  switch (rule.op) {
    case LabelOperator::kIn:
      return has && among() != rule.values.end();
    case LabelOperator::kNotIn:
      return !has || among() == rule.values.end();
    case LabelOperator::kExists:
      return has;
    case LabelOperator::kDoesNotExist:
      return !has;
    case LabelOperator::kGreater:
    case LabelOperator::kLess:
      break;
  }
  if (!has || rule.values.size() != 1) return false;
  const auto value = ParseWhole(found->second), limit = ParseWhole(rule.values.front());
  if (!value.has_value() || !limit.has_value()) return false;
  return rule.op == LabelOperator::kGreater ? *value > *limit : *value < *limit;
}

bool Holds(const LabelTerm& term, const LabelMap& labels) {
  return !term.empty() &&
         std::ranges::all_of(term, [&](const LabelRule& rule) { return Holds(rule, labels); });
}

}  // namespace

const NodeTaint* UntoleratedTaint(const std::vector<NodeTaint>& taints,
                                  const std::vector<Toleration>& tolerations) {
  for (const NodeTaint& taint : taints) {
    if (taint.effect == TaintEffect::kPreferNoSchedule) continue;
    const bool tolerated = std::ranges::any_of(
        tolerations, [&](const Toleration& one) { return Tolerates(one, taint); });
    if (!tolerated) return &taint;
  }
  return nullptr;
}

std::string ToString(const NodeTaint& taint) {
  constexpr const char* kNames[] = {"NoSchedule", "PreferNoSchedule", "NoExecute"};
  std::string text = taint.key;
  if (!taint.value.empty()) text += "=" + taint.value;
  return text + ":" + kNames[static_cast<std::size_t>(taint.effect)];
}

bool MatchesSelector(const LabelMap& labels, const LabelMap& selector) {
  return std::ranges::all_of(selector, [&](const auto& wanted) {
    const auto found = labels.find(wanted.first);
    return found != labels.end() && found->second == wanted.second;
  });
}

bool MatchesRequired(const LabelMap& labels, const NodeAffinity& affinity) {
  return !affinity.required.has_value() ||
         std::ranges::any_of(*affinity.required,
                             [&](const LabelTerm& term) { return Holds(term, labels); });
}

std::int64_t PreferenceScore(const LabelMap& labels, const NodeAffinity& affinity) {
  std::int64_t score = 0;
  for (const PreferredTerm& one : affinity.preferred) {
    if (Holds(one.term, labels)) score += one.weight;
  }
  return score;
}

}  // namespace plimsoll
