// Any bytes as a watch: never a crash, and the same frames wherever the stream is cut.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/check.h"
#include "ingest/kube_api/watch_frames.h"

namespace {

std::vector<std::string> Frames(std::string_view stream, std::size_t piece, std::string& error) {
  plimsoll::FrameSplitter splitter(4'096);
  std::vector<std::string> frames;
  for (std::size_t at = 0; at < stream.size(); at += piece) {
    const bool goes_on = splitter.Feed(stream.substr(at, piece), [&](std::string_view frame) {
      frames.emplace_back(frame);
      return true;
    });
    if (!goes_on) break;
  }
  error = splitter.error();
  return frames;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string stream(data, data + size);
  std::string error;
  const std::vector<std::string> whole = Frames(stream, std::max<std::size_t>(size, 1), error);
  for (const std::size_t piece : {1UL, 3UL, 64UL}) {
    std::string again;
    PLIMSOLL_CHECK(Frames(stream, piece, again) == whole);
    PLIMSOLL_CHECK(again == error);
  }
  for (const std::string& frame : whole) {
    const auto json = plimsoll::ParseShallowJson(frame);
    PLIMSOLL_CHECK(!json || json->is_object());
  }
  return 0;
}
