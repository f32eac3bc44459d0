#include "capacity/sizing/paired_difference.h"

#include "base/check.h"

namespace plimsoll {

PairedDifference EstimateDifference(std::span<const std::optional<double>> before,
                                    std::span<const std::optional<double>> after,
                                    double confidence) {
  PLIMSOLL_CHECK(before.size() == after.size());
  PairedDifference paired;
  Moments first, second, difference;
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (!before[i] || !after[i]) {
      ++paired.left_out;
      continue;
    }
    first.Add(*before[i]);
    second.Add(*after[i]);
    difference.Add(*after[i] - *before[i]);
  }
  paired.before = first.mean();
  paired.after = second.mean();
  paired.difference = difference.mean();
  paired.interval = MeanInterval(difference, confidence);
  paired.replications = difference.count();
  return paired;
}

}  // namespace plimsoll
