// Prints every serving fact in a database as text: for the end-to-end tests.
//
// serving_dump DB: target|engine|model|quantity|part|le_ns|hour|covered ms|amount|marks
#include <cinttypes>
#include <cstdio>
#include <numeric>
#include <string>

#include "model/serving.h"
#include "store/duckdb/duckdb_store.h"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const auto store = plimsoll::OpenDuckDb({.path = argv[1], .threads = 1});
  if (!store) {
    std::fprintf(stderr, "%s\n", store.error().message.c_str());
    return 70;
  }
  const auto rows =
      plimsoll::Query<plimsoll::ServingBatch>(**store, "SELECT * FROM active_serving ORDER BY ALL");
  if (!rows) {
    std::fprintf(stderr, "%s\n", rows.error().message.c_str());
    return 70;
  }
  const auto sum = [](const plimsoll::Twelfths& twelfths) {
    return std::accumulate(twelfths.begin(), twelfths.end(), std::int64_t{0});
  };
  for (std::size_t i = 0; i < plimsoll::RowsOf(*rows); ++i) {
    const auto& le = rows->le_ns[i];
    const bool is_infinite = le && *le == plimsoll::kLeInfinite;
    std::string edge = is_infinite ? "inf" : "";
    if (le && !is_infinite) edge = std::to_string(*le);
    std::printf("%s/%s|%s|%s|%s|%s|%s|%s|%" PRId64 "|%" PRId64 "|%s\n", rows->ns[i].text().c_str(),
                rows->target[i].text().c_str(), rows->engine[i].text().c_str(),
                rows->model[i].text().c_str(), rows->quantity[i].text().c_str(),
                rows->part[i].text().c_str(), edge.c_str(),
                plimsoll::ToString(rows->hour[i]).c_str(), sum(rows->covered[i]),
                sum(rows->amount[i]), rows->quality[i].text().c_str());
  }
  return 0;
}
