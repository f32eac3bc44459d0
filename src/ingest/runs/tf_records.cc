#include "ingest/runs/tf_records.h"

#include <algorithm>
#include <array>

namespace plimsoll {
namespace {

constexpr std::size_t kHeaderBytes = 12;
constexpr std::size_t kFooterBytes = 4;
constexpr std::uint64_t kRecordBytesMax = 64 * 1024 * 1024;

constexpr auto kCrcTable = [] {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t i = 0; i < table.size(); ++i) {
    std::uint32_t crc = i;
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ ((crc & 1) != 0 ? 0x82F63B78U : 0U);
    table[i] = crc;
  }
  return table;
}();

std::uint64_t LittleEndian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = bytes.size(); i > 0; --i) {
    value = value << 8 | static_cast<unsigned char>(bytes[i - 1]);
  }
  return value;
}

bool IsLengthRight(std::string_view header) {
  return MaskedCrc32c(header.substr(0, 8)) == LittleEndian(header.substr(8, 4));
}

}  // namespace

std::uint32_t MaskedCrc32c(std::string_view bytes) {
  std::uint32_t crc = 0xFFFFFFFFU;
  for (const char c : bytes) {
    crc = kCrcTable[(crc ^ static_cast<unsigned char>(c)) & 0xFFU] ^ crc >> 8;
  }
  crc = ~crc;
  return (crc >> 15 | crc << 17) + 0xA282EAD8U;
}

bool IsTfRecordFile(std::string_view head) {
  return head.size() >= kHeaderBytes && IsLengthRight(head.substr(0, kHeaderBytes));
}

TfRecordState TfRecordReader::Next() {
  offset_ = next_;
  std::array<char, kHeaderBytes> bytes{};
  in_.read(bytes.data(), kHeaderBytes);
  const std::string_view header(bytes.data(), static_cast<std::size_t>(in_.gcount()));
  if (header.empty()) return TfRecordState::kEnd;
  if (std::all_of(header.begin(), header.end(), [](char c) { return c == '\0'; })) {
    return TfRecordState::kTorn;
  }
  if (header.size() < kHeaderBytes) return TfRecordState::kTorn;
  if (!IsLengthRight(header)) return TfRecordState::kLost;
  const std::uint64_t length = LittleEndian(header.substr(0, 8));
  if (length > std::uint64_t{1} << 40) return TfRecordState::kLost;
  const auto body = static_cast<std::int64_t>(length + kFooterBytes);
  next_ = offset_ + static_cast<std::int64_t>(kHeaderBytes) + body;
  if (length > kRecordBytesMax) {
    in_.ignore(body);
    return in_.gcount() == body ? TfRecordState::kTooLong : TfRecordState::kTorn;
  }
  // In pieces, so that a length that is not true costs no more memory than the file has.
  constexpr std::size_t kPiece = 1024 * 1024;
  data_.clear();
  while (data_.size() < static_cast<std::size_t>(body)) {
    const std::size_t before = data_.size();
    data_.resize(std::min(static_cast<std::size_t>(body), before + kPiece));
    in_.read(data_.data() + before, static_cast<std::streamsize>(data_.size() - before));
    if (static_cast<std::size_t>(in_.gcount()) < data_.size() - before) {
      return TfRecordState::kTorn;
    }
  }
  const std::uint64_t stored = LittleEndian(std::string_view(data_).substr(length));
  data_.resize(length);
  return MaskedCrc32c(data_) == stored ? TfRecordState::kRecord : TfRecordState::kDamaged;
}

}  // namespace plimsoll
