// sacct's rows as the jobs of a queue: what they asked for, how long they waited and ran.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "base/limits.h"
#include "ingest/cluster/sacct_columns.h"
#include "ingest/cluster/workload_builder.h"
#include "ingest/cluster/workload_formats.h"
#include "ingest/slurm/sacct_json.h"
#include "ingest/slurm/sacct_table.h"
#include "ingest/slurm/slurm_state.h"
#include "ingest/slurm/slurm_time.h"
#include "ingest/slurm/tres.h"
#include "units/human_text.h"

namespace plimsoll {
namespace {

using nlohmann::json;

constexpr std::int64_t kMib = 1'024 * 1'024;
constexpr std::int64_t kNodesMax = 100'000;
constexpr std::size_t kLinesJoined = 64;  // of one row whose text holds line breaks

class SacctJobs {
 public:
  SacctJobs(WorkloadBuilder& builder, const SacctTable& table, const SlurmClock& clock)
      : builder_(builder), table_(table), clock_(clock) {}

  // A row of as many fields as the table has columns.
  void Take(const std::vector<std::string_view>& fields, const RefusedJob& place);
  void TakeBroken(const RefusedJob& refused) { builder_.Refuse(refused); }
  Result<WorkloadReading> Finish();

 private:
  std::string_view Get(SacctField field) const { return table_.Get(*fields_, field); }
  bool Fail(const char* field, const std::string& reason) {
    if (problem_.reason.empty()) problem_.field = field, problem_.reason = reason;
    return false;
  }
  bool Read(TrainingJob& job, std::string& left_out);
  bool ReadHeld(const SlurmState& state, TrainingJob& job, std::string& left_out);
  bool ReadEligible(TrainingJob& job);
  bool ReadShape(TrainingJob& job);
  bool ReadLimit(TrainingJob& job);
  void Join(const std::string& id, TrainingJob job);

