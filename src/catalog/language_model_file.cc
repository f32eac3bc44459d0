#include "catalog/language_model_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "catalog/provider.h"
#include "units/decimal.h"
#include "units/time.h"

namespace plimsoll {
namespace {

// No model has more; products of them stay within 64 bits.
constexpr std::int64_t kParametersMax = 1'000'000'000'000'000;
constexpr std::int64_t kWidthMax = 10'000'000;
constexpr std::int64_t kHeadsMax = 100'000;
constexpr std::int64_t kTokensMax = 1'000'000'000;
constexpr const char* kThroughputColumns[] = {"model",         "precision",
                                              "gpu",           "gpus",
                                              "input_tokens",  "tensor_parallel",
                                              "output_tokens", "output_tokens_per_second",
                                              "source",        "as_of"};

std::int64_t Positive(YamlFields& fields, const char* key, std::int64_t most) {
  const std::int64_t value = fields.Integer(key, 1, 0);
  if (value == 0) fields.Problem(key, "is missing: a whole number from 1");
  if (value <= most) return value;
  fields.Problem(key, "is larger than any model's");
  return most;
}

std::int64_t AtMost(YamlFields& fields, const char* key, std::int64_t most) {
  const std::int64_t value = fields.Integer(key, 0, 0);
  if (value <= most) return value;
  fields.Problem(key, "is larger than any model's");
  return most;
}

bool ReadFlag(YamlFields& fields, const char* key) {
  const std::string text = fields.Text(key);
  if (text.empty() || text == "false") return false;
  if (text != "true") fields.Problem(key, "must be true or false");
  return true;
}

WeightFormat ReadFormat(YamlFields& fields, const LanguageModel& model) {
  WeightFormat format;
  const std::string quantization = fields.RequiredText("quantization");
  format.quantization = CanonicalPrecision(quantization);
  if (!quantization.empty() && format.quantization.empty()) {
    fields.Problem("quantization", "must be bf16, fp8, int8, fp4 or int4");
  }
  const std::string part = fields.Text("part");
  format.ffn_only = part == "ffn";
  if (!part.empty() && part != "ffn" && part != "layers") {
    fields.Problem("part", "must be ffn (feed-forward matrices alone) or layers");
  }
  format.whole_layers = fields.Integer("whole_layers", 0, 0);
  if (format.whole_layers > model.layers) {
    fields.Problem("whole_layers", "must be at most the model's layers");
  }
  format.note = fields.Text("note");
  fields.Finish();
  return format;
}

// What cannot be true of one model.
void CheckShape(YamlFields& fields, const LanguageModel& model) {
  if (model.kv_heads > model.heads) fields.Problem("kv_heads", "must be at most heads");
  if (model.window_layers > model.layers) {
    fields.Problem("window_layers", "must be at most layers");
  }
  if ((model.window_layers == 0) != (model.window_tokens == 0)) {
    fields.Problem("window_tokens", "window_layers and window_tokens stand together");
  }
  if (model.parameters > 0 && model.vocabulary > 0 && model.hidden > 0 &&
      int128{model.vocabulary} * model.hidden * (model.tied_embeddings ? 1 : 2) >
          model.parameters) {
    fields.Problem("parameters", "are fewer than those of the embeddings alone");
  }
}

LanguageModel ReadModel(YamlFields& fields, const std::string& file,
                        std::vector<Rejection>& problems) {
  LanguageModel model;
  model.name = LowerCase(fields.RequiredText("name"));
  model.parameters = Positive(fields, "parameters", kParametersMax);
  model.layers = Positive(fields, "layers", kHeadsMax);
  model.hidden = Positive(fields, "hidden", kWidthMax);
  model.heads = Positive(fields, "heads", kHeadsMax);
  model.kv_heads = Positive(fields, "kv_heads", kHeadsMax);
  model.head_dim = Positive(fields, "head_dim", kHeadsMax);
  model.ffn = Positive(fields, "ffn", kTokensMax);
  model.vocabulary = Positive(fields, "vocabulary", kTokensMax);
  model.context = Positive(fields, "context", kTokensMax);
  model.tied_embeddings = ReadFlag(fields, "tied_embeddings");
  model.kv_latent = AtMost(fields, "kv_latent", kWidthMax);
  model.window_layers = AtMost(fields, "window_layers", kHeadsMax);
  model.window_tokens = AtMost(fields, "window_tokens", kTokensMax);
  const std::string native = fields.Text("native");
  model.native = native.empty() ? "bf16" : CanonicalPrecision(native);
  if (model.native.empty()) fields.Problem("native", "must be bf16, fp8, int8, fp4 or int4");
  const std::vector<YAML::Node> formats = fields.Maps("formats");
  for (std::size_t i = 0; i < formats.size(); ++i) {
    YamlFields entry(formats[i], file, fields.PathOf("formats", i), problems);
    model.formats.push_back(ReadFormat(entry, model));
  }
  model.aliases = fields.Texts("aliases");
  model.note = fields.Text("note");
  model.source = fields.RequiredText("source");
  model.as_of = fields.RequiredText("as_of");
  if (!model.as_of.empty() && !ParseInstant(model.as_of)) {
    fields.Problem("as_of", "must be a date");
  }
  fields.Finish();
  CheckShape(fields, model);
  return model;
}

class ThroughputReader {
 public:
  ThroughputReader(const CsvTable& table, const std::string& file, std::vector<Rejection>& problems)
      : table_(table), file_(file), problems_(problems) {}

