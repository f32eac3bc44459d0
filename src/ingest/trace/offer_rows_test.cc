#include "ingest/trace/offer_rows.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

TEST(OfferRowsTest, TermsAreReadAsPeopleWriteThem) {
  EXPECT_EQ(ParseTerm("1y"), 12);
  EXPECT_EQ(ParseTerm("3 years"), 36);
  EXPECT_EQ(ParseTerm("6m"), 6);
  EXPECT_EQ(ParseTerm("12"), 12);
  EXPECT_EQ(ParseTerm("5y"), 60);
  for (const char* text : {"", "y", "0y", "6y", "61", "-1y", "1 century", "1.5y"}) {
    EXPECT_EQ(ParseTerm(text), std::nullopt) << text;
  }
}

TEST(OfferRowsTest, KindsAndPaymentsHaveShortNames) {
  EXPECT_EQ(ParseKind("savings-plan"), CommitmentKind::kSavingsPlan);
  EXPECT_EQ(ParseKind("ri"), CommitmentKind::kReservedInstance);
  EXPECT_EQ(ParseKind("cud"), CommitmentKind::kResourceCud);
  EXPECT_EQ(ParseKind("lease"), std::nullopt);
  EXPECT_EQ(ParsePayment("all-upfront"), CommitmentPayment::kAllUpfront);
  EXPECT_EQ(ParsePayment("monthly"), CommitmentPayment::kNoUpfront);
  EXPECT_EQ(ParsePayment("later"), std::nullopt);
}

TEST(OfferRowsTest, RowsOfOneNameAreOneOffer) {
  std::vector<CommitmentOffer> offers;
  EXPECT_TRUE(AddOffer({"sp", "sp", "1y", "", "H100; H200", "5.5", "", ""}, offers).empty());
  EXPECT_TRUE(AddOffer({"sp", "", "", "", "A100", "2", "", ""}, offers).empty());
  ASSERT_EQ(offers.size(), 1U);
  ASSERT_EQ(offers.front().prices.size(), 3U);
  EXPECT_EQ(offers.front().prices[1].flavor, "H200");
  EXPECT_EQ(AddOffer({"sp", "", "", "", "A100", "3", "", ""}, offers).front().field, "flavor");
}

TEST(OfferRowsTest, ARateWithoutAFlavorIsForAny) {
  std::vector<CommitmentOffer> offers;
  EXPECT_TRUE(AddOffer({"ri", "ri", "3y", "all", "", "0", "100000", ""}, offers).empty());
  EXPECT_EQ(offers.front().prices.front().flavor, "*");
  EXPECT_EQ(offers.front().term_months, 36);
  EXPECT_EQ(offers.front().upfront, Money::Units(100'000));
}

TEST(OfferRowsTest, NamesEachFieldThatIsWrong) {
  std::vector<CommitmentOffer> offers;
  const auto problems = AddOffer({"x", "lease", "9y", "later", "", "free", "-1", "yes"}, offers);
  std::string fields;
  for (const OfferProblem& problem : problems) fields += problem.field + " ";
  EXPECT_EQ(fields, "kind term payment upfront attached_reservation rate ");
  EXPECT_EQ(AddOffer({}, offers).front().field, "name");
}

// Prepaid units are not free: count x price, and the upfront over the hours of the term.
TEST(OfferRowsTest, PrepaidUnitsCostTheirUpfront) {
  std::vector<ExistingCommitment> existing;
  ASSERT_TRUE(
      AddExisting({"old", "H100", "8", "0", "26280", "1y", "2027-06-30"}, existing).empty());
  EXPECT_EQ(existing.front().units, 8);
  EXPECT_EQ(existing.front().price, Money::Units(3));
}

TEST(OfferRowsTest, ExistingCommitmentsNeedUnitsPriceAndExpiry) {
  std::vector<ExistingCommitment> existing;
  EXPECT_EQ(AddExisting({"", "", "0", "", "", "", ""}, existing).size(), 4U);
  EXPECT_EQ(AddExisting({"a", "", "1", "0", "5", "", "2027-01-01"}, existing).front().field,
            "term");
  EXPECT_TRUE(existing.empty());
}

}  // namespace
}  // namespace plimsoll
