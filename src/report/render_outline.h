// RenderOutline: what the renderings read off a document alike: the table of a chart, the list
// of figures that can be explained.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "report/document.h"

namespace plimsoll {

// The section's table with the chart's key; nullptr if there is none.
const ReportTable* TableOfChart(const ReportSection& section, const ReportChart& chart);

// The chart's numbers as a table: one row a category, one column a series. For a chart that
// has no table of its own.
ReportTable ToTable(const ReportChart& chart);

// A figure that `plimsoll explain` takes, with a name for people: "Capacity: Total cost".
struct NamedFigure {
  std::string name;
  std::string figure;
};
// In the document's order, each figure once, by its first name.
std::vector<NamedFigure> FiguresOf(const ReportDocument& document);

}  // namespace plimsoll
