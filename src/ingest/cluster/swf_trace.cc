// The Standard Workload Format: 18 numbers a job, -1 for what is not known, header comments.
#include <charconv>

#include "ingest/cluster/workload_builder.h"
#include "ingest/cluster/workload_formats.h"

namespace plimsoll {
namespace {

constexpr std::size_t kFields = 18;
constexpr std::string_view kNames[kFields] = {
    "job",    "submit",         "wait",     "run",        "processors", "cpu_time",
    "memory", "req_processors", "req_time", "req_memory", "status",     "user",
    "group",  "executable",     "queue",    "partition",  "preceding",  "think"};

// Blanks separate fields; a variant of the Slurm simulator writes ';' for them.
std::vector<std::string_view> SplitFields(std::string_view line) {
  const char* const separators = line.find(';') == std::string_view::npos ? " \t" : ";";
  std::vector<std::string_view> fields;
  while (!line.empty()) {
    if (separators[0] == ' ') {
      line.remove_prefix(std::min(line.find_first_not_of(separators), line.size()));
      if (line.empty()) break;
    }
    const std::size_t end = std::min(line.find_first_of(separators), line.size());
    fields.push_back(line.substr(0, end));
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  return fields;
}

// "; UnixStartTime: 843480031" is when second 0 was.
void ReadComment(std::string_view line, Instant& origin) {
  constexpr std::string_view kKey = "UnixStartTime:";
  const std::size_t at = line.find(kKey);
  if (at == std::string_view::npos) return;
  line.remove_prefix(at + kKey.size());
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  std::int64_t seconds = 0;
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), seconds);
  constexpr std::int64_t kSecondsMax = 253'402'300'799;  // the year 9999
  if (error == std::errc() && seconds >= 0 && seconds <= kSecondsMax) origin = AtSeconds(seconds);
}

JobEnd EndOfStatus(std::string_view status) {
  if (status == "1") return JobEnd::kCompleted;
  if (status == "0") return JobEnd::kFailed;
  return status == "5" ? JobEnd::kCancelled : JobEnd::kUnknown;
}

// A partial execution: its job has a line of its own with the whole.
bool IsPart(std::string_view status) { return status == "2" || status == "3" || status == "4"; }

std::optional<TrainingJob> ReadLine(Instant origin, RowFields& row, WorkloadBuilder& builder) {
  const std::optional<std::int64_t> allocated = row.Whole("processors", {0, kJobGpusMax});
  const std::optional<std::int64_t> requested = row.Whole("req_processors", {0, kJobGpusMax});
  const std::int64_t processors = allocated.value_or(0) > 0 ? *allocated : requested.value_or(0);
  const std::optional<Duration> run = row.Seconds("run");
  row.WouldTake(processors, run);
  const Duration submitted = row.RequiredSeconds("submit");
  const std::optional<Duration> wait = row.Seconds("wait");
  const std::optional<Duration> limit = row.Seconds("req_time");
  const std::string_view status = row.Text("status");
  if (row.failed()) return std::nullopt;
  if (IsPart(status)) {
    builder.LeaveOut("part of a job that has a line of its own");
    return std::nullopt;
  }
  if (!run) {
    builder.LeaveOut("no run time on record");
    return std::nullopt;
  }
  if (processors == 0) {
    row.Fail("processors", "is not known, and neither is req_processors");
    return std::nullopt;
  }
  TrainingJob job;
  job.name = row.Text("job");
  job.user = row.Text("user");
  const std::string_view queue = row.Text("queue");
  job.queue = builder.Queue(queue.empty() ? "swf" : queue);
  job.submitted = origin + submitted;
  job.run = *run;
  if (limit && *limit > Duration()) job.time_limit = *limit;
  if (wait) {
    job.started = job.submitted + *wait;
    job.ended = *job.started + job.run;
  }
  job.end = EndOfStatus(status);
  builder.Spread(processors, job);
  return job;
}

}  // namespace

Result<WorkloadReading> ReadSwf(const WorkloadSource& source) {
  WorkloadBuilder builder(source);
  builder.Note("a processor of the trace counts as a GPU");
  Instant origin;
  std::vector<std::string_view> fields;
  RowFields row([&](std::string_view name) -> std::string_view {
    for (std::size_t i = 0; i < kFields && i < fields.size(); ++i) {
      if (kNames[i] == name) return fields[i] == "-1" ? std::string_view() : fields[i];
    }
    return {};
  });
  std::int64_t number = 0;
  for (std::string_view rest = source.text; !rest.empty();) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    ++number;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.find_first_not_of(" \t") == std::string_view::npos) continue;
    if (line.front() == ';') {
      ReadComment(line, origin);
      continue;
    }
    fields = SplitFields(line);
    row.Reset();
    if (fields.size() != kFields) {
      row.Fail("", "has " + std::to_string(fields.size()) + " fields; a job of SWF has 18");
    }
    std::optional<TrainingJob> job;
    if (!row.failed()) job = ReadLine(origin, row, builder);
    if (row.failed()) {
      builder.Refuse(row.Refusal(number, line));
    } else if (job) {
      builder.Add(*std::move(job));
    }
  }
  return builder.Finish();
}

}  // namespace plimsoll
