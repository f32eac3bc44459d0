// Renderings of a report document. Pure: the same document gives the same bytes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "report/document.h"

namespace plimsoll {

// One file that opens offline: styles, data and the chart library are in it. Reads whole
// without scripts (a table stands beside each chart) and prints on A4.
std::string RenderHtml(const ReportDocument& document);

// GitHub-flavoured Markdown.
std::string RenderMarkdown(const ReportDocument& document);

// docs/formats/weekly-report.md: exact decimals as strings, missing values null.
std::string RenderJson(const ReportDocument& document);

// "1234.5" of kind money -> "1,234.50"; null -> "no data".
std::string Display(ValueKind kind, const Value& value);
// With the unit: "1,234.50 USD", "61.4 %".
std::string DisplayWithUnit(const ReportFact& fact);

std::string EscapeHtml(std::string_view text);

// Bytes of the chart library, embedded when the program was built.
std::string_view ChartLibrary();

}  // namespace plimsoll
