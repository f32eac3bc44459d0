// Prices a file of requests by five keys and lets DuckDB group the same file, in one run.
//
//   request_bench [--rows N] [--dir FOLDER] [--keep] [--no-ids]
//
// Writes FOLDER/request_bench.parquet and .csv (N rows, 12 columns, from a fixed hash), reads
// each by FoldRequests, as `unit inference` does, by model, version, tenant, priority and outcome
// under an SLO, and lets DuckDB answer the same five keys by SELECT ... GROUP BY. Plimsoll counts
// each id once besides, and tells how long any request was in flight; --no-ids leaves the ids
// out. Each side runs in a process of its own on warm pages; prints times, peaks of memory and
// ratios. Bounds: ratio <= 3, peak of ours <= 1024 MB.
#include <duckdb.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>

#include "cli/fold_requests.h"
#include "cli/load_sources.h"
#include "economics/inference_cost.h"

namespace {

namespace fs = std::filesystem;

struct Options {
  std::int64_t rows = 10'000'000;
  std::string dir = ".";
  bool keep = false;
  bool ids = true;
};

struct Measured {
  double seconds = 0;
  double cpu_seconds = 0;
  long peak_mb = 0;
};

// Runs `work` in a process of its own, so that its peak of memory is its own too.
Measured Run(const std::function<bool()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  const pid_t child = fork();
  if (child == 0) _exit(work() ? 0 : 1);
  int status = 0;
  rusage usage{};
  wait4(child, &status, 0, &usage);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) std::exit(1);
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
  };
  return {time.count(), seconds(usage.ru_utime) + seconds(usage.ru_stime), usage.ru_maxrss / 1024};
}

// Runs the statement; prints the only value of its only row, if asked.
bool Query(const std::string& sql, bool print) {
  duckdb_database database = nullptr;
  duckdb_connection connection = nullptr;
  if (duckdb_open(nullptr, &database) == DuckDBError) return false;
  if (duckdb_connect(database, &connection) == DuckDBError) return false;
  duckdb_result result;
  const bool done = duckdb_query(connection, sql.c_str(), &result) == DuckDBSuccess;
  if (!done) std::fprintf(stderr, "%s\n", duckdb_result_error(&result));
  if (done && print) {
    char* text = duckdb_value_varchar(&result, 0, 0);
    std::printf("  DuckDB:   %s\n", text);
    duckdb_free(text);
  }
  duckdb_destroy_result(&result);
  duckdb_disconnect(&connection);
  duckdb_close(&database);
  std::fflush(stdout);
  return done;
}

std::string RowsSql(const Options& options) {
  const std::string id = options.ids ? "'req-' || lpad(i::VARCHAR, 12, '0') AS request, " : "";
  return "SELECT " + id +
         "make_timestamp(1764547200000000 + i * 8640) AS arrival, "
         "'model-' || (h % 12) AS model, 'v' || ((h >> 4) % 3) AS version, "
         "'tenant-' || ((h >> 8) % 60) AS tenant, "
         "CASE (h >> 16) % 3 WHEN 0 THEN 'batch' WHEN 1 THEN 'online' ELSE 'interactive' END AS "
         "priority, "
         "CASE WHEN (h >> 20) % 50 = 0 THEN 'error' WHEN (h >> 20) % 97 = 0 THEN 'timeout' ELSE "
         "'ok' END AS status, "
         "((h >> 12) % 3000 + 40)::BIGINT AS ttft_ms, ((h >> 12) % 3000 + 40 + (h >> 24) % "
         "20000)::BIGINT AS e2e_ms, "
         "((h >> 28) % 8000)::BIGINT AS input_tokens, ((h >> 28) % 400)::BIGINT AS cached_tokens, "
         "((h >> 36) % 900)::BIGINT AS output_tokens FROM (SELECT i, (hash(i) >> 1)::BIGINT AS h "
         "FROM range(" +
         std::to_string(options.rows) + ") t(i))";
}

