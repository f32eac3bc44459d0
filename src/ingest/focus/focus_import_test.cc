#include "ingest/focus/focus_import.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>

#include "ingest/focus/focus_file.h"
#include "store/duckdb/duckdb_store.h"
#include "store/snapshot.h"

namespace plimsoll {
namespace {

constexpr const char* kHeader =
    "BilledCost,EffectiveCost,ListCost,ContractedCost,BillingAccountId,BillingCurrency,"
    "BillingPeriodStart,BillingPeriodEnd,ChargePeriodStart,ChargePeriodEnd,ChargeCategory,"
    "InvoiceIssuerName,ProviderName,ServiceCategory,ServiceName,ResourceId,Tags\n";

// A charge of June 2025: its cost in every column, day of the month and resource.
std::string June(const std::string& cost, int day, const std::string& resource = "r",
                 const std::string& account = "001") {
  const std::string date = "2025-06-" + std::string(day < 10 ? "0" : "") + std::to_string(day);
  return cost + "," + cost + "," + cost + "," + cost + "," + account +
         ",USD,2025-06-01,2025-07-01," + date + "T00:00:00Z," + date +
         "T01:00:00Z,Usage,Acme,Acme,Compute,VM," + resource + ",{}\n";
}

struct CostBatch {
  std::vector<std::string> resource;
  std::vector<Money> billed;
  std::vector<std::optional<Money>> contracted;
  static constexpr std::tuple kColumns{
      MakeColumn("resource_id", &CostBatch::resource),
      MakeColumn("billed_cost", &CostBatch::billed),
      MakeColumn("contracted_cost", &CostBatch::contracted),
  };
};

class ImportFocusTest : public testing::Test {
 protected:
  ImportFocusTest() : folder_(*TemporaryFolder::Make()), store_(*OpenDuckDb({})) {}

  std::string Write(const std::string& name, const std::string& rows) {
    const std::filesystem::path path = folder_.path() / name;
    std::ofstream(path, std::ios::binary) << kHeader << rows;
    return path.string();
  }
  Result<ImportReport> Import(FocusOptions options) { return ImportFocus(*store_, options); }
  ImportReport Load(const std::vector<std::string>& files, bool partial = false) {
    Result<ImportReport> report = Import({.files = files, .partial = partial});
    EXPECT_TRUE(report) << (report ? "" : report.error().message);
    return report ? *std::move(report) : ImportReport();
  }
  // The active charges, by resource.
  std::vector<std::string> Costs() {
    const auto rows = Query<CostBatch>(
        *store_,
        "SELECT resource_id, billed_cost, contracted_cost FROM active_charge ORDER BY ALL");
    std::vector<std::string> out;
    for (std::size_t i = 0; i < RowsOf(*rows); ++i) {
      out.push_back(rows->resource[i] + " " + rows->billed[i].ToString());
      EXPECT_EQ(rows->billed[i], *rows->contracted[i]);
    }
    return out;
  }
  std::string Total() {
    const auto rows = Query<CostBatch>(
        *store_, "SELECT resource_id, billed_cost, contracted_cost FROM active_charge");
    Money sum;
    for (const Money cost : rows->billed) sum += cost;
    return sum.ToString();
  }
  RejectionBatch Rejections() {
    return *Query<RejectionBatch>(*store_, "SELECT * FROM rejection ORDER BY file, line");
  }

