#include "ingest/trace/start_file.h"

#include "ingest/trace/trace_text.h"

namespace plimsoll {

Result<std::vector<std::int64_t>> ReadStarts(const std::string& file, std::string_view text,
                                             std::int64_t ticks) {
  const std::vector<TraceLine> lines = TraceLines(text);
  std::size_t column = 0, first = 0;
  if (!lines.empty() && !IsWhole(lines.front().fields[0])) {
    first = 1;
    column = SIZE_MAX;
    const std::vector<std::string_view>& names = lines.front().fields;
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (names[i] == "start_index" || names[i] == "start") column = i;
    }
    if (column == SIZE_MAX) {
      return TraceError(file, lines.front(), 0,
                        "begins a header without a column start_index or start");
    }
  }
  std::vector<std::int64_t> starts;
  for (std::size_t i = first; i < lines.size(); ++i) {
    const Result<std::int64_t> start = WholeField(file, lines[i], column, {0, ticks - 1});
    if (!start) {
      return TraceError(file, lines[i], column,
                        "is no tick of the trace, which has " + std::to_string(ticks) +
                            ": give a number from 0 to " + std::to_string(ticks - 1));
    }
    starts.push_back(*start);
  }
  if (starts.empty()) {
    return Error{ErrorCode::kBadData, file + " has no starts: one tick of the trace a line"};
  }
  return starts;
}

}  // namespace plimsoll
