#include "ingest/slurm/slurm_text.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "base/limits.h"
#include "ingest/slurm/billing.h"
#include "ingest/slurm/slurm_json.h"
#include "ingest/slurm/sreport.h"
#include "store/utf8.h"

namespace plimsoll {
namespace {

constexpr std::string_view kNodeName = "NodeName=";
constexpr std::string_view kReservationName = "ReservationName=";
constexpr std::string_view kPartitionName = "PartitionName=";

bool BeginsRecord(std::string_view line) {
  return line.starts_with(kNodeName) || line.starts_with(kReservationName) ||
         line.starts_with(kPartitionName);
}

std::string Lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower;
}

// A setting of slurm.conf: "ClusterName=hpc", "NodeName=g[01-08] CPUs=64".
bool IsSetting(std::string_view line) {
  const std::size_t equals = line.find('=');
  if (equals == 0 || equals == std::string_view::npos) return false;
  return std::all_of(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(equals),
                     [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == ' '; });
}

// Lines without their line break, as UTF-8, blank ones left out.
class Lines {
 public:
  // `number` lines were read before.
  Lines(std::istream& in, std::int64_t number) : in_(in), number_(number) {}

  bool Next() {
    while (std::getline(in_, line_)) {
      ++number_;
      if (line_.ends_with('\r')) line_.pop_back();
      if (line_.find_first_not_of(" \t") == std::string::npos) continue;
      if (!IsUtf8(line_)) line_ = ToUtf8(line_);
      return true;
    }
    return false;
  }
  const std::string& text() const { return line_; }
  std::int64_t number() const { return number_; }

 private:
  std::istream& in_;
  std::string line_;
  std::int64_t number_;
};

// Passes over a byte order mark and blank lines; returns how many line breaks that were.
std::int64_t SkipBlank(std::istream& in) {
  std::int64_t breaks = 0;
  for (const char mark : {'\xef', '\xbb', '\xbf'}) {
    if (in.peek() == std::istream::traits_type::to_int_type(mark)) in.get();
  }
  for (int c = in.peek(); c == ' ' || c == '\t' || c == '\r' || c == '\n'; c = in.peek()) {
    if (in.get() == '\n') ++breaks;
  }
  return breaks;
}

class Reader {
 public:
  Reader(Lines& lines, const SlurmClock& clock, const SlurmTextOptions& options,
         SlurmReading& reading)
      : lines_(lines), clock_(clock), options_(options), reading_(reading) {}

  void ReadJobs(const SacctTable& table, bool skip_first) {
    const SacctContext context{table, clock_, options_.cluster};
    bool more = skip_first ? lines_.Next() : true;
    for (; more; more = lines_.Next()) {
      Tell();
      if (lines_.text().size() > kLineBytesMax) {
        Reject("", "the line is longer than 16 MiB", lines_.number(), lines_.text());
        continue;
      }
      if (SacctTable::IsHeader(lines_.text())) continue;  // files put one after another
      const auto refusal = ReadSacctRow(context, lines_.text(), reading_.jobs);
      if (refusal) Reject(refusal->field, refusal->reason, lines_.number(), lines_.text());
    }
  }

  void ReadRecords() {
    std::string record;
    std::int64_t begin = 0;
    do {
      Tell();
      if (BeginsRecord(lines_.text())) {
        TakeRecord(record, begin);
        record.clear();
        begin = lines_.number();
      }
      if (record.size() + lines_.text().size() <= kLineBytesMax) record += lines_.text() + "\n";
    } while (lines_.Next());
    TakeRecord(record, begin);
  }

  // Of slurm.conf only the partitions and the rule of billing are read. False if there are none.
  bool ReadSettings() {
    bool found = false;
    std::string setting;
    do {
      std::string line = lines_.text().substr(0, lines_.text().find('#'));
      while (line.ends_with(' ') || line.ends_with('\t')) line.pop_back();
      const bool goes_on = line.ends_with('\\');
      if (goes_on) line.back() = ' ';
      if (setting.size() + line.size() <= kLineBytesMax) setting += line;
      if (goes_on) continue;
      const std::string lower = Lower(setting);
      if (lower.starts_with("partitionname=")) {
        found = true;
        TakePartition(setting, lines_.number());
      } else if (lower.starts_with("priorityflags=")) {
        found = true;
        reading_.notes.insert(setting + " (says how billing is made; nothing is priced by it)");
      }
      setting.clear();
    } while (lines_.Next());
    return found;
  }

