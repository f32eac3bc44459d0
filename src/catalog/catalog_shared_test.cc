// The built-in catalog against the figures it was written from (../shared, not part of the
// repository): every price row equals the shared file's figure.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "catalog/catalog.h"
#include "catalog/csv.h"
#include "catalog/price_book.h"

namespace plimsoll {
namespace {

std::filesystem::path SharedData() {
  if (const char* shared = std::getenv("PLIMSOLL_SHARED")) {
    return std::filesystem::path(shared) / "data";
  }
  const char* root = std::getenv("PLIMSOLL_ROOT");
  return std::filesystem::path(root == nullptr ? "." : root) / ".." / "shared" / "data";
}

std::string ReadText(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

class CatalogSharedTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(SharedData() / "prices")) {
      GTEST_SKIP() << "no shared data in " << SharedData();
    }
    Result<Catalog> catalog = Catalog::Load(BuiltinCatalogFiles());
    ASSERT_TRUE(catalog.has_value()) << catalog.error().message;
    catalog_ = *std::move(catalog);
  }

  // (region, type, purchase, currency, amount) of every figure in the shared price files.
  using Figure = std::tuple<std::string, std::string, std::string, std::string, Money>;
  std::set<Figure> SharedFigures() const;

  Catalog catalog_;
};

Money Amount(std::string_view text) {
  const Result<Money> money = Money::Parse(text);
  EXPECT_TRUE(money.has_value()) << text;
  return money.has_value() ? *money : Money();
}

CsvTable Table(const std::string& text) {
  CsvTable table = ReadCsv(text);
  EXPECT_FALSE(table.records.empty());
  return table;
}

std::set<CatalogSharedTest::Figure> CatalogSharedTest::SharedFigures() const {
  std::set<Figure> figures;
  const std::filesystem::path prices = SharedData() / "prices";
  const std::string aws = ReadText(prices / "karpenter_aws_ondemand_linux.csv");
  CsvTable table = Table(aws);
  for (const CsvRecord& row : table.records) {
    figures.emplace(table.Field(row, "region"), table.Field(row, "instance_type"), "on-demand",
                    table.Field(row, "currency"), Amount(table.Field(row, "price_per_hour")));
  }
  const std::string history =
      ReadText(prices / "aws_us-east-1_gpu_ondemand_price_history_karpenter.csv");
  table = Table(history);
  for (const CsvRecord& row : table.records) {
    figures.emplace("us-east-1", table.Field(row, "instance_type"), "on-demand", "USD",
                    Amount(table.Field(row, "price_usd_per_hour")));
  }
  const std::string azure = ReadText(prices / "karpenter_azure_ondemand_gpu_all_regions.csv");
  table = Table(azure);
  for (const CsvRecord& row : table.records) {
    figures.emplace(table.Field(row, "region"), table.Field(row, "vm_size"), "on-demand", "USD",
                    Amount(table.Field(row, "price_usd_per_hour")));
  }
  const std::string gcp = ReadText(prices / "gcp_us-central1_autoscaler_gce_prices_2026-06.csv");
  table = Table(gcp);
  for (const CsvRecord& row : table.records) {
    const bool is_spot = table.Field(row, "kind").ends_with("spot");
    figures.emplace("us-central1", table.Field(row, "machine_or_gpu"),
                    is_spot ? "spot" : "on-demand", "USD",
                    Amount(table.Field(row, "usd_per_hour")));
  }
  const auto tpu = nlohmann::json::parse(ReadText(prices / "gpuhunt_tpu_pricing.json"));
  const std::map<std::string, std::vector<std::pair<std::string, int>>> machines{
      {"TPU v5e",
       {{"tpu-v5e", 1}, {"ct5lp-hightpu-1t", 1}, {"ct5lp-hightpu-4t", 4}, {"ct5lp-hightpu-8t", 8}}},
      {"TPU v5p", {{"tpu-v5p", 1}, {"ct5p-hightpu-4t", 4}}},
      {"TPU v6e",
       {{"tpu-v6e", 1},
        {"ct6e-standard-1t", 1},
        {"ct6e-standard-4t", 4},
        {"ct6e-standard-8t", 8}}}};
  for (const auto& [name, types] : machines) {
    for (const auto& [region, offer] : tpu.at(name).items()) {
      for (const auto& [type, chips] : types) {
        for (const auto& [field, purchase] :
             {std::pair("On Demand (USD)", "on-demand"), std::pair("Spot (USD)", "spot")}) {
          const Money chip = Amount(offer.at(field).dump());
          figures.emplace(region, type, purchase, "USD", Money::FromNanos(chip.nanos() * chips));
        }
      }
    }
  }
  return figures;
}

