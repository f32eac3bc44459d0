// A week for tests of the report's sections, over the ledger's test facts.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "ledger/test_facts.h"
#include "report/weekly_parts.h"

namespace plimsoll {

class WeekFixture : public LedgerFixture {
 protected:
  void SetUp() override {
    LedgerFixture::SetUp();
    ledger_.emplace(OpenLedger());
    ASSERT_TRUE(ledger_->Refresh(Day()));
  }
  Ask AskDay() { return Ask(*ledger_, Day(), "USD"); }

  static const ReportFact* Find(const ReportSection& section, const std::string& key) {
    const auto found = std::find_if(section.facts.begin(), section.facts.end(),
                                    [&](const ReportFact& fact) { return fact.key == key; });
    return found == section.facts.end() ? nullptr : &*found;
  }
  static const ReportTable* FindTable(const ReportSection& section, const std::string& key) {
    const auto found = std::find_if(section.tables.begin(), section.tables.end(),
                                    [&](const ReportTable& table) { return table.key == key; });
    return found == section.tables.end() ? nullptr : &*found;
  }

  std::optional<Ledger> ledger_;
};

}  // namespace plimsoll
