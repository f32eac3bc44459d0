// Any bytes as a log of jobs: never a crash, and what is taken is sound.
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/check.h"
#include "ingest/cluster/workload_reader.h"

namespace {

using plimsoll::Duration;
using plimsoll::TrainingJob;

void CheckJob(const plimsoll::WorkloadReading& reading, const TrainingJob& job) {
  PLIMSOLL_CHECK(job.queue < reading.workload.queues.size());
  PLIMSOLL_CHECK(job.pods > 0 && job.pods_min > 0 && job.pods_min <= job.pods);
  PLIMSOLL_CHECK(job.shape.gpus >= 0 && job.shape.gpus <= plimsoll::kGpusPerNodeMax);
  PLIMSOLL_CHECK(job.shape.gpu_milli > 0 && job.shape.gpu_milli <= plimsoll::kMilliPerGpu);
  PLIMSOLL_CHECK(job.shape.gpu_milli == plimsoll::kMilliPerGpu || job.shape.gpus == 1);
  PLIMSOLL_CHECK(job.shape.cpu_milli >= 0 && job.shape.memory_mib >= 0);
  PLIMSOLL_CHECK(job.run >= Duration());
  PLIMSOLL_CHECK(!job.started || *job.started >= job.submitted);
  PLIMSOLL_CHECK(!job.ended || !job.started || *job.ended >= *job.started);
  for (const std::uint32_t flavor : job.flavor_order) {
    PLIMSOLL_CHECK(flavor < reading.flavors.size());
  }
  if (job.topology.mode != plimsoll::TopologyMode::kNone) {
    PLIMSOLL_CHECK(job.topology.level < reading.levels.size());
  }
  if (job.topology.slice_pods > 0) {
    PLIMSOLL_CHECK(job.pods % job.topology.slice_pods == 0);
    PLIMSOLL_CHECK(job.topology.slice_level < reading.levels.size());
  }
}

void CheckReading(const plimsoll::WorkloadReading& reading) {
  const auto& jobs = reading.workload.jobs;
  PLIMSOLL_CHECK(!jobs.empty());
  std::int64_t rows = static_cast<std::int64_t>(jobs.size() + reading.refused.size());
  for (const auto& [why, count] : reading.left_out) rows += count;
  PLIMSOLL_CHECK(rows == reading.rows);
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    CheckJob(reading, jobs[i]);
    PLIMSOLL_CHECK(i == 0 || jobs[i - 1].submitted <= jobs[i].submitted);
  }
  for (const plimsoll::RefusedJob& refused : reading.refused) {
    PLIMSOLL_CHECK(!refused.reason.empty());
  }
  PLIMSOLL_CHECK(reading.gpu_time() >= plimsoll::GpuHours());
  PLIMSOLL_CHECK(reading.refused_gpu_time() >= plimsoll::GpuHours());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto read = [&](std::optional<plimsoll::WorkloadFormat> format) {
    plimsoll::WorkloadSource source{"fuzz", text, format};
    source.throughputs = R"json({"v100": {"('A3C', 1)": {"null": 5.0}}})json";
    const auto reading = plimsoll::ReadWorkload(source);
    if (reading) {
      CheckReading(*reading);
    } else {
      PLIMSOLL_CHECK(reading.error().message.find("fuzz") != std::string::npos);
    }
  };
  read(std::nullopt);
  // The last byte picks a format, as --jobs-format does.
  const auto names = plimsoll::WorkloadFormatNames();
  if (size > 0) read(*plimsoll::ParseWorkloadFormat(names[data[size - 1] % names.size()]));
  return 0;
}
