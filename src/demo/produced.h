// What the demo's training runs and its logged service did, event by event and request by request.
//
// Made by TellRuns and TellRequests, which know the truth of each because they decide it: the
// sums beside the events are taken while the events are made, not read back from them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "units/quantity.h"
#include "units/time.h"

namespace plimsoll {

// The limits of the logged service, as plimsoll.yaml of the demo declares them; at equality met.
inline constexpr std::int64_t kDemoTtftMillis = 2'500, kDemoTpotMillis = 24;
inline constexpr const char* kDemoService = "chat-70b";

// One try at a run, as its scheduler and its nodes know it.
struct DemoAttempt {
  Instant begin, ready;        // its GPUs are held; its containers are up
  std::optional<Instant> end;  // none: it goes on when the window ends
  bool failed = false;
  bool seen = true;  // false: over before the window, so that its log alone tells of it
  std::string pod;   // the master's; "" for a Slurm job
  // Of a run on spot, on one node: every failure is an eviction of it.
  std::optional<std::size_t> spot_node = {};
};

struct DemoRunEvent {
  const char* kind = "";  // docs/formats/runs.md
  std::int64_t attempt = 0;
  Instant at;
  std::optional<std::int64_t> step, samples, tokens;
  std::string name;   // of the metric or the stall, or the reason
  std::string value;  // of the metric, decimal
};

// Where a run's GPU time went by docs/decisions/0003-training-accounting.md, exactly: the parts
// add up to `allocated`. Samples and tokens are those of kept steps.
struct DemoRunTruth {
  GpuHours allocated, effective, startup, data_stall, checkpoint, recomputation, hang, restart,
      unknown;
  std::int64_t failures = 0, samples = 0, tokens = 0;
  friend bool operator==(const DemoRunTruth&, const DemoRunTruth&) = default;
};

// What evictions cost on one node: steps that were not kept, and the time to the next step.
struct DemoEvictionLoss {
  GpuHours recomputation, restart;
};

struct DemoRun {
  std::string id, experiment, name, model, precision;
  std::string cluster, ns, job;  // job: of Slurm
  std::int64_t gpus = 0;
  std::vector<DemoAttempt> attempts;

  std::vector<DemoRunEvent> events;  // in the order in which they were written
  DemoRunTruth truth;
  std::map<std::size_t, DemoEvictionLoss> lost;  // by spot node
};

struct DemoRequest {
  Instant arrival;
  std::string id;
  const char *version = "", *tenant = "", *priority = "", *status = "ok";
  std::optional<std::int64_t> ttft_ms;  // none: no token came
  std::int64_t e2e_ms = 0;
  std::int64_t input = 0, cached = 0, output = 0, reasoning = 0;  // tokens

  Instant end() const { return arrival + Millis(e2e_ms); }
};

// Good: it succeeded within both limits. Tokens are output tokens unless named otherwise.
struct DemoServiceTruth {
  std::int64_t requests = 0, good = 0, input_tokens = 0, cached_tokens = 0, tokens = 0,
               tokens_good = 0;
  friend bool operator==(const DemoServiceTruth&, const DemoServiceTruth&) = default;
};

struct DemoService {
  std::string name;
  std::vector<DemoRequest> requests;  // by end: a log line is written when a request is over
  DemoServiceTruth truth;
};

}  // namespace plimsoll
