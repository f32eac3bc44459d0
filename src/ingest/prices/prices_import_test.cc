#include "ingest/prices/prices_import.h"

#include <gtest/gtest.h>

#include <memory>

#include "catalog/price_book.h"
#include "store/duckdb/duckdb_store.h"

namespace plimsoll {
namespace {

constexpr const char* kContract =
    "# name: agreement\n"
    "provider,region,instance_type,amount,currency\n"
    "aws,us-east-1,p5.48xlarge,38.5,USD\n"
    "aws,us-east-1,p4d.24xlarge,12.25,USD\n";

class PricesImportTest : public ::testing::Test {
 protected:
  PricesImportTest() {
    Result<std::unique_ptr<Store>> store = OpenDuckDb({});
    EXPECT_TRUE(store.has_value()) << store.error().message;
    store_ = *std::move(store);
  }

  ImportReport Import(const std::vector<PriceInput>& inputs, const PricesOptions& options = {}) {
    Result<ImportReport> report = ImportPriceTexts(*store_, inputs, options);
    EXPECT_TRUE(report.has_value()) << report.error().message;
    return report.has_value() ? *std::move(report) : ImportReport{};
  }

  PriceBatch Active() {
    Result<PriceBatch> prices = Query<PriceBatch>(
        *store_, "SELECT * FROM active_price ORDER BY instance_type, valid_from, amount");
    EXPECT_TRUE(prices.has_value()) << prices.error().message;
    return prices.has_value() ? *std::move(prices) : PriceBatch{};
  }

