// FoldRequests: request logs into the sums of a fold.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "economics/inference_fold.h"
#include "ingest/requests/request_reader.h"

namespace plimsoll {

// Parquet is added up where it lies, if every row of it is sound and `options` need no single
// rows; everything else is read row by row. Fails as ReadRequests and InferenceFold do.
Result<RequestReading> FoldRequests(const RequestReaderOptions& reader,
                                    const InferenceFoldOptions& options, FoldedRequests& folded);

}  // namespace plimsoll
