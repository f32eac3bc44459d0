#include "ingest/requests/request_sink.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

Status Put(RequestOutput& output, std::int64_t arrival) {
  RequestDraft draft;
  draft.Begin();
  if (arrival >= 0) draft.SetNs(RequestField::kArrival, arrival);
  return output.Put(draft, 7, "raw");
}

TEST(RequestOutputTest, EveryRowComesOutOnceInBlocks) {
  std::int64_t rows = 0;
  std::int64_t blocks = 0;
  RequestOutput output([&](RequestRows& block) {
    rows += static_cast<std::int64_t>(block.rest_ns.size());
    ++blocks;
    return Ok();
  });
  for (std::int64_t i = 0; i < 10'000; ++i) ASSERT_TRUE(Put(output, i));
  ASSERT_TRUE(output.Flush());
  ASSERT_TRUE(output.Flush());
  EXPECT_EQ(rows, 10'000);
  EXPECT_EQ(blocks, 3);
  EXPECT_EQ(output.accepted(), 10'000);
}

TEST(RequestOutputTest, RefusalsAreCountedBeyondThoseKept) {
  RequestOutput output([](RequestRows&) { return Ok(); });
  output.BeginFile("f");
  for (std::size_t i = 0; i < kRequestRejectionsMax + 5; ++i) ASSERT_TRUE(Put(output, -1));
  EXPECT_EQ(output.rejected(), static_cast<std::int64_t>(kRequestRejectionsMax) + 5);
  EXPECT_EQ(output.rejections().size(), kRequestRejectionsMax);
  EXPECT_EQ(output.rejections()[0].file, "f");
  EXPECT_EQ(output.rejections()[0].line, 7);
}

TEST(RequestOutputTest, ErrorOfTheTakerEndsTheReading) {
  RequestOutput output([](RequestRows&) { return Status(Error{ErrorCode::kOutOfRange, "full"}); });
  ASSERT_TRUE(Put(output, 1));
  EXPECT_EQ(output.Flush().error().message, "full");
}

}  // namespace
}  // namespace plimsoll
