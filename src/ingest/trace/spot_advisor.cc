#include <charconv>
#include <nlohmann/json.hpp>

#include "ingest/trace/trace_formats.h"
#include "ingest/trace/trace_text.h"

namespace plimsoll {
namespace {

using Json = nlohmann::json;

// The provider's buckets, if the file does not label them itself.
constexpr const char* kShares[] = {"<5%", "5-10%", "10-15%", "15-20%", ">20%"};
constexpr std::int64_t kBucketMax = 4;
constexpr std::int64_t kSavingLeast = -10'000;

Error WrongJson(const TraceSource& source, const std::string& where) {
  return {ErrorCode::kBadData, source.file + ": " + where +
                                   " is not as AWS Spot Advisor writes it; fetch "
                                   "spot-advisor-data.json again"};
}

// Labels by bucket, as the file has them.
std::vector<std::string> SharesOf(const Json& document) {
  std::vector<std::string> shares(std::begin(kShares), std::end(kShares));
  const auto ranges = document.find("ranges");
  if (ranges == document.end() || !ranges->is_array()) return shares;
  for (const Json& range : *ranges) {
    if (!range.is_object()) continue;
    const auto index = range.find("index"), label = range.find("label");
    const bool known = index != range.end() && label != range.end() &&
                       index->is_number_unsigned() && label->is_string() &&
                       index->get<std::uint64_t>() < shares.size();
    if (known) shares[index->get<std::size_t>()] = label->get<std::string>();
  }
  return shares;
}

bool ReadRow(const Json& row, const std::vector<std::string>& shares, SpotAdvice& advice) {
  if (!row.is_object()) return false;
  const auto saving = row.find("s"), bucket = row.find("r");
  if (saving == row.end() || bucket == row.end()) return false;
  if (!saving->is_number_integer() || !bucket->is_number_unsigned()) return false;
  const auto percent = saving->get<std::int64_t>();
  const auto index = bucket->get<std::uint64_t>();
  if (index >= shares.size() || percent > 100 || percent < kSavingLeast) return false;
  advice.bucket = static_cast<std::int32_t>(index);
  advice.saving_pct = static_cast<std::int32_t>(percent);
  advice.share = shares[index];
  return true;
}

Result<std::int32_t> SavingOf(const TraceSource& source, const TraceLine& line, std::size_t field) {
  const std::string_view text = field < line.fields.size() ? line.fields[field] : "";
  std::int32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  if (whole && value <= 100 && value >= kSavingLeast) return value;
  return TraceError(source.file, line, field, "is no whole percentage of at most 100");
}

struct AdvisorColumns {
  std::size_t date = SIZE_MAX, region = SIZE_MAX, type = SIZE_MAX, os = SIZE_MAX;
  std::size_t saving = SIZE_MAX, bucket = SIZE_MAX, label = SIZE_MAX;
};

AdvisorColumns ColumnsOf(const TraceLine& header) {
  AdvisorColumns columns;
  const std::pair<const char*, std::size_t*> names[] = {{"snapshot_commit_date", &columns.date},
                                                        {"as_of", &columns.date},
                                                        {"region", &columns.region},
                                                        {"instance_type", &columns.type},
                                                        {"os", &columns.os},
                                                        {"savings_pct_vs_od", &columns.saving},
                                                        {"saving_pct", &columns.saving},
                                                        {"interruption_bucket", &columns.bucket},
                                                        {"bucket_label_monthly", &columns.label}};
  for (std::size_t i = 0; i < header.fields.size(); ++i) {
    for (const auto& [name, column] : names) {
      if (header.fields[i] == name) *column = i;
    }
  }
  return columns;
}

std::string TextOf(const TraceLine& line, std::size_t field) {
  return field < line.fields.size() ? std::string(line.fields[field]) : "";
}

}  // namespace

Result<SpotHistory> ReadAdvisorJson(const TraceSource& source) {
  const Json document = Json::parse(source.text, nullptr, false);
  if (document.is_discarded() || !document.is_object()) return WrongJson(source, "the document");
  const auto regions = document.find("spot_advisor");
  if (regions == document.end() || !regions->is_object()) {
    return WrongJson(source, "\"spot_advisor\"");
  }
  const std::vector<std::string> shares = SharesOf(document);
  SpotHistory history;
  for (const auto& [region, systems] : regions->items()) {
    if (!systems.is_object()) return WrongJson(source, region);
    for (const auto& [os, types] : systems.items()) {
      if (!types.is_object()) return WrongJson(source, region + "." + os);
      for (const auto& [type, row] : types.items()) {
        SpotAdvice& advice = history.advice.emplace_back();
        advice.pool = {"aws", region, type};
        advice.os = os;
        if (!ReadRow(row, shares, advice)) return WrongJson(source, region + "." + os + "." + type);
      }
    }
  }
  if (history.advice.empty()) return WrongJson(source, "\"spot_advisor\"");
  return history;
}

Result<SpotHistory> ReadAdvisorCsv(const TraceSource& source) {
  const std::vector<TraceLine> lines = TraceLines(source.text);
  if (lines.empty()) return Error{ErrorCode::kBadData, source.file + " is empty"};
  const AdvisorColumns columns = ColumnsOf(lines.front());
  for (const std::size_t needed : {columns.region, columns.type, columns.saving, columns.bucket}) {
    if (needed != SIZE_MAX) continue;
    return TraceError(source.file, lines.front(), 0,
                      "begins no header with the columns region, instance_type, "
                      "savings_pct_vs_od and interruption_bucket");
  }
  SpotHistory history;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    PLIMSOLL_RETURN_IF_ERROR(CheckWidth(source.file, lines.front(), lines[i]));
    const TraceLine& line = lines[i];
    SpotAdvice& advice = history.advice.emplace_back();
    PLIMSOLL_TRY(const std::int64_t bucket,
                 WholeField(source.file, line, columns.bucket, {0, kBucketMax}));
    PLIMSOLL_TRY(advice.saving_pct, SavingOf(source, line, columns.saving));
    advice.bucket = static_cast<std::int32_t>(bucket);
    advice.pool = {"aws", TextOf(line, columns.region), TextOf(line, columns.type)};
    advice.os = TextOf(line, columns.os);
    advice.as_of = TextOf(line, columns.date);
    advice.share = TextOf(line, columns.label);
    if (advice.share.empty()) advice.share = kShares[bucket];
  }
  if (history.advice.empty()) return Error{ErrorCode::kBadData, source.file + " has no rows"};
  return history;
}

}  // namespace plimsoll
