#include "ingest/focus/nano_cuts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "store/duckdb/duckdb_store.h"

namespace plimsoll {
namespace {

struct Row {
  std::size_t scope;
  std::string cost;
  std::int64_t hash;
};

// What each row's billed cost is in nanos after the cut, in the rows' order.
std::vector<int128> Rounded(Store& store, const std::vector<Row>& rows) {
  ScopeBook book;
  RestTables tables(store);
  EXPECT_TRUE(tables.Begin());
  std::vector<RestKey> keys;
  std::vector<std::int64_t> slots;
  std::vector<Money> floors;
  RestBatch rests;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::string account = std::to_string(rows[i].scope);
    FocusRow row;
    row.provider = row.issuer = "P";
    row.text[static_cast<std::size_t>(FocusColumn::kBillingAccountId)] = account;
    row.costs[0] = *ExactDecimal::Parse(rows[i].cost);
    row.costs[1] = ExactDecimal();
    const std::size_t scope = book.NumberOf(row);
    book.Add(scope, row, RestsOf(row));
    keys.push_back({row.costs[0]->rest(), rows[i].hash, static_cast<std::int64_t>(i)});
    slots.push_back(SlotOf(scope, 0));
    floors.push_back(row.costs[0]->floor());
    if (keys[i].rest != 0) AppendRest(rests, slots[i], keys[i]);
  }
  EXPECT_TRUE(tables.Append(rests));
  const Result<NanoCuts> cuts = tables.FindCuts(book);
  EXPECT_TRUE(cuts) << cuts.error().message;
  std::vector<int128> out;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto cut = cuts->find(slots[i]);
    const bool up = keys[i].rest != 0 && cut != cuts->end() && keys[i].IsUpTo(cut->second);
    out.push_back(floors[i].nanos() + (up ? 1 : 0));
  }
  return out;
}

class NanoCutsTest : public testing::Test {
 protected:
  NanoCutsTest() : store_(*OpenDuckDb({})) {}
  std::unique_ptr<Store> store_;
};

TEST_F(NanoCutsTest, LargestRestsGetTheLeftOverNanos) {
  EXPECT_EQ(
      Rounded(*store_, {{0, "0.0000000013", 1}, {0, "0.0000000019", 2}, {0, "0.0000000018", 3}}),
      (std::vector<int128>{1, 2, 2}));
}

TEST_F(NanoCutsTest, TiesGoToTheSmallerHashThenTheEarlierPlace) {
  EXPECT_EQ(
      Rounded(*store_, {{0, "0.0000000005", 9}, {0, "0.0000000005", -3}, {0, "0.000000001", 1}}),
      (std::vector<int128>{0, 1, 1}))
      << "1.0 nano of rests is one nano";
  EXPECT_EQ(Rounded(*store_, {{0, "0.0000000005", 4}, {0, "0.0000000005", 4}}),
            (std::vector<int128>{1, 0}));
}

TEST_F(NanoCutsTest, NegativeCostsAreFlooredFirst) {
  EXPECT_EQ(Rounded(*store_, {{0, "-0.0000000013", 1}, {0, "-0.0000000018", 2}}),
            (std::vector<int128>{-1, -2}));
}

TEST_F(NanoCutsTest, ScopesAreRoundedApart) {
  EXPECT_EQ(
      Rounded(*store_, {{0, "0.0000000006", 1}, {1, "0.0000000006", 2}, {2, "0.0000000004", 2}}),
      (std::vector<int128>{1, 1, 0}));
}

TEST_F(NanoCutsTest, RowsAddUpToTheTotalRoundedOnceInAnyOrder) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    std::vector<Row> rows;
    ExactDecimal total;
    for (int i = 0; i < 200; ++i) {
      std::string cost = std::to_string(random() % 100) + "." + std::to_string(random());
      // Few digits make ties, many make none.
      cost.resize(std::min(cost.size(), static_cast<std::size_t>(10 + random() % 12)));
      if (random() % 2 == 0) cost.insert(0, "-");
      total += *ExactDecimal::Parse(cost);
      rows.push_back({0, cost, static_cast<std::int64_t>(random())});
    }
    const std::vector<int128> rounded = Rounded(*store_, rows);
    int128 sum = 0;
    std::map<std::int64_t, int128> by_hash;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      sum += rounded[i];
      by_hash[rows[i].hash] = rounded[i];
    }
    EXPECT_EQ(Money::FromNanos(sum), total.RoundHalfEven());
    std::shuffle(rows.begin(), rows.end(), random);
    const std::vector<int128> again = Rounded(*store_, rows);
    for (std::size_t i = 0; i < rows.size(); ++i) ASSERT_EQ(again[i], by_hash[rows[i].hash]);
  }
}

}  // namespace
}  // namespace plimsoll
