#include "ingest/runs/tf_records.h"

#include <gtest/gtest.h>

#include <sstream>

#include "ingest/runs/test_runs.h"

namespace plimsoll {
namespace {

// The states of all records, and the data of those that are whole.
std::pair<std::vector<TfRecordState>, std::string> ReadAll(const std::string& bytes) {
  std::istringstream in(bytes);
  TfRecordReader reader(in);
  std::vector<TfRecordState> states;
  std::string data;
  for (;;) {
    states.push_back(reader.Next());
    if (states.back() == TfRecordState::kRecord) data += reader.data() + "|";
    if (states.back() >= TfRecordState::kEnd) return {states, data};
  }
}

using States = std::vector<TfRecordState>;
constexpr auto kRecord = TfRecordState::kRecord;

TEST(TfRecordsTest, ChecksumsAreThoseOfTheStandard) {
  // CRC-32C of "123456789" is 0xE3069283 (RFC 3720, B.4, has others of the same polynomial).
  const std::uint32_t crc = 0xE3069283U;
  EXPECT_EQ(MaskedCrc32c("123456789"), (crc >> 15 | crc << 17) + 0xA282EAD8U);
  // RFC 3720: 32 bytes of zeros give 0x8A9136AA.
  const std::uint32_t zeros = 0x8A9136AAU;
  EXPECT_EQ(MaskedCrc32c(std::string(32, '\0')), (zeros >> 15 | zeros << 17) + 0xA282EAD8U);
}

TEST(TfRecordsTest, RecordsAreReadToTheEnd) {
  const auto [states, data] = ReadAll(Record("one") + Record("") + Record("three"));
  EXPECT_EQ(states, (States{kRecord, kRecord, kRecord, TfRecordState::kEnd}));
  EXPECT_EQ(data, "one||three|");
}

TEST(TfRecordsTest, EveryCutIsATornTail) {
  const std::string whole = Record("one") + Record("two");
  for (std::size_t size = Record("one").size() + 1; size < whole.size(); ++size) {
    EXPECT_EQ(ReadAll(whole.substr(0, size)).first, (States{kRecord, TfRecordState::kTorn}))
        << size;
  }
  EXPECT_EQ(ReadAll(Record("one") + std::string(64, '\0')).first,
            (States{kRecord, TfRecordState::kTorn}));
}

TEST(TfRecordsTest, ADamagedRecordDoesNotHideTheNextOne) {
  std::string bytes = Record("one") + Record("two") + Record("three");
  bytes[Record("one").size() + 13] ^= 1;
  const auto [states, data] = ReadAll(bytes);
  EXPECT_EQ(states, (States{kRecord, TfRecordState::kDamaged, kRecord, TfRecordState::kEnd}));
  EXPECT_EQ(data, "one|three|");
}

TEST(TfRecordsTest, ADamagedLengthEndsTheFile) {
  std::string bytes = Record("one") + Record("two") + Record("three");
  bytes[Record("one").size()] ^= 1;
  EXPECT_EQ(ReadAll(bytes).first, (States{kRecord, TfRecordState::kLost}));
}

TEST(TfRecordsTest, ALengthThatTheFileHasNotCostsNoMemory) {
  const std::string length = Bytes(std::uint64_t{1} << 25, 8);
  EXPECT_EQ(ReadAll(length + Bytes(MaskedCrc32c(length), 4) + "short").first,
            States{TfRecordState::kTorn});
  const std::string huge = Bytes(std::uint64_t{1} << 62, 8);
  EXPECT_EQ(ReadAll(huge + Bytes(MaskedCrc32c(huge), 4)).first, States{TfRecordState::kLost});
}

TEST(TfRecordsTest, AVeryLongRecordIsPassedOver) {
  const std::string big(64 * 1024 * 1024 + 1, 'x');
  EXPECT_EQ(ReadAll(Record(big) + Record("two")).first,
            (States{TfRecordState::kTooLong, kRecord, TfRecordState::kEnd}));
}

TEST(TfRecordsTest, AFileIsRecognisedByItsFirstLength) {
  EXPECT_TRUE(IsTfRecordFile(Record("one")));
  EXPECT_FALSE(IsTfRecordFile(std::string(12, '\0')));
  EXPECT_FALSE(IsTfRecordFile(Record("one").substr(0, 11)));
}

}  // namespace
}  // namespace plimsoll
