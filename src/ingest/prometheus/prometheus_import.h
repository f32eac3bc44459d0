// Telemetry import: GPU usage, holders and Kubernetes state, from a server or from files.
//
// Both ways give the same facts for the same samples: usage (one snapshot a UTC day),
// bindings, and nodes, holdings and waits of kube-state-metrics. Loading again, in parts or
// in any order changes nothing. See docs/formats/prometheus.md and exposition.md.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "ingest/prometheus/companion.h"
#include "model/import.h"
#include "store/store.h"
#include "units/time.h"

namespace plimsoll {

struct PrometheusOptions {
  std::string url;      // "https://prometheus.example:9090"; never printed with credentials
  std::string cluster;  // the name the facts are kept under
  Window window;        // read [begin, until)
  Duration hold = Minutes(5);
  std::string match;               // label matchers for every query: cluster="a",job="dcgm"
  std::string token_file;          // a file whose first line is a bearer token, or ""
  std::string token_env;           // else an environment variable that holds one, or ""
  bool refresh = false;            // read days again that are already loaded whole
  std::optional<Instant> now;      // a day that ends later is not taken for complete
  int attempts = 6;                // of one request
  Companion* companion = nullptr;  // reads further metrics in the same import; or null
  Progress progress;
  std::function<void(Duration)> sleep;  // between attempts; null: the thread sleeps
};

// Reads raw samples through the HTTP API of Prometheus or its kin, day by day; each day is
// committed, so that a stopped import goes on where it was. Fails with kInvalidArgument (a
// wrong URL, window or token), kUnavailable (the server) or what the store says.
Result<ImportReport> ImportPrometheus(Store& store, const PrometheusOptions& options);

struct ExpositionOptions {
  std::vector<std::string> files;  // text 0.0.4, OpenMetrics, API answers (JSON); also .gz
  std::string cluster;
  std::optional<Window> window;  // null: all that the files have
  std::optional<Instant> at;     // the time of samples that carry none
  Duration hold = Minutes(5);
  Companion* companion = nullptr;  // as above
  Progress progress;
};

// Reads the files as one set of samples, all or nothing. Fails with kNotFound (a file),
// kInvalidArgument (no times and no `at`), kBadData (nothing in a file can be read).
Result<ImportReport> ImportExposition(Store& store, const ExpositionOptions& options);

}  // namespace plimsoll
