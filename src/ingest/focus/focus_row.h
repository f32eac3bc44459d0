// FocusRowReader: one CSV row into one charge, or the reason why it is none.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/csv.h"
#include "ingest/focus/charge_hash.h"
#include "ingest/focus/focus_header.h"
#include "ingest/focus/focus_tags.h"
#include "ingest/focus/text_memo.h"
#include "model/charge.h"
#include "model/import.h"
#include "units/decimal.h"

namespace plimsoll {

// Views into the CSV row, the header or the reader; valid until the reader's next row.
struct FocusRow {
  std::array<std::string_view, kFocusColumns> text;  // "" if null
  std::string_view provider, issuer;                 // after their fallbacks
  Window billing, charge;
  std::array<std::optional<ExactDecimal>, kChargeCosts> costs;  // by ChargeCost
  std::string_view tags, instance_type;
  std::string_view tags_defect;  // "" if the tags were read

  std::string_view operator[](FocusColumn column) const {
    return text[static_cast<std::size_t>(column)];
  }
};

// A refused row, with what of it could be read all the same.
struct RefusedRow {
  std::string field, reason;
  std::string provider, currency;  // "" if not readable
  std::optional<BillingScope> scope = {};
  std::optional<ExactDecimal> billed = {}, effective = {};
};

// Unquoted fields that mean null; an empty field always does.
inline const std::vector<std::string> kFocusNullTokens = {"NULL", "null", "(null)"};

class FocusRowReader {
 public:
  // `header` and `null_tokens` must outlive the reader.
  FocusRowReader(const FocusHeader& header, const std::vector<std::string>& null_tokens);

  // Reads `row`. Returns false and fills `refused` if FOCUS forbids it: wrong number of
  // fields, a broken quote, text that is not UTF-8, no account, currency or cost, a cost or
  // time that cannot be read, an unknown charge category, a period that ends before it begins.
  bool Read(const CsvRow& row, FocusRow& out, RefusedRow& refused);

 private:
  bool ReadFields(const CsvRow& row, FocusRow& out);
  bool ReadTexts(FocusRow& out);
  bool ReadPeriods(FocusRow& out);
  bool ReadCosts(FocusRow& out);
  bool ReadTime(FocusColumn column, const FocusRow& row, Instant* out);
  bool IsNull(const CsvField& field) const;
  bool Refuse(FocusColumn column, std::string reason);
  void Explain(const CsvRow& row, FocusRow& out, RefusedRow& refused);

  const FocusHeader& header_;
  const std::vector<std::string>& null_tokens_;
  std::string field_, reason_;  // of the last refusal
  TextMemo<std::optional<Instant>> times_;
  TextMemo<NormalisedTags> tags_;
  TextMemo<std::string> instance_types_;
};

// Writes the charge into row `row` of `batch`, costs as their floors; snapshot_id is left.
// Reuses the texts' memory. REQUIRES: the batch's columns are longer than `row`
void WriteCharge(const FocusRow& charge, std::int64_t line, ChargeBatch& batch, std::size_t row);

// What each cost has below its floor.
CostRests RestsOf(const FocusRow& charge);

}  // namespace plimsoll
