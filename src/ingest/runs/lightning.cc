#include "ingest/runs/lightning.h"

#include <algorithm>

#include "catalog/yaml_fields.h"
#include "ingest/runs/number_text.h"
#include "ingest/runs/run_files.h"

namespace plimsoll {
namespace {

constexpr const char* kSource = "lightning";

class MetricsReader {
 public:
  MetricsReader(const RunPlace& place, RunFacts& facts)
      : place_(place), facts_(facts), began_(place.began.value_or(AtMillis(0))) {}

  Status Read(CsvReader& csv) {
    CsvRow row;
    PLIMSOLL_TRY(const bool has_header, csv.Next(row));
    for (const CsvField& field : row.fields) columns_.emplace_back(field.text);
    const auto step = std::find(columns_.begin(), columns_.end(), "step");
    if (!has_header || step == columns_.end()) {
      return Error{ErrorCode::kBadData, place_.file + ": the header has no column step"};
    }
    step_ = static_cast<std::size_t>(step - columns_.begin());
    Append(facts_.events, {.run = place_.run, .source = kSource, .kind = "start", .at = began_});
    for (;;) {
      PLIMSOLL_TRY(const bool more, csv.Next(row));
      if (cut_ && more) facts_.rejections.push_back(*cut_);
      if (!more) break;
      cut_.reset();
      TakeRow(row);
    }
    if (cut_) {
      facts_.ignored.insert(place_.file + ":" + std::to_string(cut_->line) +
                            ": the last row breaks off: not counted");
    }
    return Ok();
  }

  void AppendRun(const std::string& hparams) {
    RunRow row;
    row.run = place_.run;
    row.source = kSource;
    row.name = place_.name;
    TakeParameters(hparams, row);
    if (!place_.began) row.labels[kRunTimesLabel] = kRunTimesNone;
    TakeRunLabels(row);
    Append(facts_.runs, row);
  }

 private:
  Rejection RejectionOf(const CsvRow& row, std::string field, std::string reason) const {
    return {place_.file, row.line, std::move(field), std::move(reason), "", std::string(row.raw)};
  }

  void TakeRow(const CsvRow& row) {
    if (row.defect != CsvDefect::kNone || row.fields.size() != columns_.size()) {
      const Rejection rejection =
          RejectionOf(row, "",
                      "the row has " + std::to_string(row.fields.size()) +
                          " fields and the header " + std::to_string(columns_.size()));
      // Only a row that is too short can be one that its writer did not finish.
      if (row.fields.size() < columns_.size()) {
        cut_ = rejection;
      } else {
        facts_.rejections.push_back(rejection);
      }
      return;
    }
    const std::optional<std::int64_t> step = WholeNumber(row.fields[step_].text);
    if (!step || *step < 0) {
      facts_.rejections.push_back(RejectionOf(row, "step", "is missing or no whole number"));
      return;
    }
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (i == step_ || row.fields[i].text.empty()) continue;
      if (const std::optional<std::string> value = NumberText(row.fields[i].text)) {
        Append(facts_.events, {.run = place_.run,
                               .source = kSource,
                               .kind = "metric",
                               .at = began_,
                               .step = step,
                               .name = columns_[i],
                               .value = *value});
      } else {
        facts_.rejections.push_back(
            RejectionOf(row, RunText(columns_[i]),
                        "'" + RunText(row.fields[i].text.substr(0, 40)) + "' is no number"));
      }
    }
  }

  void TakeParameters(const std::string& hparams, RunRow& row) {
    if (hparams.empty()) return;
    std::vector<Rejection> problems;
    const std::optional<YAML::Node> map = ParseYaml("hparams.yaml", hparams, problems);
    if (!map) {
      facts_.warnings.insert(place_.file + ": hparams.yaml beside it cannot be read: " +
                             (problems.empty() ? "no mapping" : problems.front().reason));
      return;
    }
    for (const auto& entry : *map) {
      if (entry.first.IsScalar() && entry.second.IsScalar()) {
        row.labels[entry.first.Scalar()] = entry.second.Scalar();
      }
    }
  }

  const RunPlace& place_;
  RunFacts& facts_;
  Instant began_;
  std::vector<std::string> columns_;
  std::size_t step_ = 0;
  std::optional<Rejection> cut_;
};

}  // namespace

bool IsLightningMetrics(std::string_view head, bool strict) {
  std::string_view line = head.substr(0, head.find('\n'));
  while (line.ends_with('\r')) line.remove_suffix(1);
  bool has_step = false, has_epoch = false;
  std::size_t columns = 0;
  for (;; ++columns) {
    const std::size_t comma = line.find(',');
    const std::string_view name = line.substr(0, comma);
    has_step = has_step || name == "step" || name == "\"step\"";
    has_epoch = has_epoch || name == "epoch" || name == "\"epoch\"";
    if (comma == std::string_view::npos) break;
    line.remove_prefix(comma + 1);
  }
  return has_step && columns > 0 && (has_epoch || !strict);
}

Status ReadLightningMetrics(ReadBytes read, const std::string& hparams, const RunPlace& place,
                            RunFacts& facts) {
  CsvReader csv(std::move(read));
  MetricsReader reader(place, facts);
  PLIMSOLL_RETURN_IF_ERROR(reader.Read(csv));
  reader.AppendRun(hparams);
  return Ok();
}

}  // namespace plimsoll
