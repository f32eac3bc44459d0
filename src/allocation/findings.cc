#include "allocation/findings.h"

#include <algorithm>
#include <limits>

namespace plimsoll {

void FindingLog::Add(const std::string& kind, const std::string& subject, const std::string& detail,
                     FindingAmount amount) {
  FindingAmount& total = findings_[{kind, subject, detail}];
  total.gpu_millis += amount.gpu_millis;
  total.cost += amount.cost;
}

FindingBatch FindingLog::Take() const {
  FindingBatch batch;
  constexpr int128 kMax = std::numeric_limits<std::int64_t>::max();
  for (const auto& [key, amount] : findings_) {
    batch.kind.push_back(std::get<0>(key));
    batch.subject.push_back(std::get<1>(key));
    batch.detail.push_back(std::get<2>(key));
    batch.gpu_time.push_back(
        GpuMillis(static_cast<std::int64_t>(std::min(amount.gpu_millis, kMax))));
    batch.cost.push_back(amount.cost);
  }
  return batch;
}

}  // namespace plimsoll
