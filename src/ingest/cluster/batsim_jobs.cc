// Batsim's workloads: jobs that name a profile; a profile of a delay is a run time.
#include <nlohmann/json.hpp>

#include "ingest/cluster/workload_builder.h"
#include "ingest/cluster/workload_formats.h"

namespace plimsoll {
namespace {

using nlohmann::json;

// A number or a text as text, so that one reader reads both.
std::string TextAt(const json& object, std::string_view key) {
  const auto at = object.find(key);
  if (at == object.end()) return "";
  if (at->is_string()) return at->get<std::string>();
  return at->is_number() ? at->dump() : "";
}

bool IsDelay(const json& profile) {
  const std::string type = TextAt(profile, "type");
  return type == "delay" || type == "DelayProfile";
}

// The delay of the job's profile as text; "" with what is wrong with it in `problem`.
std::string DelayOf(const json& profiles, const std::string& name, std::string& problem) {
  const auto profile = profiles.find(name);
  if (profile == profiles.end() || !profile->is_object()) {
    problem = "names a profile that the file does not have";
  } else if (!IsDelay(*profile)) {
    problem = "is of type " + TextAt(*profile, "type") +
              ", whose time depends on a platform; only delay profiles say how long a job runs";
  } else {
    return TextAt(*profile, "delay");
  }
  return "";
}

std::optional<TrainingJob> ReadJob(RowFields& row, WorkloadBuilder& builder) {
  const std::int64_t resources = row.RequiredWhole("res", {1, kJobGpusMax});
  const std::optional<Duration> run = row.Seconds("delay");
  row.WouldTake(resources, run);
  const Duration submitted = row.RequiredSeconds("subtime");
  if (!run) row.Fail("delay", "is missing in the profile");
  std::optional<Duration> limit;
  if (row.Text("walltime") != "-1") limit = row.Seconds("walltime");
  if (row.failed()) return std::nullopt;
  TrainingJob job;
  job.name = row.Text("id");
  job.user = row.Text("user");
  job.queue = builder.Queue("batsim");
  job.submitted = AtMillis(submitted.base());
  job.run = *run;
  if (limit && *limit > Duration()) job.time_limit = limit;
  builder.Spread(resources, job);
  return job;
}

}  // namespace

Result<WorkloadReading> ReadBatsimJobs(const WorkloadSource& source) {
  const json document = json::parse(source.text, nullptr, false);
  const bool whole = document.is_object() && document.contains("jobs") &&
                     document["jobs"].is_array() && document.contains("profiles") &&
                     document["profiles"].is_object();
  if (!whole) {
    return Error{ErrorCode::kBadData,
                 source.file + " must be an object with a list `jobs` and an object `profiles`"};
  }
  WorkloadBuilder builder(source);
  builder.Note("a resource of the trace counts as a GPU");
  std::map<std::string, std::string, std::less<>> texts;
  RowFields row([&](std::string_view name) -> std::string_view {
    const auto at = texts.find(name);
    return at == texts.end() ? std::string_view() : at->second;
  });
  const json& jobs = document["jobs"];
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    texts.clear();
    row.Reset();
    std::string problem;
    if (jobs[i].is_object()) {
      for (const char* key : {"id", "user", "res", "subtime", "walltime", "profile"}) {
        texts[key] = TextAt(jobs[i], key);
      }
      texts["delay"] = DelayOf(document["profiles"], texts["profile"], problem);
    } else {
      problem = "is no object";
    }
    if (!problem.empty()) row.Fail("profile", problem);
    std::optional<TrainingJob> job = ReadJob(row, builder);
    if (row.failed()) {
      RefusedJob refused =
          row.Refusal(0, jobs[i].dump(-1, ' ', true, json::error_handler_t::replace));
      refused.field = "jobs[" + std::to_string(i) + "]." + refused.field;
      builder.Refuse(std::move(refused));
    } else if (job) {
      builder.Add(*std::move(job));
    }
  }
  return builder.Finish();
}

}  // namespace plimsoll
