// Imports telemetry into a database and prints every fact as text: for the end-to-end tests.
//
// prometheus_driver DB BEGIN UNTIL url URL | DB BEGIN UNTIL file FILE...
// Facts go to stdout, the report to stderr. Exit code 4 if the server does not answer.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "ingest/prometheus/prometheus_import.h"
#include "model/fleet.h"
#include "model/holding.h"
#include "model/usage.h"
#include "store/duckdb/duckdb_store.h"

namespace plimsoll {
namespace {

std::string Text(std::int64_t value) { return std::to_string(value); }
std::string Text(const std::string& value) { return value; }
std::string Text(Instant value) { return ToString(value); }
std::string Text(const Twelfths& values) {
  std::string all;
  for (const std::int64_t value : values) all += " " + std::to_string(value);
  return all;
}
template <class T>
std::string Text(const std::optional<T>& value) {
  return value ? Text(*value) : "null";
}

template <class Batch>
void Print(Store& store, const std::string& table) {
  std::string columns;
  std::string order;
  int number = 0;
  for (const ColumnRef& column : RefTo(Batch{})) {
    columns += (columns.empty() ? "\"" : ", \"") + std::string(column.name) + "\"";
    if (++number > 1) order += (order.empty() ? "" : ", ") + std::to_string(number);
  }
  const auto rows =
      Query<Batch>(store, "SELECT " + columns + " FROM active_" + table + " ORDER BY " + order);
  if (!rows) {
    std::fprintf(stderr, "%s\n", rows.error().message.c_str());
    std::exit(70);
  }
  for (std::size_t row = 0; row < RowsOf(*rows); ++row) {
    std::string line = table;
    std::apply(
        [&](auto, auto... column) {  // all but snapshot_id
          ((line += "|" + Text(((*rows).*(column.values))[row])), ...);
        },
        Batch::kColumns);
    std::puts(line.c_str());
  }
}

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
  Print<UsageBatch>(**store, "usage");
  Print<BindingBatch>(**store, "binding");
  Print<NodeBatch>(**store, "node");
  Print<HoldingBatch>(**store, "holding");
  Print<PendingBatch>(**store, "pending");
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
