// Any bytes are an answer of the HTTP API to the reader: no crash, no deep recursion, and no
// sample whose value or time is not one.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "ingest/prometheus/prom_json.h"
#include "ingest/prometheus/recording_sink.h"
#include "ingest/prometheus/sample_value.h"
#include "ingest/prometheus/telemetry.h"

namespace {

class CheckedSink : public plimsoll::RecordingSink {
 public:
  void OnSample(std::int32_t series, std::int64_t at_ms, std::string_view value) override {
    if (!plimsoll::IsSampleTime(at_ms) || !plimsoll::IsSampleValue(value)) std::abort();
    RecordingSink::OnSample(series, at_ms, value);
  }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  CheckedSink sink;
  (void)plimsoll::ReadPromJson(text, sink);
  (void)plimsoll::ReadPromNames(text);

  const plimsoll::Instant day = plimsoll::AtSeconds(1'764'288'000);
  plimsoll::Telemetry telemetry({"c", {day, day + plimsoll::Days(2)}, plimsoll::Minutes(5)});
  (void)plimsoll::ReadPromJson(text, telemetry);
  for (const plimsoll::Window window : telemetry.Days()) telemetry.TakeDay(window);
  telemetry.Fleet(true);
  return 0;
}
