#include "ingest/kubernetes/field_reader.h"

#include <algorithm>

namespace plimsoll {

std::string FieldReader::Full(std::string_view path) const {
  if (path_.empty() || path.empty()) return path_ + std::string(path);
  return path_ + "." + std::string(path);
}

void FieldReader::Fail(std::string_view path, const std::string& reason) const {
  if (error_->reason.empty()) *error_ = {Full(path), reason};
}

const nlohmann::json* FieldReader::Find(std::string_view path) const {
  const nlohmann::json* at = object_;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('.', begin), path.size());
    if (!at->is_object()) {
      Fail(path.substr(0, begin == 0 ? 0 : begin - 1), "is not an object");
      return nullptr;
    }
    const auto found = at->find(std::string(path.substr(begin, end - begin)));
    if (found == at->end() || found->is_null()) return nullptr;
    at = &*found;
    begin = end + 1;
  }
  return at;
}

std::string FieldReader::Text(std::string_view path) const {
  const nlohmann::json* value = Find(path);
  if (value == nullptr) return "";
  if (value->is_string()) return value->get<std::string>();
  Fail(path, "is not a text");
  return "";
}

std::int64_t FieldReader::Integer(std::string_view path) const {
  const nlohmann::json* value = Find(path);
  if (value == nullptr) return 0;
  if (value->is_number_integer()) return value->get<std::int64_t>();
  Fail(path, "is not a whole number");
  return 0;
}

bool FieldReader::Boolean(std::string_view path) const {
  const nlohmann::json* value = Find(path);
  if (value == nullptr) return false;
  if (value->is_boolean()) return value->get<bool>();
  Fail(path, "is not true or false");
  return false;
}

std::optional<Instant> FieldReader::Time(std::string_view path) const {
  const std::string text = Text(path);
  if (text.empty()) return std::nullopt;
  const Result<Instant> time = ParseInstant(text);
  if (time) return *time;
  Fail(path, time.error().message);
  return std::nullopt;
}

std::map<std::string, std::string> FieldReader::Texts(std::string_view path) const {
  std::map<std::string, std::string> texts;
  const nlohmann::json* object = Find(path);
  if (object == nullptr) return texts;
  if (!object->is_object()) {
    Fail(path, "is not an object");
    return texts;
  }
  for (const auto& [key, value] : object->items()) {
    if (value.is_string()) {
      texts[key] = value.get<std::string>();
    } else if (value.is_number_integer()) {
      texts[key] = value.dump();  // a quantity may be written as a number
    } else {
      Fail(std::string(path) + "." + key, "is not a text");
    }
  }
  return texts;
}

std::vector<FieldReader> FieldReader::Elements(std::string_view path) const {
  std::vector<FieldReader> elements;
  const nlohmann::json* array = Find(path);
  if (array == nullptr) return elements;
  if (!array->is_array()) {
    Fail(path, "is not an array");
    return elements;
  }
  for (std::size_t i = 0; i < array->size(); ++i) {
    const std::string element = std::string(path) + "[" + std::to_string(i) + "]";
    if ((*array)[i].is_object()) {
      elements.emplace_back((*array)[i], Full(element), *error_);
    } else {
      Fail(element, "is not an object");
    }
  }
  return elements;
}

std::optional<FieldReader> FieldReader::Object(std::string_view path) const {
  const nlohmann::json* object = Find(path);
  if (object == nullptr) return std::nullopt;
  if (object->is_object()) return FieldReader(*object, Full(path), *error_);
  Fail(path, "is not an object");
  return std::nullopt;
}

}  // namespace plimsoll
