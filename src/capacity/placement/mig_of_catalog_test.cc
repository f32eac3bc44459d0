#include "capacity/placement/mig_of_catalog.h"

#include <gtest/gtest.h>

#include <vector>

#include "capacity/model/cluster.h"

namespace plimsoll {
namespace {

const Catalog& Builtin() {
  static const Catalog catalog = *Catalog::Load(BuiltinCatalogFiles());
  return catalog;
}

TEST(MigOfCatalogTest, ACardTakesWhatTheCatalogSaysItHolds) {
  const std::vector<std::string> flavors{"A100-80GB", "A30", "T4"};
  const MigCards cards = MigCardsOf(Builtin(), flavors);
  for (std::size_t i = 0; i < 2; ++i) {
    const GpuModel& gpu = *Builtin().FindGpu(flavors[i]);
    ASSERT_FALSE(cards.flavors[i].cuts.empty());
    for (const MigCut& cut : cards.flavors[i].cuts) {
      const std::string& name = cards.profiles[static_cast<std::size_t>(cut.profile)];
      const auto profile = std::find_if(gpu.profiles.begin(), gpu.profiles.end(),
                                        [&](const MigProfile& p) { return p.name == name; });
      ASSERT_NE(profile, gpu.profiles.end());
      EXPECT_EQ(MigRoom(cards.flavors[i], {}, cut), profile->max) << flavors[i] << " " << name;
    }
  }
  EXPECT_TRUE(cards.flavors[2].cuts.empty());
}

TEST(MigOfCatalogTest, AProfileIsOnItsFlavorsAlone) {
  const std::vector<std::string> flavors{"T4", "A100-80GB"};
  const MigCards cards = MigCardsOf(Builtin(), flavors);
  const Result<PodShape> shape = WithMigProfile({1'000, 0, 1}, cards, "3g.40gb");
  ASSERT_TRUE(shape.has_value());
  EXPECT_EQ(shape->flavors, FlavorSet{0b10});
  EXPECT_EQ(shape->gpu_milli, 428);
  Cluster cluster(flavors, DomainTree(), {{"t", 0, 8'000, 0, 2, {}}, {"a", 1, 8'000, 0, 1, {}}});
  cluster.SetMig(cards);
  EXPECT_FALSE(cluster.Fits(0, *shape));
  EXPECT_EQ(cluster.Slots(1, *shape), 2);
}

TEST(MigOfCatalogTest, AnUnknownProfileNamesThoseThatThereAre) {
  const std::vector<std::string> flavors{"A30"};
  const Result<PodShape> shape = WithMigProfile({}, MigCardsOf(Builtin(), flavors), "3g.40gb");
  ASSERT_FALSE(shape.has_value());
  EXPECT_EQ(shape.error().code, ErrorCode::kNotFound);
  EXPECT_NE(shape.error().message.find("2g.12gb"), std::string::npos);
}

}  // namespace
}  // namespace plimsoll
