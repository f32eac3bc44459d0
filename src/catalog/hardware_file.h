// Hardware files: GPU models (YAML) and instance shapes (CSV), see docs/formats/catalog.md.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.h"
#include "catalog/csv.h"
#include "catalog/yaml_fields.h"
#include "model/import.h"

namespace plimsoll {

struct HardwareFile {
  std::vector<GpuModel> gpus;
  std::vector<std::int64_t> gpu_lines;
  std::vector<InstanceShape> shapes;
  std::vector<std::int64_t> shape_lines;
};

// Reads the list `gpus` of a document into `hardware`. An entry with a problem is left out.
// REQUIRES: `fields` reports to `problems`.
void ReadGpuList(YamlFields& fields, const std::string& file, HardwareFile& hardware,
                 std::vector<Rejection>& problems);

// Reads a table with the columns provider, instance_type, gpu_model, gpu_count, vcpu,
// memory_gib, source, as_of. Does not look whether the GPU model exists.
void ReadShapes(const CsvTable& table, const std::string& file, HardwareFile& hardware,
                std::vector<Rejection>& problems);

}  // namespace plimsoll
