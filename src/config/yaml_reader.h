// YamlMap: a mapping of a YAML file, read key by key, that gathers every error with its line.
//
// The reader asks for the keys it knows; what was not asked for is unknown, and Finish()
// reports it with the nearest known key. No error stops the reading.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <yaml-cpp/yaml.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "units/time.h"

namespace plimsoll {

class YamlErrors {
 public:
  explicit YamlErrors(std::string file) : file_(std::move(file)) {}

  // `where` is a path: "sources[1].url"; `what` names the remedy.
  void Add(const YAML::Mark& mark, const std::string& where, const std::string& what);
  void Add(int line, const std::string& where, const std::string& what);
  bool empty() const { return errors_.empty(); }
  // "plimsoll.yaml:12: sources[1].url: must...", one a line, by line.
  std::string Joined() const;

 private:
  std::string file_;
  std::vector<std::pair<int, std::string>> errors_;
};

class YamlMap {
 public:
  // `path` is "" for the whole file. Reports a node that is no mapping, and doubled keys.
  YamlMap(const YAML::Node& node, std::string path, YamlErrors& errors);

  // The readers leave `value` as it is if the key is absent, or wrong (then reported).
  bool Has(const std::string& key);
  void Text(const std::string& key, std::string* value);
  void TextOf(const std::string& key, std::span<const std::string> choices, std::string* value);
  void Texts(const std::string& key, std::vector<std::string>* value);
  void Length(const std::string& key, Duration* value);
  void Whole(const std::string& key, std::int64_t least, std::int64_t most,
             std::optional<std::int64_t>* value);
  void Time(const std::string& key, std::optional<Instant>* value);
  // A mapping, or an item of a list of mappings.
  void Map(const std::string& key, const std::function<void(YamlMap&)>& read);
  void Maps(const std::string& key, const std::function<void(YamlMap&)>& read);
  // Every (key, text) of a mapping with free keys; `read` returns what is wrong with it, or "".
  void FreeTexts(const std::string& key,
                 const std::function<std::string(const std::string&, const std::string&)>& read);

  // Reports "key: what", at the key's line if it is there, else at the mapping's.
  void Fail(const std::string& key, const std::string& what);
  void Require(const std::string& key, const std::string& example);
  void Finish();  // unknown keys

 private:
  std::optional<YAML::Node> Find(const std::string& key);  // absent or null: nullopt
  std::optional<std::string> Scalar(const std::string& key);
  std::string PathOf(const std::string& key) const;

  std::string path_;
  YamlErrors* errors_;
  YAML::Mark mark_;
  std::vector<std::pair<std::string, YAML::Node>> entries_;
  std::vector<YAML::Mark> key_marks_;
  std::vector<std::string> known_;
};

}  // namespace plimsoll
