// Any bytes as a file of spot capacity: never a crash, and what is taken is sound.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "ingest/trace/start_file.h"
#include "ingest/trace/trace_reader.h"

namespace {

void CheckTrace(const plimsoll::AvailabilityTrace& trace) {
  PLIMSOLL_CHECK(trace.gap > plimsoll::Duration() && !trace.instances.empty());
  PLIMSOLL_CHECK(trace.prices.empty() || trace.prices.size() == trace.instances.size());
  for (const std::int32_t count : trace.instances) PLIMSOLL_CHECK(count >= 0);
  for (const auto& price : trace.prices) PLIMSOLL_CHECK(!price || *price >= plimsoll::Money());
}

void CheckHistory(const plimsoll::SpotHistory& history) {
  for (const plimsoll::AvailabilityTrace& trace : history.traces) CheckTrace(trace);
  for (const plimsoll::InstanceLifetimes& lives : history.lifetimes) {
    PLIMSOLL_CHECK(lives.lifetime.size() == lives.preempted.size());
    for (const plimsoll::Duration life : lives.lifetime) {
      PLIMSOLL_CHECK(life >= plimsoll::Duration());
    }
  }
  for (const plimsoll::SpotAdvice& advice : history.advice) {
    PLIMSOLL_CHECK(advice.bucket >= 0 && advice.bucket <= 4 && advice.saving_pct <= 100);
  }
  PLIMSOLL_CHECK(!history.traces.empty() || !history.lifetimes.empty() || !history.advice.empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto read = [&](std::optional<plimsoll::TraceFormat> format) {
    const auto history = plimsoll::ReadSpotHistory({"fuzz", text, format});
    if (history) {
      CheckHistory(*history);
    } else {
      PLIMSOLL_CHECK(history.error().message.find("fuzz") != std::string::npos);
    }
  };
  read(std::nullopt);
  // The last byte picks a format, as --trace-format does.
  const std::vector<std::string> names = plimsoll::TraceFormatNames();
  if (size > 0) read(*plimsoll::ParseTraceFormat(names[data[size - 1] % names.size()]));
  const auto starts = plimsoll::ReadStarts("fuzz", text, 100);
  if (starts) {
    for (const std::int64_t start : *starts) PLIMSOLL_CHECK(start >= 0 && start < 100);
  }
  return 0;
}
