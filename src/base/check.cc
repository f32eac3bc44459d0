#include "base/check.h"

#include <unistd.h>

#include <cstdlib>
#include <string>

namespace plimsoll {

void CheckFailed(const char* file, int line, const char* what) {
  const std::string text =
      std::string(file) + ":" + std::to_string(line) + ": check failed: " + what + "\n";
  // write(2), not a stream: the process may be in any state.
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text.data(), text.size());
  std::abort();
}

}  // namespace plimsoll