 private:
  void TakeRecord(const std::string& record, std::int64_t line) {
    if (record.empty()) return;
    if (record.starts_with(kReservationName)) {
      TakeReservation(record, line);
    } else if (record.starts_with(kPartitionName)) {
      TakePartition(record, line);
    } else {
      const ScontrolContext context{options_.cluster, options_.catalog, options_.as_of, &clock_};
      const auto refusal = AppendScontrolNode(ParseScontrolRecord(record), context, reading_.nodes);
      if (refusal) Reject(refusal->field, refusal->reason, line, record);
    }
  }

  void TakeReservation(const std::string& record, std::int64_t line) {
    auto reservation = ReadReservation(ParseScontrolRecord(record), clock_);
    if (!reservation) {
      Reject("", reservation.error().message, line, record);
      return;
    }
    reading_.reservations.push_back(
        {*std::move(reservation),
         {options_.file, line, "", "", "", record.substr(0, kRawBytesMax)}});
  }

  void TakePartition(const std::string& record, std::int64_t line) {
    const auto note = NoteOfPartition(ParseScontrolRecord(record));
    if (!note) {
      Reject("TRESBillingWeights", note.error().message, line, record);
      return;
    }
    reading_.notes.insert(note->note);
    if (!note->warning.empty()) reading_.warnings.insert(note->warning);
  }

  void Reject(const std::string& field, const std::string& reason, std::int64_t line,
              const std::string& raw) {
    reading_.rejections.push_back(
        {options_.file, line, field, reason, "", raw.substr(0, kRawBytesMax)});
  }

  void Tell() {
    constexpr auto kStep = static_cast<std::int64_t>(kBatchRows);
    if (options_.progress && lines_.number() % kStep == 0) {
      options_.progress(options_.file, lines_.number(), 0);
    }
  }

  Lines& lines_;
  const SlurmClock& clock_;
  const SlurmTextOptions& options_;
  SlurmReading& reading_;
};

Error Bad(const SlurmTextOptions& options, std::int64_t line, const std::string& why) {
  return {ErrorCode::kBadData, options.file + ":" + std::to_string(line) + ": " + why};
}

constexpr const char* kKinds =
    "none of 'sacct --parsable2' with a header, 'sacct --json', 'scontrol show node', 'scontrol "
    "show reservation' and 'scontrol show partition'; docs/formats/slurm.md has the commands";

}  // namespace

Status ReadSlurmText(std::istream& in, const SlurmClock& clock, const SlurmTextOptions& options,
                     SlurmReading& reading) {
  const std::int64_t blank = SkipBlank(in);
  if (in.peek() == '{' || in.peek() == '[') return ReadSlurmJson(in, clock, options, reading);
  Lines lines(in, blank);
  bool more = lines.Next();
  if (!more) ++reading.empty_files;
  // Comments of slurm.conf, and the prompt of output that was pasted.
  while (more && (lines.text().starts_with('#') || lines.text().starts_with("$ "))) {
    more = lines.Next();
  }
  if (!more) return Ok();
  Reader reader(lines, clock, options, reading);
  const std::string first = lines.text();
  const std::int64_t at = lines.number();
  if (BeginsRecord(first)) {
    reader.ReadRecords();
    return Ok();
  }
  if (first.starts_with("No reservations in the system")) return Ok();
  if (SacctTable::IsHeader(first)) {
    const auto table = SacctTable::FromHeader(first);
    if (!table) return Bad(options, at, table.error().message);
    reading.unused_columns.insert(table->unused().begin(), table->unused().end());
    reader.ReadJobs(*table, true);
    return Ok();
  }
  if (SacctTable::IsDocumentedRow(first)) {
    reader.ReadJobs(SacctTable::Documented(), false);
    return Ok();
  }
  if (IsSreport(first)) {
    return Bad(options, at,
               "sreport's totals are no facts, jobs are: load 'sacct' output and compare "
               "'plimsoll allocate' with these totals");
  }
  if (IsSetting(first) && reader.ReadSettings()) return Ok();
  return Bad(options, at, kKinds);
}

}  // namespace plimsoll
