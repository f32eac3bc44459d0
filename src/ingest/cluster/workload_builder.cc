#include "ingest/cluster/workload_builder.h"

#include <algorithm>
#include <cctype>
#include <cstring>

#include "base/check.h"
#include "base/limits.h"
#include "ingest/csv.h"

namespace plimsoll {
namespace {

using Names = std::map<std::string, std::uint32_t, std::less<>>;

std::uint32_t IndexOf(std::string_view name, Names& index, std::vector<std::string>& names) {
  const auto found = index.find(name);
  if (found != index.end()) return found->second;
  const auto next = static_cast<std::uint32_t>(names.size());
  index.emplace(std::string(name), next);
  names.emplace_back(name);
  return next;
}

ReadBytes BytesOf(std::string_view text) {
  return [text](char* to, std::size_t size) mutable -> Result<std::size_t> {
    const std::size_t count = std::min(size, text.size());
    std::memcpy(to, text.data(), count);
    text.remove_prefix(count);
    return count;
  };
}

std::string Joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

Status CheckColumns(const std::string& file, const JobTable& table,
                    const std::vector<std::string>& columns) {
  std::vector<std::string> missing;
  for (const std::string& name : table.required) {
    if (std::find(columns.begin(), columns.end(), name) == columns.end()) missing.push_back(name);
  }
  if (missing.empty()) {
    return table.known.empty() ? Ok() : CheckKnown(file, "column", columns, table.known);
  }
  return Error{ErrorCode::kBadData,
               file + " lacks the columns " + Joined(missing) + "; it has " + Joined(columns)};
}

// A row that cannot be split into the columns of the table.
std::string DefectOf(const CsvRow& row, std::size_t columns) {
  if (row.defect != CsvDefect::kNone) return "has a quote that is not closed, or text after one";
  if (row.fields.size() <= columns) return "";
  return "has " + std::to_string(row.fields.size()) + " fields, the header " +
         std::to_string(columns) + "; quote fields that hold a comma";
}

}  // namespace

Status CheckKnown(const std::string& file, const std::string& what,
                  const std::vector<std::string>& names, const std::vector<std::string>& known) {
  for (const std::string& name : names) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    return Error{ErrorCode::kBadData,
                 file + ": no " + what + " is called '" + name + "'; there are " + Joined(known)};
  }
  return Ok();
}

std::uint32_t WorkloadBuilder::Queue(std::string_view name) {
  return IndexOf(name, queues_, reading_.workload.queues);
}

std::optional<std::uint32_t> WorkloadBuilder::Flavor(std::string_view name) {
  if (!flavors_.contains(name) && flavors_.size() == kFlavorsMax) return std::nullopt;
  return IndexOf(name, flavors_, reading_.flavors);
}

std::uint32_t WorkloadBuilder::Level(std::string_view name) {
  return IndexOf(name, levels_, reading_.levels);
}

std::pair<std::int32_t, std::int32_t> EqualPods(std::int64_t gpus, std::int32_t per_pod) {
  PLIMSOLL_CHECK(gpus >= 0 && per_pod > 0);
  if (gpus == 0) return {1, 0};
  auto size = static_cast<std::int32_t>(std::min<std::int64_t>(gpus, per_pod));
  while (gpus % size != 0) --size;
  return {static_cast<std::int32_t>(gpus / size), size};
}

void WorkloadBuilder::Spread(std::int64_t gpus, TrainingJob& job) const {
  const auto [pods, each] = EqualPods(gpus, source_.gpus_per_node);
  job.pods = job.pods_min = pods;
  job.shape.gpus = each;
}

void WorkloadBuilder::Add(TrainingJob job) {
  PLIMSOLL_CHECK(job.pods > 0 && job.pods_min > 0 && job.pods_min <= job.pods);
  PLIMSOLL_CHECK(job.run >= Duration() && job.queue < reading_.workload.queues.size());
  ++reading_.rows;
  reading_.workload.jobs.push_back(std::move(job));
}

void WorkloadBuilder::Refuse(RefusedJob refused) {
  ++reading_.rows;
  reading_.refused.push_back(std::move(refused));
}

