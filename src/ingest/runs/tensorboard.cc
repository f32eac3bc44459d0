#include "ingest/runs/tensorboard.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "ingest/runs/number_text.h"
#include "ingest/runs/tf_event.h"
#include "ingest/runs/tf_records.h"

namespace plimsoll {
namespace {

constexpr const char* kSource = "tensorboard";
constexpr std::array<std::string_view, 5> kSideFolders{"train", "validation", "val", "eval",
                                                       "test"};

class EventFileReader {
 public:
  EventFileReader(const EventFilePlace& place, RunFacts& facts) : place_(place), facts_(facts) {}

  void Read(std::istream& in) {
    TfRecordReader records(in);
    for (;;) {
      const TfRecordState state = records.Next();
      const std::string at = "byte " + std::to_string(records.offset());
      if (state == TfRecordState::kRecord) {
        TakeRecord(records.data(), at);
      } else if (state == TfRecordState::kDamaged) {
        Refuse(at, "the record's checksum is wrong: the file is damaged here");
      } else if (state == TfRecordState::kTooLong) {
        ++facts_.passed["TensorBoard records of more than 64 MiB"];
      } else {
        if (state == TfRecordState::kLost) {
          Refuse(at, "the record's length is damaged: the rest of the file cannot be read");
        }
        if (state == TfRecordState::kTorn) {
          facts_.ignored.insert(place_.file + ": the last record breaks off at " + at +
                                ", as its writer was stopped: not counted");
        }
        break;
      }
    }
    if (!began_) return;
    RunRow row;
    row.run = place_.run;
    row.source = kSource;
    row.name = place_.name;
    Append(facts_.runs, row);
  }

 private:
  void Refuse(const std::string& field, std::string reason) {
    facts_.rejections.push_back({place_.file, 0, field, std::move(reason), "", ""});
  }

  void AppendEvent(const char* kind, Instant at, std::optional<std::int64_t> step,
                   std::string name = "", std::string value = "") {
    Append(facts_.events, {.run = place_.run,
                           .source = kSource,
                           .kind = kind,
                           .at = at,
                           .step = step,
                           .name = std::move(name),
                           .value = std::move(value)});
  }

  void TakeRecord(const std::string& data, const std::string& place) {
    TfEvent event;
    if (!ParseTfEvent(data, plugins_, event)) {
      return Refuse(place, "the record is no TensorBoard event");
    }
    const std::optional<Instant> at = EpochSeconds(event.wall_time);
    if (!at) return Refuse(place, "the record's wall_time " + event.wall_time + " is no time");
    if (!began_) {
      began_ = true;
      if (place_.begins_attempt) AppendEvent("start", *at, std::nullopt);
    }
    if (event.others > 0) {
      facts_.passed["TensorBoard values that are no scalars"] += event.others;
    }
    if (event.step < 0) {
      facts_.passed["TensorBoard values of a negative step"] +=
          static_cast<std::int64_t>(event.scalars.size());
      return;
    }
    for (const TfScalar& scalar : event.scalars) {
      AppendEvent("metric", *at, event.step, place_.prefix + scalar.tag, scalar.value);
    }
    // A start that purges says from which step on the events before it do not count.
    if (event.session == TfSession::kStart && event.step > 0) {
      AppendEvent("resume", *at, event.step - 1);
    }
    if (event.session == TfSession::kCheckpoint) AppendEvent("checkpoint_end", *at, event.step);
  }

  const EventFilePlace& place_;
  RunFacts& facts_;
  TfPlugins plugins_;
  bool began_ = false;
};

}  // namespace

EventFilePlace EventFilePlaceOf(const std::string& folder) {
  std::filesystem::path path(folder);
  EventFilePlace place;
  const std::string last = path.filename().string();
  const bool is_side =
      std::find(kSideFolders.begin(), kSideFolders.end(), last) != kSideFolders.end();
  const bool is_time = last.find('.') != std::string::npos && EpochSeconds(last).has_value();
  if ((is_side || is_time) && path.has_parent_path() && path.parent_path().has_filename()) {
    place.begins_attempt = last == "train";
    if (is_side && last != "train") place.prefix = last + "/";
    path = path.parent_path();
  }
  place.run = path.string();
  const std::string around = path.parent_path().filename().string();
  place.name = (around.empty() ? "" : around + "/") + path.filename().string();
  return place;
}

void ReadEventFile(std::istream& in, const EventFilePlace& place, RunFacts& facts) {
  EventFileReader(place, facts).Read(in);
}

}  // namespace plimsoll
