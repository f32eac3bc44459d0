#include "ingest/requests/request_status.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

TEST(RequestStatusesTest, WordsCodesAndErrorsAreOneOfFour) {
  RequestStatuses statuses;
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(statuses.Of(Symbol("SUCCESS"), Symbol()), "ok");
    EXPECT_EQ(statuses.Of(Symbol("504"), Symbol()), "timeout");
    EXPECT_EQ(statuses.Of(Symbol(), Symbol("request timed out")), "timeout");
    EXPECT_EQ(statuses.Of(Symbol(), Symbol("it broke")), "error");
    EXPECT_EQ(statuses.Of(Symbol("canceled"), Symbol()), "cancelled");
    EXPECT_EQ(statuses.Of(Symbol(), Symbol()), "ok");
    EXPECT_EQ(statuses.Of(Symbol("perhaps"), Symbol()), "");
  }
}

}  // namespace
}  // namespace plimsoll
