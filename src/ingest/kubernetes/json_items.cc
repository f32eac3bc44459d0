#include "ingest/kubernetes/json_items.h"

#include <charconv>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "base/limits.h"

namespace plimsoll {
namespace {

using nlohmann::json;

// Receives the parser's events of one document and builds one item at a time.
class ItemSax : public nlohmann::json_sax<json> {
 public:
  ItemSax(const JsonItemHandlers& handlers, std::string prefix, JsonEnd& end)
      : handlers_(handlers), prefix_(std::move(prefix)), end_(end) {}

  bool null() override { return Scalar(nullptr); }
  bool boolean(bool value) override { return Scalar(value); }
  bool number_integer(number_integer_t value) override { return Scalar(value); }
  bool number_unsigned(number_unsigned_t value) override { return Scalar(value); }
  bool number_float(number_float_t value, const string_t& /*text*/) override {
    return Scalar(value);
  }
  bool string(string_t& value) override { return Scalar(std::move(value)); }
  bool binary(binary_t& /*value*/) override { return true; }

  bool key(string_t& name) override {
    key_ = std::move(name);
    return true;
  }
  bool start_object(std::size_t /*elements*/) override { return Open(json::object()); }
  bool start_array(std::size_t /*elements*/) override { return Open(json::array()); }
  bool end_object() override { return Close(); }
  bool end_array() override { return Close(); }

  bool parse_error(std::size_t /*position*/, const std::string& /*token*/,
                   const json::exception& failure) override {
    end_.error = failure.what();
    // "[json.exception.parse_error.101] parse error at line 3, column 5: ..."
    if (const std::size_t at = end_.error.find("] "); at != std::string::npos) {
      end_.error.erase(0, at + 2);
    }
    if (const std::size_t at = end_.error.find("line "); at != std::string::npos) {
      std::from_chars(end_.error.data() + at + 5, end_.error.data() + end_.error.size(), end_.line);
    }
    end_.path = in_items_ ? ItemPath() : prefix_;
    return false;
  }

 private:
  std::string ItemPath() const {
    const std::string index = "[" + std::to_string(index_) + "]";
    if (top_is_array_) return prefix_ + index;
    return prefix_ + (prefix_.empty() ? "items" : ".items") + index;
  }

  // Puts a value where the parser is: into the item at hand, or the document around it.
  json* Put(json value) {
    json& top = *stack_.back();
    if (top.is_array()) {
      top.push_back(std::move(value));
      return &top.back();
    }
    json& slot = top[key_];
    slot = std::move(value);
    return &slot;
  }

  bool Scalar(json value) {
    if (skipped_ > 0) return true;
    if (!stack_.empty()) {
      Put(std::move(value));
    } else {
      handlers_.on_broken(in_items_ ? ItemPath() : prefix_, "is not an object");
      ++index_;
    }
    return true;
  }

  bool Open(json value) {
    const bool is_array = value.is_array();
    if (skipped_ > 0) {
      ++skipped_;
      return true;
    }
    const bool at_document = stack_.size() == 1 && !in_items_;
    if ((stack_.empty() && !in_items_ && is_array) ||
        (at_document && is_array && key_ == "items")) {
      top_is_array_ = stack_.empty();
      in_items_ = true;
      had_items_ = true;
      stack_.clear();  // what is built from here on is an item
      return true;
    }
    if (stack_.empty()) {
      if (is_array) return Skip("is not an object");
      root(in_items_) = std::move(value);
      stack_.push_back(&root(in_items_));
      return true;
    }
    if (stack_.size() >= static_cast<std::size_t>(kNestingMax)) {
      too_deep_ = true;
      skipped_ = 1;
      return true;
    }
    stack_.push_back(Put(std::move(value)));
    return true;
  }

  json& root(bool item) { return item ? item_ : document_; }

  bool Skip(const char* reason) {
    handlers_.on_broken(ItemPath(), reason);
    skipped_ = 1;
    ++index_;
    return true;
  }

  bool Close() {
    if (skipped_ > 0) {
      --skipped_;
      return true;
    }
    if (!stack_.empty()) {
      stack_.pop_back();
      if (stack_.empty()) Finish();
      return true;
    }
    // The items' own end: back to the document, if there is one around them.
    in_items_ = false;
    if (!top_is_array_) stack_.push_back(&document_);
    return true;
  }

  void Finish() {
    if (!in_items_ && had_items_) return;
    const JsonItem item{in_items_ ? ItemPath() : prefix_, ListKind()};
    if (too_deep_) {
      handlers_.on_broken(item.path, "nests deeper than " + std::to_string(kNestingMax));
    } else {
      ++end_.items;
      handlers_.on_item(item, root(in_items_));
    }
    too_deep_ = false;
    if (in_items_) ++index_;
    root(in_items_) = nullptr;
  }

  std::string ListKind() const {
    if (!in_items_ || !document_.is_object()) return "";
    const auto kind = document_.find("kind");
    return kind != document_.end() && kind->is_string() ? kind->get<std::string>() : "";
  }

  const JsonItemHandlers& handlers_;
  std::string prefix_;
  JsonEnd& end_;
  json document_, item_;
  std::vector<json*> stack_;  // the open containers of the document or of the item
  std::string key_;
  std::int64_t index_ = 0;
  int skipped_ = 0;  // open containers that are passed over
  bool in_items_ = false, had_items_ = false, top_is_array_ = false, too_deep_ = false;
};

}  // namespace

JsonEnd ReadJsonItems(std::istream& in, const JsonItemHandlers& handlers) {
  JsonEnd end;
  for (int document = 0; end.error.empty(); ++document) {
    in >> std::ws;
    if (in.peek() == std::istream::traits_type::eof()) break;
    ++end.documents;
    ItemSax sax(handlers, document == 0 ? "" : "[" + std::to_string(document) + "]", end);
    try {
      if (!json::sax_parse(in, &sax, json::input_format_t::json, false) && end.error.empty()) {
        end.error = "is not JSON";
      }
    } catch (const std::exception& failure) {
      end.error = failure.what();
    }
  }
  return end;
}

}  // namespace plimsoll
