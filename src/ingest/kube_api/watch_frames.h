// WatchFrames: the events in the stream of bytes that a watch is.
//
// A watch answers with JSON objects one after another, in pieces that have nothing to do with
// where they end. An object that the stream breaks off in is no event: the watch is resumed
// from the one before it, and the server sends it again whole.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "base/limits.h"
#include "base/result.h"

namespace plimsoll {

class FrameSplitter {
 public:
  explicit FrameSplitter(std::size_t frame_bytes_max = kLineBytesMax) : max_(frame_bytes_max) {}

  // Hands each whole object to `on_frame`, until it returns false. Returns false then, or if the
  // stream is not objects (between them anything but white space, or one past the limit); the
  // splitter is then of no more use.
  bool Feed(std::string_view bytes, const std::function<bool(std::string_view)>& on_frame);

  const std::string& error() const { return error_; }  // "" if there was none
  bool is_within() const { return depth_ > 0; }        // the stream stopped in an object

 private:
  std::size_t max_;
  std::string frame_;
  int depth_ = 0;
  bool in_text_ = false, escaped_ = false;
  std::string error_;
};

// Reads JSON that nests no deeper than kNestingMax. Fails with kBadData.
Result<nlohmann::json> ParseShallowJson(std::string_view text);

}  // namespace plimsoll
