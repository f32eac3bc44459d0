// InferenceView: what services' requests cost, as an answer for people and programs.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/table.h"
#include "economics/inference_cost.h"

namespace plimsoll {

struct InferenceView {
  std::vector<ServiceFigures> services;
  std::vector<RequestKey> by;
  std::string currency;
  std::int64_t rejected = 0;  // rows that could not be read
  bool percentiles = false;
  // What an API asks for a million output tokens, to compare with; over 0.
  std::optional<Money> api_price;
};

// Figures of all services together, a table of them, of tokens, factors and groups. Names are
// those of docs/formats/output.md. The view is taken: percentiles sort in place.
Answer InferenceAnswer(InferenceView view);

}  // namespace plimsoll
