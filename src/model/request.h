// Requests: what clients asked of inference services and got, a request a row.
//
// Latencies are whole nanoseconds, so that a limit is met or missed exactly. What a source does
// not tell is null, never 0: a request whose needed latency is missing is not good.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "model/column.h"

namespace plimsoll {

// The key is (service, request); without an id, every row is a request of its own.
struct RequestBatch {
  std::vector<std::int64_t> snapshot_id;
  std::vector<Symbol> service;  // as plimsoll.yaml names it; "" if unknown
  std::vector<Symbol> model, version, quantization;
  std::vector<Symbol> tenant;        // who asked: a team, a key's alias; "" if unknown
  std::vector<Symbol> priority;      // online, batch, interactive, or as the source says
  std::vector<std::string> request;  // id; "" if unknown
  std::vector<Instant> arrival;      // when the client sent it
  std::vector<Symbol> status;        // ok, error, timeout, cancelled
  std::vector<std::optional<std::int64_t>> ttft_ns;     // arrival to first token
  std::vector<std::optional<std::int64_t>> e2e_ns;      // arrival to last token
  std::vector<std::optional<std::int64_t>> tpot_ns;     // as the source measured it
  std::vector<std::optional<std::int64_t>> prefill_ns;  // engine time of each phase
  std::vector<std::optional<std::int64_t>> decode_ns;
  std::vector<std::optional<std::int64_t>> input_tokens;      // all, also those from a cache
  std::vector<std::optional<std::int64_t>> cached_tokens;     // of input_tokens
  std::vector<std::optional<std::int64_t>> output_tokens;     // all, also those of reasoning
  std::vector<std::optional<std::int64_t>> reasoning_tokens;  // of output_tokens

  static constexpr std::tuple kColumns{
      MakeColumn("snapshot_id", &RequestBatch::snapshot_id),
      MakeColumn("service", &RequestBatch::service),
      MakeColumn("model", &RequestBatch::model),
      MakeColumn("version", &RequestBatch::version),
      MakeColumn("quantization", &RequestBatch::quantization),
      MakeColumn("tenant", &RequestBatch::tenant),
      MakeColumn("priority", &RequestBatch::priority),
      MakeColumn("request", &RequestBatch::request),
      MakeColumn("arrival", &RequestBatch::arrival),
      MakeColumn("status", &RequestBatch::status),
      MakeColumn("ttft_ns", &RequestBatch::ttft_ns),
      MakeColumn("e2e_ns", &RequestBatch::e2e_ns),
      MakeColumn("tpot_ns", &RequestBatch::tpot_ns),
      MakeColumn("prefill_ns", &RequestBatch::prefill_ns),
      MakeColumn("decode_ns", &RequestBatch::decode_ns),
      MakeColumn("input_tokens", &RequestBatch::input_tokens),
      MakeColumn("cached_tokens", &RequestBatch::cached_tokens),
      MakeColumn("output_tokens", &RequestBatch::output_tokens),
      MakeColumn("reasoning_tokens", &RequestBatch::reasoning_tokens),
  };
};

}  // namespace plimsoll
