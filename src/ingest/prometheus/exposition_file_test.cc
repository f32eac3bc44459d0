#include "ingest/prometheus/exposition_file.h"

#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

#include <filesystem>
#include <fstream>

#include "ingest/prometheus/recording_sink.h"

namespace plimsoll {
namespace {

using Texts = std::vector<std::string>;

class ExpositionFileTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() /
              ("plimsoll-exposition-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string Write(const std::string& name, const std::string& text) {
    const std::string path = folder_ / name;
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }
  std::string Zip(const std::string& name, const std::string& text) {
    const std::string path = folder_ / name;
    gzFile file = gzopen(path.c_str(), "wb");
    gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
    gzclose(file);
    return path;
  }

  std::filesystem::path folder_;
};

TEST_F(ExpositionFileTest, TheLastLineDecidesTheUnitOfTimesAlsoInAGzip) {
  const std::string text = "a 1 1768212000\na 2 1768212030\n# EOF\n";
  for (const std::string& path : {Write("om.txt", text), Zip("om.gz", text)}) {
    RecordingSink sink;
    ASSERT_TRUE(ReadSamplesFile(path, {}, sink).has_value());
    EXPECT_EQ(sink.samples, (Texts{"a @1768212000000 1", "a @1768212030000 2"}));
  }
}

TEST_F(ExpositionFileTest, AnAnswerOfTheApiIsReadToo) {
  RecordingSink sink;
  const std::string path =
      Write("a.json",
            "\n{ \"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":"
            "[{\"metric\":{\"__name__\":\"m\"},\"value\":[5,\"1\"]}]}}");
  ASSERT_TRUE(ReadSamplesFile(path, {}, sink).has_value());
  EXPECT_EQ(sink.samples, Texts{"m @5000 1"});
  const std::string quoted = Write("quoted.prom", "{\"m\"} 1 5\n");
  ASSERT_TRUE(ReadSamplesFile(quoted, {}, sink).has_value());
  EXPECT_EQ(sink.samples.back(), "m @5 1");
}

TEST_F(ExpositionFileTest, ErrorsNameTheFile) {
  RecordingSink sink;
  const Status missing = ReadSamplesFile(folder_ / "none.prom", {}, sink);
  ASSERT_FALSE(missing.has_value());
  EXPECT_EQ(missing.error().code, ErrorCode::kNotFound);
  const Status untimed = ReadSamplesFile(Write("t.prom", "a 1\n"), {}, sink);
  ASSERT_FALSE(untimed.has_value());
  EXPECT_NE(untimed.error().message.find("t.prom: line 1"), std::string::npos);
}

TEST_F(ExpositionFileTest, ACutGzipIsDamagedNotShort) {
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += "a{x=\"" + std::to_string(i * 7919) + "\"} 1 5\n";
  const std::string path = Zip("cut.gz", text);
  std::filesystem::resize_file(path, std::filesystem::file_size(path) / 2);
  RecordingSink sink;
  const Status read = ReadSamplesFile(path, {}, sink);
  ASSERT_FALSE(read.has_value());
  EXPECT_EQ(read.error().code, ErrorCode::kBadData);
}

TEST_F(ExpositionFileTest, AnEmptyFileHasNoSamples) {
  RecordingSink sink;
  EXPECT_TRUE(ReadSamplesFile(Write("empty", ""), {}, sink).has_value());
  EXPECT_TRUE(sink.samples.empty());
}

}  // namespace
}  // namespace plimsoll