  TemporaryFolder folder_;
  std::unique_ptr<Store> store_;
};

using Texts = std::vector<std::string>;

TEST_F(ImportFocusTest, LoadsOnceAndIsUnchangedTheSecondTime) {
  const std::string bill = Write("a.csv", June("1.5", 1, "a") + June("2", 2, "b"));
  ImportReport report = Load({bill});
  EXPECT_EQ(report.accepted, 2);
  ASSERT_EQ(report.loads.size(), 1U);
  EXPECT_EQ(report.loads[0].outcome, "loaded");
  EXPECT_EQ(report.totals[0].billed, "3.5");
  EXPECT_EQ(report.totals[0].provider, "Acme");
  report = Load({bill});
  EXPECT_EQ(report.loads[0].outcome, "unchanged");
  EXPECT_EQ(Costs(), (Texts{"a 1.500000000", "b 2.000000000"}));
}

TEST_F(ImportFocusTest, AnotherContentRestates) {
  Load({Write("a.csv", June("1.5", 1))});
  const ImportReport report = Load({Write("b.csv", June("1.5000000001", 1))});
  EXPECT_EQ(report.loads[0].outcome, "restated") << "the tenth decimal counts";
}

TEST_F(ImportFocusTest, RowsAddUpToTheExactTotalRoundedOnce) {
  std::string rows;
  for (int i = 0; i < 10; ++i) rows += June("0.00000000015", 1 + i, std::to_string(i));
  const ImportReport report = Load({Write("a.csv", rows)});
  EXPECT_EQ(report.totals[0].billed, "0.0000000015");
  EXPECT_EQ(Total(), "0.000000002") << "1.5 nanos, half to even";
}

TEST_F(ImportFocusTest, OrderAndPartsChangeNothing) {
  std::mt19937_64 random(20261129);
  std::vector<std::string> rows;
  for (int i = 0; i < 300; ++i) {
    const std::string decimals = std::to_string(random() % 1'000'000'000'000U);
    rows.push_back(June(std::to_string(random() % 9) + "." + decimals,
                        1 + static_cast<int>(random() % 30), std::to_string(i % 7),
                        i % 3 == 0 ? "002" : "001"));
  }
  const auto joined = [&](std::size_t begin, std::size_t end) {
    std::string text;
    for (std::size_t i = begin; i < end; ++i) text += rows[i];
    return text;
  };
  Load({Write("a.csv", joined(0, 300))});
  const Texts costs = Costs();
  std::shuffle(rows.begin(), rows.end(), random);
  ImportReport report = Load({Write("b.csv", joined(0, 300))});
  EXPECT_EQ(report.loads[0].outcome, "unchanged");
  EXPECT_EQ(report.loads[1].outcome, "unchanged");
  report = Load({Write("c.csv", joined(0, 100)), Write("d.csv", joined(100, 300))});
  EXPECT_EQ(report.loads[0].outcome, "unchanged");
  store_ = *OpenDuckDb({});
  Load({Write("d.csv", joined(100, 300)), Write("c.csv", joined(0, 100))});
  EXPECT_EQ(Costs(), costs);
}

TEST_F(ImportFocusTest, PartsOfOneBillAddAndASecondCopyDoesNot) {
  const std::string one = Write("1.csv", June("12", 1, "a"));
  const std::string two = Write("2.csv", June("8", 2, "b"));
  const ImportReport report = Load({one, two, one, Write("copy.csv", June("8", 2, "b"))});
  EXPECT_EQ(report.totals[0].billed, "20");
  EXPECT_EQ(report.duplicates, 2);
  EXPECT_EQ(report.warnings.size(), 2U);
}

TEST_F(ImportFocusTest, PartialReplacesTheDaysItCoversOnly) {
  std::string nine;
  std::string ten;
  std::string five;
  for (int day = 1; day <= 10; ++day) {
    if (day <= 9) nine += June("10", day);
    ten += June("10", day);
    if (day <= 5) five += June("11", day);
  }
  Load({Write("a.csv", nine)});
  Load({Write("b.csv", ten)});
  EXPECT_EQ(Total(), "100.000000000");
  const std::string partial = Write("c.csv", five);
  const Result<ImportReport> refused = Import({.files = {partial}});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kFailedPrecondition);
  EXPECT_EQ(Total(), "100.000000000");
  EXPECT_EQ(Load({partial}, true).loads[0].outcome, "restated");
  EXPECT_EQ(Total(), "105.000000000");
  EXPECT_EQ(Load({partial}, true).loads[0].outcome, "unchanged");
  EXPECT_EQ(Load({Write("b2.csv", five + ten.substr(ten.size() / 2))}).loads[0].outcome,
            "unchanged")
      << "the merged bill is the same as one loaded whole";
}

TEST_F(ImportFocusTest, PartialBillAddsUpToItsMergedTotalRoundedOnce) {
  Load({Write("a.csv", June("0.000000001", 1, "a"))});
  Load({Write("b.csv", June("0.0000000005", 2, "b"))}, true);
  EXPECT_EQ(Total(), "0.000000002");
  const auto totals = Query<ChargeTotalBatch>(*store_, "SELECT * FROM active_charge_total");
  EXPECT_EQ(totals->billed_exact, Texts{"0.0000000015"});
}

TEST_F(ImportFocusTest, BadRowsGoToTheQuarantineWithTheirMoney) {
  const std::string bill =
      Write("a.csv", June("1", 1) + June("abc", 2) + "7,7,7\n" + June("3", 31) + June("4", 4));
  const ImportReport report = Load({bill});
  EXPECT_EQ(report.accepted, 2);
  EXPECT_EQ(report.rejected, 3);
  const RejectionBatch rejections = Rejections();
  EXPECT_EQ(rejections.line, (std::vector<std::int64_t>{3, 4, 5}));
  EXPECT_EQ(rejections.field, (Texts{"BilledCost", "", "ChargePeriodStart"}));
  EXPECT_EQ(rejections.cost, (Texts{"", "7", "3"}));
  EXPECT_EQ(rejections.raw[1], "7,7,7");
  EXPECT_NE(rejections.snapshot_id[0], 0);
  EXPECT_EQ(rejections.snapshot_id[1], 0) << "which bill it belongs to cannot be read";
  ASSERT_EQ(report.totals.size(), 2U);
  EXPECT_EQ(report.totals[0].provider, "");
  EXPECT_EQ(report.totals[0].rejected_billed, "7");
  EXPECT_EQ(report.totals[1].billed, "5");
  EXPECT_EQ(report.totals[1].rejected_billed, "3");
}

TEST_F(ImportFocusTest, StrictRefusesTheWholeImport) {
  const std::string bill = Write("a.csv", June("1", 1) + June("abc", 2));
  const Result<ImportReport> report = Import({.files = {bill}, .strict = true});
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, ErrorCode::kBadData);
  EXPECT_NE(report.error().message.find("a.csv:3: BilledCost"), std::string::npos);
  EXPECT_EQ(Costs(), Texts{});
}

