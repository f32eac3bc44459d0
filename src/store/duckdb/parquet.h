// Parquet files, read by DuckDB: the one Parquet reader of the program.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/result.h"

namespace plimsoll {

// Writes the rows of a Parquet file to a new CSV file, in their order, with a header: nulls
// empty and unquoted, everything else quoted; floating-point numbers as the shortest decimal
// that reads back as the same; times in UTC; maps and structures as JSON. Works in a database
// of its own, in bounded memory. Fails with kBadData or kUnavailable.
Status ParquetToCsv(const std::string& parquet, const std::string& csv);

}  // namespace plimsoll
