// RequestGroups: request logs in Parquet, added up by the engine that reads them.
//
// A file whose every row is sound needs no look at single rows. Where that cannot be known
// beforehand (a damaged row, an id that comes again, a value out of range) nothing is answered,
// and the rows have to be read; they give the same sums, and say what is wrong with them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>

#include "ingest/requests/request_reader.h"
#include "model/request_group.h"

namespace plimsoll {

struct RequestGroupSink {
  std::function<Status(const RequestGroupBatch&)> groups;
  std::function<Status(const RequestSpanBatch&)> spans;
};

// The files of `options`, all of them Parquet. Null: read them by ReadRequests; what the sink
// got then is not to be used.
std::optional<RequestReading> GroupRequests(const RequestReaderOptions& options,
                                            const RequestGrouping& grouping,
                                            const RequestGroupSink& sink);

}  // namespace plimsoll
