// Any bytes as a request log: never a crash, and what is taken is sound.
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>

#include "base/check.h"
#include "ingest/requests/request_reader.h"

namespace {

// A file of this process: the reader takes files, as it unpacks and looks back.
std::string WriteLog(const std::uint8_t* data, std::size_t size) {
  static const std::string path = "/tmp/plimsoll-requests-fuzz-" + std::to_string(getpid());
  std::FILE* file = std::fopen(path.c_str(), "wb");
  PLIMSOLL_CHECK(file != nullptr);
  PLIMSOLL_CHECK(size == 0 || std::fwrite(data, 1, size, file) == size);
  std::fclose(file);
  return path;
}

void CheckRows(const plimsoll::RequestRows& rows) {
  const plimsoll::RequestBatch& batch = rows.batch;
  for (std::size_t i = 0; i < rows.rest_ns.size(); ++i) {
    PLIMSOLL_CHECK(rows.rest_ns[i] >= 0 && rows.rest_ns[i] < 1'000'000);
    PLIMSOLL_CHECK(!batch.status[i].empty());
    PLIMSOLL_CHECK(!batch.ttft_ns[i] || *batch.ttft_ns[i] >= 0);
    PLIMSOLL_CHECK(!batch.e2e_ns[i] || !batch.ttft_ns[i] || *batch.ttft_ns[i] <= *batch.e2e_ns[i]);
    PLIMSOLL_CHECK(batch.cached_tokens[i].value_or(0) <= batch.input_tokens[i].value_or(INT64_MAX));
    PLIMSOLL_CHECK(batch.output_tokens[i].value_or(0) >= 0);
  }
  PLIMSOLL_CHECK(plimsoll::RowsOf(batch) == rows.rest_ns.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  plimsoll::RequestReaderOptions options;
  options.files = {WriteLog(data, size)};
  std::int64_t taken = 0;
  const auto reading = plimsoll::ReadRequests(options, [&](plimsoll::RequestRows& rows) {
    CheckRows(rows);
    taken += static_cast<std::int64_t>(rows.rest_ns.size());
    return plimsoll::Ok();
  });
  std::remove(options.files[0].c_str());
  if (!reading) return 0;
  PLIMSOLL_CHECK(reading->accepted == taken);
  for (const plimsoll::Rejection& rejection : reading->rejections) {
    PLIMSOLL_CHECK(!rejection.reason.empty());
  }
  return 0;
}
