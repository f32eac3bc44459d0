// Ask: short questions to the ledger over one window and one currency.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "ledger/ledger.h"
#include "ledger/query.h"
#include "report/document.h"

namespace plimsoll {

// Sums of a set of rows. What was used of rows without a usage signal is not known: null if none
// of them has one.
struct Sum {
  GpuHours gpu_time;
  std::optional<GpuHours> gpu_used;
  Money cost;
  void Add(const LedgerRow& row);
};

class Ask {
 public:
  Ask(Ledger& ledger, Window window, std::string currency)
      : ledger_(&ledger), window_(window), currency_(std::move(currency)) {}

  // Rows of a question in the report's currency; `filter` may be empty.
  Result<std::vector<LedgerRow>> Rows(std::vector<std::string> by, const std::string& filter) const;
  Result<Sum> Total(const std::string& filter) const;

  // What `plimsoll explain` takes for the same question.
  std::string FigureOf(const std::string& filter) const;

  Window window() const { return window_; }
  const std::string& currency() const { return currency_; }
  Ledger& ledger() const { return *ledger_; }
  Store& store() const { return ledger_->store(); }

 private:
  std::string WithCurrency(const std::string& filter) const;

  Ledger* ledger_;
  Window window_;
  std::string currency_;
};

// `field:"value"` for a filter; a value with a double quote cannot be asked for and gives "".
std::string Is(const std::string& field, const std::string& value);
// Both; either may be empty.
std::string And(const std::string& a, const std::string& b);

// part / whole in percent with one decimal, half up; null if whole is not positive.
Value PercentOf(int128 part, int128 whole);
// Of GPU time; null too if the part is not known.
Value UsedShare(const std::optional<GpuHours>& used, GpuHours whole);

}  // namespace plimsoll
