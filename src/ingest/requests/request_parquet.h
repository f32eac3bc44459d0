// Requests from the columns of a Parquet file, converted by the store that reads it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "ingest/requests/request_reader.h"

namespace plimsoll {

struct ParquetFile {
  std::string path;
  std::string service;  // of requests that name none
  ParquetAccess access;
  std::vector<ParquetColumn> columns;

  // Fails with kInvalidArgument without `access`, kBadData if it is damaged.
  Status Describe();
  std::vector<std::string> names() const;
};

// Reads what `specs` name. Whole numbers, decimals, floating-point numbers (rounded to the
// nearest nanosecond), texts and timestamps are converted; a column of another type, or a text
// where a number is needed, fails with kBadData. Rows that contradict themselves are refused
// with their number.
Status ReadParquetRequests(const ParquetFile& file, const std::vector<RequestFieldSpec>& specs,
                           RequestOutput& output);

}  // namespace plimsoll
