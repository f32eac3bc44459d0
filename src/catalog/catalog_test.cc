#include "catalog/catalog.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "catalog/price_book.h"

namespace plimsoll {
namespace {

constexpr const char* kTwoGpus = R"(gpus:
  - name: A
    vendor: nvidia
    memory_mib: 1024
    aliases: [NVIDIA A]
  - name: B
    vendor: nvidia
    memory_mib: 2048
)";
constexpr const char* kShapeHeader =
    "provider,instance_type,gpu_model,gpu_count,vcpu,memory_gib,source,as_of\n";
constexpr const char* kPriceHeader =
    "provider,region,instance_type,purchase,currency,amount,per,valid_from,valid_until,source,"
    "as_of\n";

Catalog Builtin() {
  Result<Catalog> catalog = Catalog::Load(BuiltinCatalogFiles());
  EXPECT_TRUE(catalog.has_value()) << catalog.error().message;
  return *std::move(catalog);
}

std::string ErrorsOf(const std::vector<CatalogFile>& files) {
  const Result<Catalog> catalog = Catalog::Load(files);
  return catalog.has_value() ? "" : catalog.error().message;
}

TEST(CatalogTest, BuiltinFilesLoad) {
  const Catalog catalog = Builtin();
  EXPECT_GT(catalog.gpus().size(), 20U);
  EXPECT_GT(catalog.shapes().size(), 100U);
  EXPECT_GT(RowsOf(catalog.prices()), 400U);
}

TEST(CatalogTest, EveryFileOfTheCatalogFolderIsEmbeddedAsItIs) {
  const char* root = std::getenv("PLIMSOLL_ROOT");
  ASSERT_NE(root, nullptr);
  const std::filesystem::path folder = std::filesystem::path(root) / "catalog";
  std::map<std::string, std::string> on_disk;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    std::ifstream in(entry.path(), std::ios::binary);
    on_disk[std::filesystem::relative(entry.path(), folder).generic_string()] =
        std::string(std::istreambuf_iterator<char>(in), {});
  }
  std::map<std::string, std::string> embedded;
  for (const CatalogFile& file : BuiltinCatalogFiles()) embedded[file.name] = file.text;
  EXPECT_EQ(embedded, on_disk);
}

TEST(CatalogTest, ExporterAndCloudNamesFindTheirCard) {
  const Catalog catalog = Builtin();
  const auto name = [&](const char* alias) {
    const GpuModel* gpu = catalog.FindGpu(alias);
    return gpu == nullptr ? std::string("none") : gpu->name;
  };
  EXPECT_EQ(name("NVIDIA H100 80GB HBM3"), "H100-SXM-80GB");  // dcgm-exporter modelName
  EXPECT_EQ(name("NVIDIA-H100-80GB-HBM3"), "H100-SXM-80GB");  // GPU feature discovery
  EXPECT_EQ(name("NVIDIA-A100-SXM4-80GB"), "A100-SXM-80GB");  // GPU feature discovery
  EXPECT_EQ(name("NVIDIA-A100-SXM4-40GB-MIG-1g.5gb"), "A100-SXM-40GB");
  EXPECT_EQ(name("Tesla-T4-SHARED"), "T4");
  EXPECT_EQ(name("nvidia-tesla-a100"), "A100-SXM-40GB");  // GKE
  EXPECT_EQ(name("AMD_Instinct_MI300X_OAM"), "MI300X");
  EXPECT_EQ(name("tpu-v5-lite-podslice"), "TPU-v5e");  // GKE
  EXPECT_EQ(name("h100-sxm-80gb"), "H100-SXM-80GB");
  EXPECT_EQ(name("A100"), "none");  // 40 or 80 GB: not to be guessed
  EXPECT_EQ(name(""), "none");
}

