// Any bytes are a configuration and a window to their readers: no crash, errors that name a
// line, windows that are not empty.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "config/config.h"
#include "config/duration.h"
#include "config/window.h"

namespace {

void Require(bool holds) {
  if (!holds) std::abort();
}

void ReadAsConfig(const std::string& text) {
  const auto config = plimsoll::LoadConfig("plimsoll.yaml", text);
  if (config.has_value()) return;
  Require(config.error().code == plimsoll::ErrorCode::kBadData);
  Require(config.error().message.starts_with("plimsoll.yaml:"));
}

void ReadAsWindow(const std::string& text) {
  static const plimsoll::Zone zone = *plimsoll::Zone::Find("UTC");
  const auto window = plimsoll::ParseWindow(text, zone, plimsoll::AtSeconds(1'764'288'000));
  Require(!window.has_value() || !window->empty());
  const auto duration = plimsoll::ParseDuration(text);
  if (!duration.has_value()) return;
  Require(*plimsoll::ParseDuration(plimsoll::FormatDuration(*duration)) == *duration);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  ReadAsConfig(text);
  ReadAsWindow(text);
  return 0;
}
