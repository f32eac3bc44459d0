#include "ingest/prometheus/signal_table.h"

#include <string>
#include <unordered_map>

#include "base/check.h"
#include "ingest/prometheus/sample_value.h"
#include "units/money.h"

namespace plimsoll {
namespace {

using S = UsageSignal;
using U = SignalUnit;

constexpr std::int64_t kPowerMax = 1'000'000'000;  // mW: a megawatt is no card

// Not in the table, on purpose: pipe and memory activity (0 there is not idle), TPU's
// tensorcore_utilization (operations against the peak, not time), habanalabs_energy (its unit
// is nowhere declared), Neuron's memory (of a process on all cores, not of a core).
constexpr SignalRow kRows[] = {
    {"DCGM_FI_PROF_SM_ACTIVE", Exporter::kDcgm, S::kSmActive, U::kRatio},
    {"DCGM_FI_PROF_GR_ENGINE_ACTIVE", Exporter::kDcgm, S::kGrEngineActive, U::kRatio},
    {"DCGM_FI_DEV_GPU_UTIL", Exporter::kDcgm, S::kGpuUtil, U::kPercent},
    {"DCGM_FI_DEV_POWER_USAGE", Exporter::kDcgm, S::kPower, U::kWatt},
    {"DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION", Exporter::kDcgm, S::kEnergy, U::kMillijoule},
    {"DCGM_FI_DEV_FB_USED", Exporter::kDcgm, S::kMemory, U::kMib},
    {"DCGM_FI_DEV_XID_ERRORS", Exporter::kDcgm, S::kXid, U::kCode},
    {"DCGM_EXP_XID_ERRORS_COUNT", Exporter::kDcgm, S::kXidEvent, U::kCount},

    // Help texts of 1.x say "in %" of the two ratios; the values were ratios then too.
    {"dcgm_fi_prof_sm_active", Exporter::kDcgmOld, S::kSmActive, U::kRatio},
    {"dcgm_fi_prof_gr_engine_active", Exporter::kDcgmOld, S::kGrEngineActive, U::kRatio},
    {"dcgm_gpu_utilization", Exporter::kDcgmOld, S::kGpuUtil, U::kPercent},
    {"dcgm_power_usage", Exporter::kDcgmOld, S::kPower, U::kWatt},
    {"dcgm_total_energy_consumption", Exporter::kDcgmOld, S::kEnergy, U::kMillijoule},
    {"dcgm_fb_used", Exporter::kDcgmOld, S::kMemory, U::kMib},
    {"dcgm_xid_errors", Exporter::kDcgmOld, S::kXid, U::kCode},

    {"gpu_gfx_activity", Exporter::kAmd, S::kGpuUtil, U::kPercent},
    {"gpu_package_power", Exporter::kAmd, S::kPower, U::kWatt},          // MI3xx
    {"gpu_average_package_power", Exporter::kAmd, S::kPower, U::kWatt},  // MI2xx
    {"gpu_power_usage", Exporter::kAmd, S::kPower, U::kWatt},
    {"gpu_energy_consumed", Exporter::kAmd, S::kEnergy, U::kMicrojoule},
    {"gpu_used_vram", Exporter::kAmd, S::kMemory, U::kMib},
    {"amd_gpu_gfx_activity", Exporter::kAmd, S::kGpuUtil, U::kPercent},
    {"amd_gpu_package_power", Exporter::kAmd, S::kPower, U::kWatt},
    {"amd_gpu_average_package_power", Exporter::kAmd, S::kPower, U::kWatt},
    {"amd_gpu_power_usage", Exporter::kAmd, S::kPower, U::kWatt},
    {"amd_gpu_energy_consumed", Exporter::kAmd, S::kEnergy, U::kMicrojoule},
    {"amd_gpu_used_vram", Exporter::kAmd, S::kMemory, U::kMib},

    {"habanalabs_utilization", Exporter::kGaudi, S::kGpuUtil, U::kPercent},
    {"habanalabs_power_mW", Exporter::kGaudi, S::kPower, U::kMilliwatt},
    {"habanalabs_memory_used_bytes", Exporter::kGaudi, S::kMemory, U::kByte},

    {"neuroncore_utilization_ratio", Exporter::kNeuron, S::kGpuUtil, U::kRatio},

    {"duty_cycle", Exporter::kTpu, S::kGpuUtil, U::kPercent},
    {"memory_used", Exporter::kTpu, S::kMemory, U::kByte},

    {"nvidia_gpu_duty_cycle", Exporter::kJobstats, S::kGpuUtil, U::kPercent},
    {"nvidia_gpu_power_usage_milliwatts", Exporter::kJobstats, S::kPower, U::kMilliwatt},
    {"nvidia_gpu_memory_used_bytes", Exporter::kJobstats, S::kMemory, U::kByte},

    {"hw_gpu_utilization_ratio", Exporter::kOtel, S::kGpuUtil, U::kRatio},
    {"hw_gpu_utilization", Exporter::kOtel, S::kGpuUtil, U::kRatio},
    {"hw_gpu_memory_usage_bytes", Exporter::kOtel, S::kMemory, U::kByte},
    {"hw_gpu_memory_usage", Exporter::kOtel, S::kMemory, U::kByte},
    {"hw_power_watts", Exporter::kOtel, S::kPower, U::kWatt},
    {"hw_power", Exporter::kOtel, S::kPower, U::kWatt},
    {"hw_energy_joules_total", Exporter::kOtel, S::kEnergy, U::kJoule},
    {"hw_energy_joules", Exporter::kOtel, S::kEnergy, U::kJoule},
};

// In the order of Exporter. Where a key needs more than a label, gpu_series.cc makes it.
constexpr ExporterDialect kDialects[kExporters] = {
    {Exporter::kDcgm,
     {"UUID", "uuid", "gpu_uuid"},
     {"GPU_I_ID"},
     {"GPU_I_PROFILE", "dra_mig_profile"},
     {"modelName", "model_name"},
     {"gpu"},
     {"hpc_job"},
     nullptr,
     ""},
    {Exporter::kDcgmOld,
     {"UUID", "uuid", "gpu_uuid"},
     {"GPU_I_ID"},
     {"GPU_I_PROFILE", "dra_mig_profile"},
     {"modelName", "model_name"},
     {"gpu"},
     {"hpc_job"},
     nullptr,
     ""},
    {Exporter::kAmd,
     {"gpu_uuid"},
     {"gpu_partition_id"},
     {"gpu_compute_partition_type"},
     {"card_model"},
     {"gpu_id"},
     {"job_id"},
     "gpu_id",
     "gpu_id!=\"\""},
    {Exporter::kGaudi, {"UUID", "uuid"}, {}, {}, {}, {"device"}, {}, nullptr, ""},
    {Exporter::kNeuron,
     {"instance_id"},
     {"neuroncore"},
     {},
     {},
     {},
     {},
     "neuroncore",
     "neuroncore!=\"\""},
    {Exporter::kTpu,
     {"accelerator_id"},
     {},
     {},
     {"model"},
     {"accelerator_id"},
     {},
     "accelerator_id",
     "accelerator_id!=\"\""},
    {Exporter::kJobstats,
     {"uuid", "UUID"},
     {},
     {},
     {"name"},
     {"minor_number"},
     {"jobid"},
     nullptr,
     ""},
    {Exporter::kOtel,
     {"hw_id"},
     {},
     {},
     {"hw_model", "hw_name"},
     {},
     {},
     "hw_id",
     "hw_id!=\"\",hw_type=~\"gpu|\""},
};

int ScaleOf(SignalUnit unit) {  // decimal digits from the exported unit to the signal's
  switch (unit) {
    case U::kRatio:
      return 6;
    case U::kPercent:
      return 4;
    case U::kWatt:
    case U::kJoule:
      return 3;
    case U::kMicrojoule:
      return -3;
    default:
      return 0;
  }
}

bool IsDcgm(Exporter exporter) {
  return exporter == Exporter::kDcgm || exporter == Exporter::kDcgmOld;
}

// What an exporter prints where it has no value. A byte or a millijoule count may well be as
// great as DCGM's 32-bit blank, so that is one only where no device goes so far.
bool IsSentinel(const SignalRow& row, std::int64_t whole) {
  // The 64-bit blanks (2^63 - 16 and up), also as a store prints them that keeps 15 digits.
  constexpr std::int64_t kBlank64 = 9'220'000'000'000'000'000;
  constexpr std::int64_t kBlankDouble = 140'737'488'355'328;
  if (whole >= kBlank64) return true;
  if (IsDcgm(row.exporter)) {
    const bool is_blank_double = whole >= kBlankDouble && whole <= kBlankDouble + 3;
    return is_blank_double || (row.unit != U::kMillijoule && IsBlank(whole));
  }
  // The all-ones of AMD's 16- and 32-bit fields.
  return row.exporter == Exporter::kAmd && (row.unit == U::kPercent || row.unit == U::kWatt) &&
         (whole == 65'535 || whole == 4'294'967'295);
}

}  // namespace

std::span<const SignalRow> SignalRows() { return kRows; }

const SignalRow* FindSignal(std::string_view name) {
  static const auto* const kByName = [] {
    auto* by_name = new std::unordered_map<std::string_view, const SignalRow*>;
    for (const SignalRow& row : kRows) by_name->emplace(row.name, &row);
    return by_name;
  }();
  const auto found = kByName->find(name);
  return found == kByName->end() ? nullptr : found->second;
}

const ExporterDialect& DialectOf(Exporter exporter) {
  const ExporterDialect& dialect = kDialects[static_cast<std::size_t>(exporter)];
  PLIMSOLL_CHECK(dialect.exporter == exporter);
  return dialect;
}

std::vector<SignalQuery> SignalQueries() {
  std::vector<SignalQuery> queries;
  for (const SignalRow& row : kRows) {
    const bool is_alone = row.exporter == Exporter::kDcgm;
    if (is_alone || FindSignal(queries.back().names.back())->exporter != row.exporter) {
      queries.push_back({{}, DialectOf(row.exporter).matcher});
    }
    queries.back().names.emplace_back(row.name);
  }
  return queries;
}

Reading ReadSignalValue(const SignalRow& row, std::string_view text) {
  if (IsNotANumber(text)) return {ReadingKind::kAbsent, 0};
  std::int64_t value = ParseScaled(text, ScaleOf(row.unit)).value_or(-1);
  // Nearly every sample; no sentinel is so small in any unit.
  if (value >= 0 && value <= kPartsPerMillion && text.front() != '-' && row.unit != U::kByte) {
    return {ReadingKind::kValue, value};
  }
  const std::int64_t whole = ParseScaled(text, 0).value_or(-1);
  if (IsSentinel(row, whole)) return {ReadingKind::kSentinel, 0};
  if (value < 0 || whole < 0) return {ReadingKind::kBad, 0};
  if (row.unit == U::kByte) {
    constexpr int128 kMib = 1'048'576;
    value = static_cast<std::int64_t>(DivideHalfEven(int128{value}, kMib));
  }
  if (row.signal == S::kPower && value > kPowerMax) return {ReadingKind::kBad, 0};
  const bool is_ratio = static_cast<std::size_t>(row.signal) < kLadderSignals;
  return {ReadingKind::kValue, is_ratio && value > kPartsPerMillion ? kPartsPerMillion + 1 : value};
}

}  // namespace plimsoll
