#include "ingest/kube_api/watch_frames.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <vector>

namespace plimsoll {
namespace {

std::vector<std::string> Split(FrameSplitter& splitter, const std::vector<std::string>& pieces) {
  std::vector<std::string> frames;
  for (const std::string& piece : pieces) {
    splitter.Feed(piece, [&](std::string_view frame) {
      frames.emplace_back(frame);
      return true;
    });
  }
  return frames;
}

TEST(WatchFramesTest, FramesAreTheSameWhereverTheStreamIsCut) {
  const std::vector<std::string> events = {
      R"({"type":"ADDED","object":{"a":"} \" { \\","b":[{},[]]}})", "{}",
      "{\n  \"type\": \"BOOKMARK\"\n}", R"({"x":"\\"})"};
  std::string stream;
  for (const std::string& event : events) stream += event + "\n";
  for (std::size_t one = 0; one <= stream.size(); ++one) {
    for (std::size_t two = one; two <= stream.size(); two += 7) {
      FrameSplitter splitter;
      EXPECT_EQ(Split(splitter,
                      {stream.substr(0, one), stream.substr(one, two - one), stream.substr(two)}),
                events)
          << one << " " << two;
      EXPECT_FALSE(splitter.is_within());
    }
  }
}

TEST(WatchFramesTest, StreamThatBreaksOffHasNoLastFrame) {
  const std::string event = R"({"type":"ADDED","object":{"name":"p"}})";
  for (std::size_t cut = 1; cut < event.size(); ++cut) {
    FrameSplitter splitter;
    EXPECT_TRUE(Split(splitter, {event.substr(0, cut)}).empty()) << cut;
    EXPECT_TRUE(splitter.is_within()) << cut;
  }
}

TEST(WatchFramesTest, OtherTextAndEndlessObjectsAreErrors) {
  FrameSplitter html;
  EXPECT_TRUE(Split(html, {"<html>"}).empty());
  EXPECT_NE(html.error(), "");
  FrameSplitter small(10);
  EXPECT_TRUE(Split(small, {R"({"a":"0123456789"})"}).empty());
  EXPECT_NE(small.error().find("10 bytes"), std::string::npos);
}

TEST(WatchFramesTest, ReaderMayStop) {
  FrameSplitter splitter;
  int frames = 0;
  EXPECT_FALSE(splitter.Feed("{}{}", [&](std::string_view) { return ++frames < 1; }));
  EXPECT_EQ(frames, 1);
}

TEST(WatchFramesTest, DeepJsonIsRefusedAndBrokenJsonToo) {
  EXPECT_TRUE(ParseShallowJson(R"({"a":[1]})"));
  const std::string deep = std::string(10'000, '[') + std::string(10'000, ']');
  ASSERT_FALSE(ParseShallowJson(deep));
  EXPECT_EQ(ParseShallowJson(deep).error().code, ErrorCode::kBadData);
  EXPECT_FALSE(ParseShallowJson(R"({"a":)"));
}

}  // namespace
}  // namespace plimsoll