TEST_F(CatalogSharedTest, EveryPriceRowIsAFigureOfTheSharedFiles) {
  const std::set<Figure> figures = SharedFigures();
  const PriceBatch& prices = catalog_.prices();
  const std::string brief =
      ReadText(SharedData() / ".." / "brief" / "spot-training-reserved-inference.txt");
  std::size_t checked = 0;
  for (std::size_t row = 0; row < RowsOf(prices); ++row) {
    EXPECT_EQ(prices.per_seconds[row], 3'600);
    if (prices.source[row].starts_with("zop.dev")) {
      std::string figure = "$" + prices.amount[row].ToString();
      figure.resize(figure.find('.') + 3);  // as the article prints it: "$0.42"
      EXPECT_NE(brief.find(figure), std::string::npos) << prices.instance_type[row];
    } else {
      EXPECT_TRUE(
          figures.contains({prices.region[row], prices.instance_type[row], prices.purchase[row],
                            prices.currency[row], prices.amount[row]}))
          << prices.region[row] << " " << prices.instance_type[row] << " "
          << prices.amount[row].ToString();
    }
    ++checked;
  }
  EXPECT_GT(checked, 400U);
}

TEST_F(CatalogSharedTest, ThePriceInForceAtEachSnapshotOfTheHistoryIsItsFigure) {
  const PriceBook book(catalog_.prices());
  const std::string text =
      ReadText(SharedData() / "prices" / "aws_us-east-1_gpu_ondemand_price_history_karpenter.csv");
  const CsvTable table = Table(text);
  std::size_t checked = 0;
  for (const CsvRecord& row : table.records) {
    const std::string_view type = table.Field(row, "instance_type");
    if (catalog_.FindShape("aws", type) == nullptr) continue;
    const Result<Instant> at = ParseInstant(table.Field(row, "generated_at"));
    ASSERT_TRUE(at.has_value()) << table.Field(row, "generated_at");
    const auto match = book.Find({"aws", "us-east-1", type, "on-demand", "USD"}, *at);
    ASSERT_TRUE(match.has_value()) << type;
    EXPECT_EQ(match->amount, Amount(table.Field(row, "price_usd_per_hour"))) << type;
    ++checked;
  }
  EXPECT_GT(checked, 40U);
}

TEST_F(CatalogSharedTest, GpuCountsAndMemoryAreThoseOfTheSpecTable) {
  const std::string text = ReadText(SharedData() / "prices" / "aws_gpu_instance_specs_vantage.csv");
  const CsvTable table = Table(text);
  std::size_t checked = 0;
  for (const CsvRecord& row : table.records) {
    const std::string type(table.Field(row, "instance_type"));
    const InstanceShape* shape = catalog_.FindShape("aws", type);
    if (shape == nullptr || type == "p6e-gb200.36xlarge") continue;  // 36 is the half rack's
    const Money count = Amount(table.Field(row, "gpu_count"));
    EXPECT_EQ(count.nanos() * shape->gpu_den, int128{shape->gpu_num} * Money::kNanosPerUnit)
        << type;
    if (type == "p6-b300.48xlarge") continue;  // 2100 / 8 there, 270 in the MIG guide
    const std::int64_t memory_mib = catalog_.FindGpu(shape->gpu_model)->memory_mib;
    EXPECT_EQ(Amount(table.Field(row, "gpu_memory_total_gib")).nanos() * 1'024,
              count.nanos() * memory_mib)
        << type;
    ++checked;
  }
  EXPECT_GT(checked, 40U);
}

TEST_F(CatalogSharedTest, MigGeometryIsTheGuides) {
  const auto sku = nlohmann::json::parse(ReadText(SharedData() / "sku" / "mig_profiles.json"));
  for (const auto& [card, entry] : sku.at("gpus").items()) {
    const GpuModel* gpu = catalog_.FindGpu(card);
    ASSERT_NE(gpu, nullptr) << card;
    const auto& geometry = entry.contains("geometry") ? entry.at("geometry") : sku.at("geometry");
    for (const auto& [kind, placement] : geometry.items()) {
      if (kind == "1g+me") continue;
      const std::string prefix = kind.substr(0, 2);
      const bool named = entry.contains("names");
      const std::string name = named ? entry.at("names").at(kind).get<std::string>() : prefix;
      const auto profile =
          std::find_if(gpu->profiles.begin(), gpu->profiles.end(), [&](const MigProfile& p) {
            return named ? p.name == name : p.name.starts_with(name + ".");
          });
      ASSERT_NE(profile, gpu->profiles.end()) << card << " " << kind;
      EXPECT_EQ(profile->starts, placement.at("starts").get<std::vector<std::int64_t>>());
      EXPECT_EQ(profile->max, placement.at("max").get<std::int64_t>());
      EXPECT_EQ(profile->memory_slices, placement.at("mem_slots").get<std::int64_t>());
      EXPECT_EQ(std::to_string(profile->compute_slices), prefix.substr(0, 1));
      if (entry.contains("sm") && entry.at("sm").contains(kind)) {
        EXPECT_EQ(profile->sm_count, entry.at("sm").at(kind).get<std::int64_t>());
      }
    }
  }
}

}  // namespace
}  // namespace plimsoll
