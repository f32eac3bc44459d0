#include "ingest/runs/event_log.h"

#include <algorithm>
#include <array>

#include "base/limits.h"
#include "ingest/runs/json_text.h"
#include "ingest/runs/number_text.h"

namespace plimsoll {
namespace {

constexpr std::string_view kFormat = "plimsoll-run/1";
constexpr std::string_view kFormatName = "plimsoll-run/";
// More than any run has; sums of such counts stay far from 64 bits.
constexpr std::int64_t kCountMax = 1'000'000'000'000'000;

struct KindRule {
  std::string_view kind;
  bool needs_step, needs_name, needs_value;
};
constexpr std::array<KindRule, 10> kKinds{{
    {"start", false, false, false},
    {"step", true, false, false},
    {"metric", false, true, true},
    {"checkpoint_begin", true, false, false},
    {"checkpoint_end", true, false, false},
    {"stall_begin", false, false, false},
    {"stall_end", false, false, false},
    {"failure", false, false, false},
    {"resume", true, false, false},
    {"stop", false, false, false},
}};

constexpr std::array<std::string_view, 22> kFields{
    "format",  "kind",      "at",       "run",    "attempt", "seq",      "gpus",       "step",
    "tokens",  "samples",   "name",     "reason", "value",   "run_name", "experiment", "model",
    "cluster", "namespace", "workload", "pod",    "job",     "labels"};

const KindRule* RuleOf(std::string_view kind) {
  const auto* found = std::find_if(kKinds.begin(), kKinds.end(),
                                   [&](const KindRule& rule) { return rule.kind == kind; });
  return found == kKinds.end() ? nullptr : found;
}

std::string TextAt(const JsonText& line, std::string_view name) {
  const JsonText* value = line.Find(name);
  const bool has_text =
      value != nullptr && (value->kind == JsonKind::kString || value->kind == JsonKind::kNumber);
  return has_text ? value->text : "";
}

// A field that cannot be taken, and why.
struct Refusal {
  std::string field, reason;
};

class LineReader {
 public:
  LineReader(const JsonText& line, const std::string& run) : line_(line) {
    event_.run = TextAt(line, "run");
    if (event_.run.empty()) event_.run = run;
    event_.source = "log";
  }

