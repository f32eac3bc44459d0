#include "ingest/runs/tf_event.h"

#include <optional>

#include "ingest/runs/ieee_text.h"

namespace plimsoll {
namespace {

constexpr unsigned kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5;

// DataType of types.proto.
constexpr std::uint64_t kFloat = 1, kDouble = 2, kInt32 = 3, kInt64 = 9;

bool TakeFixed(std::string_view& rest, std::size_t size, std::uint64_t& value) {
  if (rest.size() < size) return false;
  value = 0;
  for (std::size_t i = size; i > 0; --i) {
    value = value << 8 | static_cast<unsigned char>(rest[i - 1]);
  }
  rest.remove_prefix(size);
  return true;
}

// The one element of a tensor's list of values, packed or not.
class OneValue {
 public:
  void Take(const ProtoField& field, std::size_t size) {
    if (field.wire != kBytes) {
      bits_ = field.bits;
      ++count_;
      return;
    }
    std::string_view rest = field.bytes;
    while (!rest.empty()) {
      const bool taken =
          size > 0 ? TakeFixed(rest, size, bits_) : ProtoFields::TakeVarint(rest, bits_);
      if (!taken) {
        count_ = 2;
        return;
      }
      ++count_;
    }
  }
  bool is_one() const { return count_ == 1; }
  std::uint64_t bits() const { return bits_; }

 private:
  std::uint64_t bits_ = 0;
  std::size_t count_ = 0;
};

std::optional<std::string> TextOfBits(std::uint64_t type, std::uint64_t bits) {
  if (type == kFloat) return Ieee32Text(static_cast<std::uint32_t>(bits));
  if (type == kDouble) return Ieee64Text(bits);
  if (type == kInt32) return std::to_string(static_cast<std::int32_t>(bits));
  if (type == kInt64) return std::to_string(static_cast<std::int64_t>(bits));
  return std::nullopt;
}

// The value of a tensor of no dimensions; null if it is no such number.
std::optional<std::string> ScalarOfTensor(std::string_view message, bool& broken) {
  ProtoFields fields(message);
  ProtoField field;
  std::uint64_t type = 0;
  std::size_t dimensions = 0;
  OneValue value;
  while (fields.Next(field)) {
    if (field.number == 1 && field.wire == kVarint) type = field.bits;
    if (field.number == 2 && field.wire == kBytes) {
      ProtoFields shape(field.bytes);
      ProtoField dimension;
      while (shape.Next(dimension)) dimensions += dimension.number == 2 ? 1 : 0;
    }
    if (field.number == 4 && field.wire == kBytes && !field.bytes.empty()) {
      value.Take(field, type == kFloat || type == kInt32 ? 4 : 8);
    }
    if (field.number == 5 && type == kFloat) value.Take(field, 4);
    if (field.number == 6 && type == kDouble) value.Take(field, 8);
    if ((field.number == 7 && type == kInt32) || (field.number == 10 && type == kInt64)) {
      value.Take(field, 0);
    }
  }
  broken = broken || fields.broken();
  if (dimensions > 0 || !value.is_one()) return std::nullopt;
  return TextOfBits(type, value.bits());
}

std::string PluginOf(std::string_view metadata) {
  ProtoFields fields(metadata);
  ProtoField field;
  while (fields.Next(field)) {
    if (field.number != 1 || field.wire != kBytes) continue;
    ProtoFields data(field.bytes);
    ProtoField part;
    while (data.Next(part)) {
      if (part.number == 1 && part.wire == kBytes) return std::string(part.bytes);
    }
  }
  return "";
}

bool TakeValue(std::string_view message, TfPlugins& plugins, TfEvent& event) {
  ProtoFields fields(message);
  ProtoField field;
  TfScalar scalar;
  std::string plugin;
  std::optional<std::string_view> tensor;
  std::optional<std::string> value;
  while (fields.Next(field)) {
    if (field.number == 1 && field.wire == kBytes) scalar.tag = field.bytes;
    if (field.number == 2 && field.wire == kFixed32) {
      value = Ieee32Text(static_cast<std::uint32_t>(field.bits));
    }
    if (field.number == 8 && field.wire == kBytes) tensor = field.bytes;
    if (field.number == 9 && field.wire == kBytes) plugin = PluginOf(field.bytes);
  }
  if (fields.broken()) return false;
  std::string& known = plugins[scalar.tag];
  if (!plugin.empty()) known = plugin;
  bool broken = false;
  if (tensor && (known.empty() || known == "scalars")) value = ScalarOfTensor(*tensor, broken);
  if (value && !scalar.tag.empty()) {
    scalar.value = *value;
    event.scalars.push_back(scalar);
  } else {
    ++event.others;
  }
  return !broken;
}

TfSession SessionOf(std::string_view message) {
  ProtoFields fields(message);
  ProtoField field;
  while (fields.Next(field)) {
    if (field.number == 1 && field.wire == kVarint && field.bits <= 3) {
      return static_cast<TfSession>(field.bits);
    }
  }
  return TfSession::kNone;
}

}  // namespace

bool ProtoFields::TakeVarint(std::string_view& rest, std::uint64_t& value) {
  value = 0;
  for (unsigned shift = 0; shift < 64 && !rest.empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(rest.front());
    rest.remove_prefix(1);
    value |= std::uint64_t{byte & 0x7FU} << shift;
    if ((byte & 0x80U) == 0) return true;
  }
  return false;
}

bool ProtoFields::Next(ProtoField& field) {
  if (rest_.empty() || broken_) return false;
  std::uint64_t key = 0;
  broken_ = !TakeVarint(rest_, key);
  field = {key >> 3, static_cast<unsigned>(key & 7), 0, {}};
  if (broken_) return false;
  if (field.wire == kVarint) {
    broken_ = !TakeVarint(rest_, field.bits);
  } else if (field.wire == kFixed64) {
    broken_ = !TakeFixed(rest_, 8, field.bits);
  } else if (field.wire == kFixed32) {
    broken_ = !TakeFixed(rest_, 4, field.bits);
  } else if (field.wire == kBytes) {
    std::uint64_t size = 0;
    broken_ = !TakeVarint(rest_, size) || size > rest_.size();
    if (!broken_) {
      field.bytes = rest_.substr(0, size);
      rest_.remove_prefix(size);
    }
  } else {
    broken_ = true;
  }
  return !broken_;
}

bool ParseTfEvent(std::string_view bytes, TfPlugins& plugins, TfEvent& event) {
  event = {};
  ProtoFields fields(bytes);
  ProtoField field;
  while (fields.Next(field)) {
    if (field.number == 1 && field.wire == kFixed64) event.wall_time = Ieee64Text(field.bits);
    if (field.number == 2 && field.wire == kVarint) {
      event.step = static_cast<std::int64_t>(field.bits);
    }
    if (field.number == 3 && field.wire == kBytes) event.is_header = true;
    if (field.number == 7 && field.wire == kBytes) event.session = SessionOf(field.bytes);
    if (field.number != 5 || field.wire != kBytes) continue;
    ProtoFields summary(field.bytes);
    ProtoField value;
    while (summary.Next(value)) {
      if (value.number == 1 && value.wire == kBytes && !TakeValue(value.bytes, plugins, event)) {
        return false;
      }
    }
    if (summary.broken()) return false;
  }
  return !fields.broken();
}

}  // namespace plimsoll
