#include "cli/spot_files.h"

#include <gtest/gtest.h>

#include "cli/test_io.h"

namespace plimsoll {
namespace {

TEST(SpotFilesTest, FilesAndPatternsAreReadInOrder) {
  TestIo io("spot_files");
  io.Write("b.csv", "time,available\n0,1\n60,0\n");
  io.Write("a.csv", "time,available\n0,0\n60,0\n");
  const auto histories = ReadSpotFiles({{"*.csv"}, "", "held"});
  ASSERT_TRUE(histories.has_value()) << histories.error().message;
  ASSERT_EQ(histories->size(), 2U);
  EXPECT_EQ((*histories)[0].traces[0].name, "a");
  EXPECT_EQ((*histories)[1].traces[0].observed, SpotObservation::kHeld);
}

TEST(SpotFilesTest, WhatIsNotThereOrNoFormatIsSaid) {
  TestIo io("spot_files_wrong");
  EXPECT_EQ(ReadSpotFiles({{"no.csv"}, "", ""}).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(ReadSpotFiles({{"no.csv"}, "excel", ""}).error().code, ErrorCode::kInvalidArgument);
}

}  // namespace
}  // namespace plimsoll
