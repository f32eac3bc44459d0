#include "ingest/requests/request_reader.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "base/limits.h"
#include "ingest/csv.h"
#include "ingest/requests/bench_arrays.h"
#include "ingest/requests/otel_spans.h"
#include "ingest/requests/request_bytes.h"
#include "ingest/requests/request_parquet.h"

namespace plimsoll {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

class Reader {
 public:
  Reader(const RequestReaderOptions& options, RequestOutput& output)
      : options_(options), output_(output) {}

  Status ReadFile(const std::string& path, RequestReading& reading);

 private:
  Status ReadBytes(RequestBytes& bytes);
  Status ReadJson(RequestBytes& bytes);
  Status ReadLines(RequestBytes& bytes);
  Status ReadDocument(RequestBytes& bytes);
  Status ReadCsv(RequestBytes& bytes);
  Status ReadElements(const JsonValue& value, std::int64_t line);
  Status ReadObject(const JsonValue& object, std::int64_t line, std::string_view raw);
  Status ReadPaths(const JsonValue& object, std::int64_t line, std::string_view raw);
  Status SetFormat(const Result<RequestFormat>& format);
  bool IsRequest(const JsonValue& object);

  const RequestReaderOptions& options_;
  RequestOutput& output_;
  RequestDraft draft_;
  OtelSpans spans_;
  std::string file_;
  std::optional<RequestFormat> format_;
  std::vector<RequestFieldSpec> specs_;  // of the file's format, those of --map first
};

Status Reader::SetFormat(const Result<RequestFormat>& format) {
  Result<RecognizedFormat> recognized = WithMaps(format, options_.maps);
  if (!recognized) {
    return Error{recognized.error().code, file_ + ": " + recognized.error().message};
  }
  format_ = recognized->format;
  specs_ = std::move(recognized->specs);
  return Ok();
}

// Rows of a log that are no request to a model on these GPUs.
bool Reader::IsRequest(const JsonValue& object) {
  if (*format_ == RequestFormat::kEnvoy && object.Find("genai_model_name") == nullptr &&
      object.Find("genai_tokens_input") == nullptr) {
    output_.Ignore("requests of the gateway to no model");
    return false;
  }
  if (*format_ == RequestFormat::kLiteLlm) {
    const JsonValue* hit = object.Find("cache_hit");
    if (hit != nullptr && (hit->Scalar() == "true" || hit->Scalar() == "True")) {
      output_.Ignore("answers from the proxy's own cache: no GPU served them");
      return false;
    }
  }
  return true;
}

Status Reader::ReadPaths(const JsonValue& object, std::int64_t line, std::string_view raw) {
  if (!IsRequest(object)) return Ok();
  draft_.Begin();
  for (const RequestFieldSpec& spec : specs_) {
    const JsonValue* value = object.FindPath(spec.source);
    if (value != nullptr) draft_.Set(spec, value->Scalar());
  }
  if (*format_ == RequestFormat::kAiPerf && !SetAiPerfMetrics(object, draft_)) {
    output_.Ignore("requests of a warm-up");
    return Ok();
  }
  if (!options_.service.empty() && !draft_.Has(RequestField::kService)) {
    draft_.SetText(RequestField::kService, options_.service);
  }
  return output_.Put(draft_, line, raw);
}

Status Reader::ReadObject(const JsonValue& object, std::int64_t line, std::string_view raw) {
  if (!object.is_object()) {
    output_.Refuse(line, "", "is not a JSON object", raw);
    return Ok();
  }
  if (!format_) PLIMSOLL_RETURN_IF_ERROR(SetFormat(RecognizeObject(object)));
  switch (*format_) {
    case RequestFormat::kBenchArrays:
      return ReadBenchArrays(object, line, output_, draft_);
    case RequestFormat::kGenAiPerf:
      return ReadGenAiPerf(object, output_, draft_);
    case RequestFormat::kOtlp:
      spans_.Add(object, line);
      return Ok();
    default:
      return ReadPaths(object, line, raw);
  }
}

// The elements of an array are rows; anything else is one.
Status Reader::ReadElements(const JsonValue& value, std::int64_t line) {
  if (!value.is_array()) return ReadObject(value, line, "");
  for (const JsonValue& item : value.items) PLIMSOLL_RETURN_IF_ERROR(ReadObject(item, line, ""));
  return Ok();
}

Status Reader::ReadLines(RequestBytes& bytes) {
  std::string line;
  for (std::int64_t number = 1;; ++number) {
    PLIMSOLL_TRY(const RequestBytes::Line read, bytes.NextLine(line));
    if (read == RequestBytes::Line::kNone) return Ok();
    if (line.find_first_not_of(kBlanks) == std::string::npos) continue;
    const Result<JsonValue> value = ParseJson(line);
    if (value) {
      PLIMSOLL_RETURN_IF_ERROR(ReadObject(*value, number, line));
    } else if (read == RequestBytes::Line::kTorn && value.error().code == ErrorCode::kOutOfRange) {
      output_.Refuse(number, "",
                     "is cut short: the log was still being written; read it again when it is "
                     "whole",
                     line);
    } else {
      output_.Refuse(number, "", value.error().message, line);
    }
    if (options_.progress) bytes.Report(options_.progress);
  }
}

// One or more values over many lines.
Status Reader::ReadDocument(RequestBytes& bytes) {
  PLIMSOLL_TRY(const std::string text, bytes.Whole());
  std::string_view rest = text;
  std::size_t counted = 0;
  std::int64_t line = 1;
  for (;;) {
    rest.remove_prefix(std::min(rest.find_first_not_of(kBlanks), rest.size()));
    if (rest.empty()) return Ok();
    const std::size_t at = text.size() - rest.size();
    line += std::count(text.begin() + static_cast<std::ptrdiff_t>(counted),
                       text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
    counted = at;
    const std::string_view raw = rest;
    const Result<JsonValue> value = TakeJson(rest);
    if (!value) {
      output_.Refuse(line, "", value.error().message, raw);
      return Ok();  // where the next value begins is not known
    }
    PLIMSOLL_RETURN_IF_ERROR(ReadElements(*value, line));
  }
}

Status Reader::ReadJson(RequestBytes& bytes) {
  PLIMSOLL_TRY(const std::string first, bytes.PeekLine());
  const Result<JsonValue> value = ParseJson(first);
  // A first line that is an object of its own, or broken within itself, begins a list of lines.
  const bool is_document = value
                               ? value->is_array()
                               : value.error().code == ErrorCode::kOutOfRange && !bytes.IsOneLine();
  return is_document ? ReadDocument(bytes) : ReadLines(bytes);
}

// Paths into columns that hold JSON, as a spend log's `metadata`.
struct ColumnPath {
  std::size_t column = 0;
  std::string path;  // "" for the column itself
  RequestFieldSpec spec;
};

std::vector<ColumnPath> PathsInto(const std::vector<std::string>& columns,
                                  const std::vector<RequestFieldSpec>& specs) {
  std::vector<ColumnPath> paths;
  for (const RequestFieldSpec& spec : specs) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const std::string& name = columns[i];
      if (spec.source == name) paths.push_back({i, "", spec});
      if (spec.source.size() > name.size() && spec.source.starts_with(name) &&
          spec.source[name.size()] == '/') {
        paths.push_back({i, spec.source.substr(name.size() + 1), spec});
      }
    }
  }
  return paths;
}

