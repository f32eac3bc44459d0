#include "ingest/trace/trace_reader.h"

#include <algorithm>

#include "base/check.h"
#include "ingest/trace/trace_formats.h"
#include "ingest/trace/trace_text.h"

namespace plimsoll {
namespace {

struct Format {
  TraceFormat format;
  const char* name;
};

constexpr Format kFormats[] = {
    {TraceFormat::kSkyPilot, "skypilot"},      {TraceFormat::kPings, "pings"},
    {TraceFormat::kEvents, "events"},          {TraceFormat::kStepsMs, "steps-ms"},
    {TraceFormat::kStepsS, "steps-s"},         {TraceFormat::kStepsHours, "steps-hours"},
    {TraceFormat::kReadings, "readings"},      {TraceFormat::kTable, "table"},
    {TraceFormat::kLifetimes, "lifetimes"},    {TraceFormat::kAdvisorJson, "advisor-json"},
    {TraceFormat::kAdvisorCsv, "advisor-csv"},
};

constexpr std::size_t kHeadBytes = 4096;    // enough to tell JSON of one kind from the other
constexpr std::size_t kLinesLooked = 1000;  // of steps: their unit shows within

bool HasField(const TraceLine& line, std::string_view name) {
  return std::find(line.fields.begin(), line.fields.end(), name) != line.fields.end();
}

bool IsDate(std::string_view text) { return text.size() == 10 && ParseInstant(text).has_value(); }

Error Unknown(const TraceSource& source, const std::string& why) {
  return {ErrorCode::kBadData,
          source.file + " " + why +
              "; the formats are described in docs/formats/spot-traces.md, and --trace-format "
              "names one where content cannot tell"};
}

// Times of steps have no unit: fractions are hours, whole thousands milliseconds. Anything else
// could be seconds and could be milliseconds.
Result<TraceFormat> RecognizeSteps(const TraceSource& source, const std::vector<TraceLine>& lines) {
  bool thousands = true;
  for (std::size_t i = 0; i < std::min(lines.size(), kLinesLooked); ++i) {
    const std::string_view time = lines[i].fields[0];
    if (time.find('.') != std::string_view::npos) return TraceFormat::kStepsHours;
    thousands = thousands && (time == "0" || time.ends_with("000"));
  }
  if (thousands) return TraceFormat::kStepsMs;
  return Unknown(source,
                 "has times that may be seconds or milliseconds: say --trace-format steps-s or "
                 "steps-ms");
}

Result<TraceFormat> RecognizeLines(const TraceSource& source, const std::vector<TraceLine>& lines) {
  if (lines.empty()) return Unknown(source, "is empty");
  const TraceLine& first = lines.front();
  if (HasField(first, "time") && HasField(first, "available")) return TraceFormat::kTable;
  if (HasField(first, "instance_type")) return TraceFormat::kAdvisorCsv;
  if (HasField(first, "start") && HasField(first, "end")) return TraceFormat::kLifetimes;
  for (const char* name : {"lifetime", "lifetime_hours", "lifetime_seconds"}) {
    if (HasField(first, name)) return TraceFormat::kLifetimes;
  }
  if (first.fields.size() == 3 && (first.fields[1] == "add" || first.fields[1] == "remove")) {
    return TraceFormat::kEvents;
  }
  if (first.fields.size() == 3 && IsDate(first.fields[0])) return TraceFormat::kReadings;
  if (first.fields.size() == 3 && IsWhole(first.fields[0]) && ParseInstant(first.fields[1])) {
    return TraceFormat::kPings;
  }
  if (first.fields.size() == 2 && IsWhole(first.fields[1])) return RecognizeSteps(source, lines);
  return Unknown(source, "is in no known format: its first line is '" +
                             std::string(first.fields[0].substr(0, 40)) + "'");
}

Result<SpotHistory> ReadAs(TraceFormat format, const TraceSource& source) {
  switch (format) {
    case TraceFormat::kSkyPilot:
      return ReadSkyPilotTrace(source);
    case TraceFormat::kPings:
      return ReadPingTrace(source);
    case TraceFormat::kEvents:
      return ReadInstanceEvents(source);
    case TraceFormat::kStepsMs:
      return ReadInstanceSteps(source, Millis(1));
    case TraceFormat::kStepsS:
      return ReadInstanceSteps(source, Seconds(1));
    case TraceFormat::kStepsHours:
      return ReadInstanceSteps(source, Hours(1));
    case TraceFormat::kReadings:
      return ReadInstanceReadings(source);
    case TraceFormat::kTable:
      return ReadTableTrace(source);
    case TraceFormat::kLifetimes:
      return ReadLifetimes(source);
    case TraceFormat::kAdvisorJson:
      return ReadAdvisorJson(source);
    case TraceFormat::kAdvisorCsv:
      return ReadAdvisorCsv(source);
  }
  PLIMSOLL_CHECK(false);
}

std::string NameOf(TraceFormat format) {
  for (const Format& known : kFormats) {
    if (known.format == format) return known.name;
  }
  PLIMSOLL_CHECK(false);
}

}  // namespace

std::vector<std::string> TraceFormatNames() {
  std::vector<std::string> names;
  for (const Format& known : kFormats) names.emplace_back(known.name);
  return names;
}

Result<TraceFormat> ParseTraceFormat(const std::string& name) {
  std::string names;
  for (const Format& known : kFormats) {
    if (name == known.name) return known.format;
    names += (names.empty() ? "" : ", ") + std::string(known.name);
  }
  return Error{ErrorCode::kInvalidArgument,
               "--trace-format: no format is called '" + name + "'; there are " + names};
}

Result<TraceFormat> RecognizeTrace(const TraceSource& source) {
  const std::string_view head = source.text.substr(0, kHeadBytes);
  const std::size_t start = head.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  if (start == std::string_view::npos) return Unknown(source, "is empty");
  if (head[start] != '{') return RecognizeLines(source, TraceLines(source.text));
  const bool advisor = source.text.find("\"spot_advisor\"") != std::string_view::npos;
  return advisor ? TraceFormat::kAdvisorJson : TraceFormat::kSkyPilot;
}

Result<SpotHistory> ReadSpotHistory(const TraceSource& source) {
  TraceFormat format = TraceFormat::kSkyPilot;
  if (source.format) {
    format = *source.format;
  } else {
    PLIMSOLL_TRY(format, RecognizeTrace(source));
  }
  PLIMSOLL_TRY(SpotHistory history, ReadAs(format, source));
  history.format = NameOf(format);
  for (AvailabilityTrace& trace : history.traces) {
    if (source.observed) trace.observed = *source.observed;
  }
  return history;
}

}  // namespace plimsoll
