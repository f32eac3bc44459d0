#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "demo/demo.h"
#include "demo/open_metrics.h"
#include "demo/write_config.h"
#include "demo/write_dcgm.h"
#include "demo/write_focus.h"
#include "demo/write_ksm.h"
#include "demo/write_kubernetes.h"
#include "demo/write_requests.h"
#include "demo/write_runs.h"
#include "demo/write_slurm.h"

namespace plimsoll {
namespace {

Status WriteText(const std::string& path, const std::string& text) {
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
  out.close();
  if (out) return Ok();
  return Error{ErrorCode::kUnavailable,
               fmt::format("{}: cannot be written; check the folder and its free space", path)};
}

Status WriteTelemetry(const DemoFleet& fleet, const std::string& path, const std::string& cluster) {
  OpenMetricsWriter out(path);
  WriteDcgm(fleet, cluster, out);
  if (cluster == kDemoCluster) WriteKsm(fleet, out);
  return out.Finish();
}

bool HasSlurm(const DemoFleet& fleet) { return fleet.bills.size() > 1; }

}  // namespace

std::vector<DemoSource> SourcesOf(const DemoFleet& fleet) {
  std::vector<DemoSource> sources{
      {"focus", "aws-bill", "", {"focus_aws.csv"}},
      {"kubernetes", "kubernetes", kDemoCluster, {"kubernetes.json"}},
      {"prometheus", "telemetry", kDemoCluster, {"telemetry.om"}},
  };
  if (HasSlurm(fleet)) {
    sources.push_back({"focus", "gcp-bill", "", {"focus_gcp.csv"}});
    sources.push_back(
        {"slurm", "slurm", kDemoSlurmCluster, {"slurm_nodes.txt", "slurm_sacct.psv"}});
    sources.push_back({"prometheus", "telemetry-hpc", kDemoSlurmCluster, {"telemetry_hpc.om"}});
  }
  // The logs name their clusters themselves.
  if (!fleet.runs.empty())
    sources.push_back({"runs", "training-runs", "", {"training_runs.jsonl"}});
  if (fleet.service) sources.push_back({"requests", "chat-requests", "", {"chat_requests.csv"}});
  return sources;
}

Status WriteDemo(const DemoFleet& fleet, const std::string& folder, const Progress& progress) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) {
    return Error{ErrorCode::kUnavailable,
                 fmt::format("{}: cannot be made: {}; choose a folder that can be written", folder,
                             failed.message())};
  }
  std::int64_t done = 0, files = 2;
  for (const DemoSource& source : SourcesOf(fleet)) {
    files += static_cast<std::int64_t>(source.files.size());
  }
  const auto path = [&](const char* name) {
    if (progress) progress(name, done++, files);
    return (std::filesystem::path(folder) / name).string();
  };
  PLIMSOLL_RETURN_IF_ERROR(WriteText(path("focus_aws.csv"), FocusCsv(fleet.bills[0])));
  PLIMSOLL_RETURN_IF_ERROR(WriteText(path("kubernetes.json"), KubernetesJson(fleet)));
  PLIMSOLL_RETURN_IF_ERROR(WriteTelemetry(fleet, path("telemetry.om"), kDemoCluster));
  if (HasSlurm(fleet)) {
    PLIMSOLL_RETURN_IF_ERROR(WriteText(path("focus_gcp.csv"), FocusCsv(fleet.bills[1])));
    PLIMSOLL_RETURN_IF_ERROR(WriteText(path("slurm_sacct.psv"), SacctText(fleet)));
    PLIMSOLL_RETURN_IF_ERROR(WriteText(path("slurm_nodes.txt"), ScontrolNodesText(fleet)));
    PLIMSOLL_RETURN_IF_ERROR(WriteTelemetry(fleet, path("telemetry_hpc.om"), kDemoSlurmCluster));
  }
  if (!fleet.runs.empty()) {
    PLIMSOLL_RETURN_IF_ERROR(WriteText(path("training_runs.jsonl"), RunsJsonl(fleet)));
  }
  if (fleet.service) {
    PLIMSOLL_RETURN_IF_ERROR(WriteText(path("chat_requests.csv"), RequestsCsv(*fleet.service)));
  }
  PLIMSOLL_RETURN_IF_ERROR(WriteText(path("plimsoll.yaml"), DemoConfigYaml(fleet)));
  return WriteText(path("demo_truth.json"), DemoTruthJson(fleet, TruthOf(fleet)));
}

}  // namespace plimsoll
