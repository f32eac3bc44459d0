// Any bytes are a file of workloads or flavors, in YAML or CSV, or a profile: no crash, and what
// is read is within bounds.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "cli/mix_files.h"

namespace {

using namespace plimsoll;  // NOLINT: a fuzz target is one file

void Require(bool holds) {
  if (!holds) std::abort();
}

void Read(const std::string& text) {
  const auto file = ReadMixFile("f", text);
  if (!file) return Require(!file.error().message.empty());
  Require(file->profiles.size() == file->workloads.size());
  for (std::size_t i = 0; i < file->workloads.size(); ++i) {
    const MixWorkload& workload = file->workloads[i];
    Require(!workload.name.empty() && !workload.flavor.empty());
    const int ways = int{workload.run.has_value()} + int{!workload.demand.empty()} +
                     int{!file->profiles[i].empty()};
    Require(ways == 1);
    if (workload.run) Require(workload.run->work > Duration() && workload.run->nodes > 0);
    for (const std::int64_t used : workload.demand) Require(used >= 0);
  }
  for (const MixFlavor& flavor : file->flavors) {
    Require(!flavor.on_demand || *flavor.on_demand > Money());
    Require(!flavor.spot || *flavor.spot > Money());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  Read(text);
  Read("workloads:\n" + text);
  const auto profile = ReadMixProfile("f", text, "x");
  if (profile) Require(!profile->empty() && profile->size() % 24 == 0);
  return 0;
}
