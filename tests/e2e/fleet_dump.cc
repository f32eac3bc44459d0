// Prints every fact of the fleet and of its runs in a database as text: for the end-to-end tests.
//
// fleet_dump DB
#include <cstdio>
#include <cstdlib>
#include <string>
#include <tuple>

#include "model/conditions.h"
#include "model/fleet.h"
#include "model/holding.h"
#include "model/run.h"
#include "store/duckdb/duckdb_store.h"

namespace plimsoll {
namespace {

std::string Text(std::int64_t value) { return std::to_string(value); }
std::string Text(const std::string& value) { return value; }
std::string Text(Instant value) { return ToString(value); }
template <class T>
std::string Text(const std::optional<T>& value) {
  return value ? Text(*value) : "null";
}

template <class Batch>
void Print(Store& store, const std::string& table) {
  std::string columns;
  for (const ColumnRef& column : RefTo(Batch{})) {
    columns += (columns.empty() ? "\"" : ", \"") + std::string(column.name) + "\"";
  }
  const auto rows =
      Query<Batch>(store, "SELECT " + columns + " FROM active_" + table + " ORDER BY ALL");
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

}  // namespace
}  // namespace plimsoll

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  auto store = plimsoll::OpenDuckDb({.path = argv[1], .threads = 1});
  if (!store) {
    std::fprintf(stderr, "%s\n", store.error().message.c_str());
    return 70;
  }
  plimsoll::Print<plimsoll::NodeBatch>(**store, "node");
  plimsoll::Print<plimsoll::HoldingBatch>(**store, "holding");
  plimsoll::Print<plimsoll::PendingBatch>(**store, "pending");
  plimsoll::Print<plimsoll::NodeStateBatch>(**store, "node_state");
  plimsoll::Print<plimsoll::SetAsideBatch>(**store, "set_aside");
  plimsoll::Print<plimsoll::VolumeBatch>(**store, "volume");
  plimsoll::Print<plimsoll::RunBatch>(**store, "run");
  plimsoll::Print<plimsoll::RunEventBatch>(**store, "run_event");
  return 0;
}
