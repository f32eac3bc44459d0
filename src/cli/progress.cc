#include "cli/progress.h"

#include <ostream>
#include <string>

#include "cli/text.h"

namespace plimsoll {
namespace {

constexpr std::int64_t kMillisBetween = 100;
constexpr std::size_t kColumnsIfUnknown = 79;

}  // namespace

ProgressLine::ProgressLine(const Io& io, bool enabled)
    : io_(io), enabled_(enabled && io.err_is_terminal) {}

ProgressLine::~ProgressLine() { Wipe(); }

Progress ProgressLine::AsCallback() {
  return [this](std::string_view what, std::int64_t done, std::int64_t total) {
    Draw(what, done, total);
  };
}

void ProgressLine::Draw(std::string_view what, std::int64_t done, std::int64_t total) {
  if (!enabled_) return;
  const std::int64_t now = io_.steady_millis();
  if (last_millis_ && now - *last_millis_ < kMillisBetween) return;
  last_millis_ = now;
  std::string line = Printable(what) + ": " + GroupThousands(std::to_string(done));
  if (total > 0) {
    // By parts, so that a count near the limit of the type does not overflow.
    const std::int64_t percent = total >= 100 ? done / (total / 100) : done * 100 / total;
    line += " of " + GroupThousands(std::to_string(total)) + " (" +
            std::to_string(percent > 100 ? 100 : percent) + " %)";
  }
  *io_.err << "\r\033[K" << Shorten(line, io_.columns > 1 ? io_.columns - 1 : kColumnsIfUnknown)
           << std::flush;
  drawn_ = true;
}

void ProgressLine::Wipe() {
  if (drawn_) *io_.err << "\r\033[K" << std::flush;
  drawn_ = false;
}

}  // namespace plimsoll
