#include "ingest/requests/request_pipe.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

RequestRows Block(std::int64_t first, std::size_t count) {
  RequestRows rows;
  RequestDraft draft;
  for (std::size_t i = 0; i < count; ++i) {
    draft.Begin();
    draft.SetNs(RequestField::kArrival, (first + static_cast<std::int64_t>(i)) * 1'000'000);
    EXPECT_TRUE(draft.Finish(rows));
  }
  return rows;
}

TEST(RequestPipeTest, EveryBlockArrivesOnceInOrder) {
  std::vector<std::int64_t> got;
  RequestPipe pipe([&](RequestRows& rows) {
    for (const Instant arrival : rows.batch.arrival) got.push_back(arrival.base());
    return Ok();
  });
  for (std::int64_t block = 0; block < 500; ++block) {
    RequestRows rows = Block(block * 3, 3);
    ASSERT_TRUE(pipe.Put(rows));
  }
  ASSERT_TRUE(pipe.Finish());
  ASSERT_EQ(got.size(), 1'500U);
  for (std::size_t i = 0; i < got.size(); ++i) EXPECT_EQ(got[i], static_cast<std::int64_t>(i));
}

TEST(RequestPipeTest, AFailureEndsThePutting) {
  int taken = 0;
  RequestPipe pipe([&](RequestRows&) {
    ++taken;
    return taken == 3 ? Status(Error{ErrorCode::kOutOfRange, "full"}) : Ok();
  });
  Status put = Ok();
  for (int i = 0; put && i < 100; ++i) {
    RequestRows rows = Block(i, 1);
    put = pipe.Put(rows);
  }
  ASSERT_FALSE(put);
  EXPECT_EQ(put.error().message, "full");
  EXPECT_EQ(pipe.Finish().error().message, "full");
  EXPECT_EQ(taken, 3);
}

TEST(RequestPipeTest, NothingPutIsNothingTaken) {
  RequestPipe pipe([](RequestRows&) { return Ok(); });
  EXPECT_TRUE(pipe.Finish());
  EXPECT_TRUE(pipe.Finish());
}

}  // namespace
}  // namespace plimsoll
