// SkuView: which GPUs serve a model and what its tokens cost, as an answer for people and
// programs.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/table.h"
#include "purchase/sku/sku_choice.h"

namespace plimsoll {

struct SkuView {
  const LanguageModel* model = nullptr;
  SkuRequest request;
  std::vector<SkuChoice> choices;
  std::string currency;
  std::optional<std::int64_t> good_ppm;  // part of output tokens within the SLO, if told
  bool lengths_told = false;             // else a usual request was assumed
  // Lengths that were measured with this model, "1000/1000", if none of them were asked for.
  std::vector<std::string> measured_lengths;
};

// `for_people`: tables that fit a terminal; else every figure in one row a SKU. Names are
// those of docs/formats/output.md.
Result<Answer> SkuAnswer(const SkuView& view, bool for_people);

}  // namespace plimsoll
