#include "cli/log.h"

#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/spdlog.h>

#include <ostream>

#include "cli/text.h"

namespace plimsoll {

Log::Log(std::ostream& err, Loudness loudness) : err_(&err), loudness_(loudness) {
  auto sink = std::make_shared<spdlog::sinks::ostream_sink_mt>(err, true);
  logger_ = std::make_shared<spdlog::logger>("plimsoll", std::move(sink));
  logger_->set_level(loudness == Loudness::kQuiet     ? spdlog::level::err
                     : loudness == Loudness::kVerbose ? spdlog::level::debug
                                                      : spdlog::level::info);
  logger_->set_formatter(std::make_unique<spdlog::pattern_formatter>(
      "%n: %l: %v", spdlog::pattern_time_type::utc, "\n"));
}

// Sentences may hold braces: they are arguments, never formats.
void Log::Error(const std::string& sentence) { logger_->error("{}", PrintableLines(sentence)); }
void Log::Warn(const std::string& sentence) { logger_->warn("{}", PrintableLines(sentence)); }
void Log::Detail(const std::string& sentence) { logger_->debug("{}", PrintableLines(sentence)); }

void Log::Say(const std::string& sentence) {
  if (loudness_ != Loudness::kQuiet) *err_ << PrintableLines(sentence) << "\n" << std::flush;
}

}  // namespace plimsoll
