#include "conformance/kueue_tas_cases.h"

#include <string>

#include "conformance/kueue_tas_case_file.h"

namespace plimsoll {
namespace {

TasSnapshot SnapshotOf(const TasCase& one) {
  TasSnapshot snapshot(one.flavor, one.nodes);
  for (const TasCase::Pod& pod : one.pods) snapshot.AddPod(pod.node, pod.amounts);
  for (const auto& usage : one.own_usage) {
    snapshot.AddUsage(usage.values, usage.pod, usage.count);
  }
  // Flavors share hosts, so only domains that are hosts have what other flavors use.
  if (one.options.gates.overlapping_flavors && snapshot.host_is_lowest()) {
    for (const auto& usage : one.sibling_usage) {
      snapshot.AddUsage(usage.values, usage.pod, usage.count);
    }
  }
  return snapshot;
}

std::string ToString(const std::optional<TasAssignment>& assignment, const std::string& reason) {
  if (!reason.empty()) return "\"" + reason + "\"";
  if (!assignment.has_value()) return "nothing";
  std::string text = JoinValues(assignment->levels) + " [";
  for (const TasDomainPods& domain : assignment->domains) {
    if (text.back() != '[') text += ", ";
    text += JoinValues(domain.values) + ": " + std::to_string(domain.count);
  }
  return text + "]";
}

// What is wrong; empty if the case passes.
std::string Evaluate(const TasCase& one) {
  const auto results = AssignPodSets(SnapshotOf(one), one.podsets, one.options);
  std::string wrong;
  for (std::size_t i = 0; i < one.podsets.size(); ++i) {
    const TasCase::Wanted& wanted = one.wanted[i];
    const auto found = results.find(one.podsets[i].name);
    const TasResult got = found == results.end() ? TasResult{} : found->second;
    if (got.reason == wanted.reason && got.assignment == wanted.assignment) continue;
    wrong += (wrong.empty() ? "" : "; ") + one.podsets[i].name + " wanted " +
             ToString(wanted.assignment, wanted.reason) + " got " +
             ToString(got.assignment, got.reason);
  }
  return wrong;
}

}  // namespace

bool HasTopologyCases(const nlohmann::json& document) {
  return document.is_object() && document.contains("nodeSets") && document.contains("cases");
}

Result<CaseTally> RunTopologyCases(const nlohmann::json& document, std::ostream& out) {
  const auto cases = document.find("cases");
  if (cases == document.end() || !cases->is_array()) {
    return Error{ErrorCode::kBadData, "cases is no list (docs/formats/kueue-topology-cases.md)"};
  }
  CaseTally tally;
  for (std::size_t i = 0; i < cases->size(); ++i) {
    const Result<TasCase> one = ReadTasCase(document, i);
    const std::string wrong = one ? Evaluate(*one) : one.error().message;
    if (wrong.empty()) {
      ++tally.passed;
      continue;
    }
    ++tally.failed;
    out << "FAIL " << (one ? one->name + ": " : "") << wrong << "\n";
  }
  return tally;
}

}  // namespace plimsoll
