#include "ingest/slurm/slurm_json.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "base/limits.h"
#include "ingest/slurm/sacct_json.h"

namespace plimsoll {
namespace {

using nlohmann::json;

constexpr const char* kSacctAdvice =
    "run 'sacct --json --allusers --duplicates' or the command in docs/formats/slurm.md";
constexpr const char* kNodeAdvice = "run 'scontrol show node --json' or 'scontrol show node'";

class Reader {
 public:
  Reader(const SlurmClock& clock, const SlurmTextOptions& options, SlurmReading& reading)
      : clock_(clock), options_(options), reading_(reading) {}

  // The parser's callback: false drops what was read, so that lists do not grow.
  bool On(int depth, json::parse_event_t event, json& value) {
    if (depth > kNestingMax) return false;
    if (depth == 1 && event == json::parse_event_t::key) {
      list_ = value.get<std::string>();
      index_ = 0;
      NoteList();
    }
    if (depth != 2 || event != json::parse_event_t::object_end) return true;
    const bool is_list = list_ == "jobs" || list_ == "nodes";
    if (!is_list) return list_ == "meta" || list_ == "statistics";
    if (wrong_.empty()) Take(value);
    ++index_;
    return false;
  }

  Status Finish(const std::string& parse_error) const {
    std::string why = wrong_;
    if (why.empty() && !known_) {
      why = std::string(
                "this JSON is neither of 'sacct --json' nor of 'scontrol show node "
                "--json'; ") +
            kSacctAdvice;
    }
    if (why.empty() && !parse_error.empty()) {
      why = "the JSON is broken or cut off (" + parse_error + "); export it again";
    }
    if (why.empty()) return Ok();
    return Error{ErrorCode::kBadData, options_.file + ": " + why};
  }

 private:
  void NoteList() {
    known_ = known_ || list_ == "jobs" || list_ == "nodes";
    if (list_ == "sinfo") wrong_ = std::string("'sinfo --json' sums nodes up; ") + kNodeAdvice;
    if (list_ == "reservations") {
      wrong_ = "reservations are read as text; run 'scontrol show reservation'";
    }
    if (list_ == "partitions") {
      wrong_ = "partitions are read as text; run 'scontrol show partition'";
    }
  }

  void Take(const json& value) {
    if (list_ == "nodes") {
      TakeNode(value);
    } else if (value.contains("job_state")) {
      wrong_ = std::string("this is 'squeue --json', which knows no job that has ended; ") +
               kSacctAdvice;
    } else {
      TakeJob(value);
    }
  }

  void TakeJob(const json& job) {
    const std::vector<std::string> fields = SacctFieldsOfJob(job);
    if (!TakeFields(fields, job)) return;
    const json& steps = SlurmJsonAt(job, {"steps"});
    if (!steps.is_array()) return;
    for (const json& step : steps) TakeFields(SacctFieldsOfStep(step, fields), step);
  }

  bool TakeFields(const std::vector<std::string>& fields, const json& raw) {
    const std::vector<std::string_view> views(fields.begin(), fields.end());
    const SacctContext context{table_, clock_, options_.cluster};
    const auto refusal = ReadSacctFields(context, views, reading_.jobs);
    if (refusal) Reject(refusal->field, refusal->reason, raw);
    return !refusal;
  }

  void TakeNode(const json& node) {
    const ScontrolContext context{options_.cluster, options_.catalog, options_.as_of, &clock_};
    const auto refusal = AppendScontrolNode(ScontrolRecordOf(node), context, reading_.nodes);
    if (refusal) Reject(refusal->field, refusal->reason, node);
  }

  void Reject(const std::string& field, const std::string& reason, const json& raw) {
    const std::string place = list_ + "[" + std::to_string(index_) + "]";
    const std::string text = raw.dump(-1, ' ', false, json::error_handler_t::replace);
    reading_.rejections.push_back({options_.file, 0, field.empty() ? place : place + "." + field,
                                   reason, "", text.substr(0, kRawBytesMax)});
  }

  const SlurmClock& clock_;
  const SlurmTextOptions& options_;
  SlurmReading& reading_;
  const SacctTable table_ = SacctTable::EveryField();
  std::string list_;   // the key of the document that is being read
  std::string wrong_;  // why the whole file cannot be taken
  std::int64_t index_ = 0;
  bool known_ = false;
};

// "[json.exception.parse_error.101] parse error at line 3, column 5: ..." without its tag.
std::string WithoutTag(std::string text) {
  if (const std::size_t at = text.find("] "); at != std::string::npos) text.erase(0, at + 2);
  return text;
}

}  // namespace

std::map<std::string, std::string> ScontrolRecordOf(const json& node) {
  std::map<std::string, std::string> record;
  const auto put = [&](const char* field, const std::string& text) {
    if (!text.empty()) record[field] = text;
  };
  const auto text = [&](const char* key) { return SlurmJsonText(SlurmJsonAt(node, {key})); };
  put("NodeName", text("name"));
  std::string state = SlurmJsonJoined(SlurmJsonAt(node, {"state"}), '+');
  // 21.08 and 22.05 keep the flags apart.
  const std::string flags = SlurmJsonJoined(SlurmJsonAt(node, {"state_flags"}), '+');
  if (!flags.empty()) state += "+" + flags;
  for (char& c : state) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  put("State", state);
  put("CfgTRES", text("tres"));
  put("Gres", text("gres"));
  put("CPUTot", text("cpus"));
  put("RealMemory", text("real_memory"));
  put("Partitions", SlurmJsonJoined(SlurmJsonAt(node, {"partitions"}), ','));
  put("ActiveFeatures", SlurmJsonJoined(SlurmJsonAt(node, {"active_features"}), ','));
  put("InstanceId", text("instance_id"));
  put("InstanceType", text("instance_type"));
  put("Reason", text("reason"));
  put("ReasonAt", text("reason_changed_at"));
  put("LastBusyTime", text("last_busy"));
  put("SlurmdStartTime", text("slurmd_start_time"));
  put("BootTime", text("boot_time"));
  return record;
}

Status ReadSlurmJson(std::istream& in, const SlurmClock& clock, const SlurmTextOptions& options,
                     SlurmReading& reading) {
  Reader reader(clock, options, reading);
  std::string error;
  try {
    const json rest = json::parse(in, [&](int depth, json::parse_event_t event, json& value) {
      return reader.On(depth, event, value);
    });
    if (!rest.is_object()) error = "not an object";
  } catch (const json::exception& failure) {
    error = WithoutTag(failure.what());
  }
  return reader.Finish(error);
}

}  // namespace plimsoll
