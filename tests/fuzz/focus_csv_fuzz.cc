// Any bytes as a FOCUS CSV: no crash, and every row is either a charge or refused with a
// reason. The first byte chooses the block size, so that rows meet every border.
#include <algorithm>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "ingest/focus/focus_row.h"
#include "store/utf8.h"

namespace plimsoll {
namespace {

ReadBytes BytesOf(std::string_view text) {
  return [text](char* to, std::size_t size) mutable -> Result<std::size_t> {
    const std::size_t count = std::min(size, text.size());
    std::copy_n(text.data(), count, to);
    text.remove_prefix(count);
    return count;
  };
}

void ReadBill(std::string_view text, const CsvOptions& options) {
  CsvReader csv(BytesOf(text), options);
  CsvRow row;
  const Result<bool> first = csv.Next(row);
  if (!first || !*first) return;
  const Result<FocusHeader> header = ReadFocusHeader(row, "bill.csv", {});
  if (!header) return;
  FocusRowReader reader(*header, kFocusNullTokens);
  FocusRow charge;
  RefusedRow refused;
  std::int64_t last_line = row.line;
  ChargeBatch batch;
  std::apply([&](auto... column) { ((batch.*(column.values)).resize(1), ...); },
             ChargeBatch::kColumns);
  for (;;) {
    const Result<bool> more = csv.Next(row);
    if (!more || !*more) return;
    PLIMSOLL_CHECK(row.line > last_line);
    last_line = row.line;
    if (!reader.Read(row, charge, refused)) {
      PLIMSOLL_CHECK(!refused.reason.empty());
      continue;
    }
    PLIMSOLL_CHECK(!charge.charge.empty() && !charge.billing.empty());
    PLIMSOLL_CHECK(charge.costs[0].has_value() && charge.costs[1].has_value());
    WriteCharge(charge, row.line, batch, 0);
    PLIMSOLL_CHECK(IsUtf8(batch.tags[0]) && batch.tags[0].starts_with('{'));
  }
}

}  // namespace
}  // namespace plimsoll

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const plimsoll::CsvOptions options{.block_bytes = std::size_t{16} + data[0],
                                     .row_bytes_max = 1 << 16};
  plimsoll::ReadBill({reinterpret_cast<const char*>(data) + 1, size - 1}, options);
  return 0;
}
