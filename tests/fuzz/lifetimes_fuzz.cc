// Any bytes are lifetimes as CSV, a law and a length of time to their readers: no crash, errors
// that name the file's line, survival that falls from 1 to 0.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "ingest/trace/trace_reader.h"
#include "purchase/spot/lifetime_text.h"
#include "purchase/spot/measured_life.h"
#include "units/human_text.h"

namespace {

void Require(bool holds) {
  if (!holds) std::abort();
}

void Check(const plimsoll::Lifetime& lifetime) {
  double before = 1;
  for (const double hours : {0.0, 0.1, 1.0, 10.0, 1e4, 1e7}) {
    const double survival = lifetime.Survival(hours * 3.6e6);
    Require(survival >= 0 && survival <= before);
    before = survival;
  }
  plimsoll::RandomStream random(1, "fuzz", 0);
  for (int i = 0; i < 8; ++i) Require(lifetime.Draw(random) >= 0);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  const auto history = plimsoll::ReadSpotHistory(
      {"lives.csv", text, plimsoll::TraceFormat::kLifetimes, std::nullopt});
  if (history.has_value()) {
    const auto measured = plimsoll::MeasuredLife::Of(plimsoll::ObservedLives(history->lifetimes));
    if (measured.has_value()) Check(plimsoll::Lifetime::Measured(*measured));
  } else {
    Require(history.error().code == plimsoll::ErrorCode::kBadData);
    Require(history.error().message.starts_with("lives.csv:"));
  }
  const auto law = plimsoll::ParseLifetime(text, {});
  if (law.has_value()) Check(*law);
  const auto span = plimsoll::ParseSpan(text);
  if (span.has_value()) Require(*span >= plimsoll::Duration());
  return 0;
}
