#include "config/yaml_reader.h"

#include <algorithm>
#include <set>

#include "config/duration.h"
#include "config/suggest.h"
#include "units/human_text.h"

namespace plimsoll {
namespace {

std::string KindOf(const YAML::Node& node) {
  if (node.IsMap()) return "a mapping";
  if (node.IsSequence()) return "a list";
  return "a single value";
}

std::string Joined(std::span<const std::string> words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

}  // namespace

void YamlErrors::Add(const YAML::Mark& mark, const std::string& where, const std::string& what) {
  Add(mark.line + 1, where, what);  // a null mark is line -1
}

void YamlErrors::Add(int line, const std::string& where, const std::string& what) {
  errors_.emplace_back(
      line, file_ + ":" + std::to_string(line) + ": " + (where.empty() ? "" : where + ": ") + what);
}

std::string YamlErrors::Joined() const {
  std::vector<std::pair<int, std::string>> sorted = errors_;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::string text;
  for (const auto& [line, error] : sorted) text += (text.empty() ? "" : "\n") + error;
  return text;
}

YamlMap::YamlMap(const YAML::Node& node, std::string path, YamlErrors& errors)
    : path_(std::move(path)), errors_(&errors), mark_(node.Mark()) {
  if (node.IsNull()) return;
  if (!node.IsMap()) {
    errors_->Add(mark_, path_, "must be a mapping of keys to values, not " + KindOf(node));
    return;
  }
  std::set<std::string> seen;
  for (const auto& entry : node) {
    if (!entry.first.IsScalar()) {
      errors_->Add(entry.first.Mark(), path_, "a key must be a single word");
      continue;
    }
    const std::string& key = entry.first.Scalar();
    if (!seen.insert(key).second) {
      errors_->Add(entry.first.Mark(), PathOf(key), "is given twice; keep one");
      continue;
    }
    entries_.emplace_back(key, entry.second);
    key_marks_.push_back(entry.first.Mark());
  }
}

std::string YamlMap::PathOf(const std::string& key) const {
  return path_.empty() ? key : path_ + "." + key;
}

void YamlMap::Fail(const std::string& key, const std::string& what) {
  YAML::Mark mark = mark_;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (entries_[i].first == key) mark = key_marks_[i];
  }
  errors_->Add(mark, PathOf(key), what);
}

std::optional<YAML::Node> YamlMap::Find(const std::string& key) {
  if (std::find(known_.begin(), known_.end(), key) == known_.end()) known_.push_back(key);
  for (const auto& [name, node] : entries_) {
    if (name == key && !node.IsNull()) return node;
  }
  return std::nullopt;
}

bool YamlMap::Has(const std::string& key) { return Find(key).has_value(); }

void YamlMap::Require(const std::string& key, const std::string& example) {
  if (!Has(key)) Fail(key, "is missing; write " + example);
}

std::optional<std::string> YamlMap::Scalar(const std::string& key) {
  const std::optional<YAML::Node> node = Find(key);
  if (!node) return std::nullopt;
  if (node->IsScalar() && !node->Scalar().empty()) return node->Scalar();
  Fail(key, node->IsScalar() ? "is empty; write a value or remove the key"
                             : "must be a single value, not " + KindOf(*node));
  return std::nullopt;
}

void YamlMap::Text(const std::string& key, std::string* value) {
  if (std::optional<std::string> text = Scalar(key)) *value = *std::move(text);
}

void YamlMap::TextOf(const std::string& key, std::span<const std::string> choices,
                     std::string* value) {
  std::optional<std::string> text = Scalar(key);
  if (!text) return;
  if (std::find(choices.begin(), choices.end(), *text) == choices.end()) {
    Fail(key, "'" + *text + "' is not one of " + Joined(choices) + DidYouMean(*text, choices));
    return;
  }
  *value = *std::move(text);
}

void YamlMap::Texts(const std::string& key, std::vector<std::string>* value) {
  const std::optional<YAML::Node> node = Find(key);
  if (!node) return;
  std::vector<std::string> texts;
  if (node->IsScalar() && !node->Scalar().empty()) {
    texts.push_back(node->Scalar());
  } else if (node->IsSequence()) {
    for (const YAML::Node& item : *node) {
      if (!item.IsScalar() || item.Scalar().empty()) {
        errors_->Add(item.Mark(), PathOf(key) + "[" + std::to_string(texts.size()) + "]",
                     "must be a single value that is not empty");
        return;
      }
      texts.push_back(item.Scalar());
    }
  }
  if (texts.empty()) return Fail(key, "must be a list such as [a, b]");
  *value = std::move(texts);
}

void YamlMap::Length(const std::string& key, Duration* value) {
  const std::optional<std::string> text = Scalar(key);
  if (!text) return;
  const Result<Duration> duration = ParseDuration(*text);
  if (!duration) return Fail(key, duration.error().message);
  *value = *duration;
}

void YamlMap::Whole(const std::string& key, std::int64_t least, std::int64_t most,
                    std::optional<std::int64_t>* value) {
  const std::optional<std::string> text = Scalar(key);
  if (!text) return;
  const std::optional<std::int64_t> read = ParseWhole(*text, least, most);
  if (read) {
    *value = read;
    return;
  }
  Fail(key, "'" + text->substr(0, 40) + "' must be a whole number from " + std::to_string(least) +
                " to " + std::to_string(most));
}

void YamlMap::Time(const std::string& key, std::optional<Instant>* value) {
  const std::optional<std::string> text = Scalar(key);
  if (!text) return;
  const Result<Instant> time = ParseInstant(*text);
  if (!time) {
    return Fail(key, time.error().message + "; write it as 2026-12-01 or 2026-12-01T08:00:00Z");
  }
  *value = *time;
}

void YamlMap::Map(const std::string& key, const std::function<void(YamlMap&)>& read) {
  const std::optional<YAML::Node> node = Find(key);
  if (!node) return;
  YamlMap map(*node, PathOf(key), *errors_);
  if (!node->IsMap()) return;
  read(map);
  map.Finish();
}

void YamlMap::Maps(const std::string& key, const std::function<void(YamlMap&)>& read) {
  const std::optional<YAML::Node> node = Find(key);
  if (!node) return;
  if (!node->IsSequence()) return Fail(key, "must be a list: one '- ' an entry");
  std::size_t index = 0;
  for (const YAML::Node& item : *node) {
    YamlMap map(item, PathOf(key) + "[" + std::to_string(index++) + "]", *errors_);
    if (!item.IsMap()) {
      if (item.IsNull()) errors_->Add(item.Mark(), map.path_, "is empty; remove it");
      continue;
    }
    read(map);
    map.Finish();
  }
}

void YamlMap::FreeTexts(
    const std::string& key,
    const std::function<std::string(const std::string&, const std::string&)>& read) {
  const std::optional<YAML::Node> node = Find(key);
  if (!node) return;
  YamlMap map(*node, PathOf(key), *errors_);
  for (const auto& [name, value] : map.entries_) {
    if (!value.IsScalar() || value.Scalar().empty()) {
      map.Fail(name, "must be a single value that is not empty");
    } else if (const std::string wrong = read(name, value.Scalar()); !wrong.empty()) {
      map.Fail(name, wrong);
    }
  }
}

void YamlMap::Finish() {
  for (const auto& [name, node] : entries_) {
    if (std::find(known_.begin(), known_.end(), name) != known_.end()) continue;
    Fail(name, "is not a known key" + DidYouMean(name, known_) +
                   (NearestOf(name, known_).empty() ? "; known are " + Joined(known_) : ""));
  }
}

}  // namespace plimsoll
