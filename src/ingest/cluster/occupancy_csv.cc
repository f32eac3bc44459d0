#include "ingest/cluster/occupancy_csv.h"

#include "catalog/csv.h"
#include "ingest/cluster/workload_reader.h"
#include "units/human_text.h"

namespace plimsoll {
namespace {

constexpr std::int32_t kCountMax = 1'000'000;

// "vcpDC" of "a/Earth_vcpDC_sequence_2020-05.csv".
std::string NameOf(const std::string& file) {
  const std::size_t slash = file.find_last_of('/');
  std::string name = slash == std::string::npos ? file : file.substr(slash + 1);
  const std::size_t first = name.find('_');
  const std::size_t second = name.find("_sequence");
  if (first != std::string::npos && second != std::string::npos && first < second) {
    return name.substr(first + 1, second - first - 1);
  }
  return name.substr(0, name.find('.'));
}

class Rows {
 public:
  Rows(const std::string& file, const CsvTable& table) : file_(file), table_(table) {}

  // Appends a count of the row to `column`; false with the error kept if it is none.
  bool Count(const CsvRecord& record, std::string_view field, std::vector<std::int32_t>& column) {
    std::string_view text = table_.Field(record, field);
    if (text.ends_with(".0")) text.remove_suffix(2);
    const auto value = ParseWhole(text, 0, kCountMax);
    if (!value) return Fail(record, field, "'" + std::string(text.substr(0, 40)) + "' is no count");
    column.push_back(static_cast<std::int32_t>(*value));
    return true;
  }

  bool Fail(const CsvRecord& record, std::string_view field, const std::string& what) {
    error_ = file_ + ", line " + std::to_string(record.line) + ", field " + std::string(field) +
             ": " + what;
    return false;
  }

  bool Class(const CsvRecord& record, const std::string& suffix, OccupancyClass& into) {
    return Count(record, "running_job_num" + suffix, into.running_jobs) &&
           Count(record, "running_gpu_num" + suffix, into.running_gpus) &&
           Count(record, "pending_job_num" + suffix, into.pending_jobs) &&
           Count(record, "pending_gpu_num" + suffix, into.pending_gpus);
  }

  bool Time(const CsvRecord& record, std::size_t row, OccupancySeries& series) {
    const Result<Instant> time = ParseInstant(table_.Field(record, "time"));
    if (!time) return Fail(record, "time", time.error().message);
    if (row == 0) series.begin = *time;
    if (row == 1) series.step = Between(series.begin, *time);
    if (row == 1 && series.step <= Duration()) return Fail(record, "time", "must rise");
    const auto steps = static_cast<std::int64_t>(row);
    if (row > 1 && *time != series.begin + Millis(series.step.base() * steps)) {
      return Fail(record, "time", "is not one step after the line before");
    }
    return true;
  }

  bool Size(const CsvRecord& record, OccupancySeries& series) {
    std::vector<std::int32_t> size;
    if (!Count(record, "total_gpu_num", size)) return false;
    if (series.size() == 0) series.gpus = size[0];
    if (size[0] == series.gpus) return true;
    return Fail(record, "total_gpu_num", "changes; cut the file where the cluster did");
  }

  const std::string& error() const { return error_; }

 private:
  const std::string& file_;
  const CsvTable& table_;
  std::string error_;
};

}  // namespace

Result<OccupancySeries> ReadOccupancyCsv(const std::string& file, std::string_view text) {
  const CsvTable table = ReadCsv(text);
  std::vector<Rejection> problems;
  std::vector<const char*> columns = {"time", "total_gpu_num"};
  std::vector<std::string> names;
  for (const char* what :
       {"running_job_num", "running_gpu_num", "pending_job_num", "pending_gpu_num"}) {
    for (const char* suffix : {"_noless_8", "_less_8"}) names.push_back(what + std::string(suffix));
  }
  for (const std::string& name : names) columns.push_back(name.c_str());
  if (!CheckTable(table, columns, file, problems)) {
    const Rejection& first = problems.front();
    return Error{ErrorCode::kBadData,
                 RefusalText(file, {first.line, first.field, first.reason, "", {}})};
  }
  OccupancySeries series;
  series.name = NameOf(file);
  Rows rows(file, table);
  for (std::size_t i = 0; i < table.records.size(); ++i) {
    const CsvRecord& record = table.records[i];
    if (!rows.Time(record, i, series) || !rows.Size(record, series) ||
        !rows.Class(record, "_less_8", series.small) ||
        !rows.Class(record, "_noless_8", series.large)) {
      return Error{ErrorCode::kBadData, rows.error()};
    }
  }
  if (series.size() < 2) return Error{ErrorCode::kBadData, file + " has fewer than two steps"};
  return series;
}

}  // namespace plimsoll