std::vector<std::string> TextsOf(const CsvRow& row) {
  std::vector<std::string> texts;
  for (const CsvField& field : row.fields) texts.emplace_back(field.text);
  return texts;
}

bool SetPath(const ColumnPath& path, std::string_view text, RequestDraft& draft) {
  if (path.path.empty()) return draft.Set(path.spec, text);
  if (!text.starts_with('{')) return true;
  const Result<JsonValue> value = ParseJson(text);
  const JsonValue* found = value ? value->FindPath(path.path) : nullptr;
  return found == nullptr || draft.Set(path.spec, found->Scalar());
}

std::string DefectOf(const CsvRow& row, std::size_t columns) {
  if (row.defect == CsvDefect::kQuoteNotClosed) return "has a quote that is not closed";
  if (row.defect == CsvDefect::kTextAfterQuote) return "has text after a closing quote";
  if (row.fields.size() == columns) return "";
  return "has " + std::to_string(row.fields.size()) + " fields for " + std::to_string(columns) +
         " columns: it is cut short, or a comma is not quoted";
}

Status Reader::ReadCsv(RequestBytes& bytes) {
  CsvReader csv(bytes.AsRead());
  CsvRow row;
  PLIMSOLL_TRY(const bool has_header, csv.Next(row));
  if (!has_header) return Ok();
  const std::vector<std::string> columns = TextsOf(row);
  PLIMSOLL_RETURN_IF_ERROR(SetFormat(RecognizeKeys(columns)));
  const std::vector<ColumnPath> paths = PathsInto(columns, specs_);
  const auto hit = std::find(columns.begin(), columns.end(), "cache_hit") - columns.begin();
  const bool has_hits =
      *format_ == RequestFormat::kLiteLlm && static_cast<std::size_t>(hit) < columns.size();
  for (;;) {
    PLIMSOLL_TRY(const bool more, csv.Next(row));
    if (!more) return Ok();
    if (const std::string defect = DefectOf(row, columns.size()); !defect.empty()) {
      output_.Refuse(row.line, "", defect, row.raw);
      continue;
    }
    if (has_hits && (row.fields[static_cast<std::size_t>(hit)].text == "True" ||
                     row.fields[static_cast<std::size_t>(hit)].text == "true")) {
      output_.Ignore("answers from the proxy's own cache: no GPU served them");
      continue;
    }
    draft_.Begin();
    for (const ColumnPath& path : paths) SetPath(path, row.fields[path.column].text, draft_);
    if (!options_.service.empty() && !draft_.Has(RequestField::kService)) {
      draft_.SetText(RequestField::kService, options_.service);
    }
    PLIMSOLL_RETURN_IF_ERROR(output_.Put(draft_, row.line, row.raw));
    if (options_.progress) bytes.Report(options_.progress);
  }
}

