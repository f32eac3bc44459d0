#include "cli/io.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <iostream>

#include "base/clock.h"

namespace plimsoll {
namespace {

std::optional<std::string> Environment(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

std::size_t TerminalColumns() {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  const std::string columns = Environment("COLUMNS").value_or("");
  constexpr std::size_t kDigitsMax = 4;
  if (columns.empty() || columns.size() > kDigitsMax ||
      columns.find_first_not_of("0123456789") != std::string::npos) {
    return 80;
  }
  return std::stoul(columns);
}

}  // namespace

bool Io::Colour() const {
  if (!out_is_terminal) return false;
  return env("NO_COLOR").value_or("").empty() && env("TERM").value_or("") != "dumb";
}

Io SystemIo() {
  Io io;
  io.in = &std::cin;
  io.out = &std::cout;
  io.err = &std::cerr;
  io.in_is_terminal = isatty(STDIN_FILENO) == 1;
  io.out_is_terminal = isatty(STDOUT_FILENO) == 1;
  io.err_is_terminal = isatty(STDERR_FILENO) == 1;
  io.columns = io.out_is_terminal ? TerminalColumns() : 0;
  io.now = [] { return AtMillis(NowMillis()); };
  io.steady_millis = SteadyMillis;
  io.env = Environment;
  return io;
}

}  // namespace plimsoll
