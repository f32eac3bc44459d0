// allocation_conformance FILE...: runs files of allocation cases, a line a case.
// Exit code 0: all passed, 1: one failed, 2: no file named, 3: a file is not of the form.
#include <iostream>

#include "conformance/run_cases.h"

int main(int argc, char** argv) {
  if (argc < 2) {
    std::cerr << "usage: allocation_conformance FILE... (docs/formats/allocation-cases.md)\n";
    return 2;
  }
  return plimsoll::RunCases({argv + 1, argv + argc}, std::cout, std::cerr);
}
