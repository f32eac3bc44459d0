#include "ingest/slurm/jobstats.h"

#include <gtest/gtest.h>
#include <zlib.h>

namespace plimsoll {
namespace {

// {"nodes": {"g01": {"gpu_utilization": {"0": 90.5, "1": 80}}, "c01": {"cpus": 4}},
//  "gpus": 2}, packed by gzip(1) and base64(1).
constexpr const char* kTwoGpus =
    "JS1:H4sIAAAAAAACA6tWystPSS1WslKoVko3MITQBaXxpSWZOZlViSWZ+XlgMQMgaWmgZ6qjoARSZGFQWwtkJkN1JB"
    "eUgowwAQumQzhGtQBZnVn4XAAAAA==";

std::string Gzip(const std::string& text) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY), Z_OK);
  std::string packed(deflateBound(&stream, text.size()), '\0');
  std::string in = text;
  stream.next_in = reinterpret_cast<Bytef*>(in.data());
  stream.avail_in = static_cast<uInt>(in.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  packed.resize(packed.size() - stream.avail_out);
  deflateEnd(&stream);
  return packed;
}

std::string Base64(const std::string& bytes) {
  constexpr const char* kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    unsigned held = 0;
    for (std::size_t i = at; i < at + 3; ++i) {
      held = held << 8 | (i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0U);
    }
    for (unsigned i = 0; i < 4; ++i) {
      text += at + i > bytes.size() ? '=' : kDigits[held >> (18 - 6 * i) & 63U];
    }
  }
  return text;
}

std::string Comment(const std::string& json) { return "JS1:" + Base64(Gzip(json)); }

TEST(JobstatsTest, EachNodeHasTheMeanOfItsGpus) {
  const auto use = ReadJobstats(kTwoGpus);
  ASSERT_TRUE(use) << use.error().message;
  ASSERT_TRUE(use->has_value());
  EXPECT_EQ(**use, (JobstatsUse{{"g01", 852'500}}));
}

TEST(JobstatsTest, ShortNoneAndOtherCommentsSayNothing) {
  for (const char* comment : {"", "JS1:Short", "JS1:None", "moved to g02", "js1:abcd"}) {
    const auto use = ReadJobstats(comment);
    ASSERT_TRUE(use) << comment;
    EXPECT_FALSE(use->has_value()) << comment;
  }
}

TEST(JobstatsTest, BoundsOfAPercentAreTakenAndWhatIsBeyondIsRefused) {
  const auto text = [](const std::string& percent) {
    return Comment(R"({"nodes": {"g01": {"gpu_utilization": {"0": )" + percent + "}}}}");
  };
  EXPECT_EQ((**ReadJobstats(text("0"))).at("g01"), 0);
  EXPECT_EQ((**ReadJobstats(text("100"))).at("g01"), 1'000'000);
  for (const char* percent : {"100.1", "-1", "\"90\"", "null", "1e300"}) {
    EXPECT_EQ(ReadJobstats(text(percent)).error().code, ErrorCode::kBadData) << percent;
  }
}

TEST(JobstatsTest, DamagedSummariesAreErrors) {
  const std::string whole = kTwoGpus;
  for (const std::string& broken :
       {whole.substr(0, whole.size() / 2), std::string("JS1:%%%%"), std::string("JS1:"),
        "JS1:" + Base64("not gzip"), Comment("not json"), Comment("[]"),
        Comment(R"({"nodes": 7})")}) {
    EXPECT_EQ(ReadJobstats(broken).error().code, ErrorCode::kBadData) << broken;
  }
}

TEST(JobstatsTest, SummaryThatUnpacksWithoutEndIsRefused) {
  const std::string bomb =
      Comment("{\"nodes\": {}, \"x\": \"" + std::string(17 << 20, 'x') + "\"}");
  EXPECT_LT(bomb.size(), 100'000U);
  EXPECT_FALSE(ReadJobstats(bomb));
}

}  // namespace
}  // namespace plimsoll