bool RunPlimsoll(const std::string& path) {
  plimsoll::RequestReaderOptions reader;
  reader.files = {path};
  reader.parquet = plimsoll::ParquetOfStore();
  plimsoll::InferenceFoldOptions options;
  options.fallback.slo = *plimsoll::ParseSlo("ttft=2s,tpot=40ms,e2e=20s");
  options.fallback.gpus = 64;
  options.fallback.gpu_price = plimsoll::Money::Units(2);
  options.by = *plimsoll::ParseRequestKeys("model,version,tenant,priority,outcome");
  plimsoll::FoldedRequests folded;
  const auto reading = plimsoll::FoldRequests(reader, options, folded);
  if (!reading) {
    std::fprintf(stderr, "%s\n", reading.error().message.c_str());
    return false;
  }
  const plimsoll::FoldedService& service = folded.services[0];
  const auto paid = plimsoll::PaidByPrice(service.declared, service.until_ns - service.begin_ns);
  const auto figures = plimsoll::PriceRequests(folded, {*paid});
  if (!figures) return false;
  const plimsoll::RequestFigures& sums = figures->front().sums;
  std::printf("  Plimsoll: %lld requests, %lld output tokens, %lld good, %zu groups, %s\n",
              static_cast<long long>(sums.all.requests), static_cast<long long>(sums.all.output),
              static_cast<long long>(sums.good.requests), figures->front().groups.size(),
              sums.cost->ToString().c_str());
  std::fflush(stdout);
  return true;
}

// Without `outcome`: by the status as it stands, which asks for less than Plimsoll answers.
bool RunDuckDb(const std::string& from, bool outcome) {
  const std::string fifth =
      outcome ? "CASE WHEN status <> 'ok' THEN status WHEN ttft_ms <= 2000 AND e2e_ms <= 20000 "
                "AND (output_tokens <= 1 OR e2e_ms - ttft_ms <= 40 * (output_tokens - 1)) "
                "THEN 'good' ELSE 'missed' END AS outcome"
              : "status AS outcome";
  return Query(
      "SELECT sum(n) || ' requests, ' || sum(o) || ' output tokens, ' || count(*) || ' groups, ' "
      "|| sum(i) || ' input, ' || sum(c) || ' cached, ' || min(a) || ' to ' || max(a) || ', ' || "
      "max(e) || ' and ' || max(t) || ' ms' FROM "
      "(SELECT model, version, tenant, priority, " +
          fifth +
          ", count(*) AS n, sum(input_tokens) AS i, "
          "sum(cached_tokens) AS c, sum(output_tokens) AS o, min(arrival) AS a, max(e2e_ms) AS e, "
          "max(ttft_ms) AS t FROM " +
          from + " GROUP BY ALL)",
      true);
}

bool Compare(const char* name, const std::string& path, const std::string& from) {
  std::printf("%s, %.0f MB\n", name, static_cast<double>(fs::file_size(path)) / 1e6);
  std::fflush(stdout);
  Run([&] { return RunDuckDb(from, false); });  // warms the file's pages
  const Measured plain = Run([&] { return RunDuckDb(from, false); });
  const Measured duck = Run([&] { return RunDuckDb(from, true); });
  const Measured ours = Run([&] { return RunPlimsoll(path); });
  const double ratio = ours.seconds / duck.seconds;
  std::printf(
      "  DuckDB %.2f s (%.2f s of CPU, %ld MB), Plimsoll %.2f s (%.2f s of CPU, %ld MB): ratio "
      "%.2f (bound 3), memory %ld MB (bound 1024)\n"
      "  DuckDB by status instead of outcome: %.2f s, ratio %.2f\n",
      duck.seconds, duck.cpu_seconds, duck.peak_mb, ours.seconds, ours.cpu_seconds, ours.peak_mb,
      ratio, ours.peak_mb, plain.seconds, ours.seconds / plain.seconds);
  std::fflush(stdout);
  return ratio <= 3 && ours.peak_mb <= 1'024;
}

Options ReadOptions(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    if (name == "--keep") {
      options.keep = true;
    } else if (name == "--no-ids") {
      options.ids = false;
    } else if (name == "--rows" && i + 1 < argc) {
      options.rows = std::atoll(argv[++i]);
    } else if (name == "--dir" && i + 1 < argc) {
      options.dir = argv[++i];
    } else {
      std::fprintf(stderr, "usage: request_bench [--rows N] [--dir FOLDER] [--keep] [--no-ids]\n");
      std::exit(2);
    }
  }
  return options;
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = ReadOptions(argc, argv);
  const std::string parquet = (fs::path(options.dir) / "request_bench.parquet").string();
  const std::string csv = (fs::path(options.dir) / "request_bench.csv").string();
  const std::string rows = RowsSql(options);
  Run([&] {
    return Query("COPY (" + rows + ") TO '" + parquet + "' (FORMAT parquet)", false) &&
           Query("COPY (" + rows + ") TO '" + csv + "' (FORMAT csv, HEADER)", false);
  });
  const bool parquet_good = Compare("Parquet", parquet, "read_parquet('" + parquet + "')");
  const bool csv_good = Compare("CSV", csv, "read_csv('" + csv + "')");
  if (!options.keep) {
    fs::remove(parquet);
    fs::remove(csv);
  }
  return parquet_good && csv_good ? 0 : 1;
}
