#include "conformance/kueue_cases.h"

#include <fstream>
#include <nlohmann/json.hpp>

#include "conformance/case_tally.h"
#include "conformance/kueue_preemption_cases.h"
#include "conformance/kueue_tas_cases.h"

namespace plimsoll {
namespace {

Result<CaseTally> RunDocument(const nlohmann::json& document, std::ostream& out) {
  if (HasTopologyCases(document)) return RunTopologyCases(document, out);
  if (HasPreemptionCases(document)) return RunPreemptionCases(document, out);
  return Error{ErrorCode::kBadData,
               "needs cases, and clusterQueueSets or nodeSets that they name "
               "(docs/formats/kueue-cases.md)"};
}

}  // namespace

int RunKueueCases(const std::vector<std::string>& paths, std::ostream& out, std::ostream& errors) {
  CaseTally all;
  for (const std::string& path : paths) {
    std::ifstream in(path);
    if (!in) {
      errors << path << ": cannot be read\n";
      return 3;
    }
    const auto document = nlohmann::json::parse(in, nullptr, false);
    if (document.is_discarded()) {
      errors << path << ": is no JSON\n";
      return 3;
    }
    const Result<CaseTally> tally = RunDocument(document, out);
    if (!tally) {
      errors << path << ": " << tally.error().message << "\n";
      return 3;
    }
    all.passed += tally->passed;
    all.failed += tally->failed;
  }
  out << all.passed << " passed, " << all.failed << " failed\n";
  return all.failed == 0 ? 0 : 1;
}

}  // namespace plimsoll