TEST(CatalogTest, ShapesAreFoundInAnySpellingAndKeepFractions) {
  const Catalog catalog = Builtin();
  const InstanceShape* p5 = catalog.FindShape("Amazon Web Services", "p5.48xlarge");
  ASSERT_NE(p5, nullptr);
  EXPECT_EQ(p5->gpu_model, "H100-SXM-80GB");
  EXPECT_EQ(p5->gpu_num, 8);
  EXPECT_EQ(p5->cpu_milli, 192'000);
  EXPECT_EQ(p5->memory_bytes, std::int64_t{2048} << 30);
  const InstanceShape* slice = catalog.FindShape("", "G6F.large");
  ASSERT_NE(slice, nullptr);
  EXPECT_EQ(slice->gpu_num, 1);
  EXPECT_EQ(slice->gpu_den, 8);
  EXPECT_EQ(catalog.FindShape("gcp", "p5.48xlarge"), nullptr);
  EXPECT_EQ(catalog.FindShape("aws", "m5.large"), nullptr);
}

TEST(CatalogTest, HalfAGraceBlackwellRackIsFourCardsAnInstance) {
  const Catalog catalog = Builtin();
  const InstanceShape* shape = catalog.FindShape("aws", "p6e-gb200.36xlarge");
  ASSERT_NE(shape, nullptr);
  EXPECT_EQ(shape->gpu_num, 4);
}

TEST(CatalogTest, PriceCutsOfJune2025AreIntervals) {
  const Catalog catalog = Builtin();
  const PriceBook book(catalog.prices());
  const auto price = [&](const char* type, const char* at) {
    const auto match = book.Find({"aws", "us-east-1", type, "on-demand", "USD"}, *ParseInstant(at));
    return match ? match->amount.ToString() : "none";
  };
  EXPECT_EQ(price("p4d.24xlarge", "2025-06-22"), "32.772600000");
  EXPECT_EQ(price("p4d.24xlarge", "2025-06-23"), "21.957642000");
  EXPECT_EQ(price("p5.48xlarge", "2025-06-22"), "98.320000000");
  EXPECT_EQ(price("p5.48xlarge", "2026-11-01"), "55.040000000");
  EXPECT_EQ(price("g5.xlarge", "2024-01-01"), "1.006000000");
}

TEST(CatalogTest, MachineTypesWithoutAnAllInPriceHaveNone) {
  const Catalog catalog = Builtin();
  const PriceBook book(catalog.prices());
  const Instant at = *ParseInstant("2026-11-01");
  EXPECT_TRUE(book.Find({"gcp", "us-central1", "a2-highgpu-1g", "on-demand", ""}, at));
  EXPECT_FALSE(book.Find({"gcp", "us-central1", "a3-highgpu-8g", "on-demand", ""}, at));
}

TEST(CatalogTest, LaterFilesOverrideEarlierRowsOfTheSameKey) {
  const std::string shapes = std::string(kShapeHeader) + "aws,x,A,1,4,16,s,2026-01-01\n";
  const std::string prices = std::string(kPriceHeader) +
                             "aws,r,x,on-demand,USD,1,hour,,2026-01-01,s,2026-01-01\n"
                             "aws,r,x,on-demand,USD,2,hour,2026-01-01,,s,2026-01-01\n";
  const std::string user =
      "prices:\n  - {provider: aws, region: r, instance_type: x, "
      "rung: list, currency: USD, amount: 3}\n";
  const std::string gpus = "gpus:\n  - {name: a, vendor: nvidia, memory_mib: 4096}\n";
  const Result<Catalog> catalog = Catalog::Load({{"gpus.yaml", kTwoGpus},
                                                 {"shapes.csv", shapes},
                                                 {"prices.csv", prices},
                                                 {"user.yaml", user},
                                                 {"user-gpus.yaml", gpus}});
  ASSERT_TRUE(catalog.has_value()) << catalog.error().message;
  ASSERT_EQ(RowsOf(catalog->prices()), 1U);
  EXPECT_EQ(catalog->prices().amount[0], Money::Units(3));
  EXPECT_EQ(catalog->FindGpu("A")->memory_mib, 4096);
  EXPECT_EQ(catalog->shapes()[0].gpu_model, "a");
}

TEST(CatalogTest, AllErrorsOfAllFilesComeTogetherWithFileLineAndField) {
  const std::string gpus =
      "gpus:\n"
      "  - name: A\n"
      "    vendor: nvidia\n"
      "    memory_mib: lots\n"
      "  - name: B\n"
      "    vendor: nvidia\n"
      "    memory_mib: 1024\n"
      "    memroy: 1\n";
  const std::string shapes = std::string(kShapeHeader) +
                             "aws,x,C,1/0,4,16,s,2026-01-01\n"
                             "aws,y,C,1,4,16,s,2026-01-01\n";
  const std::string prices =
      std::string(kPriceHeader) + "aws,r,x,on-demand,usd,0,hour,,,s,2026-01-01\n";
  EXPECT_EQ(ErrorsOf({{"gpus.yaml", gpus}, {"shapes.csv", shapes}, {"p.csv", prices}}),
            "gpus.yaml:4: gpus[0].memory_mib: 'lots' must be a whole number, 1 or more\n"
            "gpus.yaml:4: gpus[0].memory_mib: is missing\n"
            "gpus.yaml:8: gpus[1].memroy: is not known here; see docs/formats\n"
            "p.csv:2: currency: 'usd' is not a currency: three capitals as in USD\n"
            "p.csv:2: amount: must be above 0: leave the row out if there is no such offer\n"
            "shapes.csv:2: gpu_count: must be a whole number or a fraction such as 1/8\n"
            "shapes.csv:3: gpu_model: 'C' is no GPU of the catalog");
}

TEST(CatalogTest, OneNameNeverStandsForTwoCards) {
  const std::string errors =
      ErrorsOf({{"g.yaml", std::string(kTwoGpus) + "    aliases: [nvidia_a]\n"}});
  EXPECT_EQ(errors, "g.yaml:6: aliases: 'nvidia_a' also names A");
}

TEST(CatalogTest, OverlappingValidityOfOneKeyIsAnError) {
  const std::string prices = std::string(kPriceHeader) +
                             "aws,r,x,on-demand,USD,1,hour,,2026-02-01,s,2026-01-01\n"
                             "aws,r,x,spot,USD,1,hour,,,s,2026-01-01\n"
                             "aws,r,x,on-demand,USD,2,hour,2026-01-01,,s,2026-01-01\n";
  EXPECT_EQ(ErrorsOf({{"p.csv", prices}}),
            "p.csv:4: valid_from: overlaps the price of aws/r/x/on-demand/list/USD on line 2");
}

TEST(CatalogTest, DoubledRowsAreErrors) {
  const std::string shapes = std::string(kShapeHeader) +
                             "aws,x,A,1,4,16,s,2026-01-01\n"
                             "aws,X,A,1,4,16,s,2026-01-01\n";
  EXPECT_EQ(ErrorsOf({{"g.yaml", kTwoGpus}, {"s.csv", shapes}}),
            "s.csv:3: instance_type: 'aws/x' is already on line 2");
}

}  // namespace
}  // namespace plimsoll
