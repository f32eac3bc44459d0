// kueue_conformance FILE...: runs files of Kueue's cases, a line a case that fails.
// Exit code 0: all passed, 1: one failed, 2: no file named, 3: a file is not of a form.
#include <iostream>

#include "conformance/kueue_cases.h"

int main(int argc, char** argv) {
  if (argc < 2) {
    std::cerr << "usage: kueue_conformance FILE... (docs/formats/kueue-cases.md)\n";
    return 2;
  }
  return plimsoll::RunKueueCases({argv + 1, argv + argc}, std::cout, std::cerr);
}
