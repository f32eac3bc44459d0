#include "purchase/mig/slice_model.h"

#include <functional>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "catalog/csv.h"
#include "catalog/price_file.h"
#include "catalog/yaml_fields.h"
#include "model/import.h"
#include "units/decimal.h"

namespace plimsoll {
namespace {

constexpr std::int64_t kMibPerGib = 1'024;
constexpr std::int64_t kGibMax = 1'000'000;

// How a field of one entry is written, and where its problems go; the same for both formats.
struct Entry {
  std::function<std::string(const char*)> text;
  std::function<void(const char*, std::string)> problem;
};

std::int64_t WholeOf(const Entry& entry, const char* field, std::int64_t fallback,
                     std::int64_t most) {
  const std::string text = entry.text(field);
  if (text.empty()) return fallback;
  const Result<ExactDecimal> value = ExactDecimal::Parse(text);
  const bool whole = value && value->is_nano_exact() &&
                     value->floor().nanos() % Money::kNanosPerUnit == 0 &&
                     value->floor() >= Money() && value->floor() <= Money::Units(most);
  if (!whole) {
    entry.problem(field, "must be a whole number from 0 to " + std::to_string(most));
    return fallback;
  }
  return static_cast<std::int64_t>(value->floor().nanos() / Money::kNanosPerUnit);
}

// GiB as MiB, rounded up: a model that needs a bit more than a slice has does not fit it.
std::int64_t MibOf(const Entry& entry, const char* field) {
  const Result<ExactDecimal> value = ExactDecimal::Parse(entry.text(field));
  if (!value || value->floor() < Money() || *value == ExactDecimal() ||
      value->floor() > Money::Units(kGibMax)) {
    entry.problem(field, "must be a positive number of GiB (2^30 bytes), such as 15.5");
    return 0;
  }
  const Money up = value->is_nano_exact() ? value->floor() : value->floor() + Money::FromNanos(1);
  return static_cast<std::int64_t>((up.nanos() * kMibPerGib + Money::kNanosPerUnit - 1) /
                                   Money::kNanosPerUnit);
}

SliceModel ReadOne(const Entry& entry) {
  SliceModel model;
  model.name = entry.text("name");
  if (model.name.empty()) entry.problem("name", "is missing");
  model.memory_mib = MibOf(entry, "memory_gib");
  model.compute_slices = WholeOf(entry, "compute_slices", 0, 7);
  model.sm_count = WholeOf(entry, "sm_count", 0, 1'000);
  model.bandwidth_percent = WholeOf(entry, "bandwidth_percent", 0, 100);
  model.tensor_parallel = WholeOf(entry, "tensor_parallel", 1, 1'024);
  model.replicas = WholeOf(entry, "replicas", 1, kSliceReplicasMax);
  model.instances_per_pod = WholeOf(entry, "instances_per_pod", 1, 1'024);
  if (model.tensor_parallel == 0) entry.problem("tensor_parallel", "must be at least 1");
  if (model.instances_per_pod == 0) entry.problem("instances_per_pod", "must be at least 1");
  return model;
}

void ReadYaml(const std::string& file, const std::string& text, std::vector<SliceModel>& models,
              std::vector<Rejection>& problems) {
  const std::optional<YAML::Node> document = ParseYaml(file, text, problems);
  if (!document) return;
  YamlFields fields(*document, file, "", problems);
  const std::vector<YAML::Node> entries = fields.Maps("models");
  fields.Finish();
  for (std::size_t i = 0; i < entries.size(); ++i) {
    YamlFields map(entries[i], file, fields.PathOf("models", i), problems);
    models.push_back(ReadOne(
        {[&](const char* field) { return map.Text(field); },
         [&](const char* field, std::string reason) { map.Problem(field, std::move(reason)); }}));
    map.Finish();
  }
}

void ReadTable(const std::string& file, const std::string& text, std::vector<SliceModel>& models,
               std::vector<Rejection>& problems) {
  const CsvTable table = ReadCsv(text);
  for (const CsvError& error : table.errors) {
    problems.push_back({file, error.line, "", error.reason, "", std::string(error.raw)});
  }
  const std::set<std::string> known{"name",     "memory_gib",        "compute_slices",
                                    "sm_count", "bandwidth_percent", "tensor_parallel",
                                    "replicas", "instances_per_pod"};
  for (const std::string& column : table.header.fields) {
    if (known.contains(column)) continue;
    problems.push_back(
        {file, table.header.line, column, "is no column of a list of models", "", ""});
  }
  for (const CsvRecord& record : table.records) {
    models.push_back(
        ReadOne({[&](const char* field) { return std::string(table.Field(record, field)); },
                 [&](const char* field, std::string reason) {
                   problems.push_back(
                       {file, record.line, field, std::move(reason), "", std::string(record.raw)});
                 }}));
  }
}

}  // namespace

Result<std::vector<SliceModel>> ReadSliceModels(const std::string& file, const std::string& text) {
  std::vector<SliceModel> models;
  std::vector<Rejection> problems;
  if (file.ends_with(".csv")) {
    ReadTable(file, text, models, problems);
  } else {
    ReadYaml(file, text, models, problems);
  }
  std::string message;
  for (const Rejection& problem : problems) {
    message += (message.empty() ? "" : "\n") + ToText(problem);
  }
  if (!message.empty()) return Error{ErrorCode::kBadData, message};
  std::int64_t replicas = 0;
  for (const SliceModel& model : models) replicas += model.replicas * model.instances_per_pod;
  if (models.empty() || replicas == 0) {
    return Error{ErrorCode::kBadData, file + ": holds no model: give each a name and memory_gib"};
  }
  if (replicas > kSliceReplicasMax) {
    return Error{ErrorCode::kBadData, file + ": asks for " + std::to_string(replicas) +
                                          " instances, more than " +
                                          std::to_string(kSliceReplicasMax)};
  }
  return models;
}

}  // namespace plimsoll
