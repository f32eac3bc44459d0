// Imports a large FOCUS bill and lets DuckDB read the same file by itself, in one run.
//
//   focus_import_bench [--size-mb N] [--decimals N] [--dir FOLDER] [--keep]
//
// Writes FOLDER/focus_bench.csv (N megabytes, 41 columns, from a fixed random stream), times
// ImportFocus into a fresh database file and DuckDB's own
// CREATE TABLE t AS SELECT * FROM read_csv(file) into another, each side in a process of its
// own, and prints both times, both peaks of memory and the ratio. With --decimals above 9 the
// costs need rounding, so that the bill is read twice. Bound: ratio <= 2.
#include <duckdb.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <random>
#include <string>

#include "ingest/focus/focus_import.h"
#include "store/duckdb/duckdb_store.h"

namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kMegabyte = 1'000'000;

struct Options {
  std::int64_t size_mb = 1'000;
  int decimals = 9;
  std::string dir = ".";
  bool keep = false;
};

constexpr const char* kHeader =
    "AvailabilityZone,BilledCost,BillingAccountId,BillingAccountName,BillingCurrency,"
    "BillingPeriodEnd,BillingPeriodStart,ChargeCategory,ChargeClass,ChargeDescription,"
    "ChargeFrequency,ChargePeriodEnd,ChargePeriodStart,CommitmentDiscountId,"
    "CommitmentDiscountStatus,ConsumedQuantity,ConsumedUnit,ContractedCost,ContractedUnitPrice,"
    "EffectiveCost,InvoiceId,InvoiceIssuerName,ListCost,ListUnitPrice,PricingCategory,"
    "PricingQuantity,PricingUnit,ProviderName,PublisherName,RegionId,RegionName,ResourceId,"
    "ResourceName,ResourceType,ServiceCategory,ServiceName,SkuId,SkuPriceDetails,SkuPriceId,"
    "SubAccountId,SubAccountName,Tags\n";

struct Shape {
  const char *type, *service, *category, *unit;
  int gpus, price_cents;
};
constexpr Shape kShapes[] = {
    {"p5.48xlarge", "Amazon Elastic Compute Cloud", "Compute", "Hours", 8, 5504},
    {"p4d.24xlarge", "Amazon Elastic Compute Cloud", "Compute", "Hours", 8, 2196},
    {"g5.2xlarge", "Amazon Elastic Compute Cloud", "Compute", "Hours", 1, 121},
    {"m6i.large", "Amazon Elastic Compute Cloud", "Compute", "Hours", 0, 10},
    {"", "Amazon Simple Storage Service", "Storage", "GB", 0, 2},
    {"", "Amazon Virtual Private Cloud", "Networking", "GB", 0, 9},
};

class BillWriter {
 public:
  explicit BillWriter(const Options& options) : options_(options) {}

  void Write(const std::string& path) {
    std::FILE* file = std::fopen(path.c_str(), "wb");
    if (file == nullptr) std::exit(1);
    std::string block = kHeader;
    std::int64_t written = 0;
    while (written < options_.size_mb * kMegabyte) {
      AddRow(block);
      if (block.size() < 1'000'000) continue;
      written += static_cast<std::int64_t>(std::fwrite(block.data(), 1, block.size(), file));
      block.clear();
    }
    std::fwrite(block.data(), 1, block.size(), file);
    std::fclose(file);
  }

 private:
  std::uint64_t Below(std::uint64_t limit) { return random_() % limit; }

  std::string Cost(std::uint64_t cents) {
    std::string fraction = std::to_string(random_());
    fraction.resize(static_cast<std::size_t>(options_.decimals), '0');
    return std::to_string(cents / 100) + "." + fraction;
  }

