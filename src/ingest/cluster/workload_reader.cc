#include "ingest/cluster/workload_reader.h"

#include <algorithm>

#include "base/check.h"
#include "ingest/cluster/workload_formats.h"
#include "ingest/slurm/sacct_table.h"
#include "units/money.h"

namespace plimsoll {
namespace {

struct Format {
  WorkloadFormat format;
  const char* name;
};

constexpr Format kFormats[] = {
    {WorkloadFormat::kJobs, "jobs"},
    {WorkloadFormat::kPhilly, "philly"},
    {WorkloadFormat::kPhillySia, "philly-sia"},
    {WorkloadFormat::kHelios, "helios"},
    {WorkloadFormat::kAcme, "acme"},
    {WorkloadFormat::kPai, "pai"},
    {WorkloadFormat::kGavel, "gavel"},
    {WorkloadFormat::kTiresias, "tiresias"},
    {WorkloadFormat::kSwf, "swf"},
    {WorkloadFormat::kSacct, "sacct"},
    {WorkloadFormat::kKueue, "kueue"},
    {WorkloadFormat::kBatsim, "batsim"},
};

constexpr std::size_t kHeadBytes = 65'536;  // enough to see the first object of any format

Error Unknown(const WorkloadSource& source, const std::string& why) {
  std::string names;
  for (const Format& known : kFormats)
    names += (names.empty() ? "" : ", ") + std::string(known.name);
  return {ErrorCode::kBadData, source.file + " " + why +
                                   "; docs/formats/job-traces.md describes the formats (" + names +
                                   "), and --jobs-format names one where content cannot tell"};
}

std::string_view FirstLine(std::string_view text) {
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.find_first_not_of(" \t") != std::string_view::npos && line[0] != '#') return line;
  }
  return {};
}

bool HasColumn(std::string_view line, std::string_view name) {
  for (std::size_t at = 0; at <= line.size();) {
    const std::size_t comma = std::min(line.find(',', at), line.size());
    if (line.substr(at, comma - at) == name) return true;
    at = comma + 1;
  }
  return false;
}

std::size_t CountOf(std::string_view line, char c) {
  return static_cast<std::size_t>(std::count(line.begin(), line.end(), c));
}

// Numbers alone, as many as a line of SWF has.
bool IsSwfLine(std::string_view line) {
  std::size_t words = 0;
  bool in_word = false;
  for (const char c : line) {
    const bool blank = c == ' ' || c == '\t';
    if (!blank && (c < '0' || c > '9') && c != '-' && c != '.' && c != '+') return false;
    words += !blank && !in_word ? 1 : 0;
    in_word = !blank;
  }
  return words == 18;
}

bool IsPaiRow(std::string_view line) {
  for (const char* status : {",Terminated,", ",Failed,", ",Running,", ",Waiting,"}) {
    if (line.find(status) != std::string_view::npos) return CountOf(line, ',') == 9;
  }
  return false;
}

std::optional<WorkloadFormat> FormatOfLine(std::string_view line) {
  if (line.starts_with(';') || IsSwfLine(line)) return WorkloadFormat::kSwf;
  if (SacctTable::IsHeader(line) && CountOf(line, '|') > 0) return WorkloadFormat::kSacct;
  if (CountOf(line, '\t') >= 4) return WorkloadFormat::kGavel;
  if (HasColumn(line, "plan_gpu") || IsPaiRow(line)) return WorkloadFormat::kPai;
  if (HasColumn(line, "vc") && HasColumn(line, "gpu_num")) return WorkloadFormat::kHelios;
  if (HasColumn(line, "gpu_num") && HasColumn(line, "node_num")) return WorkloadFormat::kAcme;
  if (HasColumn(line, "num_gpus") && HasColumn(line, "timestamp"))
    return WorkloadFormat::kPhillySia;
  if (HasColumn(line, "num_gpu") && HasColumn(line, "submit_time"))
    return WorkloadFormat::kTiresias;
  if (HasColumn(line, "submit") && HasColumn(line, "run")) return WorkloadFormat::kJobs;
  if (line.starts_with("apiVersion:") || line.starts_with("kind:") || line.starts_with("---")) {
    return WorkloadFormat::kKueue;
  }
  return std::nullopt;
}

std::optional<WorkloadFormat> FormatOfJson(std::string_view head) {
  const auto says = [&](std::string_view key) { return head.find(key) != std::string_view::npos; };
  if (says("\"nb_res\"") || says("\"subtime\"")) return WorkloadFormat::kBatsim;
  if (says("\"attempts\"") && says("\"submitted_time\"")) return WorkloadFormat::kPhilly;
  if (says("kueue.x-k8s.io") || says("\"podSets\"")) return WorkloadFormat::kKueue;
  if (says("\"jobs\"") && says("\"tres\"")) return WorkloadFormat::kSacct;
  if (says("\"submit\"") && says("\"run\"")) return WorkloadFormat::kJobs;
  return std::nullopt;
}

