#include "base/clock.h"

#include <chrono>

namespace plimsoll {
namespace {

template <class TimePoint>
std::int64_t MillisOf(TimePoint point) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(point.time_since_epoch()).count();
}

}  // namespace

std::int64_t NowMillis() { return MillisOf(std::chrono::system_clock::now()); }

std::int64_t SteadyMillis() { return MillisOf(std::chrono::steady_clock::now()); }

}  // namespace plimsoll
