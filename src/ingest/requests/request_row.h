// RequestDraft: one request while its fields are read, checked as a whole at its end.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/requests/request_value.h"
#include "model/request.h"

namespace plimsoll {

// What a column or a JSON path of a log means.
enum class RequestField : unsigned char {
  kService,
  kModel,
  kVersion,
  kQuantization,
  kTenant,
  kPriority,
  kRequest,
  kArrival,  // times
  kFirstToken,
  kEnd,
  kTtft,  // lengths of time
  kE2e,
  kTpot,
  kPrefill,
  kDecode,
  kInputTokens,     // all
  kUncachedTokens,  // those of the input that no cache had, where a source counts them apart
  kCachedTokens,
  kOutputTokens,
  kReasoningTokens,
  kStatus,     // a word
  kHttpCode,   // 200...
  kSuccess,    // true, false
  kCancelled,  // true, false
  kError,      // any text is an error
};
inline constexpr std::size_t kRequestFieldCount = 25;

struct RequestFieldSpec {
  std::string source;  // column, or JSON path with slashes
  RequestField field = RequestField::kRequest;
  TimeUnit unit = TimeUnit::kSeconds;
};

// Requests on their way out of a reader, column by column.
struct RequestRows {
  RequestBatch batch;
  std::vector<std::int32_t> rest_ns;  // of each arrival, below its millisecond
};

class RequestDraft {
 public:
  void Begin();

  // Takes a value; an earlier one of the same field stays. False if it cannot be read, or was
  // before: see problem().
  bool Set(const RequestFieldSpec& spec, std::string_view text);
  bool Has(RequestField field) const { return has_[static_cast<std::size_t>(field)]; }

  // For readers of formats that do not go by fields.
  void SetNs(RequestField field, std::int64_t ns) { Store(field, ns); }
  void SetText(RequestField field, std::string_view text) { StoreText(field, text); }

  // Appends the request to `rows`. False if its fields contradict each other, or it tells no
  // arrival: see problem().
  bool Finish(RequestRows& rows);

  // What is wrong: the column or path, and a sentence with the remedy.
  const std::string& problem_field() const { return problem_field_; }
  const std::string& problem() const { return problem_; }

 private:
  void Store(RequestField field, std::int64_t value);
  void StoreText(RequestField field, std::string_view text);
  bool SetTime(const RequestFieldSpec& spec, std::string_view text);
  bool SetLength(const RequestFieldSpec& spec, std::string_view text);
  bool SetCount(const RequestFieldSpec& spec, std::string_view text);
  bool SetOutcome(const RequestFieldSpec& spec, std::string_view text);
  bool Fail(std::string_view field, std::string problem);
  bool DeriveTimes();
  bool DeriveTokens();
  void DeriveStatus();
  std::optional<std::int64_t> Value(RequestField field) const;

  std::array<bool, kRequestFieldCount> has_{};
  std::array<std::int64_t, kRequestFieldCount> values_{};
  std::array<Symbol, 6> names_;
  std::string request_;
  Symbol status_;           // as told by a word, a code or a flag; empty if nothing tells it
  bool has_error_ = false;  // an error text is there
  bool error_is_timeout_ = false;
  std::string problem_field_, problem_;

  TimeReader times_;
  std::array<SymbolMemo, 6> memos_;
  const Symbol ok_{"ok"}, error_{"error"}, timeout_{"timeout"}, cancelled_{"cancelled"};
};

}  // namespace plimsoll
