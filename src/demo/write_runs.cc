#include "demo/write_runs.h"

#include <fmt/format.h>

#include <iterator>
#include <string_view>

namespace plimsoll {
namespace {

// "2026-11-16T00:00:00.250Z": always with milliseconds.
std::string MillisText(Instant t) {
  const std::string seconds = ToString(FloorTo(t, Millis(1'000)));
  return fmt::format("{}.{:03}Z", std::string_view(seconds).substr(0, seconds.size() - 1),
                     Between(FloorTo(t, Millis(1'000)), t).base());
}

// What the start of an attempt tells of the run, and of the pod or the job it runs in. Names of
// the demo need no escapes.
void AppendStart(const DemoRun& run, const DemoRunEvent& event, std::string& text) {
  fmt::format_to(std::back_inserter(text),
                 R"(,"format":"plimsoll-run/1","gpus":{},"experiment":"{}","run_name":"{}",)"
                 R"("model":"{}","labels":{{"precision":"{}"}})",
                 run.gpus, run.experiment, run.name, run.model, run.precision);
  if (!run.job.empty()) fmt::format_to(std::back_inserter(text), R"(,"job":"{}")", run.job);
  fmt::format_to(std::back_inserter(text), R"(,"cluster":"{}")", run.cluster);
  if (run.job.empty()) {
    const DemoAttempt& attempt = run.attempts[static_cast<std::size_t>(event.attempt)];
    fmt::format_to(std::back_inserter(text), R"(,"pod":"{}","namespace":"{}")", attempt.pod,
                   run.ns);
  }
}

void AppendEvent(const DemoRun& run, const DemoRunEvent& event, std::int64_t seq,
                 std::string& text) {
  const std::string_view kind = event.kind;
  auto out = std::back_inserter(text);
  fmt::format_to(out, R"({{"kind":"{}","run":"{}","attempt":{},"at":"{}","seq":{})", kind, run.id,
                 event.attempt, MillisText(event.at), seq);
  if (kind == "start") AppendStart(run, event, text);
  if (event.step) fmt::format_to(out, R"(,"step":{})", *event.step);
  if (event.samples) fmt::format_to(out, R"(,"samples":{})", *event.samples);
  if (event.tokens) fmt::format_to(out, R"(,"tokens":{})", *event.tokens);
  const bool is_reason = kind == "failure" || kind == "stop";
  if (!event.name.empty()) {
    fmt::format_to(out, R"(,"{}":"{}")", is_reason ? "reason" : "name", event.name);
  }
  if (!event.value.empty()) fmt::format_to(out, R"(,"value":{})", event.value);
  text += "}\n";
}

}  // namespace

std::string RunsJsonl(const DemoFleet& fleet) {
  std::string text;
  for (const DemoRun& run : fleet.runs) {
    std::int64_t seq = 0;
    for (const DemoRunEvent& event : run.events) {
      if (std::string_view(event.kind) == "start") seq = 0;
      AppendEvent(run, event, seq++, text);
    }
  }
  return text;
}

}  // namespace plimsoll
