#include "allocation/text_ids.h"

namespace plimsoll {

std::int32_t TextIds::Of(std::string_view text) {
  if (const auto known = ids_.find(text); known != ids_.end()) return known->second;
  const std::int32_t id = size();
  ids_.emplace(texts_.emplace_back(text), id);
  return id;
}

std::int32_t TextIds::Find(std::string_view text) const {
  const auto known = ids_.find(text);
  return known == ids_.end() ? -1 : known->second;
}

void TextIds::Join(std::initializer_list<std::string_view> fields) {
  joined_.clear();
  for (const std::string_view field : fields) {
    joined_.append(field);
    joined_.push_back('\0');
  }
}

std::int32_t TextIds::OfFields(std::initializer_list<std::string_view> fields) {
  Join(fields);
  return Of(joined_);
}

std::int32_t TextIds::FindFields(std::initializer_list<std::string_view> fields) {
  Join(fields);
  return Find(joined_);
}

}  // namespace plimsoll