TEST_F(ImportFocusTest, BillOfWhichEveryRowIsRefusedReplacesNothing) {
  Load({Write("a.csv", June("1", 1, "a"))});
  const ImportReport report = Load({Write("b.csv", June("abc", 1, "a"))});
  EXPECT_EQ(report.loads.size(), 0U);
  EXPECT_EQ(report.rejected, 1);
  EXPECT_EQ(Costs(), Texts{"a 1.000000000"});
}

TEST_F(ImportFocusTest, RestsAreFoundHoweverLateTheyCome) {
  std::string rows;
  for (int i = 0; i < 20'000; ++i) rows += June("1.25", 1 + i % 30, "r");
  rows += June("0.0000000004", 1, "s") + June("0.0000000003", 1, "t");
  const ImportReport report = Load({Write("a.csv", rows)});
  EXPECT_EQ(report.accepted, 20'002);
  EXPECT_EQ(Total(), "25000.000000001");
  EXPECT_EQ(Costs().back(), "t 0.000000000");
}

TEST_F(ImportFocusTest, EmptyAndHeaderOnlyFilesHoldNoRows) {
  const std::filesystem::path empty = folder_.path() / "empty.csv";
  std::ofstream(empty).flush();
  const ImportReport report = Load({empty.string(), Write("header.csv", "")});
  EXPECT_EQ(report.accepted, 0);
  EXPECT_EQ(report.loads.size(), 0U);
  EXPECT_EQ(report.warnings[0], empty.string() + ": the file is empty");
}

TEST_F(ImportFocusTest, CurrenciesAreNeverAdded) {
  std::string euro = June("10", 1);
  euro.replace(euro.find("USD"), 3, "EUR");
  const ImportReport report = Load({Write("a.csv", June("1", 1) + euro)});
  ASSERT_EQ(report.totals.size(), 2U);
  EXPECT_EQ(report.totals[0].currency + report.totals[0].billed, "EUR10");
  EXPECT_EQ(report.totals[1].currency + report.totals[1].billed, "USD1");
  EXPECT_EQ(report.loads.size(), 2U);
}

TEST_F(ImportFocusTest, ChargeTotalsAreExactTexts) {
  Load({Write("a.csv", June("0.00000000015", 1) + June("1", 31))});
  const auto totals = Query<ChargeTotalBatch>(*store_, "SELECT * FROM active_charge_total");
  ASSERT_TRUE(totals) << totals.error().message;
  EXPECT_EQ(totals->billed_exact, Texts{"0.00000000015"});
  EXPECT_EQ(totals->rejected_billed_exact, Texts{"1"});
  EXPECT_EQ(totals->rows, std::vector<std::int64_t>{1});
}

TEST_F(ImportFocusTest, IgnoredColumnsAndBadTagsAreReported) {
  const std::filesystem::path path = folder_.path() / "a.csv";
  std::string header(kHeader);
  header.insert(header.size() - 1, ",x_Team");
  std::string row = June("1", 1);
  row.replace(row.find("{}"), 2, R"("{""a"":[1]}",blue)");
  std::ofstream(path) << header << row;
  const ImportReport report = Load({path.string()});
  EXPECT_EQ(report.accepted, 1);
  EXPECT_EQ(report.ignored, Texts{"x_Team"});
  ASSERT_EQ(report.warnings.size(), 1U);
  EXPECT_NE(report.warnings[0].find("a.csv:2: a value is a list"), std::string::npos);
}

TEST_F(ImportFocusTest, ProgressCountsBytes) {
  std::int64_t last = 0;
  const std::string bill = Write("a.csv", June("1", 1));
  FocusOptions options{.files = {bill}};
  options.progress = [&](std::string_view, std::int64_t done, std::int64_t total) {
    last = done;
    EXPECT_EQ(total, static_cast<std::int64_t>(std::filesystem::file_size(bill)));
  };
  ASSERT_TRUE(Import(options));
  EXPECT_EQ(last, static_cast<std::int64_t>(std::filesystem::file_size(bill)));
}

}  // namespace
}  // namespace plimsoll
