#include "conformance/kueue_tas_case_file.h"

#include <algorithm>
#include <stdexcept>

#include "ingest/kubernetes/kubernetes_quantity.h"

namespace plimsoll {
namespace {

using nlohmann::json;

// Thrown and caught in this file, where ReadTasCase adds the case's name.
[[noreturn]] void Refuse(const std::string& what) { throw std::invalid_argument(what); }

// The files were made from Go sources: a name that was a conversion there is left as
// {'other': [['ResourceName', 'example.com/gpu']]}.
std::string ResourceName(const std::string& key) {
  if (!key.starts_with("{")) return key;
  const std::size_t end = key.rfind('\'');
  if (end == std::string::npos || end == 0) Refuse("a resource without a name: " + key);
  const std::size_t begin = key.rfind('\'', end - 1);
  return key.substr(begin + 1, end - begin - 1);
}

ResourceAmounts Amounts(const json& object) {
  ResourceAmounts amounts;
  for (const auto& [key, value] : object.items()) {
    const std::string name = ResourceName(key);
    if (value.is_number_integer()) {
      amounts[name] = value.get<std::int64_t>();  // as Kueue counts: cpu in milli
      continue;
    }
    const auto amount =
        ParseKubernetesQuantity(value.get<std::string>(), name == "cpu" ? 1'000 : 1);
    if (!amount) Refuse(amount.error().message);
    amounts[name] = *amount;
  }
  return amounts;
}

template <class T>
T Field(const json& object, const char* name, T otherwise) {
  const auto found = object.find(name);
  return found == object.end() || found->is_null() ? otherwise : found->template get<T>();
}

std::optional<std::string> Text(const json& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end() || found->is_null()) return std::nullopt;
  return found->get<std::string>();
}

TaintEffect Effect(const std::string& name) {
  if (name.ends_with("PreferNoSchedule")) return TaintEffect::kPreferNoSchedule;
  if (name.ends_with("NoSchedule")) return TaintEffect::kNoSchedule;
  if (name.ends_with("NoExecute")) return TaintEffect::kNoExecute;
  Refuse("an unknown taint effect: " + name);
}

std::vector<json> ListOf(const json& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end() || found->is_null()) return {};
  if (found->is_array()) return found->get<std::vector<json>>();
  return {*found};
}

KubeNode Node(const json& object) {
  KubeNode node;
  node.name = object.at("name").get<std::string>();
  node.labels = Field<LabelMap>(object, "labels", {});
  node.allocatable = Amounts(object.value("allocatable", json::object()));
  node.ready = Field(object, "ready", false);
  node.unschedulable = Field(object, "unschedulable", false);
  for (const json& taint : ListOf(object, "Taints")) {
    node.taints.push_back({Field<std::string>(taint, "Key", ""),
                           Field<std::string>(taint, "Value", ""),
                           Effect(taint.at("Effect").get<std::string>())});
  }
  return node;
}

// The one node set that the files cannot hold, a generator in the source: racks of a GB200 as
// NVL36 (2 GPUs a node, 18 nodes a rack), two racks a block, two blocks a zone, two zones.
std::vector<KubeNode> NvlRacks() {
  std::vector<KubeNode> nodes;
  for (int rack = 0; rack < 8; ++rack) {
    for (int i = 0; i < 18; ++i) {
      KubeNode node;
      node.name = "r" + std::to_string(rack) + "-n" + std::to_string(i);
      node.labels = {{"cloud.com/datacenter", "dc0"},
                     {"cloud.com/aizone", "aizone" + std::to_string(rack / 4)},
                     {"cloud.com/topology-block", "block" + std::to_string(rack / 2)},
                     {"cloud.com/topology-rack", "r" + std::to_string(rack)},
                     {std::string(kHostnameLabel), node.name}};
      node.allocatable = {{"nvidia.com/gpu", 2}, {"pods", 110}};
      nodes.push_back(std::move(node));
    }
  }
  return nodes;
}

std::vector<KubeNode> Nodes(const json& set, const std::vector<std::string>& levels) {
  if (set.is_object()) {
    if (std::ranges::find(levels, "cloud.com/aizone") == levels.end()) {
      Refuse("a node set that the file does not hold");
    }
    return NvlRacks();
  }
  std::vector<KubeNode> nodes;
  for (const json& one : set) nodes.push_back(Node(one));
  return nodes;
}

std::optional<TasAssignment> Assignment(const json& object) {
  if (object.is_null()) return std::nullopt;
  if (object.contains("of")) return Assignment(object.at("of"));
  TasAssignment assignment;
  assignment.levels = object.at("Levels").get<std::vector<std::string>>();
  for (const json& domain : ListOf(object, "Domains")) {
    assignment.domains.push_back({domain.at("Values").get<std::vector<std::string>>(),
                                  domain.at("Count").get<std::int32_t>()});
  }
  return assignment;
}

LabelOperator Operator(const std::string& name) {
  if (name.ends_with("NotIn")) return LabelOperator::kNotIn;
  if (name.ends_with("DoesNotExist")) return LabelOperator::kDoesNotExist;
  if (name.ends_with("Exists")) return LabelOperator::kExists;
  if (name.ends_with("Gt")) return LabelOperator::kGreater;
  if (name.ends_with("Lt")) return LabelOperator::kLess;
  if (name.ends_with("In")) return LabelOperator::kIn;
  Refuse("an unknown operator of a selector: " + name);
}

LabelRule Rule(const json& key, const json& op) {
  return {key.get<std::string>(), Operator(op.get<std::string>()), {}};
}

// A term is a call of a builder, ["Term", key, operator, value...], of preferred ones
// ["Term", weight, key, ...]; or an object with MatchExpressions.
LabelTerm Term(const json& term, std::size_t key_at) {
  LabelTerm rules;
  if (term.is_array()) {
    LabelRule rule = Rule(term.at(key_at), term.at(key_at + 1));
    for (std::size_t i = key_at + 2; i < term.size(); ++i) {
      if (term[i].is_string()) {
        rule.values.push_back(term[i].get<std::string>());
      } else {
        const auto more = term[i].get<std::vector<std::string>>();
        rule.values.insert(rule.values.end(), more.begin(), more.end());
      }
    }
    return {std::move(rule)};
  }
  for (const json& expression : ListOf(term, "MatchExpressions")) {
    rules.push_back(Rule(expression.at("Key"), expression.at("Operator")));
    rules.back().values = Field<std::vector<std::string>>(expression, "Values", {});
  }
  return rules;
}

std::vector<json> Terms(const json& object) {
  if (object.is_array()) return object.get<std::vector<json>>();
  std::vector<json> terms;
  for (const json& one : ListOf(object, "other")) {
    if (one.is_array() && !one.empty() && one[0] == "Term") terms.push_back(one);
  }
  return terms;
}

NodeAffinity Affinity(const json& object) {
  NodeAffinity affinity;
  const json required = object.value("RequiredDuringSchedulingIgnoredDuringExecution", json());
  if (!required.is_null()) {
    affinity.required.emplace();
    for (const json& term : Terms(required.at("NodeSelectorTerms"))) {
      affinity.required->push_back(Term(term, 1));
    }
  }
  const json preferred = object.value("PreferredDuringSchedulingIgnoredDuringExecution", json());
  for (const json& term : Terms(preferred)) {
    const bool built = term.is_array();
    affinity.preferred.push_back({(built ? term.at(1) : term.at("Weight")).get<std::int64_t>(),
                                  built ? Term(term, 2) : Term(term.at("Preference"), 0)});
  }
  return affinity;
}

std::vector<Toleration> Tolerations(const json& object) {
  std::vector<Toleration> tolerations;
  for (const json& one : ListOf(object, "tolerations")) {
    Toleration toleration;
    toleration.key = Field<std::string>(one, "Key", "");
    toleration.value = Field<std::string>(one, "Value", "");
    const auto op = Field<std::string>(one, "Operator", "Equal");
    if (op.ends_with("Exists")) toleration.op = TolerationOperator::kExists;
    if (op.ends_with("Lt")) toleration.op = TolerationOperator::kLess;
    if (op.ends_with("Gt")) toleration.op = TolerationOperator::kGreater;
    if (const auto effect = Text(one, "Effect")) toleration.effect = Effect(*effect);
    tolerations.push_back(std::move(toleration));
  }
  return tolerations;
}

TasTopologyRequest Topology(const json& object) {
  TasTopologyRequest topology;
  topology.required = Text(object, "Required");
  topology.preferred = Text(object, "Preferred");
  topology.unconstrained = Field(object, "Unconstrained", false);
  for (const json& layer : ListOf(object, "PodsetSliceRequiredTopologyConstraints")) {
    topology.slices.push_back({layer.at("Topology").get<std::string>(), Field(layer, "Size", 0)});
  }
  if (const auto level = Text(object, "PodSetSliceRequiredTopology");
      level.has_value() && topology.slices.empty()) {
    topology.slices.push_back({*level, Field(object, "PodSetSliceSize", 0)});
  }
  return topology;
}

TasPodSet PodSet(const json& object, std::size_t i) {
  TasPodSet podset;
  podset.name = Field<std::string>(object, "podSetName", "podset " + std::to_string(i + 1));
  if (const json topology = object.value("topologyRequest", json()); topology.is_object()) {
    podset.topology = Topology(topology);
  }
  podset.implied = Field(object, "implied", false);
  podset.pod = Amounts(object.value("requests", json::object()));
  podset.count = object.at("count").get<std::int32_t>();
  podset.group = Text(object, "podSetGroupName");
  podset.previous = Assignment(object.value("previousAssignment", json()));
  podset.node_selector = Field<LabelMap>(object, "nodeSelector", {});
  podset.tolerations = Tolerations(object);
  podset.affinity = Affinity(object.value("nodeAffinity", json::object()));
  return podset;
}

std::vector<TasCase::Usage> Usages(const json& object, const char* name) {
  std::vector<TasCase::Usage> usages;
  for (const json& one : ListOf(object, name)) {
    usages.push_back({one.at("Values").get<std::vector<std::string>>(),
                      Amounts(one.at("SinglePodRequests")), one.at("Count").get<std::int64_t>()});
  }
  return usages;
}

TasGates Gates(const json& object) {
  TasGates gates;
  const auto set = [&](const char* name, bool& gate) { gate = Field(object, name, gate); };
  set("TASProfileMixed", gates.profile_mixed);
  set("TASMultiLayerTopology", gates.multi_layer);
  set("TASHandleOverlappingFlavors", gates.overlapping_flavors);
  set("TASBalancedPlacement", gates.balanced_placement);
  set("TASRespectNodeAffinityPreferred", gates.preferred_affinity);
  set("ElasticJobsViaWorkloadSlicesWithTAS", gates.elastic_slices);
  set("SkipReassignmentForPodOwnedWorkloads", gates.skip_pod_owned);
  return gates;
}

// An admitted workload with an unhealthy node. Who owns it the files do not say but in the name
// of the case ("single-Pod-owned"); a pod group's has an annotation as well.
std::optional<TasRepair> Repair(const json& object, const std::string& case_name) {
  const json workload = object.value("workload", json());
  if (!workload.is_object()) return std::nullopt;
  TasRepair repair;
  for (const json& part : ListOf(workload, "other")) {
    const auto what = part.at(0).get<std::string>();
    if (what == "UnhealthyNodes") repair.unhealthy_node = part.at(1).get<std::string>();
    if (what != "Admission") continue;
    for (const json& podset : part.at(1).at("podSets")) {
      const auto assignment = Assignment(podset.value("TopologyAssignment", json()));
      if (assignment.has_value()) {
        repair.admitted[podset.at("podset").get<std::string>()] = *assignment;
      }
    }
  }
  if (repair.unhealthy_node.empty()) return std::nullopt;
  repair.owned_by_single_pod =
      case_name.find("single-Pod-owned") != std::string::npos && !workload.contains("Annotations");
  return repair;
}

// Pods that hold a part of their node: bound to one and not at their end.
std::vector<TasCase::Pod> Pods(const json& object) {
  std::vector<TasCase::Pod> pods;
  for (const json& pod : ListOf(object, "pods")) {
    const auto phase = Field<std::string>(pod, "StatusPhase", "");
    const auto node = Text(pod, "nodeName");
    if (!node.has_value() || phase.ends_with("Failed") || phase.ends_with("Succeeded")) continue;
    pods.push_back({*node, Amounts(pod.value("requests", json::object()))});
  }
  return pods;
}

TasCase Case(const json& object, const json& node_sets) {
  TasCase one;
  one.name = object.at("name").get<std::string>();
  one.flavor.levels = object.at("levels").get<std::vector<std::string>>();
  if (one.flavor.levels.empty()) Refuse("no levels");
  one.flavor.node_labels = Field<LabelMap>(object, "nodeLabels", {});
  one.flavor.tolerations = Tolerations(object);
  one.nodes = Nodes(node_sets.at(object.at("nodeSet").get<std::string>()), one.flavor.levels);
  one.pods = Pods(object);
  one.own_usage = Usages(object, "priorOwnUsage");
  one.sibling_usage = Usages(object, "priorFlavorUsage");
  one.options.gates = Gates(object.value("featureGates", json::object()));
  one.options.repair = Repair(object, one.name);
  for (const json& podset : object.at("podSets")) {
    one.podsets.push_back(PodSet(podset, one.podsets.size()));
    one.wanted.push_back({Assignment(podset.value("wantAssignment", json())),
                          Field<std::string>(podset, "wantReason", "")});
  }
  return one;
}

}  // namespace

Result<TasCase> ReadTasCase(const json& document, std::size_t i) {
  std::string name = "case " + std::to_string(i + 1);
  try {
    const json& object = document.at("cases").at(i);
    name = object.at("name").get<std::string>();
    return Case(object, document.at("nodeSets"));
  } catch (const json::exception& error) {
    return Error{ErrorCode::kBadData, name + ": not of the form: " + error.what()};
  } catch (const std::invalid_argument& error) {
    return Error{ErrorCode::kBadData, name + ": not of the form: " + error.what()};
  }
}

}  // namespace plimsoll
