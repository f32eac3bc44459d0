// ProgressLine: one line on stderr that says how far long work has come.
//
// Drawn only on a terminal, at most ten times a second, and wiped before anything else is
// written there.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/progress.h"
#include "cli/io.h"

namespace plimsoll {

class ProgressLine {
 public:
  // Draws nothing if `enabled` is false or stderr is no terminal.
  ProgressLine(const Io& io, bool enabled);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  Progress AsCallback();
  void Draw(std::string_view what, std::int64_t done, std::int64_t total);
  void Wipe();

 private:
  const Io& io_;
  bool enabled_;
  bool drawn_ = false;
  std::optional<std::int64_t> last_millis_;
};

}  // namespace plimsoll
