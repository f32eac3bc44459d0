// Figures that two articles print about the cost of GPUs, recomputed from their own inputs.
//
// Each row is data: what is claimed, and checks of a printed figure against what its inputs
// give. The verdict is computed. docs/published-figures.md holds the table and a test compares.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "units/money.h"

namespace plimsoll {

// A printed figure and the exact one, both as amounts; `unit` is the last printed digit's.
struct FigureCheck {
  std::string what;
  Money printed, computed;
  Money unit = Money::Units(1);
  std::string shown;  // of the computed one, as the table prints it

  bool follows() const;  // as printed, after rounding half to even or cutting
};

struct PublishedFigure {
  int number = 0;
  std::string claim, inputs;
  std::vector<FigureCheck> checks;  // none: stated without inputs that would give it
  std::string remark;

  // "follows", "does not follow", or which of the checks do not.
  std::string Verdict() const;
  std::string Recomputed() const;
};

std::vector<PublishedFigure> PublishedFigures();

// The table in Markdown, one row a figure.
std::string PublishedFiguresTable();

}  // namespace plimsoll
