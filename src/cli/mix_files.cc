#include "cli/mix_files.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <set>

#include "catalog/csv.h"
#include "catalog/yaml_fields.h"
#include "cli/plan_input.h"
#include "ingest/trace/hour_rows.h"
#include "ingest/trace/usage_csv.h"
#include "model/commitment.h"
#include "purchase/spot/lifetime_text.h"
#include "units/human_text.h"

namespace plimsoll {
namespace {

constexpr std::int64_t kDayHours = 24;
constexpr std::int64_t kWeekHours = 168;
constexpr const char* kDays[] = {"mon", "tue", "wed", "thu", "fri", "sat", "sun"};
constexpr Duration kTimeMost = Days(3'653);

constexpr const char* kWorkloadFields[] = {"name",
                                           "kind",
                                           "flavor",
                                           "latency",
                                           "interruptible",
                                           "work",
                                           "nodes",
                                           "every",
                                           "start",
                                           "deadline",
                                           "demand",
                                           "peak",
                                           "trough",
                                           "peak_hours",
                                           "peak_days",
                                           "profile",
                                           "on_demand_floor",
                                           "item",
                                           "restart",
                                           "checkpoint_write",
                                           "checkpoint_interval",
                                           "penalty",
                                           "penalty_per_hour",
                                           "waiting_value",
                                           "people_per_eviction"};
constexpr const char* kFlavorFields[] = {"name", "on_demand", "spot", "mtbf", "lifetime", "wait"};

// One entry as text, and a place for what is wrong with it.
struct Entry {
  std::function<std::string(const std::string&)> text;
  std::function<void(const std::string&, const std::string&)> problem;

  Duration Time(const std::string& field) const {
    const std::string value = text(field);
    if (value.empty()) return {};
    const Result<Duration> time = ParseSpan(value);
    if (time && *time <= kTimeMost) return *time;
    problem(field, "'" + value + "' is no time up to ten years, such as 48h, 0.5h or 1h30m");
    return {};
  }

  std::optional<Money> Price(const std::string& field) const {
    const std::string value = text(field);
    if (value.empty()) return std::nullopt;
    const Result<Money> price = HourlyPriceOption(field, value);
    if (price && *price > Money()) return *price;
    problem(field, "'" + value + "' is no price of an instance-hour; leave it out if not known");
    return std::nullopt;
  }

  Money Amount(const std::string& field) const {
    const std::string value = text(field);
    if (value.empty()) return {};
    const Result<Money> amount = Money::Parse(value);
    if (amount && *amount >= Money() && *amount <= Money::Units(1'000'000'000)) return *amount;
    problem(field, "'" + value + "' is no amount from 0 to a billion");
    return {};
  }

  std::int64_t Units(const std::string& field) const {
    const std::string value = text(field);
    bool rounded = false;
    const Result<std::int64_t> units = ParseUnits(value, &rounded);
    if (units) return *units;
    problem(field, "'" + value + "' is no number of instances from 0 to a million");
    return 0;
  }

  std::int64_t Whole(const std::string& field, std::int64_t least, std::int64_t fallback) const {
    const std::string value = text(field);
    if (value.empty()) return fallback;
    const Result<Money> number = Money::Parse(value);
    if (number && number->nanos() % Money::kNanosPerUnit == 0 && *number >= Money::Units(least) &&
        *number <= Money::Units(100'000)) {
      return static_cast<std::int64_t>(number->nanos() / Money::kNanosPerUnit);
    }
    problem(field,
            "'" + value + "' is no whole number from " + std::to_string(least) + " to 100000");
    return fallback;
  }

  // One of `names`, by its index.
  template <std::size_t kCount>
  std::size_t OneOf(const std::string& field, const char* const (&names)[kCount],
                    std::size_t fallback) const {
    const std::string value = text(field);
    if (value.empty()) return fallback;
    const auto found = std::find(std::begin(names), std::end(names), value);
    if (found != std::end(names)) return static_cast<std::size_t>(found - std::begin(names));
    std::string forms;
    for (const char* name : names) forms += (forms.empty() ? "" : ", ") + std::string(name);
    problem(field, "'" + value + "' is none of " + forms);
    return fallback;
  }

  bool Flag(const std::string& field, bool fallback) const {
    const std::string value = text(field);
    if (value.empty()) return fallback;
    if (value != "true" && value != "false") {
      problem(field, "'" + value + "' is neither true nor false");
    }
    return value == "true";
  }
};

// "9-21": hours of the day that are peak; may pass midnight.
std::vector<bool> PeakHours(const Entry& entry) {
  std::vector<bool> peak(kDayHours, false);
  const std::string text = entry.text("peak_hours");
  const std::size_t dash = text.find('-');
  const auto hour = [&](const std::string& digits) -> std::int64_t {
    if (digits.empty() || digits.size() > 2 ||
        digits.find_first_not_of("0123456789") != std::string::npos) {
      return -1;
    }
    return std::stoll(digits);
  };
  const std::int64_t from = dash == std::string::npos ? -1 : hour(text.substr(0, dash));
  const std::int64_t until = dash == std::string::npos ? -1 : hour(text.substr(dash + 1));
  if (from < 0 || from > 23 || until < 0 || until > 24 || from == until) {
    entry.problem("peak_hours", "'" + text + "' is no span of hours such as 9-21");
    return peak;
  }
  for (std::int64_t h = from; h % kDayHours != until % kDayHours || h == from; ++h) {
    peak[static_cast<std::size_t>(h % kDayHours)] = true;
  }
  return peak;
}

// "mon-fri"; all days if it is not told.
std::vector<bool> PeakDays(const Entry& entry) {
  const std::string text = entry.text("peak_days");
  std::vector<bool> days(std::size(kDays), text.empty());
  if (text.empty()) return days;
  const auto day = [](const std::string& name) {
    return static_cast<std::size_t>(std::find(std::begin(kDays), std::end(kDays), name) -
                                    std::begin(kDays));
  };
  const std::size_t dash = std::min(text.find('-'), text.size());
  const std::size_t from = day(text.substr(0, dash));
  const std::size_t until = dash == text.size() ? from : day(text.substr(dash + 1));
  if (from == std::size(kDays) || until == std::size(kDays)) {
    entry.problem("peak_days", "'" + text + "' are no days such as mon-fri");
    return days;
  }
  for (std::size_t d = from;; d = (d + 1) % std::size(kDays)) {
    days[d] = true;
    if (d == until) break;
  }
  return days;
}

void ReadPeaks(const Entry& entry, MixWorkload& workload) {
  if (entry.text("trough").empty()) {
    entry.problem("trough", "is missing: instances outside of peak_hours");
    return;
  }
  const std::int64_t peak = entry.Units("peak"), trough = entry.Units("trough");
  const std::vector<bool> hours = PeakHours(entry), days = PeakDays(entry);
  const bool weekly = !entry.text("peak_days").empty();
  for (std::size_t day = 0; day < (weekly ? std::size(kDays) : 1); ++day) {
    for (const bool is_peak : hours) {
      workload.demand.push_back(is_peak && days[day] ? peak : trough);
    }
  }
}

void ReadRun(const Entry& entry, MixWorkload& workload) {
  WorkloadRun run;
  run.nodes = entry.Whole("nodes", 1, 1);
  run.work = entry.Time("work");
  if (run.work <= Duration()) entry.problem("work", "must be longer than 0");
  const std::string every = entry.text("every");
  run.every = every.empty() ? Hours(4 * kWeekHours) : entry.Time("every");
  if (run.every <= Duration() || run.every.base() % kUnitHour != 0) {
    entry.problem("every", "must be whole hours, such as 168h");
    run.every = Hours(kWeekHours);
  }
  run.start = entry.Time("start");
  if (!entry.text("deadline").empty()) {
    run.deadline = entry.Time("deadline");
    if (*run.deadline <= Duration()) entry.problem("deadline", "must be longer than 0");
  }
  if (run.work.base() / run.every.base() > 1'000) {
    entry.problem("every", "a thousand runs at once: give longer times between them");
  }
  workload.run = run;
}

// Exactly one of the ways to tell what it needs.
void ReadNeed(const Entry& entry, MixWorkload& workload, std::string& profile) {
  std::string told;
  for (const char* field : {"work", "demand", "peak", "profile"}) {
    if (entry.text(field).empty()) continue;
    if (!told.empty()) {
      entry.problem(field, "stands beside " + told + ": give one of them");
      return;
    }
    told = field;
  }
  if (told.empty()) {
    entry.problem("demand", "is missing: give demand, peak and trough, profile, or work of a run");
  } else if (told == "work") {
    ReadRun(entry, workload);
  } else if (told == "demand") {
    workload.demand.push_back(entry.Units("demand"));
  } else if (told == "peak") {
    ReadPeaks(entry, workload);
  } else {
    profile = entry.text("profile");
  }
  if (workload.run && workload.kind == WorkloadKind::kInference) {
    entry.problem("work", "is of runs; a service has demand, or peak and trough");
  }
  const auto refuse = [&](std::initializer_list<const char*> fields, const char* why) {
    for (const char* field : fields) {
      if (!entry.text(field).empty()) entry.problem(field, why);
    }
  };
  if (workload.run) {
    refuse({"on_demand_floor", "item"}, "is of demand; a run has none");
  } else {
    refuse({"nodes", "every", "start", "deadline", "penalty", "penalty_per_hour",
            "people_per_eviction", "checkpoint_interval"},
           "is of a run, which has work");
  }
}

void ReadWorkload(const Entry& entry, MixFile& out) {
  MixWorkload workload;
  workload.name = entry.text("name");
  workload.flavor = entry.text("flavor");
  for (const char* field : {"name", "kind", "flavor"}) {
    if (entry.text(field).empty()) entry.problem(field, "is missing");
  }
  const bool twice = std::any_of(out.workloads.begin(), out.workloads.end(),
                                 [&](const auto& other) { return other.name == workload.name; });
  if (twice) entry.problem("name", "'" + workload.name + "' is given to two workloads");
  workload.kind = static_cast<WorkloadKind>(entry.OneOf("kind", kWorkloadKindNames, 0));
  const bool serves = workload.kind == WorkloadKind::kInference;
  const bool develops = workload.kind == WorkloadKind::kDevelopment;
  const LatencyClass usual = serves     ? LatencyClass::kLatencyCritical
                             : develops ? LatencyClass::kInteractive
                                        : LatencyClass::kBatch;
  workload.latency = static_cast<LatencyClass>(
      entry.OneOf("latency", kLatencyClassNames, static_cast<std::size_t>(usual)));
  workload.interruptible = entry.Flag("interruptible", !serves && !develops);
  std::string profile;
  ReadNeed(entry, workload, profile);
  workload.on_demand_floor = entry.Whole("on_demand_floor", 0, 0);
  workload.save = entry.Time("checkpoint_write");
  workload.interval = entry.Time("checkpoint_interval");
  workload.restart = entry.Time("restart");
  workload.item = entry.Time("item");
  workload.penalty = entry.Amount("penalty");
  workload.penalty_per_hour = entry.Amount("penalty_per_hour");
  workload.waiting = entry.Amount("waiting_value");
  workload.people_per_eviction = entry.Amount("people_per_eviction");
  if (workload.interval > Duration() && workload.save <= Duration()) {
    entry.problem("checkpoint_write", "is missing beside checkpoint_interval");
  }
  out.workloads.push_back(std::move(workload));
  out.profiles.push_back(std::move(profile));
}

void ReadFlavor(const Entry& entry, MixFile& out) {
  MixFlavor flavor;
  flavor.name = entry.text("name");
  if (flavor.name.empty()) entry.problem("name", "is missing");
  const bool twice = std::any_of(out.flavors.begin(), out.flavors.end(),
                                 [&](const auto& other) { return other.name == flavor.name; });
  if (twice) entry.problem("name", "'" + flavor.name + "' is given to two flavors");
  flavor.on_demand = entry.Price("on_demand");
  flavor.spot = entry.Price("spot");
  flavor.wait = entry.Time("wait");
  const std::string law = entry.text("lifetime");
  std::optional<Duration> mtbf;
  if (!entry.text("mtbf").empty()) mtbf = entry.Time("mtbf");
  if (mtbf && *mtbf <= Duration()) {
    const Result<Duration> told = ParseSpan(entry.text("mtbf"));
    if (told && *told <= Duration()) entry.problem("mtbf", "must be longer than 0");
  } else if (mtbf || !law.empty()) {
    Result<Lifetime> lifetime = ParseLifetime(law.empty() ? "exponential" : law, mtbf);
    if (lifetime) {
      flavor.lifetime = std::move(*lifetime);
    } else {
      entry.problem("lifetime", lifetime.error().message);
    }
  }
  out.flavors.push_back(std::move(flavor));
}

class YamlReader {
 public:
  explicit YamlReader(const std::string& file) : file_(file) {}

  Result<MixFile> Read(const std::string& text) {
    if (const std::optional<YAML::Node> root = ParseYaml(file_, text, problems_)) {
      YamlFields fields(*root, file_, "", problems_);
      Each(fields, "flavors", kFlavorFields,
           [&](const Entry& entry, YamlFields&) { ReadFlavor(entry, out_); });
      Each(fields, "workloads", kWorkloadFields, [&](const Entry& entry, YamlFields& of) {
        ReadWorkload(entry, out_);
        out_.workloads.back().spot_flavors = of.Texts("spot_flavors");
      });
      fields.Finish();
    }
    if (problems_.empty()) return std::move(out_);
    LineErrors errors(file_);
    for (const Rejection& problem : problems_) {
      errors.Add(problem.line,
                 (problem.field.empty() ? "" : problem.field + ": ") + problem.reason);
    }
    return errors.ToError();
  }

 private:
  // Reads every field once, so that each is known to the entry.
  template <std::size_t kCount, class ReadEntry>
  void Each(YamlFields& fields, const char* key, const char* const (&names)[kCount],
            const ReadEntry& read) {
    const std::vector<YAML::Node> maps = fields.Maps(key);
    for (std::size_t i = 0; i < maps.size(); ++i) {
      YamlFields of(maps[i], file_, fields.PathOf(key, i), problems_);
      std::vector<std::string> values;
      for (const char* name : names) values.push_back(of.Text(name));
      const Entry entry{
          [&](const std::string& field) {
            for (std::size_t n = 0; n < kCount; ++n) {
              if (field == names[n]) return values[n];
            }
            return std::string();
          },
          [&](const std::string& field, const std::string& why) { of.Problem(field, why); }};
      read(entry, of);
      of.Finish();
    }
  }

  const std::string& file_;
  std::vector<Rejection> problems_;
  MixFile out_;
};

template <std::size_t kCount>
bool IsOneOf(const std::string& name, const char* const (&names)[kCount]) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

Result<MixFile> ReadMixCsv(const std::string& file, const std::string& text) {
  const CsvTable table = ReadCsv(text);
  LineErrors errors(file);
  for (const CsvError& error : table.errors) errors.Add(error.line, error.reason);
  const bool flavors = table.Column("on_demand").has_value();
  for (const std::string& column : table.header.fields) {
    const bool known = flavors ? IsOneOf(column, kFlavorFields)
                               : column == "spot_flavors" || IsOneOf(column, kWorkloadFields);
    if (!known) errors.Add(table.header.line, "column '" + column + "' is not known here");
  }
  MixFile out;
  for (const CsvRecord& record : table.records) {
    const Entry entry{
        [&](const std::string& field) { return std::string(table.Field(record, field)); },
        [&](const std::string& field, const std::string& why) {
          errors.Add(record.line, field + ": " + why);
        }};
    if (flavors) {
      ReadFlavor(entry, out);
      continue;
    }
    ReadWorkload(entry, out);
    std::string names = entry.text("spot_flavors");
    while (!names.empty()) {
      const std::size_t end = std::min(names.find(';'), names.size());
      if (end > 0) out.workloads.back().spot_flavors.push_back(names.substr(0, end));
      names.erase(0, end + 1);
    }
  }
  if (!errors.empty()) return errors.ToError();
  return out;
}

}  // namespace

Result<MixFile> ReadMixFile(const std::string& file, const std::string& text) {
  PLIMSOLL_TRY(MixFile out, IsCsv(text) ? ReadMixCsv(file, text) : YamlReader(file).Read(text));
  if (!out.workloads.empty() || !out.flavors.empty()) return out;
  return Error{ErrorCode::kBadData,
               file + ": has no workloads and no flavors; see docs/formats/workloads.md"};
}

Result<std::vector<std::int64_t>> ReadMixProfile(const std::string& file, const std::string& text,
                                                 const std::string& flavor) {
  const auto wrong = [&](const std::string& what) {
    return Error{ErrorCode::kBadData, file + ": " + what};
  };
  PLIMSOLL_TRY(const UsageReading usage, ReadUsageCsv(file, text));
  const HourlyUsage* found = nullptr;
  for (const HourlyUsage& one : usage.flavors) {
    if (one.flavor.empty() || one.flavor == flavor) found = &one;
  }
  if (found == nullptr || found->hour.empty()) return wrong("has no hours of " + flavor);
  const auto hours = static_cast<std::int64_t>(found->hour.size());
  const std::int64_t span =
      (found->hour.back().base() - found->hour.front().base()) / kUnitHour + 1;
  if (span != hours) {
    return wrong("lacks " + std::to_string(span - hours) +
                 " hours between its first and last: write 0 where nothing was used");
  }
  if (hours % kDayHours != 0) {
    return wrong("has " + std::to_string(hours) + " hours; a profile is of whole days");
  }
  // 1970-01-05 was a Monday.
  const std::int64_t first = found->hour.front().base() / kUnitHour - 4 * kDayHours;
  std::vector<std::int64_t> used(found->used.size());
  for (std::int64_t h = 0; h < hours; ++h) {
    const std::int64_t at = ((first + h) % hours + hours) % hours;
    used[static_cast<std::size_t>(at)] = found->used[static_cast<std::size_t>(h)];
  }
  return used;
}

}  // namespace plimsoll
