// The public FOCUS examples through the importer, against figures that others computed.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "ingest/focus/focus_import.h"
#include "store/duckdb/duckdb_store.h"
#include "store/duckdb/parquet.h"

namespace plimsoll {
namespace {

namespace fs = std::filesystem;

struct ResourceBatch {
  std::vector<std::string> resource;
  std::vector<MoneyTotal> billed;
  static constexpr std::tuple kColumns{
      MakeColumn("resource_id", &ResourceBatch::resource),
      MakeColumn("billed", &ResourceBatch::billed),
  };
};

std::string Root() {
  const char* root = std::getenv("PLIMSOLL_ROOT");
  return root == nullptr ? "." : root;
}

class FocusSharedTest : public testing::Test {
 protected:
  void SetUp() override {
    const char* shared = std::getenv("PLIMSOLL_SHARED");
    const fs::path base = shared == nullptr ? fs::path(Root()) / ".." / "shared" : fs::path(shared);
    folder_ = base / "data" / "focus";
    if (!fs::exists(folder_)) GTEST_SKIP() << "no shared examples in " << folder_;
    store_ = *OpenDuckDb({});
  }

  ImportReport Load(FocusOptions options) {
    options.parquet_to_csv = ParquetToCsv;
    Result<ImportReport> report = ImportFocus(*store_, options);
    EXPECT_TRUE(report) << (report ? "" : report.error().message);
    return report ? *std::move(report) : ImportReport();
  }
  // The specification's examples leave out the columns that do not matter to them.
  ImportReport LoadExample(const std::string& name) {
    return Load({.files = {(folder_ / name).string()},
                 .defaults = {{"BillingAccountId", "1"},
                              {"BillingCurrency", "USD"},
                              {"InvoiceIssuerName", "Acme"},
                              {"ProviderName", "Acme"},
                              {"BilledCost", "0"}}});
  }
  std::string BilledByResource() {
    const auto rows =
        Query<ResourceBatch>(*store_,
                             "SELECT resource_id, sum(billed_cost) AS billed FROM active_charge "
                             "GROUP BY resource_id ORDER BY resource_id");
    std::string out;
    for (std::size_t i = 0; i < RowsOf(*rows); ++i) {
      out += rows->resource[i] + " " + rows->billed[i].value.ToString() + "\n";
    }
    return out;
  }

  fs::path folder_;
  std::unique_ptr<Store> store_;
};

TEST_F(FocusSharedTest, SampleTotalsEqualPythonsDecimal) {
  const std::string sample = (folder_ / "focus_1.0_sample_1000.csv").string();
  const std::string command = "python3 " + Root() + "/tests/e2e/focus_sums.py " + sample;
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(popen(command.c_str(), "r"), &pclose);
  std::string text;
  std::array<char, 4'096> block;
  while (const std::size_t count = std::fread(block.data(), 1, block.size(), pipe.get())) {
    text.append(block.data(), count);
  }
  const auto expected = nlohmann::json::parse(text);

  const ImportReport report = Load({.files = {sample}});
  EXPECT_EQ(report.accepted, 1'000);
  EXPECT_EQ(report.rejected, 0);
  ASSERT_EQ(report.totals.size(), expected.size());
  for (const ImportReport::Total& total : report.totals) {
    const auto& sums = expected.at(total.provider + "|" + total.currency);
    EXPECT_EQ(total.rows, sums.at("rows").get<std::int64_t>()) << total.provider;
    EXPECT_EQ(total.billed, sums.at("billed").get<std::string>()) << total.provider;
    EXPECT_EQ(total.effective, sums.at("effective").get<std::string>()) << total.provider;
  }
  const ImportReport again = Load({.files = {sample}});
  for (const ImportReport::Load& load : again.loads) EXPECT_EQ(load.outcome, "unchanged");
}

TEST_F(FocusSharedTest, CorrectionsByDeltaAndByLedgerGiveTheSameBill) {
  for (const char* kind : {"delta", "ledger"}) {
    SCOPED_TRACE(kind);
    store_ = *OpenDuckDb({});
    LoadExample("spec_correction_examples/closed_scenario1_original.csv");
    const ImportReport report =
        LoadExample(std::string("spec_correction_examples/closed_scenario1_") + kind + ".csv");
    EXPECT_EQ(BilledByResource(), "R-111 1200.000000000\nR-222 300.000000000\n");
    EXPECT_EQ(report.totals[0].billed, "0") << "the June invoice nets to zero";
  }
}

TEST_F(FocusSharedTest, HourThirtyIsRefusedAndTheOtherRowsLoad) {
  const ImportReport report = LoadExample(
      "spec_examples_1.2/commitment_discount_scenarios/"
      "commitment_discount_purchase_scenario_3.csv");
  EXPECT_GT(report.accepted, 0);
  ASSERT_GT(report.rejected, 0);
  bool found = false;
  for (const Rejection& rejection : report.first_rejections) {
    found = found || (rejection.line == 5 && rejection.field == "ChargePeriodEnd" &&
                      rejection.reason.find("2023-02-01T30:00:00Z") != std::string::npos);
  }
  EXPECT_TRUE(found);
}

TEST_F(FocusSharedTest, EveryExampleLoadsOrSaysWhyNot) {
  int examples = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder_ / "spec_examples_1.2")) {
    if (entry.path().extension() != ".csv") continue;
    SCOPED_TRACE(entry.path());
    ++examples;
    const ImportReport report = LoadExample(fs::relative(entry.path(), folder_).string());
    EXPECT_GT(report.accepted + report.rejected, 0);
    EXPECT_EQ(static_cast<std::int64_t>(report.first_rejections.size()),
              std::min<std::int64_t>(report.rejected, 20));
    for (const Rejection& rejection : report.first_rejections) {
      EXPECT_GT(rejection.line, 1);
      EXPECT_NE(rejection.reason, "");
    }
  }
  EXPECT_GT(examples, 20);
}

TEST_F(FocusSharedTest, WhatIsNoFocusBillIsRefusedByItsColumns) {
  for (const auto& entry : fs::directory_iterator(folder_ / "validator_samples")) {
    const std::string name = entry.path().filename().string();
    if (!name.ends_with(".csv") && !name.ends_with(".parquet")) continue;
    SCOPED_TRACE(name);
    FocusOptions options{.files = {entry.path().string()}};
    options.parquet_to_csv = ParquetToCsv;
    const Result<ImportReport> report = ImportFocus(*store_, options);
    ASSERT_FALSE(report);
    EXPECT_EQ(report.error().code, ErrorCode::kBadData) << report.error().message;
    EXPECT_NE(report.error().message.find(name), std::string::npos) << report.error().message;
  }
}

}  // namespace
}  // namespace plimsoll