  // Null if the line was taken.
  std::optional<Refusal> Read(const KindRule& rule) {
    event_.kind = std::string(rule.kind);
    ReadTime();
    if (event_.run.empty()) {
      Refuse("run", "is missing: every line names its run; name it with --run if it is one");
    }
    event_.attempt = Count("attempt", 1'000'000).value_or(0);
    event_.seq = Count("seq", kCountMax * 1'000).value_or(0);
    event_.gpus = Count("gpus", 10'000'000);
    event_.step = Count("step", kCountMax);
    event_.tokens = Count("tokens", kCountMax);
    event_.samples = Count("samples", kCountMax);
    event_.name = TextAt(line_, "name");
    if (event_.name.empty()) event_.name = TextAt(line_, "reason");
    ReadValue();
    if (rule.needs_step && !event_.step) Refuse("step", Missing(rule));
    if (rule.needs_name && event_.name.empty()) Refuse("name", Missing(rule));
    if (rule.needs_value && event_.value.empty()) Refuse("value", Missing(rule));
    return refusal_;
  }

  const RunEvent& event() const { return event_; }

 private:
  static std::string Missing(const KindRule& rule) {
    return "is missing: a line of kind " + std::string(rule.kind) + " needs it";
  }

  void Refuse(std::string field, std::string reason) {
    if (!refusal_) refusal_ = Refusal{std::move(field), std::move(reason)};
  }

  void ReadTime() {
    const JsonText* at = line_.Find("at");
    if (at == nullptr || at->kind == JsonKind::kNull) return Refuse("at", "is missing");
    std::optional<Instant> time = EpochSeconds(at->text);
    if (!time && at->kind == JsonKind::kString) {
      if (const Result<Instant> parsed = ParseInstant(at->text)) time = *parsed;
    }
    if (time) {
      event_.at = *time;
    } else {
      Refuse("at", "'" + at->text.substr(0, 40) +
                       "' is no time: write 2026-11-23T00:00:00Z, or seconds since the epoch");
    }
  }

  void ReadValue() {
    const JsonText* value = line_.Find("value");
    if (value == nullptr || value->kind == JsonKind::kNull) return;
    if (const std::optional<std::string> number = NumberText(value->text)) {
      event_.value = *number;
    } else {
      Refuse("value", "'" + value->text.substr(0, 40) + "' is no number");
    }
  }

  // Null if the field is not there.
  std::optional<std::int64_t> Count(const char* name, std::int64_t max) {
    const JsonText* value = line_.Find(name);
    if (value == nullptr || value->kind == JsonKind::kNull) return std::nullopt;
    const std::optional<std::int64_t> count = WholeNumber(value->text);
    if (count && *count >= 0 && *count <= max) return count;
    Refuse(name, "'" + value->text.substr(0, 40) + "' is no whole number from 0 to " +
                     std::to_string(max));
    return std::nullopt;
  }

  const JsonText& line_;
  RunEvent event_;
  std::optional<Refusal> refusal_;
};

// What the line says of its run, if anything.
std::optional<RunRow> RunRowOf(const JsonText& line, const std::string& run) {
  RunRow row;
  row.run = run;
  row.source = "log";
  row.experiment = TextAt(line, "experiment");
  row.name = TextAt(line, "run_name");
  row.model = TextAt(line, "model");
  row.cluster = TextAt(line, "cluster");
  row.ns = TextAt(line, "namespace");
  row.workload = TextAt(line, "workload");
  row.pod = TextAt(line, "pod");
  row.job = TextAt(line, "job");
  if (const JsonText* labels = line.Find("labels")) {
    for (const auto& [name, value] : labels->members) {
      if (value.kind == JsonKind::kString || value.kind == JsonKind::kNumber ||
          value.kind == JsonKind::kBool) {
        row.labels[name] = value.text;
      }
    }
  }
  const bool says_something = !row.experiment.empty() || !row.name.empty() || !row.model.empty() ||
                              !row.cluster.empty() || !row.ns.empty() || !row.workload.empty() ||
                              !row.pod.empty() || !row.job.empty() || !row.labels.empty();
  return says_something ? std::optional(row) : std::nullopt;
}

class LogReader {
 public:
  LogReader(const std::string& file, const std::string& run, RunFacts& facts)
      : file_(file), run_(run), facts_(facts) {}

  Status Read(std::istream& in) {
    std::string line;
    while (!ended_ && std::getline(in, line)) {
      ++number_;
      // A file system that lost power leaves zero bytes where the last line should be.
      while (!line.empty() && (line.back() == '\r' || line.back() == '\0')) line.pop_back();
      if (number_ == 1 && line.starts_with("\xEF\xBB\xBF")) line.erase(0, 3);
      if (line.find_first_not_of(" \t") == std::string::npos) continue;
      PLIMSOLL_RETURN_IF_ERROR(TakeLine(line));
    }
    if (broken_) NoteTorn();
    return Ok();
  }

 private:
  Rejection RejectionOf(std::string field, std::string reason, const std::string& line) const {
    return {file_, number_, std::move(field), std::move(reason), "", line.substr(0, kRawBytesMax)};
  }

  void NoteTorn() {
    facts_.ignored.insert(broken_->file + ":" + std::to_string(broken_->line) +
                          ": the line breaks off, as its writer was stopped: not counted");
    broken_.reset();
  }

