#include "ingest/runs/mlflow_run.h"

#include <array>
#include <utility>

#include "ingest/runs/number_text.h"

namespace plimsoll {
namespace {

constexpr const char* kSource = "mlflow";
constexpr std::size_t kLabelBytesMax = 500;  // longer is a document, no label

// MLflow's statuses by their numbers in meta.yaml (mlflow/protos/service.proto, RunStatus).
constexpr std::array<const char*, 6> kStatuses{"",         "RUNNING", "SCHEDULED",
                                               "FINISHED", "FAILED",  "KILLED"};

std::string StatusName(const std::string& status) {
  const std::optional<std::int64_t> number = WholeNumber(status);
  if (!number || *number < 0 || *number >= std::ssize(kStatuses)) return status;
  return kStatuses[static_cast<std::size_t>(*number)];
}

void TakeLabels(const std::map<std::string, std::string>& from, RunRow& row, RunFacts& facts) {
  for (const auto& [name, value] : from) {
    const bool is_own = name.starts_with("mlflow.");
    if (is_own && name != "mlflow.user" && name != "mlflow.parentRunId") continue;
    if (value.size() > kLabelBytesMax) {
      ++facts.passed["MLflow params and tags of more than 500 bytes"];
    } else {
      row.labels[name] = value;
    }
  }
}

}  // namespace

void AppendMlflowRun(const MlflowRun& run, RunFacts& facts) {
  RunRow row;
  row.run = run.run;
  row.source = kSource;
  row.experiment = run.experiment;
  row.name = run.name;
  if (const auto name = run.tags.find("mlflow.runName");
      row.name.empty() && name != run.tags.end()) {
    row.name = name->second;
  }
  TakeLabels(run.params, row, facts);
  TakeLabels(run.tags, row, facts);
  const std::optional<std::int64_t> gpus = TakeRunLabels(row);
  Append(facts.runs, row);
  if (run.began) {
    Append(facts.events,
           {.run = run.run, .source = kSource, .kind = "start", .at = *run.began, .gpus = gpus});
  } else {
    facts.warnings.insert(run.file + ": run " + RunText(run.run) + " has no start time");
  }
  const std::string status = StatusName(run.status);
  if (!run.ended) return;
  const bool failed = status == "FAILED";
  Append(facts.events, {.run = run.run,
                        .source = kSource,
                        .kind = failed ? "failure" : "stop",
                        .at = *run.ended,
                        .name = failed               ? status
                                : status == "KILLED" ? "cancelled"
                                                     : "completed"});
}

std::optional<std::string> AppendMlflowMetric(const std::string& run, const MlflowMetric& metric,
                                              RunFacts& facts) {
  if (metric.name.starts_with("system/")) {
    ++facts.passed["MLflow system metrics: usage is read from telemetry"];
    return std::nullopt;
  }
  const std::optional<Instant> at = EpochMillis(metric.millis);
  if (!at) return "'" + RunText(metric.millis.substr(0, 40)) + "' is no time in milliseconds";
  const std::optional<std::string> value = NumberText(metric.value);
  if (!value) return "'" + RunText(metric.value.substr(0, 40)) + "' is no number";
  const std::optional<std::int64_t> step = WholeNumber(metric.step);
  if (!step) return "'" + RunText(metric.step.substr(0, 40)) + "' is no step";
  Append(facts.events, {.run = run,
                        .source = kSource,
                        .kind = "metric",
                        .at = *at,
                        .step = step,
                        .name = std::string(metric.name),
                        .value = *value});
  return std::nullopt;
}

}  // namespace plimsoll