void WorkloadBuilder::LeaveOut(const std::string& why) {
  ++reading_.rows;
  ++reading_.left_out[why];
}

Result<WorkloadReading> WorkloadBuilder::Finish() {
  if (reading_.workload.jobs.empty()) {
    const std::string why =
        reading_.refused.empty() ? "" : ": " + RefusalText(source_.file, reading_.refused.front());
    return Error{ErrorCode::kBadData, source_.file + " has no job that can be read" + why};
  }
  std::stable_sort(
      reading_.workload.jobs.begin(), reading_.workload.jobs.end(),
      [](const TrainingJob& a, const TrainingJob& b) { return a.submitted < b.submitted; });
  reading_.notes.assign(notes_.begin(), notes_.end());
  return std::move(reading_);
}

Result<WorkloadReading> ReadJobTable(const WorkloadSource& source, const JobTable& table,
                                     const JobRowReader& read) {
  WorkloadBuilder builder(source);
  // A block no larger than the text: most files are small.
  CsvOptions options;
  options.block_bytes = std::clamp<std::size_t>(source.text.size() + 1, 4'096, options.block_bytes);
  CsvReader reader(BytesOf(source.text), options);
  CsvRow row;
  std::vector<std::string> columns = table.columns;
  if (columns.empty()) {
    PLIMSOLL_TRY(const bool has_header, reader.Next(row));
    if (!has_header) return Error{ErrorCode::kBadData, source.file + " is empty"};
    for (const CsvField& field : row.fields) columns.emplace_back(field.text);
    PLIMSOLL_RETURN_IF_ERROR(CheckColumns(source.file, table, columns));
  }
  std::map<std::string, std::size_t, std::less<>> index;
  for (std::size_t i = 0; i < columns.size(); ++i) index.emplace(columns[i], i);
  RowFields fields([&](std::string_view name) -> std::string_view {
    const auto at = index.find(name);
    return at == index.end() || at->second >= row.fields.size() ? std::string_view()
                                                                : row.fields[at->second].text;
  });
  for (;;) {
    PLIMSOLL_TRY(const bool more, reader.Next(row));
    if (!more) return builder.Finish();
    if (row.raw.starts_with('#')) continue;
    if (const std::string defect = DefectOf(row, columns.size()); !defect.empty()) {
      builder.Refuse({row.line, "", defect, std::string(row.raw.substr(0, kRawBytesMax)), {}});
      continue;
    }
    fields.Reset();
    std::optional<TrainingJob> job = read(fields, builder);
    if (fields.failed()) {
      builder.Refuse(fields.Refusal(row.line, row.raw));
    } else if (job) {
      builder.Add(*std::move(job));
    }
  }
}

std::optional<JobEnd> EndOfState(std::string_view state) {
  std::string lower(state);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const std::pair<const char*, JobEnd> known[] = {
      {"completed", JobEnd::kCompleted},  {"pass", JobEnd::kCompleted},
      {"terminated", JobEnd::kCompleted}, {"succeeded", JobEnd::kCompleted},
      {"failed", JobEnd::kFailed},        {"node_fail", JobEnd::kFailed},
      {"out_of_memory", JobEnd::kFailed}, {"boot_fail", JobEnd::kFailed},
      {"cancelled", JobEnd::kCancelled},  {"canceled", JobEnd::kCancelled},
      {"killed", JobEnd::kCancelled},     {"timeout", JobEnd::kTimeout},
      {"deadline", JobEnd::kTimeout}};
  for (const auto& [name, end] : known) {
    if (lower == name) return end;
  }
  return std::nullopt;
}

JobEnd EndOfReason(std::string_view reason) {
  if (reason == "Completed") return JobEnd::kCompleted;
  if (reason == "Failed" || reason == "OutOfMemory" || reason == "NodeLost") return JobEnd::kFailed;
  if (reason == "Cancelled") return JobEnd::kCancelled;
  return reason == "Timeout" ? JobEnd::kTimeout : JobEnd::kUnknown;
}

}  // namespace plimsoll
