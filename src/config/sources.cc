#include "config/sources.h"

#include <algorithm>
#include <map>

namespace plimsoll {
namespace {

const std::vector<std::string> kKinds{"prices",     "focus", "kubernetes", "slurm",
                                      "prometheus", "runs",  "requests"};
constexpr const char* kRunKeys[] = {"run",  "experiment",       "model",
                                    "gpus", "samples_per_step", "tokens_per_step"};
constexpr std::int64_t kRunCountMax = 1'000'000'000'000;

// Refuses `key` on a source of a kind that would not use it.
void Refuse(YamlMap& map, const SourceConfig& source, const std::string& key) {
  if (map.Has(key)) map.Fail(key, "is not used by kind " + source.kind + "; remove it");
}

void CheckUrl(YamlMap& map, const std::string& url) {
  const bool http = url.starts_with("http://") || url.starts_with("https://");
  if (!http || url.find("://") + 3 == url.size()) {
    map.Fail("url", "must start with http:// or https://; write it as in http://prometheus:9090");
  } else if (url.find('@') != std::string::npos) {
    map.Fail("url", "must not hold a password; name a file with it in token_file");
  } else if (url.find_first_of(" ?#") != std::string::npos) {
    map.Fail("url",
             "must be the server's address alone, without a query, as in "
             "http://prometheus:9090");
  }
}

void ReadPrometheus(YamlMap& map, SourceConfig& source) {
  map.Text("url", &source.url);
  map.Text("token_file", &source.token_file);
  map.Text("token_env", &source.token_env);
  map.Text("match", &source.match);
  map.Length("hold", &source.hold);
  if (source.url.empty() && source.files.empty() && !map.Has("url") && !map.Has("files")) {
    map.Fail("url", "is missing; write url: http://prometheus:9090, or files: [metrics.txt]");
  }
  if (!source.url.empty()) CheckUrl(map, source.url);
  if (!source.url.empty() && !source.files.empty()) {
    map.Fail("files", "cannot stand beside url; make two sources of them");
  }
  if (map.Has("token_file") && map.Has("token_env")) {
    map.Fail("token_env", "cannot stand beside token_file; keep one");
  }
  if (source.url.empty() && map.Has("match")) {
    map.Fail("match", "is only used with url; remove it");
  }
  if (source.hold < Seconds(1) || source.hold > Hours(1)) {
    map.Fail("hold", "must be from 1s to 1h; it is how long one sample speaks, such as 5m");
  }
}

// A source of kind kubernetes is files, or the live API.
void ReadKubernetes(YamlMap& map, SourceConfig& source) {
  static const std::vector<std::string> kYesNo{"true", "false"};
  std::string in_cluster = "false";
  map.Text("kubeconfig", &source.kubeconfig);
  map.Text("context", &source.context);
  map.TextOf("in_cluster", kYesNo, &in_cluster);
  source.in_cluster = in_cluster == "true";
  source.api = source.in_cluster || map.Has("kubeconfig") || map.Has("context");
  if (source.api && !source.files.empty()) {
    map.Fail("files", "cannot stand beside the live API; make two sources of them");
  }
  if (source.in_cluster && (map.Has("kubeconfig") || map.Has("context"))) {
    map.Fail("in_cluster", "cannot stand beside kubeconfig or context; keep one");
  }
  if (!source.api && !map.Has("files")) {
    map.Fail("files",
             "is missing; write files: [kubernetes/*], or kubeconfig: FILE or in_cluster: true "
             "to read the live API");
  }
}

void ReadRuns(YamlMap& map, RunSource& runs) {
  map.Text("run", &runs.run);
  map.Text("experiment", &runs.experiment);
  map.Text("model", &runs.model);
  map.Whole("gpus", 1, kRunCountMax, &runs.gpus);
  map.Whole("samples_per_step", 1, kRunCountMax, &runs.samples_per_step);
  map.Whole("tokens_per_step", 1, kRunCountMax, &runs.tokens_per_step);
}

void ReadByKind(YamlMap& map, SourceConfig& source) {
  if (source.kind == "prometheus") {
    ReadPrometheus(map, source);
  } else {
    for (const char* key : {"url", "token_file", "token_env", "match", "hold"}) {
      Refuse(map, source, key);
    }
    if (source.kind != "kubernetes") map.Require("files", "files: [" + source.kind + "/*]");
  }
  if (source.kind == "kubernetes") {
    ReadKubernetes(map, source);
  } else {
    for (const char* key : {"kubeconfig", "context", "in_cluster"}) Refuse(map, source, key);
  }
  if (source.kind == "focus") {
    map.FreeTexts("defaults", [&](const std::string& column, const std::string& value) {
      source.defaults[column] = value;
      return std::string();
    });
  } else {
    Refuse(map, source, "defaults");
  }
  if (source.kind == "runs") {
    ReadRuns(map, source.runs);
  } else {
    for (const char* key : kRunKeys) Refuse(map, source, key);
  }
  if (source.kind == "requests") {
    map.Text("service", &source.service);
    map.Texts("maps", &source.maps);
  } else {
    for (const char* key : {"service", "maps"}) Refuse(map, source, key);
  }
  if (source.kind == "focus" || source.kind == "prices" || source.kind == "requests") {
    Refuse(map, source, "cluster");
  } else {
    map.Text("cluster", &source.cluster);
  }
}

SourceConfig ReadSource(YamlMap& map,
                        const std::function<std::string(const std::string&)>& resolve) {
  SourceConfig source;
  map.Require("kind", "kind: focus");
  map.TextOf("kind", kKinds, &source.kind);
  source.name = source.kind;
  map.Text("name", &source.name);
  map.Texts("files", &source.files);
  if (source.kind.empty()) {
    // What else belongs here depends on the kind; only the spelling can be checked.
    for (const char* key : {"cluster", "url", "token_file", "token_env", "match", "hold",
                            "defaults", "kubeconfig", "context", "in_cluster", "service", "maps"}) {
      map.Has(key);
    }
    for (const char* key : kRunKeys) map.Has(key);
    return source;
  }
  ReadByKind(map, source);
  for (std::string& file : source.files) file = resolve(file);
  if (!source.token_file.empty()) source.token_file = resolve(source.token_file);
  if (!source.kubeconfig.empty()) source.kubeconfig = resolve(source.kubeconfig);
  return source;
}

}  // namespace

std::span<const std::string> SourceKinds() { return kKinds; }

std::vector<SourceConfig> ReadSources(
    YamlMap& top, const std::function<std::string(const std::string&)>& resolve) {
  std::vector<SourceConfig> sources;
  std::map<std::string, std::size_t> index_of;
  top.Maps("sources", [&](YamlMap& map) {
    SourceConfig source = ReadSource(map, resolve);
    const auto [first, added] = index_of.emplace(source.name, sources.size());
    if (!added && !source.kind.empty()) {
      map.Fail("name", "'" + source.name + "' is the name of sources[" +
                           std::to_string(first->second) +
                           "] too; give each its own, as in name: " + source.name + "-2");
    }
    sources.push_back(std::move(source));
  });
  return sources;
}

}  // namespace plimsoll
