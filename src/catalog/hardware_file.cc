#include "catalog/hardware_file.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <utility>

#include "catalog/provider.h"
#include "units/decimal.h"

namespace plimsoll {
namespace {

constexpr const char* kShapeColumns[] = {"provider", "instance_type", "gpu_model", "gpu_count",
                                         "vcpu",     "memory_gib",    "source",    "as_of"};
constexpr std::int64_t kBytesPerGib = std::int64_t{1} << 30;

MigProfile ReadProfile(YamlFields& fields, const GpuModel& gpu) {
  MigProfile profile;
  profile.name = fields.RequiredText("name");
  profile.compute_slices = fields.Integer("compute_slices", 1, 0);
  profile.memory_slices = fields.Integer("memory_slices", 1, 0);
  profile.memory_mib = fields.Integer("memory_mib", 0, 0);
  profile.sm_count = fields.Integer("sm_count", 0, 0);
  profile.starts = fields.Integers("starts");
  profile.max = fields.Integer("max", 1, 0);
  fields.Finish();
  if (profile.compute_slices < 1 || profile.compute_slices > gpu.compute_slices) {
    fields.Problem("compute_slices", fmt::format("must be 1 to {}", gpu.compute_slices));
  }
  if (profile.memory_slices < 1 || profile.memory_slices > gpu.memory_slices) {
    fields.Problem("memory_slices", fmt::format("must be 1 to {}", gpu.memory_slices));
  }
  if (profile.starts.empty()) fields.Problem("starts", "is missing");
  for (const std::int64_t start : profile.starts) {
    if (start < 0 || start > gpu.memory_slices - profile.memory_slices) {
      fields.Problem("starts", fmt::format("{} does not leave room for {} of {} memory slices",
                                           start, profile.memory_slices, gpu.memory_slices));
    }
  }
  if (profile.max < 1 || profile.max > static_cast<std::int64_t>(profile.starts.size())) {
    fields.Problem("max",
                   fmt::format("must be 1 to {}, the number of starts", profile.starts.size()));
  }
  return profile;
}

GpuModel ReadGpu(YamlFields& fields, const std::string& file, std::vector<Rejection>& problems) {
  GpuModel gpu;
  gpu.name = fields.RequiredText("name");
  gpu.vendor = fields.RequiredText("vendor");
  gpu.memory_mib = fields.Integer("memory_mib", 1, 0);
  if (gpu.memory_mib == 0) fields.Problem("memory_mib", "is missing");
  gpu.usable_mib = fields.Integer("usable_mib", 0, 0);
  if (gpu.usable_mib > gpu.memory_mib) {
    fields.Problem("usable_mib", "must be at most memory_mib");
  }
  gpu.sm_count = fields.Integer("sm_count", 0, 0);
  gpu.compute_slices = fields.Integer("compute_slices", 0, 0);
  gpu.memory_slices = fields.Integer("memory_slices", 0, 0);
  gpu.aliases = fields.Texts("aliases");
  const std::vector<YAML::Node> profiles = fields.Maps("profiles");
  fields.Finish();
  if ((gpu.compute_slices == 0) != profiles.empty()) {
    fields.Problem("profiles", "a card has profiles if and only if it has compute_slices");
  }
  for (std::size_t i = 0; i < profiles.size(); ++i) {
    YamlFields entry(profiles[i], file, fields.PathOf("profiles", i), problems);
    gpu.profiles.push_back(ReadProfile(entry, gpu));
  }
  return gpu;
}

std::optional<std::int64_t> ParseCount(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (value < 1 || value > 100'000) return std::nullopt;
  return value;
}

// A decimal in steps of 1/scale, from 0 to 10^9.
std::optional<std::int64_t> ParseScaled(std::string_view text, std::int64_t scale) {
  const Result<ExactDecimal> value = ExactDecimal::Parse(text);
  if (!value || !value->is_nano_exact()) return std::nullopt;
  const int128 nanos = value->floor().nanos();
  if (nanos < 0 || nanos > int128{1'000'000'000} * Money::kNanosPerUnit) return std::nullopt;
  if (nanos * scale % Money::kNanosPerUnit != 0) return std::nullopt;
  return static_cast<std::int64_t>(nanos * scale / Money::kNanosPerUnit);
}

// "8", "1/8".
bool ParseFraction(std::string_view text, InstanceShape& shape) {
  const std::size_t slash = text.find('/');
  const auto num = ParseCount(text.substr(0, slash));
  const auto den = slash == std::string_view::npos ? std::optional<std::int64_t>(1)
                                                   : ParseCount(text.substr(slash + 1));
  if (!num || !den) return false;
  shape.gpu_num = *num;
  shape.gpu_den = *den;
  return true;
}

class ShapeReader {
 public:
  ShapeReader(const CsvTable& table, const std::string& file, std::vector<Rejection>& problems)
      : table_(table), file_(file), problems_(problems) {}

  std::optional<InstanceShape> Read(const CsvRecord& record) {
    const std::size_t before = problems_.size();
    InstanceShape shape;
    shape.provider = CanonicalProvider(Required(record, "provider"));
    shape.instance_type = Required(record, "instance_type");
    shape.gpu_model = Required(record, "gpu_model");
    Required(record, "source");
    if (!ParseInstant(Required(record, "as_of"))) Bad(record, "as_of", "must be a date");
    if (!ParseFraction(table_.Field(record, "gpu_count"), shape)) {
      Bad(record, "gpu_count", "must be a whole number or a fraction such as 1/8");
    }
    const auto cpu = ParseScaled(table_.Field(record, "vcpu"), 1'000);
    if (!cpu) Bad(record, "vcpu", "must be a number of vCPUs in thousandths");
    // In MiB first: all published sizes are whole MiB, and the product cannot overflow.
    const auto mib = ParseScaled(table_.Field(record, "memory_gib"), 1'024);
    if (!mib || *mib > 1'024 * 1'000'000) Bad(record, "memory_gib", "must be a number of GiB");
    shape.cpu_milli = cpu.value_or(0);
    shape.memory_bytes = mib.value_or(0) * (kBytesPerGib / 1'024);
    if (problems_.size() != before) return std::nullopt;
    return shape;
  }

 private:
  std::string_view Required(const CsvRecord& record, const char* column) {
    const std::string_view text = table_.Field(record, column);
    if (text.empty()) Bad(record, column, "is missing");
    return text;
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

void ReadGpuList(YamlFields& fields, const std::string& file, HardwareFile& hardware,
                 std::vector<Rejection>& problems) {
  const std::vector<YAML::Node> gpus = fields.Maps("gpus");
  for (std::size_t i = 0; i < gpus.size(); ++i) {
    const std::size_t before = problems.size();
    YamlFields entry(gpus[i], file, fields.PathOf("gpus", i), problems);
    GpuModel gpu = ReadGpu(entry, file, problems);
    if (problems.size() != before) continue;
    hardware.gpus.push_back(std::move(gpu));
    hardware.gpu_lines.push_back(entry.line());
  }
}

void ReadShapes(const CsvTable& table, const std::string& file, HardwareFile& hardware,
                std::vector<Rejection>& problems) {
  if (!CheckTable(table, kShapeColumns, file, problems)) return;
  ShapeReader reader(table, file, problems);
  for (const CsvRecord& record : table.records) {
    std::optional<InstanceShape> shape = reader.Read(record);
    if (!shape) continue;
    hardware.shapes.push_back(*std::move(shape));
    hardware.shape_lines.push_back(record.line);
  }
}

}  // namespace plimsoll
