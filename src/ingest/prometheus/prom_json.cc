#include "ingest/prometheus/prom_json.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "base/limits.h"
#include "ingest/prometheus/sample_value.h"

namespace plimsoll {
namespace {

using Json = nlohmann::json;

// Where the reader is. An array's elements have the place of the array's ElementOf.
enum class Place : unsigned char {
  kRoot,
  kTop,       // { status, data, error, errorType, warnings }
  kData,      // { resultType, result }
  kResult,    // [ element... ]
  kElement,   // { metric, value, values }
  kMetric,    // { label: text }
  kValues,    // [ pair... ]
  kPair,      // [ time, "value" ]
  kWarnings,  // [ text... ]
  kOther,     // passed over
};

class PromSax : public nlohmann::json_sax<Json> {
 public:
  explicit PromSax(SampleSink& sink) : sink_(&sink) {}

  bool start_object(std::size_t) override {
    Place next = Place::kOther;
    if (places_.empty()) next = Place::kTop;
    if (At(Place::kTop) && key_ == "data") next = Place::kData;
    if (At(Place::kResult)) next = Place::kElement;
    if (At(Place::kElement) && key_ == "metric") next = Place::kMetric;
    if (next == Place::kElement) {
      series_ = {};
      samples_.clear();
    }
    return Enter(next);
  }
  bool end_object() override {
    if (At(Place::kElement)) FlushElement();
    places_.pop_back();
    return true;
  }
  bool start_array(std::size_t) override {
    Place next = Place::kOther;
    if (At(Place::kTop) && key_ == "warnings") next = Place::kWarnings;
    if (At(Place::kData) && key_ == "result") next = Place::kResult;
    if (At(Place::kElement) && key_ == "values") next = Place::kValues;
    if (At(Place::kValues) || (At(Place::kElement) && key_ == "value")) next = Place::kPair;
    if (next == Place::kPair) {
      pair_ = {};
      pair_size_ = 0;
    }
    return Enter(next);
  }
  bool end_array() override {
    if (At(Place::kPair)) {
      if (pair_size_ != 2) pair_.good = false;
      samples_.push_back(std::move(pair_));
    }
    places_.pop_back();
    return true;
  }
  bool key(string_t& text) override {
    key_ = text;
    return true;
  }

  bool string(string_t& text) override {
    if (At(Place::kMetric)) {
      TakeLabel(text);
    } else if (At(Place::kPair)) {
      TakePart(nullptr, text);
    } else if (At(Place::kWarnings)) {
      answer_.warnings.push_back(text);
    } else if (At(Place::kTop)) {
      if (key_ == "status") answer_.status = text;
      if (key_ == "error") answer_.error = text;
      if (key_ == "errorType") answer_.error_type = text;
    }
    return true;
  }
  bool null() override {
    if (At(Place::kPair)) TakePart(nullptr, "NaN");
    return true;
  }
  bool boolean(bool) override {
    if (At(Place::kPair)) pair_.good = false;
    return true;
  }
  bool number_integer(number_integer_t number) override { return TakeNumber(number); }
  bool number_unsigned(number_unsigned_t number) override {
    return TakeNumber(static_cast<std::int64_t>(
        std::min<number_unsigned_t>(number, static_cast<number_unsigned_t>(INT64_MAX))));
  }
  bool number_float(number_float_t, const string_t& text) override {
    if (!At(Place::kPair)) return true;
    const std::optional<std::int64_t> ms = ParseScaled(text, 3);
    TakePart(ms ? &*ms : nullptr, text);
    return true;
  }
  bool binary(binary_t&) override { return true; }
  bool parse_error(std::size_t position, const std::string&, const Json::exception&) override {
    error_ = "not JSON at byte " + std::to_string(position);
    return false;
  }

  const std::string& error() const { return error_; }
  PromAnswer& answer() { return answer_; }

 private:
  struct Sample {
    std::int64_t at_ms = 0;
    std::string value;
    bool good = true;
  };

  bool At(Place place) const { return !places_.empty() && places_.back() == place; }

  bool Enter(Place place) {
    if (places_.size() >= static_cast<std::size_t>(kNestingMax)) {
      error_ = "nested deeper than " + std::to_string(kNestingMax);
      return false;
    }
    places_.push_back(place);
    return true;
  }

  void TakeLabel(std::string& text) {
    if (key_ == "__name__") {
      series_.name = std::move(text);
    } else if (series_.Get(key_).empty()) {
      series_.labels.emplace_back(key_, std::move(text));
    }
  }

  bool TakeNumber(std::int64_t number) {
    if (!At(Place::kPair)) return true;
    const bool fits = number < INT64_MAX / 1'000 && number > INT64_MIN / 1'000;
    const std::int64_t ms = fits ? number * 1'000 : 0;
    TakePart(fits ? &ms : nullptr, std::to_string(number));
    return true;
  }

  // The first part of a pair is a time (a number), the second the value.
  void TakePart(const std::int64_t* ms, const std::string& text) {
    if (pair_size_ == 0) {
      pair_.good = ms != nullptr && IsSampleTime(*ms);
      if (pair_.good) pair_.at_ms = *ms;
    } else {
      pair_.value = text;
    }
    ++pair_size_;
  }

  void FlushElement() {
    if (samples_.empty()) return;
    std::optional<std::int32_t> id;
    for (const Sample& sample : samples_) {
      if (!sample.good || !IsSampleValue(sample.value)) {
        sink_->OnBadInput(0, "a sample is not [seconds, \"number\"]", series_.name);
        continue;
      }
      if (!id) id = sink_->OpenSeries(series_);
      sink_->OnSample(*id, sample.at_ms, sample.value);
      ++answer_.samples;
    }
  }

  SampleSink* sink_;
  PromAnswer answer_;
  std::string error_;
  std::vector<Place> places_;
  std::string key_;
  SeriesLabels series_;
  std::vector<Sample> samples_;
  Sample pair_;
  int pair_size_ = 0;
};

}  // namespace

Result<PromAnswer> ReadPromJson(std::string_view body, SampleSink& sink) {
  PromSax sax(sink);
  bool read = false;
  try {
    read = Json::sax_parse(body.begin(), body.end(), &sax);
  } catch (const Json::exception& e) {
    return Error{ErrorCode::kBadData, std::string("the answer cannot be read: ") + e.what()};
  }
  if (!read) {
    return Error{ErrorCode::kBadData, "the answer cannot be read: " + sax.error()};
  }
  if (sax.answer().status.empty()) {
    return Error{ErrorCode::kBadData,
                 "the answer has no status: this is not the Prometheus HTTP API"};
  }
  return std::move(sax.answer());
}

Result<std::vector<std::string>> ReadPromNames(std::string_view body) {
  const Json answer = Json::parse(body.begin(), body.end(), nullptr, false);
  const Error no_names{ErrorCode::kBadData, "the answer is no list of names"};
  if (!answer.is_object() || answer.value("status", Json()) != "success") return no_names;
  const auto data = answer.find("data");
  if (data == answer.end() || !data->is_array()) return no_names;
  std::vector<std::string> names;
  for (const Json& name : *data) {
    if (!name.is_string()) return no_names;
    names.push_back(name.get<std::string>());
  }
  return names;
}

}  // namespace plimsoll
