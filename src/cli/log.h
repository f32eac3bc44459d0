// Log: sentences on stderr, by how much the user wants to hear.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iosfwd>
#include <memory>
#include <string>

namespace spdlog {
class logger;
}

namespace plimsoll {

enum class Loudness : unsigned char { kQuiet, kNormal, kVerbose };

class Log {
 public:
  Log(std::ostream& err, Loudness loudness);

  void Error(const std::string& sentence);   // always
  void Warn(const std::string& sentence);    // unless quiet
  void Say(const std::string& sentence);     // unless quiet, without a mark
  void Detail(const std::string& sentence);  // if verbose

 private:
  std::shared_ptr<spdlog::logger> logger_;
  std::ostream* err_;
  Loudness loudness_;
};

}  // namespace plimsoll
