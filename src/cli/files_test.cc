#include "cli/files.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/test_io.h"

namespace plimsoll {
namespace {

TEST(FilesTest, WhatIsWrittenIsReadBack) {
  TestIo io("files");
  ASSERT_TRUE(WriteWholeFile("a", "one\0two\n").has_value());
  ASSERT_TRUE(WriteWholeFile("a", "three").has_value());
  EXPECT_EQ(*ReadWholeFile("a"), "three");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator("."), {}), 1);
}

TEST(FilesTest, ErrorsNameTheFile) {
  TestIo io("files");
  const auto missing = ReadWholeFile("missing.yaml");
  ASSERT_FALSE(missing.has_value());
  EXPECT_EQ(missing.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(missing.error().message, "cannot read 'missing.yaml': No such file or directory");
  EXPECT_FALSE(ReadWholeFile(".").has_value());
  const auto nowhere = WriteWholeFile("no/such/folder", "x");
  ASSERT_FALSE(nowhere.has_value());
  EXPECT_EQ(nowhere.error().code, ErrorCode::kUnavailable);
  EXPECT_NE(nowhere.error().message.find("no/such/folder"), std::string::npos);
}

TEST(FilesTest, DevicesAndLinksStayWhatTheyAre) {
  const std::string target = ::testing::TempDir() + "plimsoll_files_target";
  const std::string link = ::testing::TempDir() + "plimsoll_files_link";
  std::filesystem::remove(link);
  std::filesystem::create_symlink(target, link);
  ASSERT_TRUE(WriteWholeFile(target, "old"));
  ASSERT_TRUE(WriteWholeFile(link, "new"));
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  EXPECT_EQ(*ReadWholeFile(target), "new");
  const std::string pipe = ::testing::TempDir() + "plimsoll_files_pipe";
  std::filesystem::remove(pipe);
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const int reader = open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
  EXPECT_TRUE(WriteWholeFile(pipe, "text"));
  char read_back[8] = {};
  EXPECT_EQ(read(reader, read_back, sizeof read_back), 4);
  close(reader);
  EXPECT_TRUE(std::filesystem::is_fifo(pipe));
  std::filesystem::remove(pipe);
}

TEST(FilesTest, PatternsGiveSortedFilesAndPlainNamesStay) {
  TestIo io("files");
  for (const char* name : {"b.csv", "a.csv", "c.txt", "odd[1].csv"}) io.Write(name, "x");
  EXPECT_EQ(*ExpandFiles({"[ab].csv", "missing", "-", "odd[1].csv"}),
            (std::vector<std::string>{"a.csv", "b.csv", "missing", "-", "odd[1].csv"}));
  const auto none = ExpandFiles({"*.parquet"});
  ASSERT_FALSE(none.has_value());
  EXPECT_EQ(none.error().message, "no file matches '*.parquet'");
}

}  // namespace
}  // namespace plimsoll
