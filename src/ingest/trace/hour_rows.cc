#include "ingest/trace/hour_rows.h"

#include <algorithm>
#include <optional>

#include "base/limits.h"
#include "ingest/csv.h"

namespace plimsoll {
namespace {

// The reader of a text that is in memory.
ReadBytes BytesOf(std::string_view text) {
  return [text](char* to, std::size_t size) mutable -> Result<std::size_t> {
    const std::size_t count = std::min(size, text.size());
    std::copy_n(text.data(), count, to);
    text.remove_prefix(count);
    return count;
  };
}

bool HasOffset(std::string_view hour) {
  return hour.ends_with('Z') || hour.ends_with('z') ||
         hour.find_first_of("+-", std::min<std::size_t>(hour.size(), 10)) != hour.npos;
}

struct Places {
  std::optional<std::size_t> hour, name, value;
};

Result<Places> FindColumns(const std::string& file, const CsvRow& header,
                           const HourColumns& columns, HourNotes& notes) {
  Places places;
  std::string found;
  for (std::size_t i = 0; i < header.fields.size(); ++i) {
    const std::string_view name = header.fields[i].text;
    found += (found.empty() ? "" : ",") + std::string(name);
    std::optional<std::size_t>* const place = name == "hour"          ? &places.hour
                                              : name == columns.name  ? &places.name
                                              : name == columns.value ? &places.value
                                                                      : nullptr;
    if (place == nullptr) {
      notes.ignored.emplace_back(name);
    } else if (*place) {
      return Error{ErrorCode::kBadData, file + ":1: column '" + std::string(name) + "' is twice"};
    } else {
      *place = i;
    }
  }
  if (places.hour && places.value && (places.name || !columns.name_required)) return places;
  return Error{ErrorCode::kBadData, file + ":1: the header must have the columns hour, " +
                                        columns.value +
                                        (columns.name_required ? " and " : "; optional is ") +
                                        columns.name + "; it is '" + found.substr(0, 200) + "'"};
}

std::string CheckHour(std::string_view text, std::optional<Instant>& first, HourRow& row) {
  const Result<Instant> hour = ParseInstant(text);
  if (!hour || text.size() <= 10) {
    return "'" + std::string(text.substr(0, 40)) +
           "' is not an hour such as 2026-11-01T09:00:00+01:00";
  }
  if (!first) first = *hour;
  row.hour = *hour;
  if (Between(*first, *hour).base() % Hours(1).base() == 0) return "";
  return std::string(text) + " is not a whole number of hours from the first row: hours begin " +
         "at the same minute";
}

}  // namespace

void LineErrors::Add(std::int64_t line, const std::string& what) {
  if (++count_ > static_cast<std::int64_t>(kRejectionsShownMax)) return;
  text_ += (text_.empty() ? "" : "\n") + file_ + ":" + std::to_string(line) + ": " + what;
}

Error LineErrors::ToError() const {
  const std::int64_t more = count_ - static_cast<std::int64_t>(kRejectionsShownMax);
  return {ErrorCode::kBadData,
          text_ + (more > 0 ? "\n" + file_ + ": and " + std::to_string(more) + " more" : "")};
}

Result<HourNotes> ReadHourRows(const std::string& file, std::string_view text,
                               const HourColumns& columns, LineErrors& errors,
                               const std::function<std::string(const HourRow&)>& take) {
  HourNotes notes;
  // The text is in memory already: no larger a block than it needs.
  CsvOptions options;
  options.block_bytes = std::clamp<std::size_t>(text.size() + 1, 4'096, options.block_bytes);
  CsvReader reader(BytesOf(text), options);
  CsvRow csv;
  PLIMSOLL_TRY(const bool any, reader.Next(csv));
  if (!any) return Error{ErrorCode::kBadData, file + ": is empty"};
  PLIMSOLL_TRY(const Places places, FindColumns(file, csv, columns, notes));
  const std::size_t width = csv.fields.size();
  std::optional<Instant> first;
  while (true) {
    PLIMSOLL_TRY(const bool more, reader.Next(csv));
    if (!more) return notes;
    HourRow row;
    row.line = csv.line;
    if (csv.defect != CsvDefect::kNone || csv.fields.size() != width) {
      errors.Add(row.line, csv.defect != CsvDefect::kNone
                               ? "a quoted field is not closed, or text follows it"
                               : "has " + std::to_string(csv.fields.size()) + " fields, not " +
                                     std::to_string(width));
      continue;
    }
    const std::string_view hour = csv.fields[*places.hour].text;
    std::string wrong = CheckHour(hour, first, row);
    if (wrong.empty()) {
      if (places.name) row.name = csv.fields[*places.name].text;
      row.value = csv.fields[*places.value].text;
      wrong = columns.name_required && row.name.empty() ? std::string(columns.name) + " is empty"
                                                        : take(row);
    }
    if (!wrong.empty()) {
      errors.Add(row.line, wrong);
      continue;
    }
    ++notes.rows;
    notes.without_offset += HasOffset(hour) ? 0 : 1;
  }
}

}  // namespace plimsoll
