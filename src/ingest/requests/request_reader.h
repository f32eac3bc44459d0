// RequestReader: request logs of any known format and packing as batches of requests.
//
// What a file is, its first bytes say: JSON (one value a line, or a document), CSV, gzip of
// either, or Parquet. Memory does not grow with the file, but for documents and spans, which
// are read whole. A damaged row is refused with its line, field and reason, and the rest read.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "ingest/requests/request_formats.h"
#include "ingest/requests/request_sink.h"
#include "store/parquet_query.h"

namespace plimsoll {

// Columns of a Parquet file, and what SQL selects of it as the columns of `chunk`: store/duckdb
// has both (parquet_scan.h). Null functions: Parquet is refused.
struct ParquetColumn {
  std::string name, type;
};
struct ParquetAccess {
  std::function<Result<std::vector<ParquetColumn>>(const std::string& path)> describe;
  std::function<Status(const ParquetQuery& query, const BatchRef& chunk,
                       const std::function<Status()>& on_chunk)>
      scan;
};

struct RequestReaderOptions {
  std::vector<std::string> files;      // "-" is standard input
  std::vector<RequestFieldSpec> maps;  // of --map: these go before the format's own
  std::string service;                 // of requests that name none
  ParquetAccess parquet;
  Progress progress = {};
};

struct RequestReading {
  std::int64_t accepted = 0;
  std::int64_t rejected = 0;
  std::vector<Rejection> rejections;            // the first kRequestRejectionsMax
  std::map<std::string, std::int64_t> ignored;  // what was no request, and how many
  std::map<std::string, std::int64_t> formats;  // files by format
  std::int64_t untimed_ns = 0;                  // see RequestOutput
};

// Hands over every request, a block at a time. Fails with kNotFound, kUnavailable or kBadData,
// naming the file, and as `take` does.
Result<RequestReading> ReadRequests(const RequestReaderOptions& options, const TakeRequests& take);

}  // namespace plimsoll
