#include "cli/load_sources.h"

#include <algorithm>

#include "base/clock.h"
#include "cli/files.h"
#include "config/sources.h"
#include "config/suggest.h"
#include "ingest/focus/focus_import.h"
#include "ingest/kubernetes/kubernetes_import.h"
#include "ingest/prices/prices_import.h"
#include "ingest/prometheus/prometheus_import.h"
#include "ingest/requests/request_import.h"
#include "ingest/runs/run_load.h"
#include "ingest/serving/serving_reader.h"
#include "ingest/slurm/slurm_import.h"
#include "store/duckdb/parquet.h"
#include "store/duckdb/parquet_scan.h"

namespace plimsoll {
namespace {

// How far the first pull from a server goes back: Prometheus's own default retention.
constexpr Duration kFirstPull = Days(15);

struct LastBatch {
  std::vector<std::optional<Instant>> data_until;
  static constexpr std::tuple kColumns{MakeColumn("data_until", &LastBatch::data_until)};
};

// From where the last pull ended until the last full hour.
Result<Window> WindowSinceLast(Store& store, const std::string& cluster, Instant now) {
  const Instant until = FloorTo(now, Hours(1));
  PLIMSOLL_TRY(const LastBatch last,
               Query<LastBatch>(store,
                                "SELECT max(data_until) FROM snapshot WHERE active = 1 AND "
                                "kind = 'usage' AND scope = ?",
                                {cluster}));
  Instant begin = FloorTo(until - kFirstPull, Days(1));
  if (!last.data_until.empty() && last.data_until.front()) {
    begin = FloorTo(*last.data_until.front(), Hours(1));
  }
  return Window{std::min(begin, until - Hours(1)), until};
}

// What reads the metrics of inference engines beside GPU telemetry.
Result<ServingReader> ServingReaderOf(const LoadOptions& options) {
  std::vector<CatalogFile> files = BuiltinCatalogFiles();
  files.insert(files.end(), options.own_catalog.begin(), options.own_catalog.end());
  PLIMSOLL_TRY(AliasTable table, AliasTable::Load(files));
  table.AddPrefix("dynamo", options.dynamo_prefix);
  return ServingReader(std::move(table));
}

Result<ImportReport> LoadServer(Store& store, const SourceConfig& source,
                                const LoadOptions& options) {
  PLIMSOLL_TRY(ServingReader serving, ServingReaderOf(options));
  PrometheusOptions prometheus;
  prometheus.companion = &serving;
  prometheus.url = source.url;
  prometheus.cluster = source.cluster.empty() ? kDefaultCluster : source.cluster;
  prometheus.hold = source.hold;
  prometheus.match = source.match;
  prometheus.token_file = source.token_file;
  prometheus.token_env = source.token_env;
  prometheus.refresh = options.refresh;
  prometheus.now = options.now;
  prometheus.progress = options.progress;
  if (options.window) {
    prometheus.window = *options.window;
  } else {
    PLIMSOLL_TRY(prometheus.window, WindowSinceLast(store, prometheus.cluster, options.now));
  }
  return ImportPrometheus(store, prometheus);
}

Result<ImportReport> LoadExposition(Store& store, const SourceConfig& source,
                                    const LoadOptions& options) {
  PLIMSOLL_TRY(ServingReader serving, ServingReaderOf(options));
  ExpositionOptions exposition;
  exposition.companion = &serving;
  PLIMSOLL_TRY(exposition.files, ExpandFiles(source.files));
  exposition.cluster = source.cluster.empty() ? kDefaultCluster : source.cluster;
  exposition.window = options.window;
  exposition.at = options.at;
  exposition.hold = source.hold;
  exposition.progress = options.progress;
  return ImportExposition(store, exposition);
}

Result<ImportReport> LoadFocus(Store& store, const SourceConfig& source,
                               const LoadOptions& options) {
  FocusOptions focus;
  PLIMSOLL_TRY(focus.files, ExpandFiles(source.files));
  focus.partial = options.partial;
  focus.defaults = source.defaults;
  focus.strict = options.strict;
  focus.progress = options.progress;
  focus.parquet_to_csv = ParquetToCsv;
  return ImportFocus(store, focus);
}

Result<ImportReport> LoadKubernetes(Store& store, const SourceConfig& source,
                                    const LoadOptions& options) {
  if (source.api) {
    PLIMSOLL_TRY(KubeGathering gathering, GatherSource(source, options));
    return gathering.StoreIn(store);
  }
  KubernetesOptions kubernetes;
  PLIMSOLL_TRY(kubernetes.files, ExpandFiles(source.files));
  kubernetes.cluster = source.cluster.empty() ? kDefaultCluster : source.cluster;
  kubernetes.as_of = options.at;
  kubernetes.catalog = options.catalog;
  kubernetes.progress = options.progress;
  return ImportKubernetes(store, kubernetes);
}

Result<ImportReport> LoadSlurm(Store& store, const SourceConfig& source,
                               const LoadOptions& options) {
  SlurmOptions slurm;
  PLIMSOLL_TRY(slurm.files, ExpandFiles(source.files));
  slurm.cluster = source.cluster;
  slurm.time_zone = options.time_zone;
  slurm.as_of = options.at;
  slurm.catalog = options.catalog;
  slurm.progress = options.progress;
  return ImportSlurm(store, slurm);
}

Result<ImportReport> LoadPrices(Store& store, const SourceConfig& source,
                                const LoadOptions& options) {
  PricesOptions prices;
  PLIMSOLL_TRY(prices.files, ExpandFiles(source.files));
  prices.provider = options.provider;
  prices.currency = options.currency;
  prices.as_of = options.as_of;
  prices.progress = options.progress;
  return ImportPrices(store, prices);
}

Result<ImportReport> LoadRuns(Store& store, const SourceConfig& source,
                              const LoadOptions& options) {
  RunFileOptions runs;
  runs.run = source.runs.run;
  runs.experiment = source.runs.experiment;
  runs.model = source.runs.model;
  runs.gpus = source.runs.gpus;
  runs.samples_per_step = source.runs.samples_per_step;
  runs.tokens_per_step = source.runs.tokens_per_step;
  PLIMSOLL_TRY(runs.paths, ExpandFiles(source.files));
  runs.cluster = source.cluster;
  runs.began = options.at;
  runs.progress = options.progress;
  return ImportRuns(store, runs);
}

Result<ImportReport> LoadRequests(Store& store, const SourceConfig& source,
                                  const LoadOptions& options) {
  RequestReaderOptions requests;
  PLIMSOLL_TRY(requests.files, ExpandFiles(source.files));
  for (const std::string& text : source.maps) {
    PLIMSOLL_TRY(const RequestFieldSpec spec, ParseRequestMap(text));
    requests.maps.push_back(spec);
  }
  requests.service = source.service;
  requests.parquet = ParquetOfStore();
  requests.progress = options.progress;
  return ImportRequests(store, requests);
}

}  // namespace

ParquetAccess ParquetOfStore() {
  ParquetAccess access;
  access.describe = [](const std::string& path) -> Result<std::vector<ParquetColumn>> {
    PLIMSOLL_TRY(const auto described, DescribeParquet(path));
    std::vector<ParquetColumn> columns;
    for (const auto& [name, type] : described) columns.push_back({name, type});
    return columns;
  };
  access.scan = ScanParquet;
  return access;
}

Result<KubeGathering> GatherSource(const SourceConfig& source, const LoadOptions& options) {
  KubeApiOptions api;
  api.kubeconfig = source.kubeconfig;
  api.context = source.context;
  api.in_cluster = source.in_cluster;
  api.cluster = source.cluster.empty() ? kDefaultCluster : source.cluster;
  api.watch = source.watch;
  api.at = options.at;
  api.now = [] { return AtMillis(NowMillis()); };
  api.catalog = options.catalog;
  api.progress = options.progress;
  return GatherKubeApi(api);
}

Result<ImportReport> LoadSource(Store& store, const SourceConfig& source,
                                const LoadOptions& options) {
  if (source.kind == "focus") return LoadFocus(store, source, options);
  if (source.kind == "kubernetes") return LoadKubernetes(store, source, options);
  if (source.kind == "slurm") return LoadSlurm(store, source, options);
  if (source.kind == "prices") return LoadPrices(store, source, options);
  if (source.kind == "runs") return LoadRuns(store, source, options);
  if (source.kind == "requests") return LoadRequests(store, source, options);
  if (source.kind == "prometheus") {
    return source.url.empty() ? LoadExposition(store, source, options)
                              : LoadServer(store, source, options);
  }
  return Error{ErrorCode::kInvalidArgument, "'" + source.kind + "' is not a kind of source"};
}

Result<SourceConfig> ParseFrom(const std::string& text) {
  const std::span<const std::string> kinds = SourceKinds();
  const std::size_t equals = text.find('=');
  const std::string head = text.substr(0, equals);
  const std::size_t colon = head.find(':');
  SourceConfig source;
  source.kind = head.substr(0, colon);
  source.name = source.kind;
  if (colon != std::string::npos) source.cluster = head.substr(colon + 1);
  const bool empty = equals == std::string::npos || equals + 1 == text.size();
  if (empty || std::find(kinds.begin(), kinds.end(), source.kind) == kinds.end()) {
    std::string names;
    for (const std::string& kind : kinds) names += (names.empty() ? "" : ", ") + kind;
    return Error{ErrorCode::kInvalidArgument, "--from '" + text +
                                                  "': write KIND=FILE or KIND:CLUSTER=FILE, as in "
                                                  "slurm=jobs.psv; kinds are " +
                                                  names +
                                                  (empty ? "" : DidYouMean(source.kind, kinds))};
  }
  const std::string file = text.substr(equals + 1);
  if (source.kind == "prometheus" &&
      (file.starts_with("http://") || file.starts_with("https://"))) {
    source.url = file;
  } else {
    source.files = {file};
  }
  return source;
}

}  // namespace plimsoll