  std::unique_ptr<Store> store_;
};

TEST_F(PricesImportTest, LoadedPricesComeBackAndPriceUsage) {
  const ImportReport report = Import({{"a.csv", kContract}});
  EXPECT_EQ(report.kind, "prices");
  EXPECT_EQ(report.accepted, 2);
  ASSERT_EQ(report.loads.size(), 1U);
  EXPECT_EQ(report.loads[0].outcome, "loaded");
  const PriceBook book(Active());
  const auto match = book.Find({"aws", "us-east-1", "p5.48xlarge", "on-demand", "USD"},
                               *ParseInstant("2026-11-01"));
  ASSERT_TRUE(match.has_value());
  EXPECT_EQ(match->amount, *Money::Parse("38.5"));
  EXPECT_EQ(match->rung, kRungContracted);
  EXPECT_EQ(match->source, "a.csv");
}

TEST_F(PricesImportTest, LoadingTwiceOrInAnotherOrderChangesNothing) {
  Import({{"a.csv", kContract}});
  EXPECT_EQ(Import({{"a.csv", kContract}}).loads[0].outcome, "unchanged");
  const std::string other_order =
      "# name: agreement\n"
      "provider,region,instance_type,amount,currency\n"
      "aws,us-east-1,p4d.24xlarge,12.250,USD\n"
      "aws,us-east-1,p5.48xlarge,38.5,USD\n"
      "aws,us-east-1,p5.48xlarge,38.5,USD\n";
  const ImportReport report = Import({{"a.csv", other_order}});
  EXPECT_EQ(report.loads[0].outcome, "unchanged");
  EXPECT_EQ(report.duplicates, 1);
  EXPECT_EQ(RowsOf(Active()), 2U);
}

TEST_F(PricesImportTest, OtherPricesOfOneNameRestateIt) {
  Import({{"a.csv", kContract}});
  const ImportReport report = Import({{"b.yaml",
                                       "name: agreement\ncurrency: USD\nprices:\n"
                                       "  - {provider: aws, instance_type: p5.48xlarge, "
                                       "amount: 37}\n"}});
  EXPECT_EQ(report.loads[0].outcome, "restated");
  ASSERT_EQ(RowsOf(Active()), 1U);
  EXPECT_EQ(Active().amount[0], Money::Units(37));
}

TEST_F(PricesImportTest, BadRowsGoToTheQuarantineAndTheRestIsLoaded) {
  const ImportReport report = Import({{"a.csv",
                                       "provider,instance_type,amount,currency\n"
                                       "aws,x,1,USD\n"
                                       "aws,y,free,USD\n"
                                       "aws,x,2,USD\n"}});
  EXPECT_EQ(report.accepted, 1);
  EXPECT_EQ(report.rejected, 2);
  ASSERT_EQ(report.first_rejections.size(), 2U);
  EXPECT_EQ(report.first_rejections[0].line, 3);
  EXPECT_EQ(report.first_rejections[1].line, 4);
  const Result<RejectionBatch> kept =
      Query<RejectionBatch>(*store_, "SELECT * FROM rejection ORDER BY line");
  ASSERT_TRUE(kept.has_value()) << kept.error().message;
  EXPECT_EQ(kept->field, (std::vector<std::string>{"amount", "amount"}));
}

TEST_F(PricesImportTest, AFileOfWhichNothingIsRightLeavesThePricesThatAreThere) {
  Import({{"a.csv", kContract}});
  const ImportReport report = Import(
      {{"a.csv", "# name: agreement\nprovider,instance_type,amount,currency\naws,x,?,USD\n"}});
  EXPECT_EQ(report.accepted, 0);
  EXPECT_EQ(report.rejected, 1);
  EXPECT_EQ(RowsOf(Active()), 2U);
}

TEST_F(PricesImportTest, OwnedNodesAndSpotHistoryLoadTogether) {
  const ImportReport report = Import(
      {{"onprem.yaml",
        "currency: EUR\non_prem:\n  - {name: dgx, capex: 350400, amortization_months: 48}\n"},
       {"spot.json",
        R"({"SpotPriceHistory": [{"AvailabilityZone": "us-east-1a", "InstanceType": "p5.48xlarge",
            "ProductDescription": "Linux/UNIX", "SpotPrice": "20.1",
            "Timestamp": "2026-07-02T09:00:00.000Z"}]})"}});
  EXPECT_EQ(report.accepted, 2);
  ASSERT_EQ(report.loads.size(), 2U);
  const PriceBatch prices = Active();
  ASSERT_EQ(RowsOf(prices), 2U);
  EXPECT_EQ(prices.purchase[0], "owned");
  EXPECT_EQ(prices.amount[0], Money::Units(350'400));
  EXPECT_EQ(prices.per_seconds[0], 48 * 730 * 3'600);
  const PriceBook book(prices);
  EXPECT_TRUE(book.Find({.provider = "aws",
                         .region = "us-east-1",
                         .instance_type = "p5.48xlarge",
                         .purchase = "spot",
                         .zone = "us-east-1a"},
                        *ParseInstant("2026-08-01")));
}

TEST_F(PricesImportTest, ASuspectPriceIsTakenAndSaid) {
  const ImportReport report = Import({{"a.csv",
                                       "provider,region,instance_type,amount,currency\n"
                                       "aws,us-east-1,p5.48xlarge,5.504,USD\n"
                                       "aws,us-west-2,p5.48xlarge,5.503,USD\n"}});
  EXPECT_EQ(report.accepted, 2);
  ASSERT_EQ(report.warnings.size(), 1U);
  EXPECT_NE(report.warnings[0].find("us-west-2"), std::string::npos);
}

TEST_F(PricesImportTest, AnUnknownKindOfFileFailsAndChangesNothing) {
  Import({{"a.csv", kContract}});
  const Result<ImportReport> report =
      ImportPriceTexts(*store_, {{"a.csv", kContract}, {"jobs.psv", "JobID|Account\n"}}, {});
  ASSERT_FALSE(report.has_value());
  EXPECT_EQ(report.error().code, ErrorCode::kBadData);
  EXPECT_EQ(RowsOf(Active()), 2U);
}

TEST_F(PricesImportTest, AMissingFileIsNamed) {
  PricesOptions options;
  options.files = {"/nowhere/prices.csv"};
  const Result<ImportReport> report = ImportPrices(*store_, options);
  ASSERT_FALSE(report.has_value());
  EXPECT_EQ(report.error().code, ErrorCode::kNotFound);
  EXPECT_NE(report.error().message.find("/nowhere/prices.csv"), std::string::npos);
}

}  // namespace
}  // namespace plimsoll
