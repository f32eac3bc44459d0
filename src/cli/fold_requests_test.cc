#include "cli/fold_requests.h"

#include <gtest/gtest.h>

#include "cli/test_io.h"

namespace plimsoll {
namespace {

TEST(FoldRequestsTest, TextIsReadRowByRowAndWhatIsNotThereIsNamed) {
  TestIo io("fold-requests");
  io.Write("log.csv", "arrival,ttft_ms,e2e_ms\n1764547200,5,9\n1764547201,-5,9\n");
  RequestReaderOptions reader;
  reader.files = {"log.csv"};
  FoldedRequests folded;
  const auto reading = FoldRequests(reader, {}, folded);
  ASSERT_TRUE(reading) << reading.error().message;
  EXPECT_EQ(reading->rejected, 1);
  ASSERT_EQ(folded.services.size(), 1U);
  EXPECT_EQ(folded.services[0].requests, 1);
  reader.files = {"gone.csv"};
  const auto gone = FoldRequests(reader, {}, folded);
  ASSERT_FALSE(gone);
  EXPECT_NE(gone.error().message.find("gone.csv"), std::string::npos);
}

}  // namespace
}  // namespace plimsoll