  std::optional<Throughput> Read(const CsvRecord& record) {
    const std::size_t before = problems_.size();
    Throughput row;
    row.model = LowerCase(Required(record, "model"));
    row.precision = CanonicalPrecision(Required(record, "precision"));
    if (row.precision.empty()) Bad(record, "precision", "must be bf16, fp8, int8, fp4 or int4");
    row.gpu = Required(record, "gpu");
    row.gpus = Scaled(record, "gpus", 1, true);
    row.tensor_parallel = Scaled(record, "tensor_parallel", 1, true);
    row.input_tokens = Scaled(record, "input_tokens", 1, true);
    row.output_tokens = Scaled(record, "output_tokens", 1, true);
    row.milli_tokens_per_second = Scaled(record, "output_tokens_per_second", 1'000, true);
    row.ttft_us = Scaled(record, "ttft_ms", 1'000, false);
    row.tpot_us = Scaled(record, "tpot_ms", 1'000, false);
    row.latency_of = table_.Field(record, "latency_of");
    if ((row.ttft_us > 0 || row.tpot_us > 0) && row.latency_of.empty()) {
      Bad(record, "latency_of", "must say what the latency is: p99, p95, p50, mean");
    }
    if (row.gpus > 0 && row.tensor_parallel > row.gpus) {
      Bad(record, "tensor_parallel", "must be at most gpus");
    }
    row.engine = table_.Field(record, "engine");
    row.source = Required(record, "source");
    row.as_of = Required(record, "as_of");
    if (!row.as_of.empty() && !ParseInstant(row.as_of)) Bad(record, "as_of", "must be a date");
    if (problems_.size() != before) return std::nullopt;
    return row;
  }

 private:
  std::string_view Required(const CsvRecord& record, const char* column) {
    const std::string_view text = table_.Field(record, column);
    if (text.empty()) Bad(record, column, "is missing");
    return text;
  }

  // A positive count of 1/scale, up to 10^9; 0 if it may be missing and is.
  std::int64_t Scaled(const CsvRecord& record, const char* column, std::int64_t scale,
                      bool required) {
    const std::string_view text = table_.Field(record, column);
    if (text.empty() && !required) return 0;
    const Result<ExactDecimal> value = ExactDecimal::Parse(text);
    const bool fits = value && value->is_nano_exact() && value->floor() > Money() &&
                      value->floor() <= Money::Units(1'000'000'000);
    const int128 scaled = fits ? value->floor().nanos() * scale : 0;
    if (!fits || scaled % Money::kNanosPerUnit != 0) {
      Bad(record, column,
          scale == 1 ? "must be a whole number from 1"
                     : "must be a positive number with at most three decimals");
      return 0;
    }
    return static_cast<std::int64_t>(scaled / Money::kNanosPerUnit);
  }

  void Bad(const CsvRecord& record, const char* column, std::string reason) {
    problems_.push_back(
        {file_, record.line, column, std::move(reason), "", std::string(record.raw)});
  }

  const CsvTable& table_;
  const std::string& file_;
  std::vector<Rejection>& problems_;
};

}  // namespace

std::string CanonicalPrecision(std::string_view name) {
  constexpr std::pair<const char*, const char*> kNames[] = {
      {"bf16", "bf16"},  {"fp16", "bf16"},  {"bfloat16", "bf16"}, {"float16", "bf16"},
      {"half", "bf16"},  {"fp8", "fp8"},    {"fp8_e4m3", "fp8"},  {"w8a8-fp8", "fp8"},
      {"int8", "int8"},  {"w8a16", "int8"}, {"w8a8", "int8"},     {"int4", "int4"},
      {"w4a16", "int4"}, {"awq", "int4"},   {"gptq", "int4"},     {"fp4", "fp4"},
      {"nvfp4", "fp4"},  {"mxfp4", "fp4"}};
  const std::string key = LowerCase(name);
  for (const auto& [spelling, canonical] : kNames) {
    if (key == spelling) return canonical;
  }
  return "";
}

void ReadModelList(YamlFields& fields, const std::string& file, LanguageModelFile& out,
                   std::vector<Rejection>& problems) {
  const std::vector<YAML::Node> models = fields.Maps("models");
  for (std::size_t i = 0; i < models.size(); ++i) {
    const std::size_t before = problems.size();
    YamlFields entry(models[i], file, fields.PathOf("models", i), problems);
    LanguageModel model = ReadModel(entry, file, problems);
    if (problems.size() != before) continue;
    out.models.push_back(std::move(model));
    out.model_lines.push_back(entry.line());
  }
}

void ReadThroughput(const CsvTable& table, const std::string& file, LanguageModelFile& out,
                    std::vector<Rejection>& problems) {
  if (!CheckTable(table, kThroughputColumns, file, problems)) return;
  ThroughputReader reader(table, file, problems);
  for (const CsvRecord& record : table.records) {
    std::optional<Throughput> row = reader.Read(record);
    if (!row) continue;
    out.throughputs.push_back(*std::move(row));
    out.throughput_lines.push_back(record.line);
  }
}

}  // namespace plimsoll
