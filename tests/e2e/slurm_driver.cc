// Prints what the Slurm readers make of text, for the end-to-end test.
//
//   slurm_driver sreport < REPORT   a line a figure: cluster, account, login, TRES, column, value
//   slurm_driver facts FILE         a line a row of each batch, every column, in key order
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

#include "ingest/fleet_merge.h"
#include "ingest/slurm/slurm_text.h"
#include "ingest/slurm/sreport.h"

namespace plimsoll {
namespace {

int PrintReport() {
  const std::string text{std::istreambuf_iterator<char>(std::cin), {}};
  const auto report = ParseSreport(text, "");
  if (!report) {
    std::cerr << report.error().message << "\n";
    return 3;
  }
  for (const SreportRow& row : report->rows) {
    for (const auto& [column, value] : row.values) {
      std::cout << row.cluster << "\t" << row.account << "\t" << row.login << "\t" << row.tres
                << "\t" << column << "\t" << value << "\n";
    }
  }
  return 0;
}

std::string Cell(const std::string& text) { return text; }
std::string Cell(Symbol text) { return text.text(); }
std::string Cell(std::int64_t number) { return std::to_string(number); }
std::string Cell(Instant time) { return ToString(time); }
template <class T>
std::string Cell(const std::optional<T>& value) {
  return value ? Cell(*value) : "null";
}

template <class Batch>
void PrintRows(const char* name, const Batch& batch) {
  for (std::size_t row = 0; row < RowsOf(batch); ++row) {
    std::cout << name;
    std::apply(
        [&](auto... column) {
          ((std::cout << "\t" << column.name << "=" << Cell((batch.*(column.values))[row])), ...);
        },
        Batch::kColumns);
    std::cout << "\n";
  }
}

int PrintFacts(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  const auto clock = SlurmClock::Open("");
  SlurmReading reading;
  const Status status = ReadSlurmText(in, *clock, {.file = path, .cluster = ""}, reading);
  if (!status) std::cerr << status.error().message << "\n";
  for (const Rejection& rejection : reading.rejections) {
    std::cerr << rejection.field << ": " << rejection.reason << "\n";
  }
  ApplyStepUse(reading.jobs);
  for (const auto& [cluster, facts] : reading.jobs.by_cluster) {
    const FleetFacts merged = MergeFacts(facts);
    PrintRows("holding", merged.holdings);
    PrintRows("pending", merged.pending);
  }
  return status && reading.rejections.empty() ? 0 : 3;
}

}  // namespace
}  // namespace plimsoll

int main(int argc, char** argv) {
  const std::string mode = argc > 1 ? argv[1] : "";
  if (mode == "sreport") return plimsoll::PrintReport();
  if (mode == "facts" && argc == 3) return plimsoll::PrintFacts(argv[2]);
  std::cerr << "usage: slurm_driver sreport | facts FILE\n";
  return 2;
}
