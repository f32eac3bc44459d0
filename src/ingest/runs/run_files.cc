#include "ingest/runs/run_files.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <set>
#include <sstream>
#include <utility>

#include "base/limits.h"
#include "ingest/runs/event_log.h"
#include "ingest/runs/lightning.h"
#include "ingest/runs/mlflow_files.h"
#include "ingest/runs/mlflow_sqlite.h"
#include "ingest/runs/number_text.h"
#include "ingest/runs/run_facts.h"
#include "ingest/runs/run_merge.h"
#include "ingest/runs/run_steps.h"
#include "ingest/runs/tensorboard.h"
#include "ingest/runs/tf_event.h"
#include "ingest/runs/tf_records.h"
#include "ingest/runs/trainer_state.h"

namespace plimsoll {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kHeadBytes = 64 * 1024;              // enough to recognise a file by
constexpr std::size_t kWholeBytesMax = 512 * 1024 * 1024;  // of a file that is read whole

enum class FileKind : unsigned char {
  kUnknown,
  kEmpty,
  kLog,
  kSqlite,
  kTensorboard,
  kTrainerState,
  kLightning,
  kMlflowMeta,
};

// True if the file begins with the event that states an event file's version: other record
// files hold training data.
bool IsEventFile(const std::string& head) {
  if (!IsTfRecordFile(head)) return false;
  std::istringstream in(head);
  TfRecordReader records(in);
  TfPlugins plugins;
  TfEvent event;
  return records.Next() == TfRecordState::kRecord && ParseTfEvent(records.data(), plugins, event) &&
         event.is_header;
}

// `named`: the user named this very file, so that less is needed to take it for one.
FileKind KindOf(const std::string& head, bool named) {
  if (head.empty()) return FileKind::kEmpty;
  if (IsSqliteFile(head)) return FileKind::kSqlite;
  if (IsEventFile(head)) return FileKind::kTensorboard;
  if (IsEventLog(head)) return FileKind::kLog;
  if (IsTrainerState(head)) return FileKind::kTrainerState;
  if (IsLightningMetrics(head, !named)) return FileKind::kLightning;
  if (!named || head.find("experiment_id:") == std::string::npos) return FileKind::kUnknown;
  const auto meta = ReadMlflowMeta(head);
  return meta && IsMlflowRun(*meta) ? FileKind::kMlflowMeta : FileKind::kUnknown;
}

std::string ReadUpTo(std::istream& in, std::size_t size) {
  std::string text(size, '\0');
  in.read(text.data(), static_cast<std::streamsize>(size));
  text.resize(static_cast<std::size_t>(std::max<std::streamsize>(in.gcount(), 0)));
  return text;
}

// "" if there is no such file.
std::string ReadBeside(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return in ? ReadUpTo(in, kHeadBytes) : "";
}

// The folder that stands for a run which its files do not name. Hugging Face keeps a copy of
// its state in each checkpoint's folder.
fs::path RunFolder(const fs::path& file) {
  std::error_code failure;
  const fs::path whole = fs::weakly_canonical(file, failure);
  fs::path folder = (failure ? fs::absolute(file) : whole).parent_path();
  const std::string name = folder.filename().string();
  constexpr std::string_view kCheckpoint = "checkpoint-";
  if (name.starts_with(kCheckpoint) && WholeNumber(name.substr(kCheckpoint.size()))) {
    folder = folder.parent_path();
  }
  return folder;
}

class PathReader {
 public:
  PathReader(const RunFileOptions& options, RunFacts& facts) : options_(options), facts_(facts) {}

  Status Read(const std::string& path) {
    if (path == "-") return ReadEventLog(std::cin, "standard input", options_.run, facts_);
    std::error_code failure;
    if (fs::is_directory(path, failure)) return ReadFolder(path);
    return ReadFile(path, true);
  }

 private:
  Status ReadFolder(const fs::path& folder) {
    if (const std::string text = ReadBeside(folder / "meta.yaml"); !text.empty()) {
      const auto meta = ReadMlflowMeta(text);
      if (meta && IsMlflowRun(*meta)) {
        ReadMlflowFolder(folder.string(), *meta, facts_);
        Count();
        return Ok();
      }
    }
    std::error_code failure;
    std::vector<fs::path> entries;
    fs::directory_iterator at(folder, failure);
    for (; !failure && at != fs::directory_iterator(); at.increment(failure)) {
      entries.push_back(at->path());
    }
    if (failure) {
      return Error{ErrorCode::kUnavailable, folder.string() + ": " + failure.message()};
    }
    std::sort(entries.begin(), entries.end());
    for (const fs::path& entry : entries) PLIMSOLL_RETURN_IF_ERROR(ReadEntry(entry));
    return Ok();
  }

