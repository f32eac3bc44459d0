// The program: its arguments and streams go to the command line's frame, and that is all.
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "cli/io.h"
#include "cli/run.h"

int main(int argc, char** argv) {
  try {
    const std::vector<std::string> args(argv + (argc > 0 ? 1 : 0), argv + argc);
    return static_cast<int>(plimsoll::Run(args, plimsoll::SystemIo()));
  } catch (const std::exception& e) {
    std::fprintf(stderr, "plimsoll: error: this is a bug in plimsoll: %s; please report it\n",
                 e.what());
  } catch (...) {
    std::fputs("plimsoll: error: this is a bug in plimsoll; please report it\n", stderr);
  }
  return static_cast<int>(plimsoll::ExitCode::kInternal);
}
