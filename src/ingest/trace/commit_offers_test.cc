#include "ingest/trace/commit_offers.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

std::string ErrorOf(const std::string& text) {
  const auto file = ReadOfferFile("o.yaml", text);
  return file ? "" : file.error().message;
}

TEST(CommitOffersTest, ReadsYaml) {
  const OfferFile file = *ReadOfferFile("o.yaml", R"(
on_demand:
  - {flavor: H100, price: 10}
offers:
  - name: 3y reserved
    kind: reserved-instance
    term: 3y
    payment: all-upfront
    upfront: 118260
    rate: 0
    flavors: [H100]
  - name: plan
    kind: savings-plan
    term: 1y
    rates:
      - {flavor: H100, rate: 7.3}
      - {flavor: H200, rate: 8.9}
existing:
  - {name: ri-1, flavor: H100, units: 4, rate: 6, expires: 2027-03-01}
)");
  ASSERT_EQ(file.offers.size(), 2U);
  EXPECT_EQ(file.offers[0].term_months, 36);
  EXPECT_EQ(file.offers[0].prices.front().flavor, "H100");
  EXPECT_EQ(file.offers[1].kind, CommitmentKind::kSavingsPlan);
  EXPECT_EQ(file.offers[1].prices[1].price.ToString(), "8.900000000");
  EXPECT_EQ(file.on_demand.front().price, Money::Units(10));
  EXPECT_EQ(ToDateString(file.existing.front().expires), "2027-03-01");
}

TEST(CommitOffersTest, ReadsCsvOfOffersAndOfExisting) {
  const OfferFile offers = *ReadOfferFile(
      "o.csv",
      "# of the agreement: 2026\nname,kind,term,payment,flavor,rate\nsp,savings-plan,1y,,H100,7\n"
      "sp,,,,H200,8\n");
  ASSERT_EQ(offers.offers.size(), 1U);
  EXPECT_EQ(offers.offers.front().prices.size(), 2U);
  const OfferFile existing =
      *ReadOfferFile("e.csv", "name,flavor,units,rate,expires\na,H100,3,6,2027-01-01\n");
  EXPECT_EQ(existing.existing.front().units, 3);
}

TEST(CommitOffersTest, RowsOfOneOfferDoNotContradictEachOther) {
  const auto read = ReadOfferFile("o.csv",
                                  "name,kind,term,flavor,rate\nri,reserved-instance,1y,H100,5\n"
                                  "ri,reserved-instance,3y,H200,4\n");
  ASSERT_FALSE(read);
  EXPECT_NE(read.error().message.find("o.csv:3: term: '3y' is another than '1y'"),
            std::string::npos)
      << read.error().message;
}

TEST(CommitOffersTest, SaysEverythingThatIsWrongWithItsLine) {
  EXPECT_EQ(ErrorOf("offers:\n  - {name: a, kind: lease, rate: 1, color: red}\n"
                    "  - {name: a, rate: 1}\n"),
            "o.yaml:2: offers[0].kind: 'lease' is not reserved-instance, reservation, "
            "resource-cud, savings-plan or flexible-cud\n"
            "o.yaml:2: offers[0].color: is not known here; see docs/formats\n"
            "o.yaml:3: offers[1].name: 'a' is given to two offers");
}

TEST(CommitOffersTest, AnEmptyFileIsAnError) {
  EXPECT_NE(ErrorOf("offers: []\n").find("has no offers"), std::string::npos);
  EXPECT_NE(ErrorOf(""), "");
  EXPECT_NE(ErrorOf("name,rate,colour\na,1,red\n").find("'colour' is not known"),
            std::string::npos);
}

// Amounts beyond any price would overflow what is computed from them.
TEST(CommitOffersTest, AmountsAreBounded) {
  const std::string huge = "1000000000000000000000";
  EXPECT_NE(ErrorOf("on_demand:\n  - {flavor: a, price: " + huge + "}\n"), "");
  EXPECT_NE(ErrorOf("existing:\n  - {name: a, units: 1, rate: 1, upfront: " + huge +
                    ", term: 1y, expires: 2027-01-01}\n"),
            "");
}

TEST(CommitOffersTest, PricesKeepTheirDigits) {
  const OfferFile file = *ReadOfferFile("o.csv", "name,rate\na,0.000012751\n");
  EXPECT_EQ(file.offers.front().prices.front().price.ToString(), "0.000012751");
  EXPECT_NE(ErrorOf("name,rate\na,0.0000000001\n"), "");  // more digits than a price keeps
}

}  // namespace
}  // namespace plimsoll
