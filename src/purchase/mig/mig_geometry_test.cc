#include "purchase/mig/mig_geometry.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "purchase/mig/test_cards.h"

namespace plimsoll {
namespace {

// A100-80: "1g2" of the guides is 1g.20gb, one compute slice with two of memory.
using Names = std::vector<std::string>;

std::vector<MigCounts> DistinctOf(const MigGeometry& geometry,
                                  const std::vector<MigPlacement>& placements) {
  std::set<MigCounts> distinct;
  for (const MigPlacement& placement : placements) {
    MigCounts counts(geometry.profiles().size(), 0);
    for (const MigInstance& instance : placement) ++counts[instance.profile];
    distinct.insert(counts);
  }
  return {distinct.begin(), distinct.end()};
}

TEST(MigGeometryTest, PublishedNumbersOfPlacements) {
  for (const char* card : {"A100-SXM-40GB", "A100-SXM-80GB", "H100-SXM-80GB", "H200"}) {
    Names single;
    for (const MigProfile& profile : CardOf(card).profiles) {
      const bool is_double = profile.compute_slices == 1 && profile.memory_slices == 2;
      if (!is_double && !profile.name.ends_with("+me")) single.push_back(profile.name);
    }
    ASSERT_EQ(single.size(), 5U) << card;
    const Result<MigGeometry> five = MigGeometry::Of(CardOf(card), single);
    ASSERT_TRUE(five.has_value());
    // NVIDIA's own figure is 19; 14 of them differ in what they hold.
    EXPECT_EQ(five->MaximalPlacements().size(), 19U) << card;
    EXPECT_EQ(DistinctOf(*five, five->MaximalPlacements()).size(), 14U) << card;
    EXPECT_EQ(five->placements().size(), 297U) << card;
    EXPECT_EQ(five->partitions().size(), 37U) << card;
    const MigGeometry six = GeometryOf(card);
    EXPECT_EQ(six.MaximalPlacements().size(), 78U) << card;
    EXPECT_EQ(six.partitions().size(), 77U) << card;
  }
}

TEST(MigGeometryTest, PublishedPartitionsAreValid) {
  const MigGeometry a100 = GeometryOf("A100-80GB");
  const Names valid[] = {{"3g", "3g"},
                         {"4g", "3g"},
                         {"4g", "2g", "1g"},
                         {"3g", "2g", "1g", "1g"},
                         {"2g", "2g", "2g", "1g"},
                         {"2g", "2g", "2g", "1g.20gb"},
                         {"1g", "1g", "1g", "1g", "1g", "1g", "1g.20gb"},
                         {"3g", "1g.20gb", "1g.20gb"},
                         {"1g", "1g", "1g", "1g", "1g", "1g", "1g"},
                         {"7g"}};
  for (const Names& names : valid) {
    EXPECT_NE(a100.Find(CountsOf(a100, names)), nullptr) << names[0] << " " << names.size();
  }
}

TEST(MigGeometryTest, PublishedImpossiblePartitionsAreRefusedWithTheReason) {
  const MigGeometry a100 = GeometryOf("A100-80GB");
  const std::pair<Names, const char*> invalid[] = {
      {{"3g", "3g", "1g"}, "they need 9 memory slices"},
      {{"4g", "2g", "2g"}, "they need 8 compute slices"},
      {{"3g", "2g", "2g", "1g"}, "they need 8 compute slices"},
      {{"4g", "3g", "1g"}, "they need 8 compute slices"},
      {{"1g", "1g", "1g", "1g", "1g", "1g", "1g", "1g"}, "they need 8 compute slices"},
      {{"1g", "1g", "2g", "2g", "3g", "3g"}, "they need 12 compute slices"},
      {{"4g", "4g"}, "they need 8 compute slices"}};
  for (const auto& [names, reason] : invalid) {
    const MigCounts counts = CountsOf(a100, names);
    EXPECT_EQ(a100.Find(counts), nullptr);
    EXPECT_EQ(a100.WhyNot(counts).substr(0, std::string(reason).size()), reason);
  }
  EXPECT_NE(a100.WhyNot(CountsOf(a100, {"1g.20gb", "1g.20gb", "1g.20gb", "1g.20gb", "1g.20gb"}))
                .find("10 memory slices"),
            std::string::npos);
}

TEST(MigGeometryTest, StrandedSlicesAreWhatNothingCanUse) {
  const MigGeometry a100 = GeometryOf("A100-80GB");
  const auto stranded = [&](const Names& names) {
    return a100.Find(CountsOf(a100, names))->stranded;
  };
  EXPECT_EQ(stranded({"3g", "3g"}), (StrandedSlices{1, 0}));
  EXPECT_EQ(stranded({"4g", "3g"}), (StrandedSlices{0, 0}));
  EXPECT_EQ(stranded({"1g", "1g", "1g", "1g", "1g", "1g", "1g"}), (StrandedSlices{0, 1}));
  EXPECT_EQ(stranded({"3g", "2g", "1g", "1g"}), (StrandedSlices{0, 0}));
  // What is free is not stranded: 4g and 3g can still go beside nothing else's loss.
  EXPECT_EQ(stranded({"3g"}), (StrandedSlices{0, 0}));
  EXPECT_EQ(stranded({"1g"}), (StrandedSlices{0, 0}));
}

TEST(MigGeometryTest, OneGAtSlotZeroBlocksFourG) {
  const MigGeometry a100 = GeometryOf("A100-80GB");
  const std::size_t one = *a100.FindProfile("1g");
  const std::size_t four = *a100.FindProfile("4g");
  const auto can_add = [&](const MigPlacement& placement, std::size_t profile) {
    const std::vector<std::size_t> addable = a100.Addable(placement);
    return std::find(addable.begin(), addable.end(), profile) != addable.end();
  };
  EXPECT_FALSE(can_add({{one, 0}}, four));
  EXPECT_TRUE(can_add({{one, 6}}, four));
  // So the placement that is advised for both keeps slot 0 for 4g.
  const MigPartition* const both = a100.Find(CountsOf(a100, {"1g", "4g"}));
  ASSERT_NE(both, nullptr);
  EXPECT_EQ(both->placement.front(), (MigInstance{four, 0}));
}

TEST(MigGeometryTest, A30HasFourSlicesOfEach) {
  const MigGeometry a30 = GeometryOf("A30");
  EXPECT_NE(a30.Find(CountsOf(a30, {"1g", "1g", "1g", "1g"})), nullptr);
  EXPECT_NE(a30.Find(CountsOf(a30, {"2g", "1g", "1g"})), nullptr);
  EXPECT_NE(a30.Find(CountsOf(a30, {"2g", "2g"})), nullptr);
  EXPECT_EQ(a30.Find(CountsOf(a30, {"4g", "1g"})), nullptr);
  EXPECT_EQ(a30.Find(CountsOf(a30, {"2g", "2g", "1g"})), nullptr);
  // 4g; 2g or 1g 1g in each half.
  EXPECT_EQ(a30.MaximalPlacements().size(), 5U);
}

TEST(MigGeometryTest, RealGibNotNamesDecideOnH100Nvl) {
  // 10.75 x 2 + 21.62 + 46.38 = 89.5 GiB: the names say 12 + 12 + 24 + 47 of 94.
  const MigGeometry nvl = GeometryOf("H100-NVL");
  const MigPartition* const cut = nvl.Find(CountsOf(nvl, {"1g", "1g", "2g", "3g"}));
  ASSERT_NE(cut, nullptr);
  std::int64_t mib = 0;
  for (const MigInstance& instance : cut->placement) {
    mib += nvl.profiles()[instance.profile]->memory_mib;
  }
  EXPECT_NEAR(static_cast<double>(mib) / 1024, 89.5, 0.01);
}

// What the packing rests on: where a larger instance stands, a smaller one can.
TEST(MigGeometryTest, ASmallerProfileStandsWhereALargerOneDoes) {
  for (const char* card : {"A30", "A100-40GB", "H100-NVL", "H200", "B200", "GB200", "B300"}) {
    const MigGeometry geometry = GeometryOf(card);
    for (std::size_t i = 1; i < geometry.profiles().size(); ++i) {
      const MigProfile& small = *geometry.profiles()[i - 1];
      const MigProfile& large = *geometry.profiles()[i];
      EXPECT_LE(small.compute_slices, large.compute_slices) << card;
      EXPECT_LE(small.memory_slices, large.memory_slices) << card;
      for (const std::int64_t start : large.starts) {
        EXPECT_NE(std::find(small.starts.begin(), small.starts.end(), start), small.starts.end())
            << card << " " << small.name << " at " << start;
      }
    }
  }
}

TEST(MigGeometryTest, NamesThatAreNoProfilesAreRefused) {
  const MigGeometry a100 = GeometryOf("A100-80GB");
  EXPECT_EQ(a100.profiles()[*a100.FindProfile("1g")]->name, "1g.10gb");
  EXPECT_EQ(a100.profiles()[*a100.FindProfile("1g.20gb")]->name, "1g.20gb");
  const auto unknown = a100.FindProfile("5g");
  ASSERT_FALSE(unknown.has_value());
  EXPECT_NE(unknown.error().message.find("7g.80gb"), std::string::npos);
  const auto none = MigGeometry::Of(CardOf("L4"));
  ASSERT_FALSE(none.has_value());
  EXPECT_EQ(none.error().code, ErrorCode::kInvalidArgument);
}

}  // namespace
}  // namespace plimsoll
