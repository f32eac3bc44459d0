#include "ingest/kube_api/watch_frames.h"

#include <nlohmann/json.hpp>

namespace plimsoll {

bool FrameSplitter::Feed(std::string_view bytes,
                         const std::function<bool(std::string_view)>& on_frame) {
  if (!error_.empty()) return false;
  for (const char c : bytes) {
    if (depth_ == 0) {
      if (c == ' ' || c == '\n' || c == '\r' || c == '\t') continue;
      if (c != '{') {
        error_ = "the watch sent something that is no JSON object";
        return false;
      }
    }
    frame_.push_back(c);
    if (frame_.size() > max_) {
      error_ = "the watch sent an object of more than " + std::to_string(max_) + " bytes";
      return false;
    }
    if (in_text_) {
      const bool was_escaped = escaped_;
      escaped_ = c == '\\' && !was_escaped;
      if (c == '"' && !was_escaped) in_text_ = false;
      continue;
    }
    if (c == '"') in_text_ = true;
    if (c == '{' || c == '[') ++depth_;
    if (c == '}' || c == ']') --depth_;
    if (depth_ > 0) continue;
    std::string frame;
    frame.swap(frame_);
    if (!on_frame(frame)) return false;
  }
  return true;
}

Result<nlohmann::json> ParseShallowJson(std::string_view text) {
  bool too_deep = false;
  const auto shallow = [&](int depth, nlohmann::json::parse_event_t, nlohmann::json&) {
    too_deep = too_deep || depth > kNestingMax;
    return depth <= kNestingMax;
  };
  nlohmann::json value = nlohmann::json::parse(text.begin(), text.end(), shallow, false);
  if (too_deep) {
    return Error{ErrorCode::kBadData, "the JSON nests deeper than " + std::to_string(kNestingMax)};
  }
  if (value.is_discarded()) return Error{ErrorCode::kBadData, "the answer is not whole JSON"};
  return value;
}

}  // namespace plimsoll
