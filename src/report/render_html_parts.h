// RenderHtmlParts: the pieces of the HTML page: facts, tables, charts.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/document.h"

namespace plimsoll {

// Named figures as cards (`style` "cards", "facts" or "header"). "" if there are none.
std::string HtmlFacts(const std::vector<ReportFact>& facts, std::string_view style);

// A table in a box that scrolls sideways on a narrow screen.
std::string HtmlTable(const ReportTable& table);

// The place of a chart with its legend; the page's script draws into it. Hidden without scripts.
std::string HtmlChart(const ReportChart& chart, std::string_view id);

// The charts' numbers for the page's script, safe inside a script element.
class ChartData {
 public:
  // Returns the id to give to HtmlChart.
  std::string Add(const ReportChart& chart);
  std::string ToScriptJson() const;

 private:
  std::vector<const ReportChart*> charts_;
};

}  // namespace plimsoll
