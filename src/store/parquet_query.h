// ParquetQuery: a SELECT over the rows of one Parquet file.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace plimsoll {

// Runs as `select` FROM the file `rest`. Names of columns in it are quoted by who wrote them.
struct ParquetQuery {
  std::string path;
  std::string select;
  std::string rest = {};
};

}  // namespace plimsoll
