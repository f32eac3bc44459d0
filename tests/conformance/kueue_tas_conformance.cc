// kueue_tas_conformance FILE...: runs files of topology cases, a line a case that fails.
// Exit code 0: all passed, 1: one failed, 2: no file named, 3: a file is not of the form.
#include <fstream>
#include <iostream>

#include "conformance/kueue_tas_cases.h"

int main(int argc, char** argv) {
  if (argc < 2) {
    std::cerr << "usage: kueue_tas_conformance FILE... (docs/formats/kueue-topology-cases.md)\n";
    return 2;
  }
  plimsoll::CaseTally all;
  for (int i = 1; i < argc; ++i) {
    std::ifstream in(argv[i]);
    const auto document = nlohmann::json::parse(in, nullptr, false);
    if (!in || document.is_discarded() || !plimsoll::HasTopologyCases(document)) {
      std::cerr << argv[i] << ": no JSON file with nodeSets and cases\n";
      return 3;
    }
    const auto tally = plimsoll::RunTopologyCases(document, std::cout);
    if (!tally) {
      std::cerr << argv[i] << ": " << tally.error().message << "\n";
      return 3;
    }
    all.passed += tally->passed;
    all.failed += tally->failed;
  }
  std::cout << all.passed << " passed, " << all.failed << " failed\n";
  return all.failed == 0 ? 0 : 1;
}
