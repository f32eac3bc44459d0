// Any bytes are exposition text to the parser: no crash, no sample whose value or time is not
// one, and the same samples however the bytes are cut.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "ingest/prometheus/exposition.h"
#include "ingest/prometheus/recording_sink.h"
#include "ingest/prometheus/sample_value.h"
#include "ingest/prometheus/telemetry.h"

namespace {

void Require(bool holds) {
  if (!holds) std::abort();
}

class CheckedSink : public plimsoll::RecordingSink {
 public:
  void OnSample(std::int32_t series, std::int64_t at_ms, std::string_view value) override {
    Require(plimsoll::IsSampleTime(at_ms) && plimsoll::IsSampleValue(value));
    RecordingSink::OnSample(series, at_ms, value);
  }
};

bool Read(std::string_view text, std::size_t cut, bool open_metrics, plimsoll::SampleSink& sink) {
  plimsoll::ExpositionParser parser({open_metrics, plimsoll::AtSeconds(1'764'288'000)}, sink);
  return parser.Feed(text.substr(0, cut)).has_value() &&
         parser.Feed(text.substr(cut)).has_value() && parser.Finish().has_value();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  const bool open_metrics = plimsoll::EndsLikeOpenMetrics(text);
  CheckedSink whole;
  CheckedSink cut;
  Require(Read(text, 0, open_metrics, whole) == Read(text, size / 2, open_metrics, cut));
  Require(whole.samples == cut.samples && whole.bad == cut.bad);

  const plimsoll::Instant day = plimsoll::AtSeconds(1'764'288'000);
  plimsoll::Telemetry telemetry({"c", {day, day + plimsoll::Days(2)}, plimsoll::Minutes(5)});
  Read(text, size / 3, open_metrics, telemetry);
  for (const plimsoll::Window window : telemetry.Days()) telemetry.TakeDay(window);
  telemetry.Fleet(true);
  return 0;
}
