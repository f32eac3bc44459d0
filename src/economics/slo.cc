#include "economics/slo.h"

#include <algorithm>

#include "units/money.h"

namespace plimsoll {

SloJudge::Met SloJudge::MeetsTpot(const RequestBatch& requests, std::size_t row) const {
  const auto& output = requests.output_tokens[row];
  if (output && *output <= 1) return Met::kYes;
  const auto& ttft = requests.ttft_ns[row];
  const auto& e2e = requests.e2e_ns[row];
  if (output && ttft && e2e) {
    const int128 allowed = int128{*slo_.tpot_ns} * (*output - 1);
    return int128{*e2e} - *ttft <= allowed ? Met::kYes : Met::kNo;
  }
  const auto& told = requests.tpot_ns[row];
  if (!told) return Met::kUnknown;
  return *told <= *slo_.tpot_ns ? Met::kYes : Met::kNo;
}

Outcome SloJudge::OutcomeOf(Symbol status, SloVerdict verdict) const {
  if (status == timeout_) return Outcome::kTimeout;
  if (status == cancelled_) return Outcome::kCancelled;
  if (status != ok_) return Outcome::kError;
  if (verdict == SloVerdict::kMissed) return Outcome::kMissed;
  return verdict == SloVerdict::kUnmeasured ? Outcome::kUnmeasured : Outcome::kGood;
}

Outcome SloJudge::Judge(const RequestBatch& requests, std::size_t row) const {
  const Symbol status = requests.status[row];
  if (status != ok_) return OutcomeOf(status, SloVerdict::kMet);
  const auto check = [](const std::optional<std::int64_t>& limit,
                        const std::optional<std::int64_t>& value) {
    if (!limit) return Met::kYes;
    if (!value) return Met::kUnknown;
    return *value <= *limit ? Met::kYes : Met::kNo;
  };
  const Met met[] = {check(slo_.ttft_ns, requests.ttft_ns[row]),
                     check(slo_.e2e_ns, requests.e2e_ns[row]),
                     slo_.tpot_ns ? MeetsTpot(requests, row) : Met::kYes};
  const auto any = [&](Met which) {
    return std::find(std::begin(met), std::end(met), which) != std::end(met);
  };
  if (any(Met::kNo)) return Outcome::kMissed;
  return any(Met::kUnknown) ? Outcome::kUnmeasured : Outcome::kGood;
}

}  // namespace plimsoll
