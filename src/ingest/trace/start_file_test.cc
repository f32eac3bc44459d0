#include "ingest/trace/start_file.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

TEST(StartFileTest, TakesAColumnOrPlainNumbers) {
  const std::vector<std::int64_t> expected{5, 0};
  EXPECT_EQ(*ReadStarts("s", "i,start_index,end_index_exclusive\n0,5,9\n1,0,9\n", 9), expected);
  EXPECT_EQ(*ReadStarts("s", "start\n5\n0\n", 9), expected);
  EXPECT_EQ(*ReadStarts("s", "5\n0\n", 9), expected);
}

TEST(StartFileTest, WhatIsNoTickNamesTheLine) {
  const Result<std::vector<std::int64_t>> beyond = ReadStarts("s.csv", "start\n8\n9\n", 9);
  ASSERT_FALSE(beyond.has_value());
  EXPECT_EQ(beyond.error().message,
            "s.csv, line 3, field 1: '9' is no tick of the trace, which has 9: give a number from "
            "0 to 8");
  EXPECT_FALSE(ReadStarts("s.csv", "when\n1\n", 9).has_value());
  EXPECT_FALSE(ReadStarts("s.csv", "", 9).has_value());
  EXPECT_FALSE(ReadStarts("s.csv", "start\n-1\n", 9).has_value());
}

}  // namespace
}  // namespace plimsoll