  Status ReadEntry(const fs::path& entry) {
    std::error_code failure;
    // What a link leads to is read where it is, if at all: "latest" would be a run twice.
    if (fs::is_symlink(entry, failure)) return Ok();
    if (fs::is_directory(entry, failure)) {
      return entry.filename() == ".trash" ? Ok() : ReadFolder(entry);
    }
    if (!fs::is_regular_file(entry, failure)) return Ok();
    const Status read = ReadFile(entry.string(), false);
    if (!read) facts_.warnings.insert(read.error().message);
    return Ok();
  }

  Status ReadFile(const std::string& path, bool named) {
    std::ifstream in(path, std::ios::binary);
    if (!in) return Error{ErrorCode::kNotFound, path + ": cannot be opened"};
    const std::string head = ReadUpTo(in, kHeadBytes);
    if (in.bad()) return Error{ErrorCode::kUnavailable, path + ": cannot be read"};
    const FileKind kind = KindOf(head, named);
    if (kind == FileKind::kUnknown && named) {
      return Error{ErrorCode::kBadData,
                   path +
                       ": is no training log: give an event log, an MLflow store or database, "
                       "TensorBoard event files, trainer_state.json or Lightning's metrics.csv "
                       "(docs/formats/runs.md)"};
    }
    in.clear();
    in.seekg(0);
    PLIMSOLL_RETURN_IF_ERROR(ReadAs(kind, path, in));
    Count();
    return Ok();
  }

  Status ReadAs(FileKind kind, const std::string& path, std::istream& in) {
    switch (kind) {
      case FileKind::kUnknown:
        ++facts_.passed["files that are no training log"];
        return Ok();
      case FileKind::kEmpty:
        ++facts_.passed["empty files"];
        return Ok();
      case FileKind::kLog:
        return ReadEventLog(in, path, options_.run, facts_);
      case FileKind::kSqlite:
        return ReadMlflowSqlite(path, facts_);
      case FileKind::kTensorboard:
        ReadTensorboard(path, in);
        return Ok();
      case FileKind::kTrainerState:
        return ReadState(path, in);
      case FileKind::kLightning:
        return ReadMetrics(path, in);
      case FileKind::kMlflowMeta: {
        const fs::path folder = fs::absolute(path).parent_path();
        ReadMlflowFolder(folder.string(), *ReadMlflowMeta(ReadBeside(path)), facts_);
        return Ok();
      }
    }
    return Ok();
  }

  // The run's id: the user's, else the folder that stands for it.
  std::string IdOf(const char* source, const std::string& folder) {
    facts_.unnamed.emplace(source, folder);
    return options_.run.empty() ? folder : options_.run;
  }

  void ReadTensorboard(const std::string& path, std::istream& in) {
    std::error_code failure;
    const fs::path whole = fs::weakly_canonical(path, failure);
    EventFilePlace place =
        EventFilePlaceOf((failure ? fs::absolute(path) : whole).parent_path().string());
    place.file = path;
    place.run = IdOf("tensorboard", place.run);
    ReadEventFile(in, place, facts_);
  }

  RunPlace PlaceOf(const char* source, const std::string& path) {
    const fs::path folder = RunFolder(path);
    const std::string around = folder.parent_path().filename().string();
    return {path, IdOf(source, folder.string()),
            (around.empty() ? "" : around + "/") + folder.filename().string(), options_.began};
  }

  Status ReadState(const std::string& path, std::istream& in) {
    std::ostringstream text;
    std::error_code failure;
    if (fs::file_size(path, failure) > kWholeBytesMax) {
      return Error{ErrorCode::kBadData, path + ": is too big for a trainer_state.json"};
    }
    text << in.rdbuf();
    return ReadTrainerState(text.view(), PlaceOf("trainer-state", path), facts_);
  }

  Status ReadMetrics(const std::string& path, std::istream& in) {
    const ReadBytes read = [&](char* to, std::size_t size) -> Result<std::size_t> {
      in.read(to, static_cast<std::streamsize>(size));
      if (in.bad()) return Error{ErrorCode::kUnavailable, path + ": cannot be read to its end"};
      return static_cast<std::size_t>(in.gcount());
    };
    return ReadLightningMetrics(read, ReadBeside(fs::path(path).parent_path() / "hparams.yaml"),
                                PlaceOf("lightning", path), facts_);
  }

  void Count() {
    ++files_;
    if (options_.progress) options_.progress("runs", files_, 0);
  }

