// KubeNode and the rules of Kubernetes that say which pods may run on it: taints, selectors and
// node affinity.
//
// Rules as the Kubernetes scheduler has them (kubernetes.io/docs, "Assigning Pods to Nodes" and
// "Taints and Tolerations").
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace plimsoll {

// By resource name. "cpu" is in milli, everything else in its own unit; "pods" counts pods.
using ResourceAmounts = std::map<std::string, std::int64_t>;
using LabelMap = std::map<std::string, std::string>;

enum class TaintEffect : unsigned char { kNoSchedule, kPreferNoSchedule, kNoExecute };

struct NodeTaint {
  std::string key, value;
  TaintEffect effect = TaintEffect::kNoSchedule;
};

enum class TolerationOperator : unsigned char { kEqual, kExists, kLess, kGreater };

struct Toleration {
  std::string key;  // empty with kExists: every taint
  TolerationOperator op = TolerationOperator::kEqual;
  std::string value;
  std::optional<TaintEffect> effect;  // null: any
};

struct KubeNode {
  std::string name;
  LabelMap labels;
  ResourceAmounts allocatable;
  std::vector<NodeTaint> taints;
  bool ready = true;
  bool unschedulable = false;  // cordoned
};

enum class LabelOperator : unsigned char { kIn, kNotIn, kExists, kDoesNotExist, kGreater, kLess };

struct LabelRule {
  std::string key;
  LabelOperator op = LabelOperator::kIn;
  std::vector<std::string> values;  // kGreater and kLess: one integer
};

// Rules that hold together. Without a rule a term holds for no node.
using LabelTerm = std::vector<LabelRule>;

struct PreferredTerm {
  std::int64_t weight = 0;
  LabelTerm term;
};

struct NodeAffinity {
  std::optional<std::vector<LabelTerm>> required;  // one of them holds
  std::vector<PreferredTerm> preferred;
};

// The first taint that keeps pods off and that no toleration covers; null if there is none.
const NodeTaint* UntoleratedTaint(const std::vector<NodeTaint>& taints,
                                  const std::vector<Toleration>& tolerations);
std::string ToString(const NodeTaint& taint);  // "key=value:NoSchedule"

bool MatchesSelector(const LabelMap& labels, const LabelMap& selector);
bool MatchesRequired(const LabelMap& labels, const NodeAffinity& affinity);
// The sum of the weights of the preferred terms that hold.
std::int64_t PreferenceScore(const LabelMap& labels, const NodeAffinity& affinity);

}  // namespace plimsoll
