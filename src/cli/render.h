// Render: tables and answers as text for people, JSON or CSV for programs.
//
// Pure functions: the same table gives the same bytes. Text never carries control characters
// of the data to the terminal.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "cli/table.h"

namespace plimsoll {

struct TextOptions {
  std::size_t columns = 0;  // of the terminal: text columns shrink to fit; 0 is no limit
  bool colour = false;
};

std::string RenderText(const Table& table, const TextOptions& options);
std::string RenderText(const Answer& answer, const TextOptions& options);

// An array of objects, one a line.
std::string RenderJson(const Table& table);
std::string RenderJson(const Answer& answer);

// RFC 4180: CRLF, quotes only where needed, values as they are; null is an empty field.
std::string RenderCsv(const Table& table);
std::string RenderCsv(const Answer& answer);

// "1234.5" at 2 places is "1,234.50"; text that is no decimal of at most nine places stays.
std::string DisplayDecimal(std::string_view text, int places);

}  // namespace plimsoll
