// TfRecords: the framing of TensorFlow's record files, which TensorBoard's event files are.
//
// A record is its length (8 bytes, little-endian), the length's masked CRC-32C, its bytes, and
// their masked CRC-32C (TensorFlow, tensorflow/core/lib/io/record_writer.h).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <istream>
#include <string>
#include <string_view>

namespace plimsoll {

// The CRC-32C (Castagnoli) of the bytes, rotated and offset as record files store it.
std::uint32_t MaskedCrc32c(std::string_view bytes);

// True if the text begins with a record's length and its right checksum.
bool IsTfRecordFile(std::string_view head);

enum class TfRecordState : unsigned char {
  kRecord,   // read, and its checksum is right
  kDamaged,  // its checksum is wrong; the next one can be read
  kTooLong,  // passed over: no scalar takes that much
  kEnd,
  kTorn,  // the file ends within a record, or in zero bytes: its writer was stopped
  kLost,  // a length's checksum is wrong, so that the next record cannot be found
};

class TfRecordReader {
 public:
  explicit TfRecordReader(std::istream& in) : in_(in) {}

  // Reads the next record into data(). After kEnd, kTorn and kLost there is nothing more.
  TfRecordState Next();
  const std::string& data() const { return data_; }
  std::int64_t offset() const { return offset_; }  // in bytes, of the record last read

 private:
  std::istream& in_;
  std::string data_;
  std::int64_t offset_ = 0, next_ = 0;
};

}  // namespace plimsoll
