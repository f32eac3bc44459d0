// SPDX-License-Identifier: Apache-2.0
#include "ingest/cluster/openb_pods.h"

#include <algorithm>
#include <set>
#include <utility>

#include "capacity/model/cluster.h"
#include "ingest/cluster/openb_table.h"

namespace plimsoll {
namespace {

constexpr std::int64_t kCpuMilliMax = 1'000'000'000;   // a million CPUs for one pod
constexpr std::int64_t kMemoryMibMax = 1'000'000'000;  // a petabyte
constexpr std::int64_t kMibPerGib = 1'024;
constexpr std::int64_t kSecondsMax = 3'155'760'000;  // a century

enum PodColumn : std::size_t {
  kName,
  kCpu,
  kMemory,
  kGpus,
  kGpuMilli,
  kSpec,
  kMigProfile,
  kCreated,
  kScheduled,
  kDeleted
};

const std::vector<OpenbColumn>& Columns() {
  static const std::vector<OpenbColumn> columns{
      {"the pod's name", {{"name"}, {"instance_sn"}}},
      {"CPU", {{"cpu_milli"}, {"cpu_request", 1'000}}},
      {"memory", {{"memory_mib"}, {"memory_request", kMibPerGib}}},
      {"GPUs", {{"num_gpu"}, {"gpu_request"}}},
      {"the part of each GPU", {{"gpu_milli"}}, false},
      {"GPU models", {{"gpu_spec"}}, false},
      {"the MIG profile", {{"mig_profile"}}, false},
      {"the pod's creation", {{"creation_time"}}, false},
      {"its start", {{"scheduled_time"}}, false},
      {"its end", {{"deletion_time"}}, false},
  };
  return columns;
}

std::optional<Duration> Time(OpenbRow& row, std::size_t column) {
  if (!row.has(column) || row.text(column).empty()) return std::nullopt;
  const auto seconds = row.Amount(column, kSecondsMax);
  return seconds ? std::optional(Seconds(*seconds)) : std::nullopt;
}

// Models that a pod asks for, as flavors; notes those that are none.
FlavorSet FlavorsOf(std::string_view spec, std::span<const std::string> flavors,
                    std::set<std::string>& unknown) {
  FlavorSet set = 0;
  bool any = true;
  while (!spec.empty()) {
    const std::string_view model = spec.substr(0, spec.find('|'));
    spec.remove_prefix(std::min(spec.size(), model.size() + 1));
    if (model.empty()) continue;
    any = false;
    const auto found = std::ranges::find(flavors, model);
    if (found == flavors.end()) {
      unknown.emplace(model);
    } else {
      set |= FlavorSet{1} << (found - flavors.begin());
    }
  }
  return any ? kAnyFlavor : set;
}

// What a row asks of GPUs; false where it does not agree with itself.
bool ReadGpus(OpenbRow& row, PodShape& shape) {
  const auto gpus = row.Amount(kGpus, kGpusPerNodeMax);
  const auto milli = row.has(kGpuMilli) && !row.text(kGpuMilli).empty()
                         ? row.Amount(kGpuMilli, kMilliPerGpu)
                         : std::optional<std::int64_t>(kMilliPerGpu);
  if (!gpus || !milli) return false;
  shape.gpus = static_cast<std::int32_t>(*gpus);
  if (shape.gpus == 0) return true;  // whatever part of none
  shape.gpu_milli = static_cast<std::int32_t>(*milli);
  if (!row.text(kMigProfile).empty() && shape.gpus != 1) {
    row.Fail(kGpus, "must be 1 for a pod with a MIG profile: it gets an instance of one GPU");
  } else if (shape.gpu_milli == 0) {
    row.Fail(kGpuMilli, "is no part of a GPU: 1 to 1000, of a pod with num_gpu above 0");
  } else if (shape.gpus > 1 && shape.gpu_milli < kMilliPerGpu) {
    row.Fail(kGpuMilli, "must be 1000 for a pod of several GPUs: only one GPU is shared");
  }
  return row.wrong().empty();
}

void TakePod(OpenbRow& row, std::span<const std::string> flavors, std::set<std::string>& unknown,
             OpenbPods& pods) {
  PodShape shape;
  const auto cpu = row.Amount(kCpu, kCpuMilliMax);
  const auto memory = row.Amount(kMemory, kMemoryMibMax);
  if (!cpu || !memory || !ReadGpus(row, shape)) return;
  shape.cpu_milli = *cpu;
  shape.memory_mib = *memory;
  if (shape.gpus > 0 && row.has(kSpec)) {
    shape.flavors = FlavorsOf(row.text(kSpec), flavors, unknown);
  }
  const auto created = Time(row, kCreated);
  const auto scheduled = Time(row, kScheduled);
  const auto deleted = Time(row, kDeleted);
  if (!row.wrong().empty()) return;
  if (shape.flavors == 0) ++pods.pods_without_flavor;
  pods.names.emplace_back(row.text(kName));
  pods.shapes.push_back(shape);
  pods.mig_profiles.emplace_back(shape.gpus == 0 ? "" : row.text(kMigProfile));
  pods.created.push_back(created);
  pods.scheduled.push_back(scheduled);
  pods.deleted.push_back(deleted);
}

}  // namespace

Result<OpenbPods> ReadOpenbPods(const std::string& file, std::string_view text,
                                std::span<const std::string> flavors) {
  OpenbPods pods;
  std::set<std::string> unknown;
  PLIMSOLL_RETURN_IF_ERROR(ReadOpenbRows(
      file, text, Columns(), "", [&](OpenbRow& row) { TakePod(row, flavors, unknown, pods); }));
  if (pods.shapes.empty()) return Error{ErrorCode::kBadData, file + ": has no rows"};
  pods.unknown_models.assign(unknown.begin(), unknown.end());
  return pods;
}

}  // namespace plimsoll