Status Reader::ReadBytes(RequestBytes& bytes) {
  PLIMSOLL_TRY(const std::string front, bytes.Peek());
  const std::size_t first = front.find_first_not_of(kBlanks);
  if (first == std::string::npos) return Ok();  // an empty file holds no request
  const bool is_json = front[first] == '{' || front[first] == '[';
  return is_json ? ReadJson(bytes) : ReadCsv(bytes);
}

Status Reader::ReadFile(const std::string& path, RequestReading& reading) {
  file_ = path == "-" ? "standard input" : path;
  output_.BeginFile(file_);
  format_.reset();
  PLIMSOLL_TRY(RequestBytes bytes, RequestBytes::Open(path));
  PLIMSOLL_TRY(const bool is_parquet, bytes.IsParquet());
  if (is_parquet) {
    ParquetFile file{path, options_.service, options_.parquet, {}};
    PLIMSOLL_RETURN_IF_ERROR(file.Describe());
    PLIMSOLL_RETURN_IF_ERROR(SetFormat(RecognizeKeys(file.names())));
    PLIMSOLL_RETURN_IF_ERROR(ReadParquetRequests(file, specs_, output_));
  } else {
    PLIMSOLL_RETURN_IF_ERROR(ReadBytes(bytes));
  }
  PLIMSOLL_RETURN_IF_ERROR(spans_.Finish(output_, draft_));
  PLIMSOLL_RETURN_IF_ERROR(output_.Flush());
  if (format_) ++reading.formats[NameOf(*format_)];
  return Ok();
}

}  // namespace

Result<RequestReading> ReadRequests(const RequestReaderOptions& options, const TakeRequests& take) {
  RequestReading reading;
  RequestOutput output(take);
  Reader reader(options, output);
  std::set<std::string> seen;
  for (const std::string& path : options.files) {
    // The same file named twice would count every request without an id twice.
    if (!seen.insert(path).second) continue;
    PLIMSOLL_RETURN_IF_ERROR(reader.ReadFile(path, reading));
  }
  reading.accepted = output.accepted();
  reading.rejected = output.rejected();
  reading.rejections = output.rejections();
  reading.ignored = output.ignored();
  reading.untimed_ns = output.untimed_ns;
  return reading;
}

}  // namespace plimsoll
