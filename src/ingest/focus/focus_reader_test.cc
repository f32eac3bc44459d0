#include "ingest/focus/focus_reader.h"

#include <gtest/gtest.h>

#include <fstream>
#include <thread>

namespace plimsoll {
namespace {

constexpr const char* kHeader =
    "BilledCost,EffectiveCost,BillingAccountId,BillingCurrency,BillingPeriodStart,"
    "BillingPeriodEnd,ChargePeriodStart,ChargePeriodEnd,ChargeCategory,InvoiceIssuerName,"
    "ProviderName\n";
constexpr const char* kRest =
    ",1,001,USD,2025-06-01,2025-07-01,2025-06-01,2025-06-02,Usage,Acme,Acme\n";

class FocusReaderTest : public testing::Test {
 protected:
  FocusReaderTest() : folder_(*TemporaryFolder::Make()) {}

  // Reads a bill with these billed costs; calls `see` with each block.
  template <class See>
  void Read(const std::vector<std::string>& costs, const NanoCuts* cuts, const See& see) {
    const auto path = folder_.path() / "a.csv";
    {
      std::ofstream out(path);
      out << kHeader;
      for (const std::string& cost : costs) out << cost << kRest;
    }
    const std::vector<FocusFile> files = {{.name = "a.csv", .path = path, .bytes = 0}};
    FocusReader reader(options_, files, cuts);
    Exchange exchange(2);
    std::thread thread([&] { reader.Run(exchange); });
    while (auto block = exchange.TakeFull()) {
      see(*block);
      exchange.PutEmpty(std::move(block));
    }
    thread.join();
    EXPECT_TRUE(reader.status());
    accepted_ = reader.accepted();
  }

  TemporaryFolder folder_;
  FocusOptions options_;
  std::int64_t accepted_ = 0;
};

TEST_F(FocusReaderTest, HandsOverEveryRowInBlocks) {
  std::size_t rows = 0;
  std::size_t blocks = 0;
  std::size_t scopes = 0;
  Read(std::vector<std::string>(2 * kFocusBlockRows + 1, "0.5"), nullptr, [&](FocusBlock& block) {
    EXPECT_FALSE(block.charges_left_out);
    EXPECT_EQ(RowsOf(block.charges), block.rows);
    rows += block.rows;
    scopes += block.new_scopes.size();
    ++blocks;
  });
  EXPECT_EQ(rows, 2 * kFocusBlockRows + 1);
  EXPECT_EQ(blocks, 3U);
  EXPECT_EQ(scopes, 1U) << "a scope is told once";
  EXPECT_EQ(accepted_, static_cast<std::int64_t>(rows));
}

TEST_F(FocusReaderTest, FirstRestEndsTheChargesAndStartsTheRests) {
  Read({"1", "0.0000000001", "2", "0.0000000002", "bad"}, nullptr, [&](FocusBlock& block) {
    EXPECT_TRUE(block.charges_left_out);
    EXPECT_EQ(block.rests.slot.size(), 2U);
    EXPECT_EQ(block.rejections.line, std::vector<std::int64_t>{6});
  });
  EXPECT_EQ(accepted_, 4);
}

TEST_F(FocusReaderTest, CutsDecideWhichRowsGetANano) {
  const RestKey cut{
      .rest = ExactDecimal::Parse("0.0000000002")->rest(), .hash = INT64_MAX, .place = INT64_MAX};
  const NanoCuts cuts = {{SlotOf(0, 0), cut}};
  Read({"1", "0.0000000001", "0.0000000002", "0.0000000003"}, &cuts, [&](FocusBlock& block) {
    EXPECT_EQ(
        block.charges.billed_cost,
        (std::vector<Money>{Money::Units(1), Money(), Money::FromNanos(1), Money::FromNanos(1)}));
  });
}

TEST_F(FocusReaderTest, LongUnreadableRowIsKeptCutBetweenCharacters) {
  Read({"\"" + std::string(200, '\xE9') + "\""}, nullptr, [&](FocusBlock& block) {
    ASSERT_EQ(block.rejections.raw.size(), 1U);
    EXPECT_EQ(block.rejections.raw[0].substr(0, 4), "\"\xEF\xBF\xBD");
    EXPECT_LE(block.rejections.raw[0].size(), 512U);
  });
}

TEST_F(FocusReaderTest, StoppedExchangeEndsTheReader) {
  const auto path = folder_.path() / "a.csv";
  {
    std::ofstream out(path);
    out << kHeader;
    for (std::size_t i = 0; i < 10 * kFocusBlockRows; ++i) out << "1" << kRest;
  }
  const std::vector<FocusFile> files = {{.name = "a.csv", .path = path, .bytes = 0}};
  FocusReader reader(options_, files, nullptr);
  Exchange exchange(2);
  std::thread thread([&] { reader.Run(exchange); });
  EXPECT_NE(exchange.TakeFull(), nullptr);
  exchange.Stop();
  thread.join();
  EXPECT_LT(reader.accepted(), static_cast<std::int64_t>(10 * kFocusBlockRows));
}

}  // namespace
}  // namespace plimsoll
