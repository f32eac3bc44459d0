// Requests for tests, a row at a time.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "model/request.h"

namespace plimsoll {

struct TestRequest {
  std::string service = "", model = "m", version = "", quantization = "", tenant = "";
  std::string priority = "", request = "";
  std::int64_t arrival_ms = 1'764'547'200'000;  // 2025-12-01T00:00:00Z
  std::string status = "ok";
  std::optional<std::int64_t> ttft_ms = 100, e2e_ms = 1'000, tpot_ns = std::nullopt;
  std::optional<std::int64_t> prefill_ns = std::nullopt, decode_ns = std::nullopt;
  std::optional<std::int64_t> input = 100, cached = 0, output = 10, reasoning = std::nullopt;
};

inline void Append(RequestBatch& batch, const TestRequest& row) {
  const auto ns = [](const std::optional<std::int64_t>& ms) {
    return ms ? std::optional(*ms * 1'000'000) : std::nullopt;
  };
  batch.snapshot_id.push_back(0);
  batch.service.push_back(Symbol(row.service));
  batch.model.push_back(Symbol(row.model));
  batch.version.push_back(Symbol(row.version));
  batch.quantization.push_back(Symbol(row.quantization));
  batch.tenant.push_back(Symbol(row.tenant));
  batch.priority.push_back(Symbol(row.priority));
  batch.request.push_back(row.request);
  batch.arrival.push_back(AtMillis(row.arrival_ms));
  batch.status.push_back(Symbol(row.status));
  batch.ttft_ns.push_back(ns(row.ttft_ms));
  batch.e2e_ns.push_back(ns(row.e2e_ms));
  batch.tpot_ns.push_back(row.tpot_ns);
  batch.prefill_ns.push_back(row.prefill_ns);
  batch.decode_ns.push_back(row.decode_ns);
  batch.input_tokens.push_back(row.input);
  batch.cached_tokens.push_back(row.cached);
  batch.output_tokens.push_back(row.output);
  batch.reasoning_tokens.push_back(row.reasoning);
}

}  // namespace plimsoll
