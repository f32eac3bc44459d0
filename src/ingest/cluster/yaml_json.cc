#include "ingest/cluster/yaml_json.h"

#include <yaml-cpp/yaml.h>

#include <charconv>
#include <nlohmann/json.hpp>

#include "base/limits.h"

namespace plimsoll {
namespace {

using nlohmann::json;

constexpr std::int64_t kNodesMax = 10'000'000;  // aliases of aliases would grow without end

json ScalarOf(const YAML::Node& node, bool as_text) {
  const std::string& text = node.Scalar();
  if (as_text || node.Tag() == "!") return text;  // "!" is quoted
  if (text == "true") return true;
  if (text == "false") return false;
  if (text == "null" || text == "~" || text.empty()) return nullptr;
  std::int64_t whole = 0;
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, whole);
  if (error == std::errc() && at == end) return whole;
  return text;
}

bool HoldsQuantities(const std::string& key) {
  return key == "requests" || key == "limits" || key == "overhead";
}

class Converter {
 public:
  json Convert(const YAML::Node& node, int depth, bool as_text) {
    if (depth > kNestingMax || ++nodes_ > kNodesMax) {
      throw YAML::Exception(node.Mark(), "nests too deep or grows too large");
    }
    if (node.IsScalar()) return ScalarOf(node, as_text);
    if (node.IsSequence()) {
      json list = json::array();
      for (const YAML::Node& item : node) list.push_back(Convert(item, depth + 1, as_text));
      return list;
    }
    if (!node.IsMap()) return nullptr;
    json object = json::object();
    for (const auto& entry : node) {
      if (!entry.first.IsScalar()) throw YAML::Exception(entry.first.Mark(), "has a key of parts");
      const std::string& key = entry.first.Scalar();
      object[key] = Convert(entry.second, depth + 1, as_text || HoldsQuantities(key));
    }
    return object;
  }

 private:
  std::int64_t nodes_ = 0;
};

// The text up to the next line "---", and what comes after that line.
std::string_view TakeDocument(std::string_view& rest, int& lines) {
  std::size_t at = 0;
  while (at < rest.size()) {
    const std::size_t end = std::min(rest.find('\n', at), rest.size());
    const std::string_view line = rest.substr(at, end - at);
    ++lines;
    if (line == "---" || line == "---\r") {
      const std::string_view document = rest.substr(0, at);
      rest.remove_prefix(std::min(end + 1, rest.size()));
      return document;
    }
    at = end + 1;
  }
  const std::string_view document = rest;
  rest = {};
  return document;
}

}  // namespace

Status ReadYamlDocuments(const std::string& file, std::string_view text,
                         const std::function<void(const json&)>& take) {
  int lines = 0;
  while (!text.empty()) {
    const int before = lines;
    const std::string document(TakeDocument(text, lines));
    if (document.find_first_not_of(" \t\r\n") == std::string::npos) continue;
    try {
      Converter converter;
      const json value = converter.Convert(YAML::Load(document), 0, false);
      if (!value.is_null()) take(value);
    } catch (const YAML::Exception& e) {
      return Error{ErrorCode::kBadData, file + ", line " +
                                            std::to_string(before + std::max(e.mark.line, 0) + 1) +
                                            ": is no YAML that can be read: " + e.msg};
    }
  }
  return Ok();
}

}  // namespace plimsoll
