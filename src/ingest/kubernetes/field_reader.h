// FieldReader: typed access to one JSON object, which remembers the first field that is wrong.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "units/time.h"

namespace plimsoll {

struct FieldError {
  std::string path;    // "spec.containers[0].resources.requests.cpu"
  std::string reason;  // "" while nothing is wrong
};

// Paths are dotted keys below the object: "metadata.name". A field that is absent or null is
// no error; one of the wrong type is, and reads as absent.
class FieldReader {
 public:
  // REQUIRES: `object` and `error` outlive the reader and those made from it.
  FieldReader(const nlohmann::json& object, std::string path, FieldError& error)
      : object_(&object), path_(std::move(path)), error_(&error) {}

  std::string Text(std::string_view path) const;
  std::int64_t Integer(std::string_view path) const;
  bool Boolean(std::string_view path) const;
  std::optional<Instant> Time(std::string_view path) const;
  std::map<std::string, std::string> Texts(std::string_view path) const;  // an object of strings

  // Readers of an array's objects; of a named object, if it is there.
  std::vector<FieldReader> Elements(std::string_view path) const;
  std::optional<FieldReader> Object(std::string_view path) const;

  // The same object, read without a word in `error_`.
  FieldReader WithError(FieldError& error) const { return {*object_, path_, error}; }

  bool has_error() const { return !error_->reason.empty(); }
  // Keeps the error if it is the first.
  void Fail(std::string_view path, const std::string& reason) const;

 private:
  const nlohmann::json* Find(std::string_view path) const;
  std::string Full(std::string_view path) const;

  const nlohmann::json* object_;
  std::string path_;
  FieldError* error_;
};

}  // namespace plimsoll
