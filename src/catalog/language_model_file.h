// Readers of language models (YAML list `models`) and of measured throughput (CSV), see
// docs/formats/catalog.md.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "catalog/csv.h"
#include "catalog/language_model.h"
#include "catalog/yaml_fields.h"
#include "model/import.h"

namespace plimsoll {

struct LanguageModelFile {
  std::vector<LanguageModel> models;
  std::vector<std::int64_t> model_lines;
  std::vector<Throughput> throughputs;
  std::vector<std::int64_t> throughput_lines;
};

// Lower-cased; "fp16" and "float16" are "bf16", which takes the same bytes; "" if the name is
// none of bf16, fp8, int8, fp4, int4 and their usual spellings ("nvfp4", "awq", "w4a16").
std::string CanonicalPrecision(std::string_view name);

// Reads the list `models`. An entry with a problem is left out.
void ReadModelList(YamlFields& fields, const std::string& file, LanguageModelFile& out,
                   std::vector<Rejection>& problems);

// Reads a table with the columns model, precision, gpu, gpus, tensor_parallel, input_tokens,
// output_tokens, output_tokens_per_second, source, as_of and, if wanted, engine, ttft_ms,
// tpot_ms, latency_of. Does not look whether model and GPU exist.
void ReadThroughput(const CsvTable& table, const std::string& file, LanguageModelFile& out,
                    std::vector<Rejection>& problems);

}  // namespace plimsoll
