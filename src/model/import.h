// Import results: what an importer took, what it refused and why. Nothing is dropped silently.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "model/column.h"

namespace plimsoll {

// One refused row or object, kept in the quarantine table. `cost` is its written billed cost
// ("" if it has none or it cannot be read), so that a refusal is money that can be seen.
struct RejectionBatch {
  std::vector<std::int64_t> snapshot_id;
  std::vector<std::string> file;
  std::vector<std::int64_t> line;   // 1-based; 0 if the format has no lines
  std::vector<std::string> field;   // column, JSON path or label; "" for the whole row
  std::vector<std::string> reason;  // a sentence with the remedy
  std::vector<std::string> cost;    // exact decimal text
  std::vector<std::string> raw;     // the row, cut to kRawBytesMax (base/limits.h)

  static constexpr std::tuple kColumns{
      MakeColumn("snapshot_id", &RejectionBatch::snapshot_id),
      MakeColumn("file", &RejectionBatch::file),
      MakeColumn("line", &RejectionBatch::line),
      MakeColumn("field", &RejectionBatch::field),
      MakeColumn("reason", &RejectionBatch::reason),
      MakeColumn("cost", &RejectionBatch::cost),
      MakeColumn("raw", &RejectionBatch::raw),
  };
};

// Appends one rejection; snapshot_id is set by whoever stores it.
struct Rejection {
  std::string file;
  std::int64_t line = 0;
  std::string field;
  std::string reason;
  std::string cost;
  std::string raw;
};
void Append(RejectionBatch& batch, const Rejection& rejection);

// What one `ingest` call did, for the user and for JSON.
struct ImportReport {
  std::string kind;  // focus, kubernetes, ...
  std::int64_t accepted = 0;
  std::int64_t rejected = 0;
  std::int64_t duplicates = 0;              // the same fact seen again, counted once
  std::vector<Rejection> first_rejections;  // up to kRejectionsShownMax
  std::vector<std::string> warnings;        // one sentence each
  std::vector<std::string> ignored;         // columns or metrics that were not used

  struct Load {           // one snapshot scope
    std::string scope;    // human text: "Amazon Web Services / 1234 / USD / 2024-09"
    std::string outcome;  // loaded, unchanged, restated
    std::int64_t rows = 0;
    std::vector<std::string> differences;  // of a restatement: "rows 1000 -> 1001", ...
  };
  std::vector<Load> loads;

  struct Total {  // bills only: exact decimals as text
    std::string provider, currency;
    std::int64_t rows = 0;
    std::string billed, effective;
    std::string rejected_billed;
  };
  std::vector<Total> totals;
};

}  // namespace plimsoll