  WorkloadBuilder& builder_;
  const SacctTable& table_;
  const SlurmClock& clock_;
  const std::vector<std::string_view>* fields_ = nullptr;
  RefusedJob problem_;
  std::vector<TrainingJob> jobs_;                       // in the order of their first rows
  std::unordered_map<std::string, std::size_t> known_;  // in jobs_, by cluster and raw id
  std::int64_t joined_ = 0, restarted_ = 0;
};

bool SacctJobs::ReadHeld(const SlurmState& state, TrainingJob& job, std::string& left_out) {
  auto start = clock_.Read(Get(SacctField::kStart));
  if (!start) return Fail("Start", start.error().message);
  if (start->empty() || state.phase == SlurmPhase::kWaiting) {
    left_out = state.phase == SlurmPhase::kEnded ? "never started"
                                                 : "still waiting: its run time is not known";
    return false;
  }
  if (state.phase == SlurmPhase::kHeld) {
    left_out = "still running: its run time is not known";
    return false;
  }
  const auto elapsed = ParseElapsed(Get(SacctField::kElapsed));
  if (!elapsed) return Fail("Elapsed", elapsed.error().message);
  auto end = clock_.Read(Get(SacctField::kEnd));
  if (!end && !*elapsed) return Fail("End", end.error().message);
  const auto held = ResolveHeld(*start, end ? *end : std::vector<Instant>(), *elapsed);
  if (!held) return Fail("Start", held.error().message);
  if (!held->until && !*elapsed) return Fail("End", "is missing, and so is Elapsed");
  job.started = held->begin;
  job.ended = held->until ? *held->until : held->begin + **elapsed;
  job.run = Between(*job.started, *job.ended);
  if (job.run < Duration()) return Fail("End", "is before Start");
  return true;
}

// When the job could have started first: Eligible, or Submit where it is not told.
bool SacctJobs::ReadEligible(TrainingJob& job) {
  for (const auto& [field, label] :
       {std::pair(SacctField::kEligible, "Eligible"), std::pair(SacctField::kSubmit, "Submit")}) {
    const auto times = clock_.Read(Get(field));
    if (!times) return Fail(label, times.error().message);
    for (const Instant time : *times) {
      if (time <= *job.started) job.submitted = time;
    }
    if (times->empty()) continue;
    if (times->front() > *job.started) job.submitted = *job.started;
    return true;
  }
  return Fail("Submit", "is missing, and so is Eligible: a wait has no beginning");
}

bool SacctJobs::ReadShape(TrainingJob& job) {
  const std::string_view allocated = Get(SacctField::kAllocTres);
  const char* const label = allocated.empty() ? "ReqTRES" : "AllocTRES";
  const auto tres = ParseTres(allocated.empty() ? Get(SacctField::kReqTres) : allocated);
  if (!tres) return Fail(label, tres.error().message);
  if (tres->gpus > kJobGpusMax) return Fail(label, "has more GPUs than any cluster");
  std::int64_t gpu_millis = 0;
  if (!__builtin_mul_overflow(tres->gpus, job.run.base(), &gpu_millis)) {
    problem_.gpu_time = GpuMillis(gpu_millis);
  }
  const std::int64_t nodes =
      tres->nodes.value_or(ParseWhole(Get(SacctField::kNodes), 0, kNodesMax).value_or(0));
  if (nodes > kNodesMax) return Fail(label, "has more nodes than any cluster");
  if (nodes > 0 && tres->gpus % nodes == 0 && tres->gpus / nodes <= kGpusPerNodeMax) {
    job.pods = job.pods_min = static_cast<std::int32_t>(nodes);
    job.shape.gpus = static_cast<std::int32_t>(tres->gpus / nodes);
  } else {
    builder_.Spread(tres->gpus, job);
  }
  job.shape.cpu_milli =
      std::min<std::int64_t>(tres->cpus.value_or(0), 1'000'000'000) * 1'000 / job.pods;
  job.shape.memory_mib = tres->memory_bytes.value_or(0) / kMib / job.pods;
  const std::string type = GpuTypeOf(*tres);
  if (tres->gpus == 0 || type.empty()) return true;
  const auto flavor = builder_.Flavor(type);
  if (!flavor) return Fail(label, "names one GPU type more than a cluster may have");
  job.shape.flavors = FlavorSet{1} << *flavor;
  return true;
}

bool SacctJobs::ReadLimit(TrainingJob& job) {
  constexpr std::int64_t kMinutesMax = 5'000'000'000;
  if (const auto minutes = ParseWhole(Get(SacctField::kTimeLimitRaw), 0, kMinutesMax)) {
    job.time_limit = Minutes(*minutes);
  } else if (const std::string_view text = Get(SacctField::kTimeLimit);
             !text.empty() && text != "UNLIMITED" && text != "Partition_Limit") {
    const auto limit = ParseElapsed(text);
    if (!limit) return Fail("Timelimit", limit.error().message);
    job.time_limit = *limit;
  }
  if (job.time_limit && *job.time_limit == Duration()) job.time_limit.reset();
  return true;
}

bool SacctJobs::Read(TrainingJob& job, std::string& left_out) {
  const auto state = ParseSlurmState(Get(SacctField::kState));
  if (!state) return Fail("State", "is none of Slurm's");
  if (!ReadHeld(*state, job, left_out) || !ReadShape(job)) return false;
  if (!ReadEligible(job) || !ReadLimit(job)) return false;
  job.end = EndOfReason(state->end_reason);
  job.name = Get(SacctField::kJobId).empty() ? Get(SacctField::kJobIdRaw) : Get(SacctField::kJobId);
  job.user = Get(SacctField::kUser);
  job.priority =
      static_cast<std::int32_t>(ParseWhole(Get(SacctField::kPriority), 0, INT32_MAX).value_or(0));
  if (ParseWhole(Get(SacctField::kRestarts), 0, INT32_MAX).value_or(0) > 0) ++restarted_;
  const std::string_view queue = Get(SacctField::kPartition);
  job.queue = builder_.Queue(queue.empty() ? "slurm" : queue);
  return true;
}

void SacctJobs::Take(const std::vector<std::string_view>& fields, const RefusedJob& place) {
  fields_ = &fields;
  const std::string_view raw = Get(SacctField::kJobIdRaw);
  const std::string id(raw.empty() ? Get(SacctField::kJobId) : raw);
  if (id.find('.') != std::string::npos) return;  // a step of a job
  problem_ = place;
  problem_.reason.clear();
  TrainingJob job;
  std::string left_out;
  if (id.empty() || id[0] < '0' || id[0] > '9') {
    Fail("JobID", "'" + id.substr(0, 40) + "' is not a job id");
  } else if (Read(job, left_out)) {
    Join(std::string(Get(SacctField::kCluster)) + "/" + id, std::move(job));
  } else if (!left_out.empty()) {
    builder_.LeaveOut(left_out);
  }
  if (!problem_.reason.empty()) builder_.Refuse(problem_);
}

// Attempts of a requeued job: it waits from its first eligible time, and runs for all of them.
void SacctJobs::Join(const std::string& id, TrainingJob job) {
  const auto [known, is_new] = known_.try_emplace(id, jobs_.size());
  if (is_new) {
    jobs_.push_back(std::move(job));
    return;
  }
  TrainingJob& whole = jobs_[known->second];
  if (whole.started == job.started && whole.ended == job.ended) {
    builder_.LeaveOut("the same row again");
    return;
  }
  ++joined_;
  builder_.LeaveOut("a further attempt of a job above");
  whole.run += job.run;
  whole.submitted = std::min(whole.submitted, job.submitted);
  whole.started = std::min(*whole.started, *job.started);
  if (*job.ended > *whole.ended) {
    whole.ended = job.ended;
    whole.end = job.end;
  }
}

Result<WorkloadReading> SacctJobs::Finish() {
  for (TrainingJob& job : jobs_) builder_.Add(std::move(job));
  if (joined_ > 0) {
    builder_.Note(std::to_string(joined_) +
                  " rows are further attempts of requeued jobs: their "
                  "run time is added to their job's");
  } else if (restarted_ > 0) {
    builder_.Note(std::to_string(restarted_) +
                  " jobs were requeued and only their last attempt is "
                  "on record; print all of them with sacct -D");
  }
  return builder_.Finish();
}

// One row of the text: lines are joined until it has its fields, for SubmitLine may hold breaks.
struct Rows {
  std::string_view rest;
  std::int64_t number = 0;  // of the row's first line
  std::int64_t next_number = 1;

  std::string_view TakeLine() {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    ++next_number;
    return line;
  }

  // A whole row of its own, as far as can be told: the line before it was cut short.
  static bool BeginsRow(const SacctTable& table, std::string_view line) {
    const auto fields = table.Split(line);
    if (!fields) return false;
    for (const SacctField field : {SacctField::kJobId, SacctField::kJobIdRaw}) {
      const std::string_view id = table.Get(*fields, field);
      if (!id.empty() && id[0] >= '0' && id[0] <= '9') return true;
    }
    return false;
  }

  // False at the end. `fields` are views of the row. A row that stays too short is its first line
  // alone, without fields.
  bool Next(const SacctTable& table, std::string& row, SacctColumns::Fields& fields) {
    std::string_view line;
    do {
      if (rest.empty()) return false;
      number = next_number;
      line = TakeLine();
    } while (line.find_first_not_of(" \t\r") == std::string_view::npos);
    row = line.substr(0, line.size() - (line.ends_with('\r') ? 1 : 0));
    fields.clear();
    if (auto split = table.Split(row)) {
      fields = *std::move(split);
      return true;
    }
    const Rows start = *this;
    std::string joined = row;
    for (std::size_t i = 0; i < kLinesJoined && !rest.empty(); ++i) {
      const std::string_view next = TakeLine();
      if (BeginsRow(table, next)) break;
      joined += '\n';
      joined += next;
      if (table.Split(joined)) {
        row = std::move(joined);
        fields = *table.Split(row);
        return true;
      }
    }
    rest = start.rest;
    next_number = start.next_number;
    return true;
  }
};

Result<WorkloadReading> ReadJson(const WorkloadSource& source, const SlurmClock& clock,
                                 WorkloadBuilder& builder) {
  const json document = json::parse(source.text, nullptr, false);
  const bool whole =
      document.is_object() && document.contains("jobs") && document["jobs"].is_array();
  if (!whole) {
    return Error{ErrorCode::kBadData, source.file +
                                          " is no output of sacct --json: it has no "
                                          "list `jobs`, or was cut short"};
  }
  const SacctTable table = SacctTable::EveryField();
  SacctJobs jobs(builder, table, clock);
  for (std::size_t i = 0; i < document["jobs"].size(); ++i) {
    const std::vector<std::string> texts = SacctFieldsOfJob(document["jobs"][i]);
    RefusedJob place;
    place.raw = document["jobs"][i]
                    .dump(-1, ' ', true, json::error_handler_t::replace)
                    .substr(0, kRawBytesMax);
    jobs.Take({texts.begin(), texts.end()}, place);
  }
  return jobs.Finish();
}

}  // namespace

Result<WorkloadReading> ReadSacctJobs(const WorkloadSource& source) {
  PLIMSOLL_TRY(const SlurmClock clock, SlurmClock::Open(source.time_zone));
  WorkloadBuilder builder(source);
  const std::size_t first = source.text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  if (first == std::string_view::npos) return builder.Finish();
  if (source.text[first] == '{') return ReadJson(source, clock, builder);
  Rows rows{source.text.substr(first)};
  std::string_view header = rows.rest.substr(0, rows.rest.find('\n'));
  SacctTable table = SacctTable::Documented();
  if (!SacctTable::IsHeader(header)) {
    header = SacctTable::DocumentedFormat();
  } else {
    rows.TakeLine();
    if (header.ends_with('\r')) header.remove_suffix(1);
    auto named = SacctTable::FromHeader(header, SacctNeed::kJobs);
    if (!named) return Error{ErrorCode::kBadData, source.file + ": " + named.error().message};
    table = *std::move(named);
  }
  SacctJobs jobs(builder, table, clock);
  SacctColumns columns(header, table);
  std::string row;
  SacctColumns::Fields fields;
  while (rows.Next(table, row, fields)) {
    RefusedJob place{rows.number, "", "", row.substr(0, kRawBytesMax), {}};
    if (const auto cut = columns.Cut(row, fields)) {
      jobs.Take(*cut, place);
    } else if (!fields.empty()) {
      jobs.Take(fields, place);
    } else {
      place.reason = table.Split(row).error().message;
      jobs.TakeBroken(place);
    }
  }
  return jobs.Finish();
}

}  // namespace plimsoll
