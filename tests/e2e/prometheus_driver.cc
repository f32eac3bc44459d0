// Imports telemetry into a database and prints every fact as text: for the end-to-end tests.
//
// prometheus_driver DB BEGIN UNTIL url URL | DB BEGIN UNTIL file FILE...
// Facts go to stdout, the report to stderr. Exit code 4 if the server does not answer.
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "fact_text.h"
#include "ingest/prometheus/prometheus_import.h"
#include "model/fleet.h"
#include "model/holding.h"
#include "model/usage.h"
#include "store/duckdb/duckdb_store.h"

namespace plimsoll {
namespace {

Result<ImportReport> Import(Store& store, const std::vector<std::string>& args) {
  PLIMSOLL_TRY(const Instant begin, ParseInstant(args[1]));
  PLIMSOLL_TRY(const Instant until, ParseInstant(args[2]));
  if (args[3] == "url") {
    PrometheusOptions options;
    options.url = args[4];
    options.cluster = "e2e";
    options.window = {begin, until};
    options.attempts = 4;
    return ImportPrometheus(store, options);
  }
  ExpositionOptions options;
  options.files.assign(args.begin() + 4, args.end());
  options.cluster = "e2e";
  options.window = Window{begin, until};
  return ImportExposition(store, options);
}

int Run(const std::vector<std::string>& args) {
  auto store = OpenDuckDb({.path = args[0] == "memory" ? "" : args[0], .threads = 1});
  if (!store) {
    std::fprintf(stderr, "%s\n", store.error().message.c_str());
    return 70;
  }
  const auto report = Import(**store, args);
  if (!report) {
    std::fprintf(stderr, "error: %s\n", report.error().message.c_str());
    return report.error().code == ErrorCode::kUnavailable ? 4 : 3;
  }
  std::fprintf(stderr, "accepted %lld rejected %lld duplicates %lld loads %zu\n",
               static_cast<long long>(report->accepted), static_cast<long long>(report->rejected),
               static_cast<long long>(report->duplicates), report->loads.size());
  for (const std::string& warning : report->warnings) {
    std::fprintf(stderr, "warning: %s\n", warning.c_str());
  }
  PrintFacts<UsageBatch>(**store, "usage");
  PrintFacts<BindingBatch>(**store, "binding");
  PrintFacts<NodeBatch>(**store, "node");
  PrintFacts<HoldingBatch>(**store, "holding");
  PrintFacts<PendingBatch>(**store, "pending");
  return 0;
}

}  // namespace
}  // namespace plimsoll

int main(int argc, char** argv) {
  if (argc < 6) {
    std::fprintf(stderr, "usage: %s DB BEGIN UNTIL url URL | file FILE...\n", argv[0]);
    return 2;
  }
  return plimsoll::Run({argv + 1, argv + argc});
}
