#include "ingest/requests/request_sink.h"

#include "base/limits.h"

namespace plimsoll {
namespace {

// Rows a block: its columns stay in the processor's cache on their way.
constexpr std::size_t kBlockRows = 4'096;

}  // namespace

Status RequestOutput::Put(RequestDraft& draft, std::int64_t line, std::string_view raw) {
  if (!draft.Finish(rows_)) {
    Refuse(line, draft.problem_field(), draft.problem(), raw);
    return Ok();
  }
  ++accepted_;
  return rows_.rest_ns.size() < kBlockRows ? Ok() : Flush();
}

void RequestOutput::Refuse(std::int64_t line, const std::string& field, const std::string& reason,
                           std::string_view raw) {
  ++rejected_;
  if (rejections_.size() == kRequestRejectionsMax) return;
  rejections_.push_back({file_, line, field, reason, "", std::string(raw.substr(0, kRawBytesMax))});
}

Status RequestOutput::Pass(RequestRows& rows) {
  accepted_ += static_cast<std::int64_t>(rows.rest_ns.size());
  return take_(rows);
}

Status RequestOutput::Flush() {
  if (rows_.rest_ns.empty()) return Ok();
  PLIMSOLL_RETURN_IF_ERROR(take_(rows_));
  Clear(rows_.batch);
  rows_.rest_ns.clear();
  return Ok();
}

}  // namespace plimsoll
