// TfEvent: one record of a TensorBoard event file, as far as training logs need it.
//
// A reader of protobuf's wire format for messages Event, Summary, SummaryMetadata, SessionLog
// and TensorProto (tensorflow/core/util/event.proto, framework/summary.proto, tensor.proto);
// field numbers are theirs. Unknown fields are passed over.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll {

// One field of a message: its number, and its value by wire type.
struct ProtoField {
  std::uint64_t number = 0;
  unsigned wire = 0;       // 0 varint, 1 eight bytes, 2 bytes, 5 four bytes
  std::uint64_t bits = 0;  // of wire 0, 1 and 5
  std::string_view bytes;  // of wire 2
};

class ProtoFields {
 public:
  explicit ProtoFields(std::string_view message) : rest_(message) {}

  // False at the end, or where the message is broken.
  bool Next(ProtoField& field);
  bool broken() const { return broken_; }

  // A varint at the begin of `rest`; false if there is none.
  static bool TakeVarint(std::string_view& rest, std::uint64_t& value);

 private:
  std::string_view rest_;
  bool broken_ = false;
};

struct TfScalar {
  std::string tag, value;  // value: a decimal (ieee_text.h)
};

enum class TfSession : unsigned char { kNone, kStart, kStop, kCheckpoint };

struct TfEvent {
  std::string wall_time = "0";  // seconds since the epoch, a decimal
  std::int64_t step = 0;
  bool is_header = false;  // states the file's version
  std::vector<TfScalar> scalars;
  std::int64_t others = 0;  // values that are no scalars: histograms, images, texts
  TfSession session = TfSession::kNone;
};

// Tag -> the plugin that shows it, which only a tag's first value states.
using TfPlugins = std::map<std::string, std::string>;

// False if the bytes are no such message.
bool ParseTfEvent(std::string_view bytes, TfPlugins& plugins, TfEvent& event);

}  // namespace plimsoll
