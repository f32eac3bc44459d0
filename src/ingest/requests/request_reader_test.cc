#include "ingest/requests/request_reader.h"

#include <zlib.h>

#include "ingest/requests/test_read.h"

namespace plimsoll {
namespace {

using RequestReaderTest = RequestFilesTest;

constexpr const char* kCsv =
    "request,arrival,model,status,ttft_ms,e2e_s,input_tokens,cached_tokens,output_tokens,note\n"
    "a,2025-12-01T00:00:00.0005Z,llama,ok,12.5,1.25,100,40,10,x\n"
    "b,2025-12-01T00:00:01Z,llama,timeout,,30,100,,0,\n";

void ExpectTheTwo(const RequestRows& rows) {
  ASSERT_EQ(rows.rest_ns.size(), 2U);
  const RequestBatch& batch = rows.batch;
  EXPECT_EQ(batch.request[0], "a");
  EXPECT_EQ(batch.model[0], "llama");
  EXPECT_EQ(batch.arrival[0], AtMillis(1'764'547'200'000));
  EXPECT_EQ(rows.rest_ns[0], 500'000);
  EXPECT_EQ(batch.status[0], "ok");
  EXPECT_EQ(batch.ttft_ns[0], 12'500'000);
  EXPECT_EQ(batch.e2e_ns[0], 1'250'000'000);
  EXPECT_EQ(batch.input_tokens[0], 100);
  EXPECT_EQ(batch.cached_tokens[0], 40);
  EXPECT_EQ(batch.output_tokens[0], 10);
  EXPECT_EQ(batch.prefill_ns[0], std::nullopt);
  // A failure is kept, and what it does not tell is null.
  EXPECT_EQ(batch.status[1], "timeout");
  EXPECT_EQ(batch.ttft_ns[1], std::nullopt);
  EXPECT_EQ(batch.cached_tokens[1], std::nullopt);
  EXPECT_EQ(batch.output_tokens[1], 0);
}

TEST_F(RequestReaderTest, CsvWithOurColumns) {
  ExpectTheTwo(ReadText(kCsv));
  EXPECT_EQ(reading.accepted, 2);
  EXPECT_EQ(reading.formats.at("plain"), 1);
}

TEST_F(RequestReaderTest, ByteOrderMarkAndCarriageReturnsChangeNothing) {
  std::string text = "\xEF\xBB\xBF";
  for (const char c : std::string(kCsv))
    text += c == '\n' ? std::string("\r\n") : std::string(1, c);
  ExpectTheTwo(ReadText(text));
}

TEST_F(RequestReaderTest, GzipIsUnpackedWhateverItsName) {
  const std::string path = (folder_ / "log").string();
  gzFile file = gzopen(path.c_str(), "wb");
  gzwrite(file, kCsv, static_cast<unsigned>(std::string(kCsv).size()));
  gzclose(file);
  const Result<RequestRows> rows =
      ReadAll({.files = {path}, .maps = {}, .service = "", .parquet = {}});
  ASSERT_TRUE(rows) << rows.error().message;
  ExpectTheTwo(*rows);
}

constexpr const char* kFirst =
    R"({"request":"a","arrival":"2025-12-01T00:00:00.0005Z","model":"llama","ttft_ms":12.5,)"
    R"("e2e_s":1.25,"input_tokens":100,"cached_tokens":40,"output_tokens":10})";
constexpr const char* kSecond =
    R"({"request":"b","arrival":1764547201,"model":"llama","status":"timeout","ttft_ms":NaN,)"
    R"("e2e_s":30,"input_tokens":100.0,"output_tokens":0})";

TEST_F(RequestReaderTest, JsonAsLinesAsArrayAndSpreadOut) {
  ExpectTheTwo(ReadText(std::string(kFirst) + "\n" + kSecond + "\n"));
  ExpectTheTwo(ReadText(std::string(kFirst) + "\n\n" + kSecond));
  ExpectTheTwo(ReadText(std::string("[") + kFirst + ",\n" + kSecond + "]"));
  ExpectTheTwo(ReadText(std::string("[\n") + kFirst + "\n,\n" + kSecond + "\n]\n"));
  std::string spread(kFirst);
  spread.insert(1, "\n");
  ExpectTheTwo(ReadText(spread + "\n" + kSecond));
}

TEST_F(RequestReaderTest, TornLastLineIsRefusedAndTheRestIsRead) {
  const RequestRows rows =
      ReadText(std::string(kFirst) + "\n" + std::string(kSecond).substr(0, 60));
  EXPECT_EQ(rows.rest_ns.size(), 1U);
  ASSERT_EQ(reading.rejected, 1);
  EXPECT_EQ(reading.rejections[0].line, 2);
  EXPECT_TRUE(reading.rejections[0].reason.starts_with("is cut short"));
}

TEST_F(RequestReaderTest, DamagedRowsSayLineFieldAndReason) {
  const RequestRows rows = ReadText(
      "arrival,ttft_ms,e2e_ms,input_tokens,cached_tokens,output_tokens,reasoning_tokens,status\n"
      "2025-12-01T00:00:00Z,1,2,3,1,5,2,ok\n"
      "nonsense,1,2,3,,5,,ok\n"
      "2025-12-01T00:00:00Z,-1,2,3,,5,,ok\n"
      "2025-12-01T00:00:00Z,1,2,3.5,,5,,ok\n"
      "2025-12-01T00:00:00Z,1,2,3,4,5,,ok\n"
      "2025-12-01T00:00:00Z,1,2,3,,5,6,ok\n"
      "2025-12-01T00:00:00Z,9,2,3,,5,,ok\n"
      "2025-12-01T00:00:00Z,1,2,3,,5,,perhaps\n"
      ",1,2,3,,5,,ok\n"
      "2025-12-01T00:00:00Z,1,2\n"
      "2025-12-01T00:00:00Z,2.5,2,3,,5,,ok\n");
  EXPECT_EQ(rows.rest_ns.size(), 2U);
  // Half a millisecond is two clocks that round apart; the time per token is then 0.
  EXPECT_EQ(rows.batch.ttft_ns[1], 2'000'000);
  std::vector<std::string> where;
  for (const Rejection& r : reading.rejections) where.push_back(std::to_string(r.line) + r.field);
  EXPECT_EQ(where,
            (std::vector<std::string>{"3arrival", "4ttft_ms", "5input_tokens", "6cached_tokens",
                                      "7reasoning_tokens", "8ttft", "9status", "10arrival", "11"}));
  for (const Rejection& r : reading.rejections) EXPECT_FALSE(r.reason.empty());
}

TEST_F(RequestReaderTest, ColumnsOfAnyNameAreMappedWithTheirUnits) {
  const RequestRows rows = ReadText(
      "ts,first_us,total,toks,who\n1764547200123,500,1.5,7,team a\n",
      {"arrival=ts:ms", "ttft=first_us:us", "e2e=total", "output_tokens=toks", "tenant=who"});
  ASSERT_EQ(rows.rest_ns.size(), 1U);
  EXPECT_EQ(rows.batch.arrival[0], AtMillis(1'764'547'200'123));
  EXPECT_EQ(rows.batch.ttft_ns[0], 500'000);
  EXPECT_EQ(rows.batch.e2e_ns[0], 1'500'000'000);
  EXPECT_EQ(rows.batch.output_tokens[0], 7);
  EXPECT_EQ(rows.batch.tenant[0], "team a");
}

TEST_F(RequestReaderTest, MapsGoBeforeTheFormatsOwnFields) {
  const RequestRows rows =
      ReadText("{\"arrival\": 1764547200, \"output_tokens\": 1, \"usage\": {\"out\": 9}}\n",
               {"output_tokens=usage/out"});
  ASSERT_EQ(rows.rest_ns.size(), 1U);
  EXPECT_EQ(rows.batch.output_tokens[0], 9);
}

TEST_F(RequestReaderTest, InputWithoutItsCachedTokensIsAddedUp) {
  const RequestRows rows = ReadText("arrival,uncached_tokens,cached_tokens\n1764547200,86,17817\n");
  ASSERT_EQ(rows.rest_ns.size(), 1U);
  EXPECT_EQ(rows.batch.input_tokens[0], 17'903);
  EXPECT_EQ(rows.batch.cached_tokens[0], 17'817);
}

TEST_F(RequestReaderTest, UnknownFilesAreErrorsWithTheRemedy) {
  const auto error = [&](const std::string& text) {
    const Result<RequestRows> rows =
        ReadAll({.files = {Write("log", text)}, .maps = {}, .service = "", .parquet = {}});
    EXPECT_FALSE(rows);
    return rows ? std::string() : rows.error().message;
  };
  EXPECT_NE(error("colour,shape\n1,2\n").find("--map arrival=ts:ms"), std::string::npos);
  EXPECT_NE(error("{\"request_throughput\": 3}\n").find("--save-detailed"), std::string::npos);
  EXPECT_NE(error("PAR1").find("Parquet"), std::string::npos);
  const Result<RequestRows> missing =
      ReadAll({.files = {"/nowhere/x"}, .maps = {}, .service = "", .parquet = {}});
  EXPECT_EQ(missing.error().code, ErrorCode::kNotFound);
}

TEST_F(RequestReaderTest, EmptyFileHoldsNoRequest) {
  EXPECT_TRUE(ReadText("").rest_ns.empty());
  EXPECT_TRUE(ReadText("\n \n").rest_ns.empty());
  EXPECT_TRUE(ReadText("arrival,model\n").rest_ns.empty());
}

TEST_F(RequestReaderTest, AFileNamedTwiceIsReadOnce) {
  const std::string path = Write("log", "arrival\n1764547200\n");
  const Result<RequestRows> rows =
      ReadAll({.files = {path, path}, .maps = {}, .service = "", .parquet = {}});
  EXPECT_EQ(rows->rest_ns.size(), 1U);
}

TEST_F(RequestReaderTest, ServiceIsOfRequestsThatNameNone) {
  const std::string path = Write("log", "arrival,service\n1764547200,\n1764547201,search\n");
  const Result<RequestRows> rows =
      ReadAll({.files = {path}, .maps = {}, .service = "chat", .parquet = {}});
  ASSERT_TRUE(rows);
  EXPECT_EQ(rows->batch.service[0], "chat");
  EXPECT_EQ(rows->batch.service[1], "search");
}

TEST_F(RequestReaderTest, ALineOfAMegabyteIsARequest) {
  const std::string long_line = "{\"arrival\": 1764547200, \"prompt\": \"" +
                                std::string(1'000'000, 'x') + "\", \"output_tokens\": 5}\n";
  const RequestRows rows = ReadText(long_line + long_line);
  ASSERT_EQ(rows.rest_ns.size(), 2U);
  EXPECT_EQ(rows.batch.output_tokens[1], 5);
}

}  // namespace
}  // namespace plimsoll
