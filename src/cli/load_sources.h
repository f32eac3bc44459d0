// LoadSource: one source of plimsoll.yaml, one `ingest` call or one --from through its importer.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "catalog/catalog.h"
#include "config/config.h"
#include "ingest/kube_api/kube_api_import.h"
#include "ingest/requests/request_reader.h"
#include "model/import.h"
#include "store/store.h"

namespace plimsoll {

// Facts of a source that names no cluster are kept under this one; Slurm names its own.
inline constexpr const char* kDefaultCluster = "default";

struct LoadOptions {
  Instant now;
  const Catalog* catalog = nullptr;  // names GPU models and shapes; may be null
  std::optional<Window> window;      // prometheus; null: since what was last loaded
  // When the files were made: of samples, jobs and objects that do not say it. runs: when a run
  // began that does not say it.
  std::optional<Instant> at;
  bool partial = false;          // focus: keep the bill's other days
  bool strict = false;           // focus: a refused row fails the load
  bool refresh = false;          // prometheus: read days again that are loaded whole
  std::string time_zone;         // slurm: of times without an offset; "" is UTC
  std::string provider;          // prices: of rows that name none
  std::string currency = "USD";  // prices: of rows that name none
  std::string as_of;             // prices: the date on which they were read, or ""
  // prometheus: catalog files of the user's own, which may name metrics of engines.
  std::vector<CatalogFile> own_catalog;
  std::string dynamo_prefix;  // prometheus: of Dynamo's metrics, if not its own
  Progress progress;
};

// What the API of a kubernetes source has, without a store: `ingest` must not hold the database
// for as long as it watches.
Result<KubeGathering> GatherSource(const SourceConfig& source, const LoadOptions& options);

// Runs the importer of `source.kind` over its expanded files or its server. Fails as the
// importer does; then nothing was changed.
Result<ImportReport> LoadSource(Store& store, const SourceConfig& source,
                                const LoadOptions& options);

// Parquet as the store's engine reads it, for request logs.
ParquetAccess ParquetOfStore();

// Reads "KIND=FILE" or "KIND:CLUSTER=FILE"; a prometheus FILE may be a URL. Fails with
// kInvalidArgument, naming the kinds.
Result<SourceConfig> ParseFrom(const std::string& text);

}  // namespace plimsoll
