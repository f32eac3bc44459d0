#include "ingest/csv.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace plimsoll {
namespace {

ReadBytes BytesOf(std::string text, std::size_t step = 1'000'000) {
  return [text = std::move(text), at = std::size_t{0}, step](
             char* to, std::size_t size) mutable -> Result<std::size_t> {
    const std::size_t count = std::min({size, step, text.size() - at});
    std::copy_n(text.data() + at, count, to);
    at += count;
    return count;
  };
}

// One row as text: line number, then each field in [] or, if quoted, in "".
std::vector<std::string> Rows(const std::string& text, const CsvOptions& options = {},
                              std::size_t step = 1'000'000) {
  CsvReader reader(BytesOf(text, step), options);
  std::vector<std::string> out;
  CsvRow row;
  for (;;) {
    const Result<bool> more = reader.Next(row);
    if (!more) {
      out.push_back("error: " + more.error().message);
      return out;
    }
    if (!*more) return out;
    std::string line = std::to_string(row.line) + ":";
    for (const CsvField& field : row.fields) {
      line += field.quoted ? "\"" + std::string(field.text) + "\""
                           : "[" + std::string(field.text) + "]";
    }
    if (row.defect == CsvDefect::kQuoteNotClosed) line += " not closed";
    if (row.defect == CsvDefect::kTextAfterQuote) line += " text after quote";
    out.push_back(line);
  }
}

using Lines = std::vector<std::string>;

TEST(CsvReaderTest, TellsQuotedFieldsFromUnquotedOnes) {
  EXPECT_EQ(Rows("a,\"NULL\",NULL,\"\",\n"), Lines{"1:[a]\"NULL\"[NULL]\"\"[]"});
}

TEST(CsvReaderTest, QuotedFieldsHoldDelimitersBreaksAndDoubledQuotes) {
  EXPECT_EQ(Rows("\"a,b\",\"c\nd\",\"{\"\"k\"\": \"\"v\"\"}\"\nx\n"),
            (Lines{"1:\"a,b\"\"c\nd\"\"{\"k\": \"v\"}\"", "3:[x]"}));
}

TEST(CsvReaderTest, QuoteInsideUnquotedFieldIsText) {
  EXPECT_EQ(Rows("5\" disk,b\"\"\nc,d\n"), (Lines{"1:[5\" disk][b\"\"]", "2:[c][d]"}));
}

TEST(CsvReaderTest, LinesEndWithLfOrCrLfOrTheFile) {
  EXPECT_EQ(Rows("a,b\r\n\"c\",\"d\"\r\ne,f"), (Lines{"1:[a][b]", "2:\"c\"\"d\"", "3:[e][f]"}));
}

TEST(CsvReaderTest, SkipsBlankLinesButCountsThem) {
  EXPECT_EQ(Rows("a,b\n\n  \r\n\nc,d\n\n"), (Lines{"1:[a][b]", "5:[c][d]"}));
}

TEST(CsvReaderTest, SkipsTheByteOrderMarkOfTheFileAndASecondOneAtTheFirstRow) {
  EXPECT_EQ(Rows("\xEF\xBB\xBFInvoiceId,Cost\r\n\xEF\xBB\xBFINV1,1.5"),
            (Lines{"1:[InvoiceId][Cost]", "2:[INV1][1.5]"}));
  EXPECT_EQ(Rows("\xEF\xBB\xBF\"a\",b\n"), Lines{"1:\"a\"[b]"});
}

TEST(CsvReaderTest, EmptyFileHasNoRows) {
  EXPECT_EQ(Rows(""), Lines{});
  EXPECT_EQ(Rows("\xEF\xBB\xBF"), Lines{});
}

TEST(CsvReaderTest, BrokenQuotesAreADefectOfTheirRow) {
  EXPECT_EQ(Rows("\"a\"b,c\nd,e\n"), (Lines{"1:\"a\"[c] text after quote", "2:[d][e]"}));
  EXPECT_EQ(Rows("a,b\nc,\"d\ne"), (Lines{"1:[a][b]", "2:[c]\"d\ne\" not closed"}));
  EXPECT_EQ(Rows("\"a\" ,b\n"), Lines{"1:\"a\"[b]"});
}

TEST(CsvReaderTest, RowLongerThanTheLimitFailsNamingItsLine) {
  const Lines rows =
      Rows("a\n\"" + std::string(100, 'x'), {.block_bytes = 16, .row_bytes_max = 40});
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[1].substr(0, 36), "error: line 2: a row of more than 40");
}

TEST(CsvReaderTest, BlockBordersNeverChangeTheRows) {
  const std::string text =
      "\xEF\xBB\xBFh1,h2,h3\r\n\"a \"\"q\"\", "
      "b\",c,\"\"\r\n\n\"x\ny\",,z\n\"t\"u,v,w\r\nlast,\"o\"\"";
  const Lines whole = Rows(text);
  ASSERT_EQ(whole.size(), 5U);
  for (std::size_t block = 16; block < 64; ++block) {
    for (std::size_t step : {1U, 2U, 3U, 7U, 64U}) {
      SCOPED_TRACE(std::to_string(block) + "/" + std::to_string(step));
      EXPECT_EQ(Rows(text, {.block_bytes = block}, step), whole);
    }
  }
}

TEST(CsvReaderTest, RawIsTheRowAsWritten) {
  CsvReader reader(BytesOf("\"a\"\"b\",c\r\nd\n"));
  CsvRow row;
  ASSERT_TRUE(*reader.Next(row));
  EXPECT_EQ(row.raw, "\"a\"\"b\",c");
}

TEST(CsvReaderTest, OtherDelimitersAreAnOption) {
  EXPECT_EQ(Rows("a|b,c\n", {.delimiter = '|'}), Lines{"1:[a][b,c]"});
}

TEST(CsvReaderTest, ReadErrorIsHandedOn) {
  CsvReader reader([](char*, std::size_t) -> Result<std::size_t> {
    return Error{ErrorCode::kUnavailable, "gone"};
  });
  CsvRow row;
  EXPECT_EQ(reader.Next(row).error().code, ErrorCode::kUnavailable);
}

}  // namespace
}  // namespace plimsoll
