#include "cli/discover.h"

#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "config/sources.h"
#include "config/zone.h"

namespace plimsoll {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kHeadBytes = 16 * 1024;
constexpr std::size_t kFilesMax = 1'000;  // of one folder; more is no folder of exports

// The first bytes of a file, unpacked if it is gzip.
std::string HeadOf(const fs::path& path) {
  gzFile file = gzopen(path.c_str(), "rb");
  if (file == nullptr) return "";
  std::string head(kHeadBytes, '\0');
  const int bytes = gzread(file, head.data(), static_cast<unsigned>(head.size()));
  gzclose(file);
  head.resize(bytes > 0 ? static_cast<std::size_t>(bytes) : 0);
  return head;
}

// ".csv.gz" of "bill.csv.gz".
std::string ExtensionOf(const fs::path& path) {
  std::string extension = path.extension().string();
  if (extension == ".gz") extension = path.stem().extension().string() + extension;
  return extension;
}

// Files by kind, as patterns where a pattern names nothing else.
std::map<std::string, std::vector<std::string>> FilesByKind(const fs::path& folder,
                                                            const std::string& prefix) {
  std::map<std::string, std::map<std::string, std::vector<std::string>>> by_extension;
  std::error_code failed;
  std::size_t count = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, failed)) {
    if (++count > kFilesMax) break;
    const std::string name = entry.path().filename().string();
    const std::string extension = ExtensionOf(entry.path());
    if (!entry.is_regular_file(failed) || extension.empty() || name.starts_with('.')) continue;
    const std::optional<std::string> kind = KindOfFile(HeadOf(entry.path()));
    by_extension[extension][kind.value_or("")].push_back(name);
  }
  std::map<std::string, std::vector<std::string>> files;
  for (auto& [extension, kinds] : by_extension) {
    for (auto& [kind, names] : kinds) {
      if (kind.empty()) continue;
      std::sort(names.begin(), names.end());
      if (kinds.size() == 1 && names.size() > 1) names = {"*" + extension};
      for (const std::string& name : names) files[kind].push_back(prefix + name);
    }
  }
  return files;
}

void AddFiles(const fs::path& folder, const std::string& prefix, Discovered& discovered) {
  const auto by_kind = FilesByKind(folder, prefix);
  for (const std::string& kind : SourceKinds()) {
    const auto found = by_kind.find(kind);
    if (found == by_kind.end()) continue;
    SourceConfig source;
    source.kind = kind;
    source.name = prefix.empty() ? kind : kind + "-" + prefix.substr(0, prefix.size() - 1);
    source.files = found->second;
    std::string names;
    for (const std::string& name : source.files) names += (names.empty() ? "" : ", ") + name;
    discovered.found.push_back(kind + ": " + names);
    discovered.sources.push_back(std::move(source));
  }
}

bool IsOnPath(const Io& io, const std::string& program) {
  const std::string path = io.env("PATH").value_or("");
  std::size_t begin = 0;
  while (begin <= path.size()) {
    const std::size_t end = std::min(path.find(':', begin), path.size());
    const std::string folder = path.substr(begin, end - begin);
    if (!folder.empty() && access((folder + "/" + program).c_str(), X_OK) == 0) return true;
    begin = end + 1;
  }
  return false;
}

void AddPrometheus(const DiscoverOptions& options, Discovered& discovered) {
  const std::string named = options.io->env("PROMETHEUS_URL").value_or("");
  for (const std::string& url : {named, std::string("http://localhost:9090")}) {
    if (url.empty() || !options.answers || !options.answers(url)) continue;
    SourceConfig source;
    source.kind = source.name = "prometheus";
    source.url = url;
    for (const SourceConfig& other : discovered.sources) {
      if (other.name == source.name) source.name = "prometheus-server";
    }
    discovered.found.push_back("prometheus: a server answers at " + url);
    discovered.sources.push_back(std::move(source));
    return;
  }
  if (!named.empty()) {
    discovered.to_do.push_back(
        "PROMETHEUS_URL is set, but nothing answers there; check it and "
        "add it to sources");
  }
}

void AddToDo(const Io& io, Discovered& discovered) {
  const auto has = [&](const std::string& kind) {
    return std::any_of(discovered.sources.begin(), discovered.sources.end(),
                       [&](const SourceConfig& source) { return source.kind == kind; });
  };
  std::string kubeconfig = io.env("KUBECONFIG").value_or("");
  kubeconfig = kubeconfig.substr(0, kubeconfig.find(':'));
  if (kubeconfig.empty()) kubeconfig = io.env("HOME").value_or("") + "/.kube/config";
  if (!has("kubernetes") && access(kubeconfig.c_str(), R_OK) == 0) {
    discovered.to_do.push_back("kubeconfig " + kubeconfig +
                               ": run `kubectl get nodes,pods -A -o "
                               "json > kube.json` (from cron, before sync), and add it to "
                               "sources with kind kubernetes");
  }
  if (!has("slurm") && IsOnPath(io, "sacct")) {
    discovered.to_do.push_back(
        "Slurm's sacct: run `TZ=UTC sacct --allusers --duplicates --json --starttime=now-7days > "
        "jobs.json` and `scontrol show node > nodes.txt` (from cron, before sync), and add them "
        "to sources with kind slurm");
  }
}

// "Europe/Berlin" of TZ or of the link /etc/localtime; "" if neither says.
std::string MachineTimeZone(const Io& io) {
  std::string name = io.env("TZ").value_or("");
  if (name.starts_with(':')) name.erase(0, 1);
  if (name.empty()) {
    std::error_code failed;
    const std::string link = fs::read_symlink("/etc/localtime", failed).string();
    const std::size_t folder = link.find("zoneinfo/");
    if (folder != std::string::npos) name = link.substr(folder + std::string("zoneinfo/").size());
  }
  if (name == "Etc/UTC") name = "UTC";
  return !name.empty() && Zone::Find(name) ? name : "";
}

}  // namespace

std::optional<std::string> KindOfFile(std::string_view head) {
  if (head.starts_with("\xEF\xBB\xBF")) head.remove_prefix(3);
  const std::string_view line = head.substr(0, head.find('\n'));
  const auto has = [](std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
  };
  if (has(line, "BilledCost") && has(line, "ChargePeriodStart")) return "focus";
  if (has(line, "JobID") && has(line, "|")) return "slurm";
  if (line.starts_with("NodeName=") || line.starts_with("ReservationName=")) return "slurm";
  const bool json = line.starts_with('{') || line.starts_with('[');
  if (json && has(head, "\"apiVersion\"") &&
      (has(head, "List\"") || has(head, "\"Pod\"") || has(head, "\"Node\""))) {
    return "kubernetes";
  }
  if (json && (has(head, "\"allocation_nodes\"") || has(head, "\"Slurm\""))) return "slurm";
  if (json) return std::nullopt;
  for (const char* metric :
       {"DCGM_FI_", "kube_pod_", "vllm:", "sglang:", "tgi_request_", "nv_inference_", "trtllm_",
        "dynamo_frontend_", "inference_objective_"}) {
    if (has(head, metric)) return "prometheus";
  }
  return std::nullopt;
}

Discovered Discover(const DiscoverOptions& options) {
  Discovered discovered;
  discovered.time_zone = MachineTimeZone(*options.io);
  AddFiles(options.folder, "", discovered);
  AddFiles(fs::path(options.folder) / "bills", "bills/", discovered);
  AddPrometheus(options, discovered);
  AddToDo(*options.io, discovered);
  return discovered;
}

}  // namespace plimsoll
