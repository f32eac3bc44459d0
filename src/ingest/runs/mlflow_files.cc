#include "ingest/runs/mlflow_files.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <vector>

#include "catalog/yaml_fields.h"
#include "ingest/runs/mlflow_run.h"
#include "ingest/runs/number_text.h"

namespace plimsoll {
namespace {

namespace fs = std::filesystem;
using Meta = std::map<std::string, std::string>;

constexpr std::size_t kValueBytesMax = 64 * 1024;  // MLflow's own limit is 8,000 characters

std::string Field(const Meta& meta, const char* name) {
  const auto found = meta.find(name);
  return found == meta.end() ? "" : found->second;
}

// The start of a small file; "" if it cannot be read.
std::string ReadStart(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::string text(kValueBytesMax, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(std::max<std::streamsize>(in.gcount(), 0)));
  return text;
}

// The files under a folder, each with its name as MLflow has it: slashes are folders.
std::vector<std::pair<std::string, fs::path>> FilesUnder(const fs::path& folder) {
  std::vector<std::pair<std::string, fs::path>> files;
  std::error_code failure;
  fs::recursive_directory_iterator at(folder, failure);
  for (; !failure && at != fs::recursive_directory_iterator(); at.increment(failure)) {
    if (at->is_regular_file(failure)) {
      files.emplace_back(at->path().lexically_relative(folder).generic_string(), at->path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

Meta ReadValues(const fs::path& folder) {
  Meta values;
  for (const auto& [name, path] : FilesUnder(folder)) values[name] = ReadStart(path);
  return values;
}

std::string ExperimentName(const fs::path& run_folder) {
  const std::string text = ReadStart(run_folder.parent_path() / "meta.yaml");
  const std::optional<Meta> meta = ReadMlflowMeta(text);
  return meta && !IsMlflowRun(*meta) ? Field(*meta, "name") : "";
}

}  // namespace

std::optional<Meta> ReadMlflowMeta(const std::string& text) {
  std::vector<Rejection> problems;
  const std::optional<YAML::Node> map = ParseYaml("meta.yaml", text, problems);
  if (!map) return std::nullopt;
  Meta meta;
  for (const auto& entry : *map) {
    if (!entry.first.IsScalar()) continue;
    const bool has_text = entry.second.IsScalar() && entry.second.Scalar() != "null";
    meta[entry.first.Scalar()] = has_text ? entry.second.Scalar() : "";
  }
  return meta;
}

bool IsMlflowRun(const Meta& meta) {
  const bool has_id = !Field(meta, "run_id").empty() || !Field(meta, "run_uuid").empty();
  return has_id && meta.contains("experiment_id");
}

void ReadMlflowFolder(const std::string& folder, const Meta& meta, RunFacts& facts) {
  if (Field(meta, "lifecycle_stage") == "deleted") {
    ++facts.passed["runs that were deleted in MLflow"];
    return;
  }
  const fs::path path(folder);
  MlflowRun run;
  run.file = (path / "meta.yaml").string();
  run.run = Field(meta, "run_id");
  if (run.run.empty()) run.run = Field(meta, "run_uuid");
  run.experiment = ExperimentName(path);
  run.name = Field(meta, "run_name");
  run.status = Field(meta, "status");
  run.began = EpochMillis(Field(meta, "start_time"));
  run.ended = EpochMillis(Field(meta, "end_time"));
  run.params = ReadValues(path / "params");
  run.tags = ReadValues(path / "tags");
  AppendMlflowRun(run, facts);
  for (const auto& [name, file] : FilesUnder(path / "metrics")) {
    std::ifstream in(file, std::ios::binary);
    if (in) {
      ReadMlflowMetrics(in, file.string(), name, run.run, facts);
    } else {
      facts.rejections.push_back({file.string(), 0, "", "cannot be opened", "", ""});
    }
  }
}

void ReadMlflowMetrics(std::istream& in, const std::string& file, const std::string& name,
                       const std::string& run, RunFacts& facts) {
  std::string line;
  for (std::int64_t number = 1; std::getline(in, line); ++number) {
    const bool is_whole = !in.eof();  // it ended with a line break
    std::istringstream words(line);
    std::string millis, value, step;
    words >> millis >> value >> step;
    if (millis.empty()) continue;
    // Versions before 1.0 wrote no step.
    std::optional<std::string> wrong =
        value.empty() ? "has no value: a line is 'milliseconds value step'"
        : !is_whole && step.empty()
            ? "breaks off"
            : AppendMlflowMetric(run, {name, millis, value, step.empty() ? "0" : step}, facts);
    if (!wrong) continue;
    if (is_whole) {
      facts.rejections.push_back({file, number, name, *wrong, "", line});
    } else {
      facts.ignored.insert(file + ":" + std::to_string(number) +
                           ": the line breaks off, as its writer was stopped: not counted");
    }
  }
}

}  // namespace plimsoll
