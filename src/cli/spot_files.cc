#include "cli/spot_files.h"

#include "cli/files.h"
#include "ingest/trace/trace_reader.h"

namespace plimsoll {

Result<std::vector<SpotHistory>> ReadSpotFiles(const SpotFileOptions& options) {
  std::optional<TraceFormat> format;
  if (!options.format.empty()) {
    PLIMSOLL_TRY(format, ParseTraceFormat(options.format));
  }
  std::optional<SpotObservation> observed;
  if (options.observed == "held") observed = SpotObservation::kHeld;
  if (options.observed == "pings") observed = SpotObservation::kPings;
  PLIMSOLL_TRY(const std::vector<std::string> files, ExpandFiles(options.files));
  std::vector<SpotHistory> histories;
  for (const std::string& file : files) {
    PLIMSOLL_TRY(const std::string text, ReadWholeFile(file));
    PLIMSOLL_TRY(SpotHistory history, ReadSpotHistory({file, text, format, observed}));
    histories.push_back(std::move(history));
  }
  return histories;
}

}  // namespace plimsoll
