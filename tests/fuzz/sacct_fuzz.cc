// Any bytes as sacct output: never a crash, and what is taken is sound.
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>

#include "base/check.h"
#include "ingest/fleet_merge.h"
#include "ingest/slurm/slurm_text.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::istringstream in(std::string(data, data + size));
  const auto clock = plimsoll::SlurmClock::Open("Europe/Berlin");
  PLIMSOLL_CHECK(clock.has_value());
  plimsoll::SlurmReading reading;
  if (!plimsoll::ReadSlurmText(in, *clock, {.file = "fuzz", .cluster = ""}, reading)) return 0;
  for (const auto& [cluster, facts] : reading.jobs.by_cluster) {
    const plimsoll::FleetFacts merged = plimsoll::MergeFacts(facts);
    for (std::size_t i = 0; i < plimsoll::RowsOf(merged.holdings); ++i) {
      PLIMSOLL_CHECK(merged.holdings.devices[i] >= 0);
      PLIMSOLL_CHECK(merged.holdings.share_den[i] > 0);
      PLIMSOLL_CHECK(!merged.holdings.until[i] ||
                     merged.holdings.begin[i] <= *merged.holdings.until[i]);
    }
  }
  return 0;
}
