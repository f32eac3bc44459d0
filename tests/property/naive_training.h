// NaiveTraining: a second reading of rules T1 to T10 of docs/decisions/0003-training-accounting.md.
//
// Walks every attempt a millisecond at a time and asks of each one, from the rules alone, what it
// was for. Slow and simple; shares no code with src/economics/. For logs of some hundred
// milliseconds.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "model/run.h"

namespace plimsoll {

struct NaiveOptions {
  std::optional<std::int64_t> gpus;
  std::int64_t hang_factor = 10;
  std::map<std::int64_t, Instant> held_until = {};
};

// GPU-milliseconds by the names that the rules give the causes.
std::map<std::string, std::int64_t> NaiveAccount(const RunEventBatch& events,
                                                 const NaiveOptions& options);

}  // namespace plimsoll
