// JsonItems: the objects in a stream of JSON, one at a time.
//
// Reads what kubectl prints: a List (its items), a single object, an array of objects, or any
// number of these one after another. Only the object at hand is in memory, so a list of
// gigabytes is read in that of its largest item.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <istream>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace plimsoll {

struct JsonItem {
  std::string path;       // "items[3]", "" for a whole document, "[2].items[3]" in the third one
  std::string list_kind;  // the kind of the list around it, if written before its items
};

struct JsonItemHandlers {
  std::function<void(const JsonItem&, const nlohmann::json&)> on_item;
  // An element that is no object, or that nests deeper than kNestingMax.
  std::function<void(const std::string& path, const std::string& reason)> on_broken;
};

struct JsonEnd {
  std::string error;  // "" if the stream was read to its end, else what is wrong and where
  std::string path;   // where it stopped
  std::int64_t line = 0;
  std::int64_t documents = 0;
  std::int64_t items = 0;  // handed over
};

// Reads to the end or to the first text that is not JSON.
JsonEnd ReadJsonItems(std::istream& in, const JsonItemHandlers& handlers);

}  // namespace plimsoll
