#include "ledger/ledger.h"

#include <gtest/gtest.h>

#include "ledger/query.h"
#include "ledger/test_facts.h"

namespace plimsoll {
namespace {

class LedgerTest : public LedgerFixture {
 protected:
  std::vector<LedgerRow> Rows(std::vector<std::string> by, const std::string& filter = "") {
    const auto table = RunQuery(*store_, {Day(), std::move(by), filter});
    EXPECT_TRUE(table) << table.error().message;
    return table ? table->rows : std::vector<LedgerRow>{};
  }
  std::string HashOfDay() {
    struct Hash {
      std::vector<std::string> hash;
    } out;
    const BatchRef refs{{"input_hash", ColumnType::kText, &out.hash}};
    std::string found;
    EXPECT_TRUE(store_->Stream("SELECT input_hash FROM ledger_day", {}, refs, [&] {
      for (const std::string& hash : out.hash) found += hash;
      return Ok();
    }));
    return found;
  }
};

TEST_F(LedgerTest, LinesAddUpToTheBill) {
  Ledger ledger = OpenLedger();
  ASSERT_TRUE(ledger.Refresh(Day()));
  const auto all = Rows({});
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].cost, Money::Units(44));
  EXPECT_EQ(all[0].gpu_time, WholeGpuHours(4));
  // The job held one of two GPUs for one of two hours.
  const auto team = Rows({"team"}, "team:nlp");
  ASSERT_EQ(team.size(), 1u);
  EXPECT_EQ(team[0].cost, Money::Units(5));
  EXPECT_EQ(team[0].gpu_used, std::nullopt);
}

TEST_F(LedgerTest, ADayIsComputedAgainOnlyIfItsFactsChange) {
  Ledger ledger = OpenLedger();
  ASSERT_TRUE(ledger.Refresh(Day()));
  const std::string before = HashOfDay();
  ASSERT_TRUE(store_->Execute("UPDATE ledger_line SET gpu_cost = 0", {}));
  ASSERT_TRUE(ledger.Refresh(Day()));
  EXPECT_EQ(Rows({}, "node:\"gpu-1\"")[0].cost, Money()) << "current: not computed again";

  ChargeBatch charges;
  AddCharge(charges, "i-1", 0, 60, Money::Units(12));
  LoadCharges(charges);
  ASSERT_TRUE(ledger.Refresh(Day()));
  EXPECT_NE(HashOfDay(), before);
  EXPECT_EQ(Rows({})[0].cost, Money::Units(12));
}

TEST_F(LedgerTest, ExtentIsWholeDaysOfEverythingLoaded) {
  Ledger ledger = OpenLedger();
  EXPECT_EQ(*ledger.Extent(), Day());
  EXPECT_EQ(*ledger.DataAsOf(), kFactsDay + Hours(2));
}

TEST_F(LedgerTest, HoursAfterTheBillsReachArePricedUntilItComes) {
  ASSERT_TRUE(store_->Execute("UPDATE snapshot SET data_until = ? WHERE kind = 'kubernetes'",
                              {kFactsDay + Hours(4)}));
  LedgerOptions options;
  options.allocation.split = {1, 0, 0};
  const std::size_t p = AddBlankRow(options.prices);
  options.prices.instance_type[p] = "gpu-1";
  options.prices.provider[p] = "aws";
  options.prices.purchase[p] = "on-demand";
  options.prices.rung[p] = kRungContracted;
  options.prices.currency[p] = "USD";
  options.prices.amount[p] = Money::Units(3);
  options.prices.per_seconds[p] = 3'600;
  options.prices.valid_from[p] = kFactsDay - Days(100);
  auto ledger = Ledger::Open(*store_, catalog_, std::move(options));
  ASSERT_TRUE(ledger);
  ASSERT_TRUE(ledger->Refresh(Day()));
  // Billed for 00:00 to 02:00; known to exist until 04:00: two hours at 3.
  const auto rows = Rows({"issuer"}, "node:\"gpu-1\"");
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].keys[0], "AWS");
  EXPECT_EQ(rows[0].cost, Money::Units(20));
  EXPECT_EQ(rows[1].keys[0], "");
  EXPECT_EQ(rows[1].cost, Money::Units(6));
}

}  // namespace
}  // namespace plimsoll