  void AddRow(std::string& out) {
    const Shape& shape = kShapes[Below(std::size(kShapes))];
    const auto resource = Below(20'000);
    const auto team = resource % 40;
    char text[2048];
    const auto day = 1 + Below(30);
    const auto hour = Below(23);
    const std::string cost = Cost(static_cast<std::uint64_t>(shape.price_cents));
    std::snprintf(
        text, sizeof(text),
        "us-west-2%c,%s,\"012345678901\",\"Plimsoll Bench\",USD,2025-07-01T00:00:00Z,"
        "2025-06-01T00:00:00Z,Usage,,\"$%d.%02d per %s of %s, on demand\",Usage-Based,"
        "2025-06-%02dT%02d:00:00Z,2025-06-%02dT%02d:00:00Z,,,%d.%03d,%s,%s,%d.%02d,%s,"
        "EUINUS25-%04d,\"Amazon Web Services, Inc.\",%s,%d.%02d,Standard,1.000000,%s,AWS,"
        "\"Amazon Web Services, Inc.\",us-west-2,US West (Oregon),"
        "arn:aws:ec2:us-west-2:%012d:instance/i-%017llx,node-%d,Virtual Machine,%s,\"%s\",%s,"
        "\"{\"\"InstanceType\"\": \"\"%s\"\", \"\"GpuCount\"\": %d}\",%s.JRTCKXETXF,%012d,"
        "\"team %d\",\"{\"\"team\"\": \"\"team-%d\"\", \"\"app\"\": \"\"app-%d\"\", "
        "\"\"env\"\": \"\"%s\"\"}\"\n",
        static_cast<char>('a' + resource % 3), cost.c_str(), shape.price_cents / 100,
        shape.price_cents % 100, shape.unit, shape.type, static_cast<int>(day),
        static_cast<int>(hour) + 1, static_cast<int>(day), static_cast<int>(hour), 1,
        static_cast<int>(Below(1000)), shape.unit, cost.c_str(), shape.price_cents / 100,
        shape.price_cents % 100, cost.c_str(), static_cast<int>(team), cost.c_str(),
        shape.price_cents / 100, shape.price_cents % 100, shape.unit, static_cast<int>(team),
        static_cast<unsigned long long>(resource * 0x9E3779B97F4A7C15ULL >> 4U),
        static_cast<int>(resource), shape.category, shape.service, "G95FST5FTYV3JSRX", shape.type,
        shape.gpus, "G95FST5FTYV3JSRX", static_cast<int>(team), static_cast<int>(team),
        static_cast<int>(team), static_cast<int>(resource % 977), team % 4 == 0 ? "prod" : "dev");
    out += text;
  }

  Options options_;
  std::mt19937_64 random_{20261129};
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

bool RunPlimsoll(const std::string& csv, const std::string& database) {
  auto store = plimsoll::OpenDuckDb({.path = database});
  if (!store) {
    std::fprintf(stderr, "%s\n", store.error().message.c_str());
    return false;
  }
  const auto report = plimsoll::ImportFocus(**store, {.files = {csv}});
  if (!report) {
    std::fprintf(stderr, "%s\n", report.error().message.c_str());
    return false;
  }
  std::printf("rows accepted %lld, refused %lld, billed %s\n",
              static_cast<long long>(report->accepted), static_cast<long long>(report->rejected),
              report->totals[0].billed.c_str());
  std::fflush(stdout);
  return true;
}

bool RunDuckDb(const std::string& csv, const std::string& database) {
  duckdb_database db = nullptr;
  duckdb_connection connection = nullptr;
  if (duckdb_open(database.c_str(), &db) == DuckDBError) return false;
  if (duckdb_connect(db, &connection) == DuckDBError) return false;
  duckdb_result result;
  const std::string sql = "CREATE TABLE t AS SELECT * FROM read_csv('" + csv + "')";
  const bool done = duckdb_query(connection, sql.c_str(), &result) == DuckDBSuccess;
  if (!done) std::fprintf(stderr, "%s\n", duckdb_result_error(&result));
  duckdb_destroy_result(&result);
  duckdb_disconnect(&connection);
  duckdb_close(&db);
  return done;
}

Options ReadOptions(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    if (name == "--keep") {
      options.keep = true;
    } else if (i + 1 < argc && name == "--size-mb") {
      options.size_mb = std::atoll(argv[++i]);
    } else if (i + 1 < argc && name == "--decimals") {
      options.decimals = std::atoi(argv[++i]);
    } else if (i + 1 < argc && name == "--dir") {
      options.dir = argv[++i];
    } else {
      std::fprintf(stderr,
                   "usage: focus_import [--size-mb N] [--decimals N] [--dir FOLDER] [--keep]\n");
      std::exit(2);
    }
  }
  return options;
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = ReadOptions(argc, argv);
  const std::string base = options.dir + "/focus_bench";
  const std::string csv = base + ".csv";
  const std::string ours = base + "_plimsoll.duckdb";
  const std::string theirs = base + "_duckdb.duckdb";
  for (const std::string& path : {csv, ours, theirs}) fs::remove(path);
  BillWriter(options).Write(csv);
  std::printf("%s: %.1f MB, %d decimals\n", csv.c_str(),
              static_cast<double>(fs::file_size(csv)) / 1e6, options.decimals);
  std::fflush(stdout);
  const Measured duckdb = Run([&] { return RunDuckDb(csv, theirs); });
  const Measured plimsoll_run = Run([&] { return RunPlimsoll(csv, ours); });
  const auto print = [](const char* name, const Measured& m) {
    std::printf("%-9s %7.2f s wall, %7.2f s CPU, peak %ld MB\n", name, m.seconds, m.cpu_seconds,
                m.peak_mb);
  };
  print("duckdb", duckdb);
  print("plimsoll", plimsoll_run);
  std::printf("ratio %.2f\n", plimsoll_run.seconds / duckdb.seconds);
  if (!options.keep) {
    for (const std::string& path : {csv, ours, theirs}) fs::remove(path);
  }
  return 0;
}