Result<WorkloadReading> ReadAs(WorkloadFormat format, const WorkloadSource& source) {
  switch (format) {
    case WorkloadFormat::kJobs: {
      const std::size_t start = source.text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
      const bool json = start != std::string_view::npos &&
                        (source.text[start] == '{' || source.text[start] == '[');
      return json ? ReadJobsJson(source) : ReadJobsCsv(source);
    }
    case WorkloadFormat::kPhilly:
      return ReadPhillyJobs(source);
    case WorkloadFormat::kPhillySia:
      return ReadPhillySubset(source);
    case WorkloadFormat::kHelios:
      return ReadHeliosJobs(source);
    case WorkloadFormat::kAcme:
      return ReadAcmeJobs(source);
    case WorkloadFormat::kPai:
      return ReadPaiTasks(source);
    case WorkloadFormat::kGavel:
      return ReadGavelJobs(source);
    case WorkloadFormat::kTiresias:
      return ReadTiresiasJobs(source);
    case WorkloadFormat::kSwf:
      return ReadSwf(source);
    case WorkloadFormat::kSacct:
      return ReadSacctJobs(source);
    case WorkloadFormat::kKueue:
      return ReadKueueWorkloads(source);
    case WorkloadFormat::kBatsim:
      return ReadBatsimJobs(source);
  }
  PLIMSOLL_CHECK(false);
}

std::string NameOf(WorkloadFormat format) {
  for (const Format& known : kFormats) {
    if (known.format == format) return known.name;
  }
  PLIMSOLL_CHECK(false);
}

GpuHours Clamped(int128 gpu_millis) {
  return GpuMillis(static_cast<std::int64_t>(std::min(gpu_millis, int128{INT64_MAX})));
}

}  // namespace

std::vector<std::string> WorkloadFormatNames() {
  std::vector<std::string> names;
  for (const Format& known : kFormats) names.emplace_back(known.name);
  return names;
}

Result<WorkloadFormat> ParseWorkloadFormat(const std::string& name) {
  std::string names;
  for (const Format& known : kFormats) {
    if (name == known.name) return known.format;
    names += (names.empty() ? "" : ", ") + std::string(known.name);
  }
  return Error{ErrorCode::kInvalidArgument,
               "--jobs-format: no format is called '" + name + "'; there are " + names};
}

Result<WorkloadFormat> RecognizeWorkload(const WorkloadSource& source) {
  std::string_view head = source.text.substr(0, kHeadBytes);
  if (head.starts_with("\xEF\xBB\xBF")) head.remove_prefix(3);
  const std::size_t start = head.find_first_not_of(" \t\r\n");
  if (start == std::string_view::npos) return Unknown(source, "is empty");
  if (head[start] == '{' || head[start] == '[') {
    if (const auto format = FormatOfJson(head)) return *format;
    // What tells may lie past the head: Batsim files may begin with their profiles.
    if (const auto format = FormatOfJson(source.text)) return *format;
    return Unknown(source, "is JSON of no known format");
  }
  const std::string_view line = FirstLine(head);
  if (const auto format = FormatOfLine(line)) return *format;
  return Unknown(
      source, "is in no known format: its first line is '" + std::string(line.substr(0, 40)) + "'");
}

Result<WorkloadReading> ReadWorkload(const WorkloadSource& source) {
  PLIMSOLL_CHECK(source.gpus_per_node > 0);
  WorkloadFormat format = WorkloadFormat::kJobs;
  if (source.format) {
    format = *source.format;
  } else {
    PLIMSOLL_TRY(format, RecognizeWorkload(source));
  }
  PLIMSOLL_TRY(WorkloadReading reading, ReadAs(format, source));
  reading.format = NameOf(format);
  return reading;
}

GpuHours WorkloadReading::gpu_time() const {
  int128 sum = 0;
  for (const TrainingJob& job : workload.jobs) sum += int128{GpuMilli(job)} * job.run.base();
  return Clamped(sum / kMilliPerGpu);
}

GpuHours WorkloadReading::refused_gpu_time() const {
  int128 sum = 0;
  for (const RefusedJob& job : refused) sum += job.gpu_time.value_or(GpuHours()).base();
  return Clamped(sum);
}

std::string RefusalText(const std::string& file, const RefusedJob& refused) {
  std::string text = file;
  if (refused.line > 0) text += ", line " + std::to_string(refused.line);
  if (!refused.field.empty()) text += ", field " + refused.field;
  return text + ": " + refused.reason;
}

}  // namespace plimsoll
