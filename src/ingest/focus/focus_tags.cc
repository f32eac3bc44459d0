#include "ingest/focus/focus_tags.h"

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/limits.h"

namespace plimsoll {
namespace {

using Json = nlohmann::json;

// Reads one flat object. nlohmann's own tree would keep the last of two equal keys and would
// lose how a number was written, hence events.
class FlatObjectReader : public nlohmann::json_sax<Json> {
 public:
  bool null() override { return Skip(); }
  bool boolean(bool value) override { return Set(value ? "true" : "false"); }
  bool number_integer(number_integer_t value) override { return Set(std::to_string(value)); }
  bool number_unsigned(number_unsigned_t value) override { return Set(std::to_string(value)); }
  bool number_float(number_float_t, const string_t& written) override { return Set(written); }
  bool string(string_t& value) override { return Set(value); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override {
    return ++depth_ == 1 || Fail("a value is an object; tags are texts, numbers or true");
  }
  bool start_array(std::size_t) override {
    return Fail("a value is a list; tags are texts, numbers or true");
  }
  bool end_object() override { return true; }
  bool end_array() override { return true; }
  bool key(string_t& name) override {
    if (!seen_.emplace(name, std::nullopt).second) return Fail("key '" + name + "' is given twice");
    key_ = name;
    return true;
  }
  bool parse_error(std::size_t at, const std::string&, const Json::exception&) override {
    return Fail("not a JSON object, at byte " + std::to_string(at));
  }

  const std::string& defect() const { return defect_; }
  const std::map<std::string, std::optional<std::string>>& values() const { return seen_; }

 private:
  bool Fail(std::string why) {
    if (defect_.empty()) defect_ = std::move(why);
    return false;
  }
  bool Skip() { return depth_ == 1 || Fail("not a JSON object"); }
  bool Set(std::string value) {
    if (depth_ != 1) return Fail("not a JSON object");
    seen_[key_] = std::move(value);
    return true;
  }

  int depth_ = 0;
  std::string key_, defect_;
  std::map<std::string, std::optional<std::string>> seen_;  // null: unset
};

std::string Quoted(const std::string& text) {
  return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

NormalisedTags NormaliseAnyTags(std::string_view text) {
  FlatObjectReader reader;
  if (!Json::sax_parse(text.begin(), text.end(), &reader)) {
    return {.json = "{}", .defect = reader.defect()};
  }
  std::string json = "{";
  for (const auto& [key, value] : reader.values()) {
    if (!value) continue;
    if (json.size() > 1) json += ',';
    json += Quoted(key) + ":" + Quoted(*value);
  }
  return {.json = json + "}", .defect = ""};
}

// The common case, several times as fast: texts without escapes, at most kPlainTagsMax.
constexpr std::size_t kPlainTagsMax = 64;
struct PlainTag {
  std::string_view key, value;
};
struct PlainTags {
  std::array<PlainTag, kPlainTagsMax> tags;
  std::size_t count = 0;
};

void SkipBlanks(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
}

bool Take(std::string_view& text, char wanted) {
  SkipBlanks(text);
  if (!text.starts_with(wanted)) return false;
  text.remove_prefix(1);
  return true;
}

bool TakePlainText(std::string_view& text, std::string_view* out) {
  if (!Take(text, '"')) return false;
  const std::size_t end = text.find('"');
  if (end == std::string_view::npos) return false;
  *out = text.substr(0, end);
  text.remove_prefix(end + 1);
  return std::all_of(out->begin(), out->end(),
                     [](char c) { return c != '\\' && static_cast<unsigned char>(c) >= 0x20; });
}

bool ReadPlainTags(std::string_view text, PlainTags& out) {
  if (!Take(text, '{')) return false;
  do {
    if (out.count == kPlainTagsMax) return false;
    PlainTag& tag = out.tags[out.count++];
    if (!TakePlainText(text, &tag.key) || !Take(text, ':')) return false;
    if (!TakePlainText(text, &tag.value)) return false;
  } while (Take(text, ','));
  if (!Take(text, '}')) return false;
  SkipBlanks(text);
  return text.empty();
}

std::optional<std::string> NormalisePlainTags(std::string_view text) {
  PlainTags plain;
  if (!ReadPlainTags(text, plain)) return std::nullopt;
  const auto begin = plain.tags.begin();
  const auto end = begin + static_cast<std::ptrdiff_t>(plain.count);
  std::sort(begin, end, [](const PlainTag& a, const PlainTag& b) { return a.key < b.key; });
  const auto same_key = [](const PlainTag& a, const PlainTag& b) { return a.key == b.key; };
  if (std::adjacent_find(begin, end, same_key) != end) return std::nullopt;
  std::string json;
  json.reserve(text.size() + 2);
  for (auto tag = begin; tag != end; ++tag) {
    json += tag == begin ? "{\"" : ",\"";
    json.append(tag->key).append("\":\"").append(tag->value).append("\"");
  }
  return json + "}";
}

}  // namespace

NormalisedTags NormaliseTags(std::string_view text) {
  SkipBlanks(text);
  if (text.empty() || text == "{}") return {};
  if (auto plain = NormalisePlainTags(text)) return {.json = *std::move(plain), .defect = ""};
  // Azure's actual cost export writes the members without the braces.
  if (text.starts_with('"')) return NormaliseAnyTags("{" + std::string(text) + "}");
  return NormaliseAnyTags(text);
}

std::string InstanceTypeOf(std::string_view details) {
  // Details may nest (Azure), so this reads a tree, to a bounded depth.
  const auto shallow = [](int depth, Json::parse_event_t, Json&) { return depth <= kNestingMax; };
  const Json json = Json::parse(details.begin(), details.end(), shallow, false);
  if (!json.is_object()) return "";
  for (const char* key : {"InstanceType", "x_InstanceType", "ServiceType", "x_ServiceType"}) {
    const auto found = json.find(key);
    if (found != json.end() && found->is_string()) return found->get<std::string>();
  }
  return "";
}

}  // namespace plimsoll
