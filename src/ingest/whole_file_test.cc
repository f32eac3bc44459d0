#include "ingest/whole_file.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

namespace plimsoll {
namespace {

class WholeFileTest : public testing::Test {
 protected:
  void SetUp() override {
    path_ =
        (std::filesystem::temp_directory_path() / ("plimsoll_whole_" + std::to_string(::getpid())))
            .string();
  }
  void TearDown() override { std::filesystem::remove(path_); }

  void WriteGzip(const std::string& text) {
    gzFile file = gzopen(path_.c_str(), "wb");
    gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
    gzclose(file);
  }

  std::string path_;
};

TEST_F(WholeFileTest, PlainAndPackedTextAreTheSame) {
  const std::string text = "job,gpus\n" + std::string(3'000'000, 'x');
  std::ofstream(path_, std::ios::binary) << text;
  const auto plain = ReadWholeOrGzip(path_);
  ASSERT_TRUE(plain) << plain.error().message;
  EXPECT_EQ(*plain, text);
  WriteGzip(text);
  const auto packed = ReadWholeOrGzip(path_);
  ASSERT_TRUE(packed) << packed.error().message;
  EXPECT_EQ(*packed, text);
}

TEST_F(WholeFileTest, AnEmptyFileIsAnEmptyText) {
  std::ofstream(path_, std::ios::binary).flush();
  const auto text = ReadWholeOrGzip(path_);
  ASSERT_TRUE(text);
  EXPECT_EQ(*text, "");
}

TEST_F(WholeFileTest, AGzipThatWasCutShortIsBadData) {
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += std::to_string(i * 7919 % 10'007);
  WriteGzip(text);
  std::filesystem::resize_file(path_, std::filesystem::file_size(path_) / 2);
  const auto cut = ReadWholeOrGzip(path_);
  ASSERT_FALSE(cut);
  EXPECT_EQ(cut.error().code, ErrorCode::kBadData);
  EXPECT_NE(cut.error().message.find(path_), std::string::npos);
}

TEST_F(WholeFileTest, AFileThatIsNotThereIsNotFound) {
  const auto none = ReadWholeOrGzip(path_ + "-not");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::kNotFound);
}

}  // namespace
}  // namespace plimsoll
