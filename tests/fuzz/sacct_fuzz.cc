// Any bytes as output of sacct, scontrol or sreport: never a crash, and what is taken is sound.
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>

#include "base/check.h"
#include "ingest/fleet_merge.h"
#include "ingest/slurm/slurm_text.h"
#include "ingest/slurm/sreport.h"

namespace {

void CheckReservations(const plimsoll::SlurmReading& reading) {
  plimsoll::SetAsideBatch rows;
  for (const auto& [reservation, rejection] : reading.reservations) {
    const plimsoll::Status status = plimsoll::AppendSetAside(
        reservation, reading.nodes.rows, "hpc", plimsoll::AtSeconds(1'767'600'000), rows);
    PLIMSOLL_CHECK(status || status.error().code == plimsoll::ErrorCode::kBadData);
  }
  for (std::size_t i = 0; i < plimsoll::RowsOf(rows); ++i) {
    PLIMSOLL_CHECK(rows.gpus[i] > 0 && rows.since[i] <= *rows.until[i]);
  }
  PLIMSOLL_CHECK(rows.seen.size() == plimsoll::RowsOf(rows));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  const auto report = plimsoll::ParseSreport(text, "");
  PLIMSOLL_CHECK(!report || !report->rows.empty());
  std::istringstream in(text);
  const auto clock = plimsoll::SlurmClock::Open("Europe/Berlin");
  PLIMSOLL_CHECK(clock.has_value());
  plimsoll::SlurmReading reading;
  if (!plimsoll::ReadSlurmText(in, *clock, {.file = "fuzz", .cluster = ""}, reading)) return 0;
  plimsoll::ApplyStepUse(reading.jobs);
  CheckReservations(reading);
  for (const auto& [cluster, facts] : reading.jobs.by_cluster) {
    const plimsoll::FleetFacts merged = plimsoll::MergeFacts(facts);
    for (std::size_t i = 0; i < plimsoll::RowsOf(merged.holdings); ++i) {
      PLIMSOLL_CHECK(merged.holdings.devices[i] >= 0);
      PLIMSOLL_CHECK(merged.holdings.share_den[i] > 0);
      PLIMSOLL_CHECK(!merged.holdings.until[i] ||
                     merged.holdings.begin[i] <= *merged.holdings.until[i]);
      const std::int64_t used = merged.holdings.used_ppm[i].value_or(0);
      PLIMSOLL_CHECK(used >= 0 && used <= 1'000'000);
    }
  }
  return 0;
}
