#include "ingest/runs/run_facts.h"

#include <nlohmann/json.hpp>

#include "ingest/pod.h"
#include "ingest/runs/number_text.h"
#include "store/utf8.h"

namespace plimsoll {

void Append(RunBatch& batch, const RunRow& row) {
  batch.snapshot_id.push_back(0);
  batch.run.push_back(RunText(row.run));
  batch.source.emplace_back(row.source);
  batch.experiment.push_back(RunText(row.experiment));
  batch.name.push_back(RunText(row.name));
  batch.model.push_back(RunText(row.model));
  batch.cluster.emplace_back(RunText(row.cluster));
  batch.ns.push_back(RunText(row.ns));
  batch.workload.push_back(RunText(row.workload));
  batch.pod.push_back(RunText(row.pod));
  batch.job.push_back(RunText(row.job));
  std::map<std::string, std::string> labels;
  for (const auto& [key, value] : row.labels) labels[RunText(key)] = RunText(value);
  batch.labels.push_back(LabelsJson(labels));
}

void Append(RunEventBatch& batch, const RunEvent& event) {
  batch.snapshot_id.push_back(0);
  batch.run.push_back(RunText(event.run));
  batch.source.push_back(event.source);
  batch.attempt.push_back(event.attempt);
  batch.kind.push_back(event.kind);
  batch.at.push_back(event.at);
  batch.seq.push_back(event.seq);
  batch.gpus.push_back(event.gpus);
  batch.step.push_back(event.step);
  batch.tokens.push_back(event.tokens);
  batch.samples.push_back(event.samples);
  batch.name.push_back(RunText(event.name));
  batch.value.push_back(event.value);
}

void AppendFacts(RunFacts& to, const RunFacts& from) {
  for (std::size_t row = 0; row < RowsOf(from.runs); ++row) AppendRow(to.runs, from.runs, row);
  for (std::size_t row = 0; row < RowsOf(from.events); ++row) {
    AppendRow(to.events, from.events, row);
  }
  to.unnamed.insert(from.unnamed.begin(), from.unnamed.end());
  to.rejections.insert(to.rejections.end(), from.rejections.begin(), from.rejections.end());
  to.warnings.insert(from.warnings.begin(), from.warnings.end());
  to.ignored.insert(from.ignored.begin(), from.ignored.end());
  for (const auto& [what, count] : from.passed) to.passed[what] += count;
}

std::string RunText(std::string_view text) {
  return IsUtf8(text) ? std::string(text) : ToUtf8(text);
}

std::map<std::string, std::string> RunLabelsOf(const std::string& text) {
  const nlohmann::json object = nlohmann::json::parse(text, nullptr, false);
  std::map<std::string, std::string> labels;
  if (!object.is_object()) return labels;
  for (const auto& [key, value] : object.items()) {
    if (value.is_string()) labels[key] = value.get<std::string>();
  }
  return labels;
}

std::optional<std::int64_t> TakeRunLabels(RunRow& row) {
  const auto label = [&](const char* name) {
    const auto found = row.labels.find(name);
    return found == row.labels.end() ? std::string() : found->second;
  };
  const auto fill = [&](std::string& field, std::initializer_list<const char*> names) {
    for (const char* name : names) {
      if (field.empty()) field = label(name);
    }
  };
  fill(row.cluster, {"plimsoll.cluster", "SLURM_CLUSTER_NAME"});
  fill(row.ns, {"plimsoll.namespace"});
  fill(row.workload, {"plimsoll.workload"});
  fill(row.pod, {"plimsoll.pod"});
  fill(row.job, {"plimsoll.job", "SLURM_JOB_ID", "slurm_job_id"});
  fill(row.model, {"plimsoll.model", "_name_or_path", "model_name_or_path"});
  fill(row.experiment, {"plimsoll.experiment"});
  const std::optional<std::int64_t> gpus = WholeNumber(label("plimsoll.gpus"));
  return gpus && *gpus >= 0 ? gpus : std::nullopt;
}

}  // namespace plimsoll
