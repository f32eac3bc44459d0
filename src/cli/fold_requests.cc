#include "cli/fold_requests.h"

#include <optional>

#include "ingest/requests/request_groups.h"
#include "ingest/requests/request_pipe.h"

namespace plimsoll {
namespace {

std::optional<RequestReading> FoldGroups(const RequestReaderOptions& reader,
                                         const InferenceFoldOptions& options,
                                         FoldedRequests& folded) {
  InferenceFold fold(options);
  const std::optional<RequestGrouping> grouping = fold.Grouping();
  if (!grouping) return std::nullopt;
  const RequestGroupSink sink{
      [&](const RequestGroupBatch& groups) { return fold.AddGroups(groups); },
      [&](const RequestSpanBatch& spans) { return fold.AddSpans(spans); }};
  std::optional<RequestReading> reading = GroupRequests(reader, *grouping, sink);
  if (reading) folded = fold.Finish();
  return reading;
}

}  // namespace

Result<RequestReading> FoldRequests(const RequestReaderOptions& reader,
                                    const InferenceFoldOptions& options, FoldedRequests& folded) {
  if (std::optional<RequestReading> reading = FoldGroups(reader, options, folded)) {
    return *std::move(reading);
  }
  InferenceFold fold(options);
  RequestPipe pipe([&](RequestRows& rows) { return fold.Add(rows.batch, rows.rest_ns); });
  PLIMSOLL_TRY(RequestReading reading,
               ReadRequests(reader, [&](RequestRows& rows) { return pipe.Put(rows); }));
  PLIMSOLL_RETURN_IF_ERROR(pipe.Finish());
  folded = fold.Finish();
  return reading;
}

}  // namespace plimsoll
