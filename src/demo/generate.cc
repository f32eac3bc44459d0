#include <fmt/format.h>

#include <algorithm>

#include "base/check.h"
#include "demo/bill.h"
#include "demo/demo.h"
#include "demo/layout.h"
#include "demo/request_story.h"
#include "demo/run_story.h"
#include "demo/scenario.h"
#include "demo/signals.h"

namespace plimsoll {
namespace {

Status CheckOptions(const DemoOptions& options) {
  const auto outside = [](const char* name, std::int64_t value, std::int64_t low,
                          std::int64_t high) -> Status {
    if (value >= low && value <= high) return Ok();
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("{} is {}; a demo fleet needs {} to {}", name, value, low, high)};
  };
  PLIMSOLL_RETURN_IF_ERROR(outside("gpus", options.gpus, 16, 1024));
  PLIMSOLL_RETURN_IF_ERROR(outside("days", options.days, 1, 92));
  if (FloorTo(options.begin, Days(1)) != options.begin) {
    return Error{
        ErrorCode::kInvalidArgument,
        fmt::format("begin is {}; a demo begins at midnight UTC", ToString(options.begin))};
  }
  return Ok();
}

// Every holder was seen on every unit it held, or nobody could tell which units those were.
void CheckEvidence(const DemoFleet& fleet) {
  for (const DemoHold& hold : fleet.holds) {
    const Window span = Intersect(hold.span(fleet.window.until), fleet.window);
    for (const std::size_t unit : hold.units) {
      const std::vector<std::uint8_t>& percent = fleet.nodes[hold.node].units[unit].percent;
      bool seen = false;
      for (std::size_t i = 0; i < percent.size() && !seen; ++i) {
        seen = span.contains(fleet.grid(i)) && percent[i] != kNoSample;
      }
      PLIMSOLL_CHECK(seen);
    }
  }
}

}  // namespace

Result<DemoFleet> GenerateDemo(const DemoOptions& options) {
  PLIMSOLL_RETURN_IF_ERROR(CheckOptions(options));
  const auto report = [&](std::string_view what, std::int64_t done) {
    if (options.progress) options.progress(what, done, 4);
  };
  report("nodes", 0);
  DemoFleet fleet;
  fleet.seed = options.seed;
  fleet.gpus = options.gpus;
  fleet.window = {options.begin, options.begin + Days(options.days)};
  const std::int64_t spot_slots = LayOutNodes(fleet);
  FleetBuilder builder(fleet);
  report("workloads", 1);
  AddTraining(builder);
  AddServing(builder);
  AddSliceServices(builder);
  AddNotebooks(builder);
  AddSpotBatch(builder, spot_slots);
  AddSlurmJobs(builder);
  AddAgents(builder);
  TellRuns(fleet);
  TellRequests(fleet);
  report("signals", 2);
  FillSignals(fleet);
  CheckEvidence(fleet);
  report("bill", 3);
  MakeBills(fleet);
  report("bill", 4);
  return fleet;
}

}  // namespace plimsoll
