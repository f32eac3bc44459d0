#include "ingest/focus/focus_header.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

namespace plimsoll {
namespace {

constexpr const char* kLeast =
    "BilledCost,EffectiveCost,BillingAccountId,BillingCurrency,BillingPeriodStart,"
    "BillingPeriodEnd,ChargePeriodStart,ChargePeriodEnd,ChargeCategory,InvoiceIssuerName";

Result<FocusHeader> Read(const std::string& line,
                         const std::map<std::string, std::string>& defaults = {}) {
  static std::vector<std::string> names;
  names.clear();
  std::istringstream in(line);
  for (std::string name; std::getline(in, name, ',');) names.push_back(name);
  if (line.ends_with(',')) names.emplace_back();
  CsvRow row;
  for (const std::string& name : names) row.fields.push_back({name, false});
  return ReadFocusHeader(row, "bill.csv", defaults);
}

std::string Least(const std::string& more) { return std::string(kLeast) + "," + more; }

TEST(FocusHeaderTest, VersionComesFromTheNames) {
  EXPECT_EQ(Read(Least("ProviderName"))->version, "1.0");
  EXPECT_EQ(Read(Least("ProviderName,SkuPriceDetails"))->version, "1.1");
  EXPECT_EQ(Read(Least("ProviderName,InvoiceId"))->version, "1.2");
  EXPECT_EQ(Read(Least("ProviderName,ServiceProviderName,InvoiceId"))->version, "1.3");
  EXPECT_EQ(Read(Least("ServiceProviderName,InvoiceDetailId"))->version, "1.4");
  EXPECT_EQ(Read(Least("ServiceProviderName"))->version, "1.4");
}

TEST(FocusHeaderTest, MatchesAnyCaseBlanksAndLocalisedNames) {
  const Result<FocusHeader> header =
      Read(Least("providername, SkuPriceid ,Abonnement-GUID (SubAccountId)"));
  ASSERT_TRUE(header);
  EXPECT_EQ(header->At(FocusColumn::kProviderName), 10);
  EXPECT_EQ(header->At(FocusColumn::kSkuPriceId), 11);
  EXPECT_EQ(header->At(FocusColumn::kSubAccountId), 12);
  EXPECT_EQ(header->fields, 13U);
}

TEST(FocusHeaderTest, MissingColumnsAreNamedWithTheFile) {
  const Result<FocusHeader> header = Read(
      "BilledCost,BillingAccountId,BillingCurrency,BillingPeriodStart,BillingPeriodEnd,"
      "ChargePeriodStart,ChargePeriodEnd,ChargeCategory,InvoiceIssuerName");
  ASSERT_FALSE(header);
  EXPECT_EQ(header.error().code, ErrorCode::kBadData);
  EXPECT_EQ(header.error().message.substr(0, 84),
            "bill.csv: the header lacks EffectiveCost, ServiceProviderName (or ProviderName); exp");
}

TEST(FocusHeaderTest, FusedNamesAreFound) {
  // The number of fields is right, two names are not.
  const Result<FocusHeader> header = Read(Least("ProviderNamePublisherName,ServiceName"));
  ASSERT_FALSE(header);
  EXPECT_NE(header.error().message.find("ProviderName"), std::string::npos);
}

TEST(FocusHeaderTest, ColumnGivenTwiceIsAnError) {
  const Result<FocusHeader> header = Read(Least("ProviderName,billedcost"));
  ASSERT_FALSE(header);
  EXPECT_EQ(header.error().message,
            "bill.csv: column BilledCost is there twice; remove one of the two");
}

TEST(FocusHeaderTest, OtherColumnsAreListed) {
  const Result<FocusHeader> header = Read(Least("ProviderName,Id,x_Team,PublisherName,"));
  ASSERT_TRUE(header);
  EXPECT_EQ(header->ignored,
            (std::vector<std::string>{"Id", "x_Team", "PublisherName", "_unnamed_15"}));
  EXPECT_EQ(header->warnings[0], "bill.csv: column 15 has no name and is ignored");
}

TEST(FocusHeaderTest, MissingButExpectedColumnsAreWarnings) {
  const Result<FocusHeader> header = Read(Least("ProviderName,ListCost,ServiceName"));
  ASSERT_TRUE(header);
  EXPECT_EQ(header->warnings.size(), 2U);  // ContractedCost, ServiceCategory
}

TEST(FocusHeaderTest, DefaultsFillAbsentColumnsOnly) {
  const Result<FocusHeader> header =
      Read(Least("ServiceName"), {{"ProviderName", "Acme"}, {"BillingCurrency", "USD"}});
  ASSERT_TRUE(header);
  EXPECT_EQ(header->constants, std::vector<std::string>{"Acme"});
  EXPECT_EQ(header->At(FocusColumn::kProviderName), 11);
  const Result<FocusHeader> wrong = Read(Least("ProviderName"), {{"Providr", "Acme"}});
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().code, ErrorCode::kInvalidArgument);
}

TEST(FocusHeaderTest, BareCarriageReturnsAreNotAHeader) {
  const auto header = Read(Least("ProviderName\r1.5"));
  ASSERT_FALSE(header);
  EXPECT_NE(header.error().message.find("carriage return"), std::string::npos);
}

}  // namespace
}  // namespace plimsoll
