#include "catalog/yaml_fields.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <utility>

#include "catalog/yaml_document.h"
#include "units/decimal.h"

namespace plimsoll {
namespace {

std::int64_t LineOfMark(const YAML::Mark& mark) {
  return mark.is_null() ? 1 : std::int64_t{mark.line} + 1;
}

std::optional<std::int64_t> ParseInteger(const std::string& text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

std::optional<YAML::Node> ParseYaml(const std::string& file, const std::string& text,
                                    std::vector<Rejection>& problems) {
  try {
    const std::optional<int> after = LineAfterDocument(text);
    if (after) {
      problems.push_back(
          {file, *after, "", "text follows the end of the mapping: keep one document", "", ""});
      return std::nullopt;
    }
    YAML::Node node = YAML::Load(text);
    if (node.IsMap()) return node;
    problems.push_back({file, 1, "", "must be a YAML mapping at its top level", "", ""});
  } catch (const YAML::Exception& e) {
    problems.push_back({file, LineOfMark(e.mark), "", e.msg, "", ""});
  }
  return std::nullopt;
}

YamlFields::YamlFields(YAML::Node map, std::string file, std::string path,
                       std::vector<Rejection>& problems)
    : map_(std::move(map)), file_(std::move(file)), path_(std::move(path)), problems_(problems) {}

std::optional<YAML::Node> YamlFields::Value(const std::string& key) {
  asked_.insert(key);
  const YAML::Node& map = map_;  // operator[] of a const node adds nothing
  const YAML::Node value = map[key];
  if (!value.IsDefined() || value.IsNull()) return std::nullopt;
  return value;
}

std::int64_t YamlFields::line() const { return LineOfMark(map_.Mark()); }

std::int64_t YamlFields::LineOf(const std::string& key) const {
  const YAML::Node& map = map_;
  const YAML::Node value = map[key];
  return value.IsDefined() ? LineOfMark(value.Mark()) : line();
}

std::string YamlFields::PathOf(const std::string& key, std::size_t index) const {
  return fmt::format("{}{}{}[{}]", path_, path_.empty() ? "" : ".", key, index);
}

void YamlFields::Problem(const std::string& key, std::string reason) {
  const std::string field = path_.empty() ? key : fmt::format("{}.{}", path_, key);
  problems_.push_back({file_, LineOf(key), field, std::move(reason), "", ""});
}

std::string YamlFields::Text(const std::string& key) {
  const std::optional<YAML::Node> value = Value(key);
  if (!value) return "";
  if (!value->IsScalar()) {
    Problem(key, "must be one value, not a list or a mapping");
    return "";
  }
  return value->Scalar();
}

std::string YamlFields::RequiredText(const std::string& key) {
  const std::size_t before = problems_.size();
  std::string text = Text(key);
  if (text.empty() && problems_.size() == before) Problem(key, "is missing");
  return text;
}

std::int64_t YamlFields::Integer(const std::string& key, std::int64_t min, std::int64_t fallback) {
  const std::string text = Text(key);
  if (text.empty()) return fallback;
  const std::optional<std::int64_t> value = ParseInteger(text);
  if (!value || *value < min) {
    Problem(key, fmt::format("'{}' must be a whole number, {} or more", text, min));
    return fallback;
  }
  return *value;
}

std::int64_t YamlFields::Scaled(const std::string& key, std::int64_t scale, std::int64_t fallback) {
  const std::string text = Text(key);
  if (text.empty()) return fallback;
  const Result<ExactDecimal> value = ExactDecimal::Parse(text);
  constexpr int128 kMax = int128{1'000'000'000} * Money::kNanosPerUnit;
  const int128 step = Money::kNanosPerUnit / scale;
  if (!value || !value->is_nano_exact() || value->floor() < Money() ||
      value->floor().nanos() > kMax || value->floor().nanos() % step != 0) {
    Problem(key,
            fmt::format("'{}' must be a decimal from 0 to 10^9 in steps of 1/{}", text, scale));
    return fallback;
  }
  return static_cast<std::int64_t>(value->floor().nanos() / step);
}

Money YamlFields::Amount(const std::string& key) {
  const std::string text = Text(key);
  if (text.empty()) return Money();
  const Result<ExactDecimal> value = ExactDecimal::Parse(text);
  if (!value || !value->is_nano_exact()) {
    Problem(key, fmt::format("'{}' must be an amount with at most nine decimals", text));
    return Money();
  }
  return value->floor();
}

std::vector<std::string> YamlFields::Texts(const std::string& key) {
  const std::optional<YAML::Node> value = Value(key);
  std::vector<std::string> texts;
  if (!value) return texts;
  if (!value->IsSequence()) {
    Problem(key, "must be a list");
    return texts;
  }
  for (const YAML::Node& item : *value) {
    if (item.IsScalar()) {
      texts.push_back(item.Scalar());
    } else {
      Problem(key, "each entry must be one value");
    }
  }
  return texts;
}

std::vector<std::int64_t> YamlFields::Integers(const std::string& key) {
  std::vector<std::int64_t> numbers;
  for (const std::string& text : Texts(key)) {
    if (const std::optional<std::int64_t> value = ParseInteger(text)) {
      numbers.push_back(*value);
    } else {
      Problem(key, fmt::format("'{}' must be a whole number", text));
    }
  }
  return numbers;
}

std::vector<YAML::Node> YamlFields::Maps(const std::string& key) {
  const std::optional<YAML::Node> value = Value(key);
  std::vector<YAML::Node> maps;
  if (!value) return maps;
  if (!value->IsSequence()) {
    Problem(key, "must be a list");
    return maps;
  }
  for (const YAML::Node& item : *value) {
    if (item.IsMap()) {
      maps.push_back(item);
    } else {
      Problem(key, "each entry must be a mapping");
    }
  }
  return maps;
}

void YamlFields::Finish() {
  std::set<std::string> seen;
  for (const auto& entry : map_) {
    if (!entry.first.IsScalar()) {
      Problem("", "a key must be one word");
      continue;
    }
    const std::string& key = entry.first.Scalar();
    if (!seen.insert(key).second) Problem(key, "is written twice");
    if (!asked_.contains(key)) Problem(key, "is not known here; see docs/formats");
  }
}

}  // namespace plimsoll
