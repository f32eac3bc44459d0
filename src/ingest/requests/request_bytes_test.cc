#include "ingest/requests/request_bytes.h"

#include "ingest/requests/test_read.h"

namespace plimsoll {
namespace {

using RequestBytesTest = RequestFilesTest;

TEST_F(RequestBytesTest, LinesAcrossBlocksAndATornOne) {
  std::string text;
  for (int i = 0; i < 50'000; ++i) text += "line " + std::to_string(i) + "\n";
  const std::string path = Write("log", "\xEF\xBB\xBF" + text + "torn");
  Result<RequestBytes> bytes = RequestBytes::Open(path);
  ASSERT_TRUE(bytes);
  EXPECT_EQ(*bytes->PeekLine(), "line 0");
  EXPECT_FALSE(bytes->IsOneLine());
  std::string line;
  for (int i = 0; i < 50'000; ++i) {
    ASSERT_EQ(*bytes->NextLine(line), RequestBytes::Line::kWhole);
    ASSERT_EQ(line, "line " + std::to_string(i));
  }
  EXPECT_EQ(*bytes->NextLine(line), RequestBytes::Line::kTorn);
  EXPECT_EQ(line, "torn");
  EXPECT_EQ(*bytes->NextLine(line), RequestBytes::Line::kNone);
}

TEST_F(RequestBytesTest, ALineLongerThanABlockIsPeekedWhole) {
  const std::string text(2'000'000, 'x');
  Result<RequestBytes> bytes = RequestBytes::Open(Write("log", "\n" + text));
  EXPECT_EQ(*bytes->PeekLine(), text);
  EXPECT_TRUE(bytes->IsOneLine());
  EXPECT_EQ(*bytes->Whole(), "\n" + text);
}

TEST_F(RequestBytesTest, FoldersAndMissingFilesAreErrors) {
  EXPECT_EQ(RequestBytes::Open(folder_.string()).error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(RequestBytes::Open("/nowhere/x").error().code, ErrorCode::kNotFound);
}

TEST_F(RequestBytesTest, GzipCutShortIsBadData) {
  const std::string path =
      Write("log.gz", std::string("\x1F\x8B\x08\x00\x00\x00\x00\x00\x00\x03", 10));
  Result<RequestBytes> bytes = RequestBytes::Open(path);
  ASSERT_TRUE(bytes);
  EXPECT_EQ(bytes->Peek().error().code, ErrorCode::kBadData);
}

}  // namespace
}  // namespace plimsoll
