// Microsoft's Philly job log: JSON objects with the attempts of each job.
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/limits.h"
#include "ingest/cluster/workload_builder.h"
#include "ingest/cluster/workload_formats.h"
#include "ingest/kubernetes/json_items.h"

namespace plimsoll {
namespace {

using nlohmann::json;

std::string_view TextAt(const json& object, const char* key) {
  const auto at = object.find(key);
  if (at == object.end() || !at->is_string()) return {};
  return at->get_ref<const std::string&>();
}

std::optional<Instant> TimeAt(const json& object, const char* key) {
  const Result<Instant> time = ParseInstant(TextAt(object, key));
  return time ? std::optional(*time) : std::nullopt;
}

// Which GPUs an attempt had, by machine.
struct Gang {
  std::int64_t gpus = 0;
  std::int64_t machines = 0;
  bool equal = true;  // as many on each
};

Gang GangOf(const json& attempt) {
  Gang gang;
  const auto detail = attempt.find("detail");
  if (detail == attempt.end() || !detail->is_array()) return gang;
  std::optional<std::size_t> first;
  for (const json& machine : *detail) {
    if (!machine.is_object()) continue;
    const auto gpus = machine.find("gpus");
    if (gpus == machine.end() || !gpus->is_array() || gpus->empty()) continue;
    gang.equal = gang.equal && gpus->size() == first.value_or(gpus->size());
    first = gpus->size();
    gang.gpus += static_cast<std::int64_t>(gpus->size());
    ++gang.machines;
  }
  return gang;
}

struct Attempts {
  Gang gang;  // of the attempt that had most GPUs
  std::optional<Instant> first_start, last_end;
  Duration run;
  std::int64_t started = 0, unended = 0;
  std::int64_t backwards = 0;
};

Attempts ReadAttempts(const json& job) {
  Attempts all;
  const auto attempts = job.find("attempts");
  if (attempts == job.end() || !attempts->is_array()) return all;
  for (const json& attempt : *attempts) {
    if (!attempt.is_object()) continue;
    const auto begin = TimeAt(attempt, "start_time"), end = TimeAt(attempt, "end_time");
    if (!begin) continue;
    const Gang gang = GangOf(attempt);
    if (gang.gpus > all.gang.gpus) all.gang = gang;
    ++all.started;
    if (!all.first_start || *begin < *all.first_start) all.first_start = begin;
    if (!end) {
      ++all.unended;
    } else if (*end < *begin) {
      ++all.backwards;
    } else {
      all.run += Between(*begin, *end);
      if (!all.last_end || *end > *all.last_end) all.last_end = end;
    }
  }
  return all;
}

// Why the job is not taken; "" if it is.
std::string LeftOut(const Attempts& attempts) {
  if (attempts.started == 0) return "never started";
  if (attempts.unended > 0) return "still running: its run time is not known";
  if (attempts.gang.gpus == 0) return "no GPUs on record";
  return "";
}

std::optional<TrainingJob> ReadJob(const json& object, RowFields& row, WorkloadBuilder& builder) {
  const Attempts attempts = ReadAttempts(object);
  row.WouldTake(attempts.gang.gpus, attempts.run);
  if (attempts.backwards > 0) row.Fail("attempts", "has an end_time before its start_time");
  const std::string queue = row.Required("vc");
  const Instant submitted = row.RequiredTime("submitted_time");
  if (row.failed()) return std::nullopt;
  if (const std::string why = LeftOut(attempts); !why.empty()) {
    builder.LeaveOut(why);
    return std::nullopt;
  }
  if (*attempts.first_start < submitted) {
    row.Fail("submitted_time", "is after the first attempt began");
    return std::nullopt;
  }
  TrainingJob job;
  job.name = row.Text("jobid");
  job.user = row.Text("user");
  job.queue = builder.Queue(queue);
  job.submitted = submitted;
  job.started = attempts.first_start;
  job.ended = attempts.last_end;
  job.run = attempts.run;
  job.end = EndOfState(row.Text("status")).value_or(JobEnd::kUnknown);
  if (attempts.gang.equal && attempts.gang.gpus / attempts.gang.machines <= kGpusPerNodeMax) {
    job.pods = job.pods_min = static_cast<std::int32_t>(attempts.gang.machines);
    job.shape.gpus = static_cast<std::int32_t>(attempts.gang.gpus / attempts.gang.machines);
  } else {
    builder.Spread(attempts.gang.gpus, job);
  }
  return job;
}

}  // namespace

Result<WorkloadReading> ReadPhillyJobs(const WorkloadSource& source) {
  WorkloadBuilder builder(source);
  const json* current = nullptr;
  RowFields row([&](std::string_view name) {
    return current == nullptr ? std::string_view() : TextAt(*current, std::string(name).c_str());
  });
  const auto refuse = [&](const std::string& path, const json* object) {
    RefusedJob refused = row.Refusal(
        0, object == nullptr ? "" : object->dump(-1, ' ', true, json::error_handler_t::replace));
    refused.field = path + (refused.field.empty() ? "" : ".") + refused.field;
    builder.Refuse(std::move(refused));
  };
  std::istringstream in{std::string(source.text)};
  const JsonEnd end = ReadJsonItems(in, {[&](const JsonItem& item, const json& object) {
                                           current = &object;
                                           row.Reset();
                                           std::optional<TrainingJob> job =
                                               ReadJob(object, row, builder);
                                           if (row.failed()) {
                                             refuse(item.path, &object);
                                           } else if (job) {
                                             builder.Add(*std::move(job));
                                           }
                                         },
                                         [&](const std::string& path, const std::string& reason) {
                                           current = nullptr;
                                           row.Reset();
                                           row.Fail("", reason);
                                           refuse(path, nullptr);
                                         }});
  if (!end.error.empty()) {
    return Error{ErrorCode::kBadData, source.file + ", line " + std::to_string(end.line) + ": " +
                                          end.error + "; the file must be whole JSON"};
  }
  return builder.Finish();
}

}  // namespace plimsoll
