// YamlFields: reads the fields of one YAML mapping and remembers all that is wrong with it.
//
// Values are taken as the text that was written, so that a price never passes through a
// floating-point number. A key that nobody asked for is reported: a typing error never turns
// into a default.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <yaml-cpp/yaml.h>

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "model/import.h"
#include "units/money.h"

namespace plimsoll {

// Parses a document whose top level is a mapping. Otherwise null, and a problem with its line.
std::optional<YAML::Node> ParseYaml(const std::string& file, const std::string& text,
                                    std::vector<Rejection>& problems);

class YamlFields {
 public:
  // `path` is where the mapping stands: "on_prem[2]"; "" for the document.
  YamlFields(YAML::Node map, std::string file, std::string path, std::vector<Rejection>& problems);

  // The scalar's text; "" if the key is absent or null.
  std::string Text(const std::string& key);
  std::string RequiredText(const std::string& key);
  // A whole number from `min` up; `fallback` if the key is absent.
  std::int64_t Integer(const std::string& key, std::int64_t min, std::int64_t fallback);
  // A decimal, exactly, as a count of 1/scale: Scaled("pue", 1000, ...) of "1.25" is 1250.
  std::int64_t Scaled(const std::string& key, std::int64_t scale, std::int64_t fallback);
  // An amount of money; zero if the key is absent.
  Money Amount(const std::string& key);
  std::vector<std::string> Texts(const std::string& key);
  std::vector<std::int64_t> Integers(const std::string& key);
  // The entries of a list of mappings; empty if the key is absent.
  std::vector<YAML::Node> Maps(const std::string& key);

  void Problem(const std::string& key, std::string reason);
  // Reports keys that nobody asked for, or that are written twice.
  void Finish();

  std::int64_t line() const;
  // The path of an entry of a list in this mapping: "gpus[3]".
  std::string PathOf(const std::string& key, std::size_t index) const;

 private:
  std::optional<YAML::Node> Value(const std::string& key);  // null if absent or null
  std::int64_t LineOf(const std::string& key) const;

  YAML::Node map_;
  std::string file_, path_;
  std::vector<Rejection>& problems_;
  std::set<std::string> asked_;
};

}  // namespace plimsoll
