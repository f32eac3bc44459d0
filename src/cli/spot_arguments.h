// SpotArguments: what the command line says of a run on spot, and the question it makes.
//
// Shared by the ways to answer it: a model of evictions, or recorded traces.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/command.h"
#include "purchase/spot/spot_plan.h"

namespace plimsoll {

// Texts as they were given; "" was not.
struct SpotArguments {
  std::string work, checkpoint_write, restart, wait, interval, step;
  std::string mtbf, model, hardware_mtbf, notice, save_probability;
  std::string gpus, nodes;
  std::string on_demand, spot, storage_gb, storage_price, traffic_gb, traffic_price;
  std::string people, people_per_eviction;
  std::string deadline, penalty, penalty_per_hour, on_time, delay_cost;
  std::int64_t seed = 1;
  std::int64_t replications = 10'000;
  bool no_final_checkpoint = false;
};

// The options of `plan spot` that set `arguments`.
std::vector<CommandOption> SpotOptions(SpotArguments& arguments);

// The law of lifetimes that --model and --mtbf give; reads the file of lifetimes:FILE.
Result<Lifetime> LifetimeOf(const SpotArguments& arguments);

// All of it. Fails with kInvalidArgument, and as the file of lifetimes fails.
Result<SpotQuestion> SpotQuestionOf(const SpotArguments& arguments);

}  // namespace plimsoll