  Status TakeLine(const std::string& line) {
    JsonText value;
    JsonFault fault;
    const bool is_json = line.size() <= kLineBytesMax && ParseJsonText(line, value, fault) &&
                         value.kind == JsonKind::kObject;
    const std::string kind = is_json ? TextAt(value, "kind") : "";
    if (broken_) {
      if (kind == "start") {
        NoteTorn();
      } else {
        facts_.rejections.push_back(*broken_);
        broken_.reset();
      }
    }
    if (is_json) return TakeObject(value, kind, line);
    const std::string reason = line.size() > kLineBytesMax ? "the line is too long"
                               : fault.reason.empty()
                                   ? "the line is no JSON object"
                                   : "the line is not JSON: " + fault.reason + " (byte " +
                                         std::to_string(fault.offset + 1) + ")";
    const Rejection rejection = RejectionOf("", reason, line);
    if (fault.cut) {
      broken_ = rejection;
    } else {
      facts_.rejections.push_back(rejection);
    }
    return Ok();
  }

  Status TakeObject(const JsonText& value, const std::string& kind, const std::string& line) {
    const std::string format = TextAt(value, "format");
    if (!format.empty() && format != kFormat) {
      const std::string reason = "'" + format.substr(0, 40) + "' is not '" + std::string(kFormat) +
                                 "', the format that this version reads";
      if (!taken_) return Error{ErrorCode::kBadData, file_ + ": format: " + reason};
      facts_.rejections.push_back(
          RejectionOf("format", reason + "; the file is read up to here", line));
      ended_ = true;
      return Ok();
    }
    for (const auto& [name, member] : value.members) {
      if (std::find(kFields.begin(), kFields.end(), name) == kFields.end()) {
        ++facts_.passed["field '" + RunText(name.substr(0, 40)) + "' of the event log"];
      }
    }
    if (kind.empty()) {
      facts_.rejections.push_back(RejectionOf("kind", "is missing", line));
      return Ok();
    }
    const KindRule* rule = RuleOf(kind);
    if (rule == nullptr) {
      facts_.warnings.insert(file_ + ": events of kind '" + RunText(kind.substr(0, 40)) +
                             "' are not known and not kept");
      ++facts_.passed["events of kind '" + RunText(kind.substr(0, 40)) + "'"];
      return Ok();
    }
    LineReader reader(value, run_);
    if (const std::optional<Refusal> refusal = reader.Read(*rule)) {
      facts_.rejections.push_back(RejectionOf(refusal->field, refusal->reason, line));
      return Ok();
    }
    Take(value, reader.event());
    return Ok();
  }

  void Take(const JsonText& value, const RunEvent& event) {
    taken_ = true;
    Append(facts_.events, event);
    if (std::optional<RunRow> row = RunRowOf(value, event.run)) {
      TakeRunLabels(*row);
      Append(facts_.runs, *row);
    } else if (seen_.insert(event.run).second) {
      RunRow bare;
      bare.run = event.run;
      bare.source = "log";
      Append(facts_.runs, bare);
    }
  }

  const std::string& file_;
  const std::string& run_;
  RunFacts& facts_;
  std::set<std::string> seen_;
  std::optional<Rejection> broken_;  // a line that breaks off, until the next one is known
  std::int64_t number_ = 0;
  bool taken_ = false, ended_ = false;
};

}  // namespace

bool IsEventLog(std::string_view head) {
  if (head.starts_with("\xEF\xBB\xBF")) head.remove_prefix(3);
  const std::size_t begin = head.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos || head[begin] != '{') return false;
  head.remove_prefix(begin);
  std::string_view line = head.substr(0, head.find('\n'));
  const std::size_t format = line.find("\"format\"");
  if (format != line.npos && line.find(kFormatName, format) != line.npos) return true;
  JsonText value;
  JsonFault fault;
  while (line.ends_with('\r')) line.remove_suffix(1);
  return ParseJsonText(line, value, fault) && value.Find("kind") != nullptr &&
         value.Find("at") != nullptr;
}

Status ReadEventLog(std::istream& in, const std::string& file, const std::string& run,
                    RunFacts& facts) {
  return LogReader(file, run, facts).Read(in);
}

}  // namespace plimsoll
