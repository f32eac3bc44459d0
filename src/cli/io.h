// Io: the streams, terminal, clock and environment that a run of the program sees. Tests
// hand in their own.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <iosfwd>
#include <optional>
#include <string>

#include "units/time.h"

namespace plimsoll {

struct Io {
  std::istream* in = nullptr;
  std::ostream* out = nullptr;
  std::ostream* err = nullptr;
  bool in_is_terminal = false;
  bool out_is_terminal = false;
  bool err_is_terminal = false;
  std::size_t columns = 0;  // of the terminal; 0 if unknown
  std::function<Instant()> now;
  std::function<std::int64_t()> steady_millis;
  std::function<std::optional<std::string>(const std::string&)> env;

  // Colour only on a terminal that can, and not under NO_COLOR (set and not empty).
  bool Colour() const;
};

// The process's own.
Io SystemIo();

}  // namespace plimsoll
