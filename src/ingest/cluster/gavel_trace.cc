// Gavel's traces: jobs as steps of a model, and the throughputs that make times of them.
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "ingest/cluster/workload_builder.h"
#include "ingest/cluster/workload_formats.h"
#include "units/decimal.h"

namespace plimsoll {
namespace {

using nlohmann::json;

constexpr std::int64_t kStepsMax = 1'000'000'000'000;
constexpr std::int64_t kRunMsMax = 3'155'000'000'000;  // a century

// Where the fields of a line lie, by how many there are.
struct Layout {
  std::size_t fields, steps, arrival, scale;
};
constexpr Layout kLayouts[] = {{5, 2, 3, 4}, {10, 5, 9, 6}};

// Steps a second, in nanos as money has them, by "('TYPE', N)".
using Throughputs = std::map<std::string, int128, std::less<>>;

Result<Throughputs> ReadThroughputs(const WorkloadSource& source) {
  const std::string remedy = "give Gavel's simulation_throughputs.json with --throughputs";
  if (source.throughputs.empty()) {
    return Error{ErrorCode::kBadData, source.file +
                                          " counts its jobs in steps, whose time a table of "
                                          "throughputs tells; " +
                                          remedy};
  }
  const json all = json::parse(source.throughputs, nullptr, false);
  if (!all.is_object() || !all.contains(source.gpu_type) || !all[source.gpu_type].is_object()) {
    return Error{ErrorCode::kBadData, "the throughputs for " + source.file + " have no GPU type '" +
                                          source.gpu_type + "'; " + remedy};
  }
  Throughputs throughputs;
  for (const auto& [name, alone_and_packed] : all[source.gpu_type].items()) {
    if (!alone_and_packed.is_object()) continue;
    const auto alone = alone_and_packed.find("null");
    if (alone == alone_and_packed.end() || !alone->is_number()) continue;
    const Result<ExactDecimal> steps = ExactDecimal::Parse(alone->dump());
    if (steps && steps->RoundHalfEven() > Money()) {
      throughputs[name] = steps->RoundHalfEven().nanos();
    }
  }
  return throughputs;
}

std::vector<std::string_view> SplitTabs(std::string_view line) {
  std::vector<std::string_view> fields;
  for (std::size_t at = 0; at <= line.size();) {
    const std::size_t tab = std::min(line.find('\t', at), line.size());
    fields.push_back(line.substr(at, tab - at));
    at = tab + 1;
  }
  return fields;
}

std::string_view FieldOf(std::string_view name, const std::vector<std::string_view>& fields) {
  for (const Layout& layout : kLayouts) {
    if (fields.size() != layout.fields) continue;
    if (name == "job_type") return fields[0];
    if (name == "total_steps") return fields[layout.steps];
    if (name == "arrival_time") return fields[layout.arrival];
    if (name == "scale_factor") return fields[layout.scale];
  }
  return {};
}

std::optional<TrainingJob> ReadLine(const Throughputs& throughputs, RowFields& row,
                                    WorkloadBuilder& builder) {
  const std::string type = row.Required("job_type");
  const std::int64_t gpus = row.RequiredWhole("scale_factor", {1, kJobGpusMax});
  const std::int64_t steps = row.RequiredWhole("total_steps", {0, kStepsMax});
  const Duration arrival = row.RequiredSeconds("arrival_time");
  if (row.failed()) return std::nullopt;
  const std::string key = "('" + type + "', " + std::to_string(gpus) + ")";
  const auto found = throughputs.find(key);
  if (found == throughputs.end()) {
    row.Fail("job_type", "has no throughput on " + std::to_string(gpus) + " " +
                             builder.source().gpu_type + "; add it to the throughputs");
    return std::nullopt;
  }
  const int128 run_ms = DivideHalfEven(int128{steps} * 1'000 * Money::kNanosPerUnit, found->second);
  if (run_ms > kRunMsMax) {
    row.Fail("total_steps", "take more than a century at the throughput of their type");
    return std::nullopt;
  }
  TrainingJob job;
  job.name = type;
  job.queue = builder.Queue("gavel");
  job.submitted = AtMillis(arrival.base());
  job.run = Millis(static_cast<std::int64_t>(run_ms));
  builder.Spread(gpus, job);
  return job;
}

}  // namespace

Result<WorkloadReading> ReadGavelJobs(const WorkloadSource& source) {
  PLIMSOLL_TRY(const Throughputs throughputs, ReadThroughputs(source));
  WorkloadBuilder builder(source);
  std::vector<std::string_view> fields;
  RowFields row([&](std::string_view name) { return FieldOf(name, fields); });
  std::int64_t number = 0;
  for (std::string_view rest = source.text; !rest.empty();) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    ++number;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty() || line.front() == '#') continue;
    fields = SplitTabs(line);
    row.Reset();
    if (fields.size() != kLayouts[0].fields && fields.size() != kLayouts[1].fields) {
      row.Fail("", "has " + std::to_string(fields.size()) +
                       " tab-separated fields; Gavel's lines have 5 or 10");
    }
    std::optional<TrainingJob> job;
    if (!row.failed()) job = ReadLine(throughputs, row, builder);
    if (row.failed()) {
      builder.Refuse(row.Refusal(number, line));
    } else if (job) {
      builder.Add(*std::move(job));
    }
  }
  return builder.Finish();
}

}  // namespace plimsoll