  const RunFileOptions& options_;
  RunFacts& facts_;
  std::int64_t files_ = 0;
};

// Fails unless the one id of the options fits what was read.
Status CheckNamed(const RunFileOptions& options, const RunFacts& facts) {
  if (options.run.empty()) return Ok();
  for (const std::string& run : facts.runs.run) {
    if (run != options.run) {
      return Error{ErrorCode::kInvalidArgument,
                   "--run " + options.run + ": the files name run '" + run + "' themselves"};
    }
  }
  std::map<std::string, std::string> folders;
  for (const auto& [source, folder] : facts.unnamed) {
    const auto [at, is_new] = folders.emplace(source, folder);
    if (is_new) continue;
    return Error{ErrorCode::kInvalidArgument, "--run " + options.run + " names one run, but " +
                                                  at->second + " and " + folder +
                                                  " are two; load them one at a time"};
  }
  return Ok();
}

// What the options say of a run that its sources do not, as one more row of it.
void FillRuns(const RunFileOptions& options, RunFacts& facts) {
  std::map<std::pair<std::string, std::string>, RunRow> known;
  for (std::size_t row = 0; row < RowsOf(facts.runs); ++row) {
    RunRow& run = known[{facts.runs.source[row].text(), facts.runs.run[row]}];
    if (run.experiment.empty()) run.experiment = facts.runs.experiment[row];
    if (run.model.empty()) run.model = facts.runs.model[row];
    if (run.cluster.empty()) run.cluster = facts.runs.cluster[row].text();
    run.labels.merge(RunLabelsOf(facts.runs.labels[row]));
  }
  for (const auto& [key, run] : known) {
    RunRow more;
    std::tie(more.source, more.run) = key;
    if (run.experiment.empty()) more.experiment = options.experiment;
    if (run.model.empty()) more.model = options.model;
    if (run.cluster.empty()) more.cluster = options.cluster;
    if (HasDerivedSteps(key.first)) {
      for (const auto& [label, count] :
           {std::pair(kTokensPerStepLabel, options.tokens_per_step),
            std::pair(kSamplesPerStepLabel, options.samples_per_step)}) {
        if (count && !run.labels.contains(label)) more.labels[label] = std::to_string(*count);
      }
    }
    Append(facts.runs, more);
  }
  if (!options.gpus) return;
  for (std::size_t row = 0; row < RowsOf(facts.events); ++row) {
    if (facts.events.kind[row] == "start" && !facts.events.gpus[row]) {
      facts.events.gpus[row] = options.gpus;
    }
  }
}

// One run told by two sources is two runs: say so, as its cost would count twice.
void WarnOfTwins(RunFacts& facts) {
  for (const auto& [source, folder] : facts.unnamed) {
    if (source == "tensorboard") continue;
    for (const auto& [other, below] : facts.unnamed) {
      const bool is_within = below == folder || below.starts_with(folder + "/");
      if (other == "tensorboard" && is_within) {
        facts.warnings.insert(folder + ": both " + source +
                              " and TensorBoard files; if they tell "
                              "of one run, load only one of them, or it counts twice");
      }
    }
  }
}

}  // namespace

Result<RunReading> ReadRunFiles(const RunFileOptions& options) {
  RunFacts facts;
  PathReader reader(options, facts);
  for (const std::string& path : options.paths) PLIMSOLL_RETURN_IF_ERROR(reader.Read(path));
  PLIMSOLL_RETURN_IF_ERROR(CheckNamed(options, facts));
  FillRuns(options, facts);
  WarnOfTwins(facts);
  RunReading reading;
  reading.runs = std::move(facts.runs);
  reading.events = std::move(facts.events);
  reading.duplicates = MergeRuns(reading.runs, reading.events);
  reading.rejections = std::move(facts.rejections);
  reading.warnings.assign(facts.warnings.begin(), facts.warnings.end());
  reading.ignored.assign(facts.ignored.begin(), facts.ignored.end());
  for (const auto& [what, count] : facts.passed) {
    reading.ignored.push_back(std::to_string(count) + " " + what);
  }
  return reading;
}

ImportReport RunReportOf(const RunReading& reading) {
  ImportReport report;
  report.kind = "runs";
  report.accepted = static_cast<std::int64_t>(RowsOf(reading.events));
  report.rejected = static_cast<std::int64_t>(reading.rejections.size());
  report.duplicates = reading.duplicates;
  const std::size_t shown = std::min(reading.rejections.size(), kRejectionsShownMax);
  report.first_rejections.assign(reading.rejections.begin(),
                                 reading.rejections.begin() + static_cast<std::ptrdiff_t>(shown));
  report.warnings = reading.warnings;
  report.ignored = reading.ignored;
  return report;
}

}  // namespace plimsoll
