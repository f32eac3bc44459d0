#include "ingest/runs/trainer_state.h"

#include "base/limits.h"
#include "ingest/runs/json_text.h"
#include "ingest/runs/number_text.h"
#include "ingest/runs/run_files.h"

namespace plimsoll {
namespace {

constexpr const char* kSource = "trainer-state";

std::string NumberAt(const JsonText& object, std::string_view name) {
  const JsonText* value = object.Find(name);
  return value != nullptr && value->kind == JsonKind::kNumber ? value->text : "";
}

class StateReader {
 public:
  StateReader(const RunPlace& place, RunFacts& facts)
      : place_(place), facts_(facts), began_(place.began.value_or(AtMillis(0))) {}

  void Read(const JsonText& state, const JsonText& history) {
    Append(facts_.events, {.run = place_.run, .source = kSource, .kind = "start", .at = began_});
    for (std::size_t i = 0; i < history.items.size(); ++i) {
      ReadEntry(history.items[i], "log_history[" + std::to_string(i) + "]");
    }
    if (runtime_) {
      Append(facts_.events, {.run = place_.run,
                             .source = kSource,
                             .kind = "stop",
                             .at = began_ + *runtime_,
                             .name = "completed"});
    }
    RunRow row;
    row.run = place_.run;
    row.source = kSource;
    row.name = place_.name;
    for (const char* name : {"train_batch_size", "max_steps", "global_step", "trial_name"}) {
      const JsonText* value = state.Find(name);
      if (value != nullptr && !value->text.empty() && value->kind != JsonKind::kNull) {
        row.labels[name] = value->text;
      }
    }
    if (!place_.began) row.labels[kRunTimesLabel] = runtime_ ? kRunTimesRelative : kRunTimesNone;
    Append(facts_.runs, row);
  }

 private:
  void Refuse(const std::string& field, std::string reason) {
    facts_.rejections.push_back({place_.file, 0, field, std::move(reason), "", ""});
  }

  void ReadEntry(const JsonText& entry, const std::string& path) {
    if (entry.kind != JsonKind::kObject) return Refuse(path, "is not an object");
    const std::optional<std::int64_t> step = WholeNumber(NumberAt(entry, "step"));
    if (!step || *step < 0) return Refuse(path + ".step", "is missing or no whole number");
    for (const auto& [name, value] : entry.members) {
      if (name == "step" || value.kind == JsonKind::kNull) continue;
      const std::optional<std::string> number =
          value.kind == JsonKind::kNumber ? NumberText(value.text) : std::nullopt;
      if (number) {
        Append(facts_.events, {.run = place_.run,
                               .source = kSource,
                               .kind = "metric",
                               .at = began_,
                               .step = step,
                               .name = name,
                               .value = *number});
      } else {
        ++facts_.passed["values of trainer_state.json that are no numbers"];
      }
    }
    // The seconds that the last call of train() took, as a length: from the epoch on.
    const std::optional<Instant> runtime = EpochSeconds(NumberAt(entry, "train_runtime"));
    if (!runtime || *runtime < AtMillis(0)) return;
    runtime_ = std::max(runtime_.value_or(Duration()), Between(AtMillis(0), *runtime));
  }

  const RunPlace& place_;
  RunFacts& facts_;
  Instant began_;
  std::optional<Duration> runtime_;
};

}  // namespace

bool IsTrainerState(std::string_view head) {
  const std::size_t begin = head.find_first_not_of(" \t\r\n");
  return begin != std::string_view::npos && head[begin] == '{' &&
         head.find("\"log_history\"") != std::string_view::npos;
}

Status ReadTrainerState(std::string_view text, const RunPlace& place, RunFacts& facts) {
  JsonText state;
  JsonFault fault;
  if (!ParseJsonText(text, state, fault)) {
    return Error{ErrorCode::kBadData, place.file + ": is not JSON: " + fault.reason + " (byte " +
                                          std::to_string(fault.offset + 1) + ")"};
  }
  const JsonText* history = state.Find("log_history");
  if (history == nullptr || history->kind != JsonKind::kArray) {
    return Error{ErrorCode::kBadData,
                 place.file + ": has no list log_history, so it is no trainer_state.json"};
  }
  StateReader(place, facts).Read(state, *history);
  return Ok();
}

}  // namespace plimsoll
