// Services: what an inference service promises, what it is made of and how its tokens weigh, as
// plimsoll.yaml or the command line declare it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "units/money.h"
#include "units/quantity.h"
#include "units/time.h"

namespace plimsoll {

// Limits that every good request keeps; each is optional. Nanoseconds, met at equality.
struct Slo {
  std::optional<std::int64_t> ttft_ns;  // arrival to first token
  std::optional<std::int64_t> tpot_ns;  // per output token after the first
  std::optional<std::int64_t> e2e_ns;   // arrival to last token

  bool empty() const { return !ttft_ns && !tpot_ns && !e2e_ns; }
  friend bool operator==(const Slo&, const Slo&) = default;
};

// Relative cost of one token of each kind, in thousandths. The defaults say that an output
// token is worth four of input and one from a cache a tenth; measured phase times go before.
struct TokenWeights {
  std::int64_t input = 1'000;
  std::int64_t cached_input = 100;
  std::int64_t output = 4'000;
  friend bool operator==(const TokenWeights&, const TokenWeights&) = default;
};

// Hours of the wall clock of a zone: [begin, until) in minutes of the day, on these weekdays.
struct PeakHours {
  std::int64_t begin_minute = 0;
  std::int64_t until_minute = 24 * 60;
  std::array<bool, 7> days{true, true, true, true, true, true, true};  // Monday first
  std::string time_zone;                                               // IANA
};

// A stretch of time of which all is peak, or none is.
struct PeakSpan {
  Window window;
  bool peak = false;
};

struct ServiceDeclaration {
  std::string name;
  // Globs (* and ?) of what the requests themselves name; an empty list matches all.
  std::vector<std::string> match_services, match_models;
  std::string quantization;  // of requests that name none
  Slo slo;
  TokenWeights weights;
  bool weights_declared = false;
  std::optional<PeakHours> peak;
  // All GPUs held the whole time, and the price of one for an hour.
  std::optional<std::int64_t> gpus;
  std::optional<Money> gpu_price;
  std::int64_t reserve_gpus = 0;  // of `gpus`: stand by for failures and growth
  GpuHours release_time;          // on top: surge and warm-up of releases, GPU-milliseconds
  // Output tokens a second of the serving GPUs together at which the SLO still held.
  std::optional<std::int64_t> safe_tokens_per_second;
  std::string cost_filter;  // ledger lines that are the service's cost, in place of a price
};

// Reads "40ms", "1.5s", "250us", "2m", "1h" to whole nanoseconds. Fails with kInvalidArgument on
// anything else, a fraction of a nanosecond, zero or more than a day.
Result<std::int64_t> ParseLatency(std::string_view text);

// The shortest such text: "40ms", "1500us".
std::string FormatLatency(std::int64_t ns);

// Reads "ttft=20s,tpot=40ms,e2e=60s", any of the three once. Fails with kInvalidArgument.
Result<Slo> ParseSlo(std::string_view text);
std::string FormatSlo(const Slo& slo);  // "" if empty

// Reads "1", "0.1", "2.5" to thousandths, 0 to 1000000. Fails with kInvalidArgument.
Result<std::int64_t> ParseTokenWeight(std::string_view text);

// True if `text` is what `glob` says: * is any run of characters, ? any one.
bool MatchesGlob(std::string_view text, std::string_view glob);

// True if a request that names this service and model belongs to `declaration`.
bool Matches(const ServiceDeclaration& declaration, std::string_view service,
             std::string_view model);

}  // namespace plimsoll
