#include "ingest/slurm/slurm_text.h"

#include <utility>

#include "base/limits.h"
#include "store/utf8.h"

namespace plimsoll {
namespace {

constexpr std::string_view kNodeName = "NodeName=";

// Lines without their line break, as UTF-8, blank ones left out.
class Lines {
 public:
  explicit Lines(std::istream& in) : in_(in) {}

  bool Next() {
    while (std::getline(in_, line_)) {
      ++number_;
      if (number_ == 1 && line_.starts_with("\xef\xbb\xbf")) line_.erase(0, 3);
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
  std::int64_t number_ = 0;
};

class Reader {
 public:
  Reader(Lines& lines, const SlurmTextOptions& options, SlurmReading& reading)
      : lines_(lines), options_(options), reading_(reading) {}

  void ReadJobs(const SacctTable& table, const SlurmClock& clock, bool skip_first) {
    const SacctContext context{table, clock, options_.cluster};
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

  void ReadNodes() {
    std::string record;
    std::int64_t begin = 0;
    do {
      Tell();
      if (lines_.text().starts_with(kNodeName)) {
        TakeNode(record, begin);
        record.clear();
        begin = lines_.number();
      }
      if (record.size() + lines_.text().size() <= kLineBytesMax) record += lines_.text() + "\n";
    } while (lines_.Next());
    TakeNode(record, begin);
  }

 private:
  void TakeNode(const std::string& record, std::int64_t line) {
    if (record.empty()) return;
    const ScontrolContext context{options_.cluster, options_.catalog, options_.as_of};
    const auto refusal = AppendScontrolNode(ParseScontrolRecord(record), context, reading_.nodes);
    if (refusal) Reject(refusal->field, refusal->reason, line, record);
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
  const SlurmTextOptions& options_;
  SlurmReading& reading_;
};

}  // namespace

Status ReadSlurmText(std::istream& in, const SlurmClock& clock, const SlurmTextOptions& options,
                     SlurmReading& reading) {
  Lines lines(in);
  if (!lines.Next()) {
    ++reading.empty_files;
    return Ok();
  }
  Reader reader(lines, options, reading);
  const std::string first = lines.text();
  if (first.starts_with(kNodeName)) {
    reader.ReadNodes();
    return Ok();
  }
  if (SacctTable::IsHeader(first)) {
    const auto table = SacctTable::FromHeader(first);
    if (!table) {
      return Error{ErrorCode::kBadData, options.file + ":" + std::to_string(lines.number()) + ": " +
                                            table.error().message};
    }
    reading.unused_columns.insert(table->unused().begin(), table->unused().end());
    reader.ReadJobs(*table, clock, true);
    return Ok();
  }
  if (SacctTable::IsDocumentedRow(first)) {
    reader.ReadJobs(SacctTable::Documented(), clock, false);
    return Ok();
  }
  return Error{ErrorCode::kBadData,
               options.file +
                   ": neither 'sacct --parsable2' output with a header nor 'scontrol show node'; "
                   "docs/formats/slurm.md has the commands (JSON output is not read)"};
}

}  // namespace plimsoll
