#include "ingest/focus/scope_book.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

FocusRow Charge(std::string_view account, std::string_view provider, std::string_view cost,
                Instant at = AtSeconds(0)) {
  FocusRow row;
  row.issuer = "I";
  row.provider = provider;
  row.text[static_cast<std::size_t>(FocusColumn::kBillingAccountId)] = account;
  row.text[static_cast<std::size_t>(FocusColumn::kBillingCurrency)] = "USD";
  row.billing = {AtSeconds(0), AtSeconds(0) + Days(30)};
  row.charge = {at, at + Hours(1)};
  row.costs[0] = *ExactDecimal::Parse(cost);
  row.costs[1] = row.costs[0];
  return row;
}

void Add(ScopeBook& book, const FocusRow& row) { book.Add(book.NumberOf(row), row, RestsOf(row)); }

TEST(ScopeBookTest, NumbersScopesByAppearance) {
  ScopeBook book;
  EXPECT_EQ(book.NumberOf(Charge("b", "P", "1")), 0U);
  EXPECT_EQ(book.NumberOf(Charge("a", "P", "1")), 1U);
  EXPECT_EQ(book.NumberOf(Charge("b", "Q", "1")), 0U);
  EXPECT_EQ(book.NumberOf(book.scopes()[1].key), 1U);
}

TEST(ScopeBookTest, SumsExactlyByProviderAndDay) {
  ScopeBook book;
  Add(book, Charge("a", "P", "0.0000000001"));
  Add(book, Charge("a", "P", "2", AtSeconds(0) + Hours(23)));
  Add(book, Charge("a", "Q", "-1", AtSeconds(0) - Hours(1)));
  const ScopeSum& sum = book.scopes()[0];
  EXPECT_EQ(sum.rows, 3);
  EXPECT_EQ(sum.days, (std::set<std::int64_t>{-1, 0}));
  EXPECT_EQ(sum.providers.at("P").billed.ToString(), "2.0000000001");
  EXPECT_EQ(sum.providers.at("P").rows, 2);
  EXPECT_EQ(sum.providers.at("Q").effective.ToString(), "-1");
  EXPECT_EQ(sum.costs[0].rested, 1);
  EXPECT_EQ(sum.costs[2].total, ExactDecimal()) << "a null is no cost";
}

TEST(ScopeBookTest, LeftOverIsWhatTheFloorsLackOfTheRoundedTotal) {
  ScopeBook book;
  for (int i = 0; i < 5; ++i) Add(book, Charge("a", "P", "0.0000000005"));
  // 2.5 nanos round half to even: 2.
  EXPECT_EQ(book.scopes()[0].costs[0].LeftOver(), 2);
  Add(book, Charge("a", "P", "-0.0000000001"));
  // Its floor is -1 nano, so the floors add up to -1; the total 2.4 rounds to 2.
  EXPECT_EQ(book.scopes()[0].costs[0].LeftOver(), 3);
}

TEST(ScopeBookTest, KeptCostsDecideHowHalfANanoRounds) {
  ScopeBook book;
  Add(book, Charge("a", "P", "0.0000000005"));
  EXPECT_EQ(book.scopes()[0].costs[0].LeftOver(), 0) << "0.5 is nearer to the even 0";
  const Money nano = Money::FromNanos(1);
  book.AddKept(0, {nano, nano, nano, nano});
  EXPECT_EQ(book.scopes()[0].costs[0].LeftOver(), 1) << "1.5 is nearer to the even 2";
}

TEST(ScopeBookTest, RefusedMoneyIsCountedWithItsBillOrOutside) {
  ScopeBook book;
  RefusedRow refused{.field = "", .reason = "", .provider = "P", .currency = "USD"};
  refused.billed = *ExactDecimal::Parse("1.5");
  EXPECT_EQ(book.AddRefused(refused), -1);
  refused.scope = BillingScope{.issuer = "I", .account = "a", .currency = "USD", .period = {}};
  EXPECT_EQ(book.AddRefused(refused), 0);
  EXPECT_EQ(book.scopes()[0].rows, 0);
  EXPECT_EQ(book.scopes()[0].providers.at("P").rejected_billed.ToString(), "1.5");
  EXPECT_EQ(book.outside().at({"P", "USD"}).rejected_billed.ToString(), "1.5");
}

TEST(ScopeBookTest, DaysBeforeTheEpochAreWhole) {
  EXPECT_EQ(DayOf(AtMillis(-1)), -1);
  EXPECT_EQ(DayOf(AtMillis(0)), 0);
}

}  // namespace
}  // namespace plimsoll
