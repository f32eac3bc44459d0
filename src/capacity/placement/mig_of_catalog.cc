// SPDX-License-Identifier: Apache-2.0
#include "capacity/placement/mig_of_catalog.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace plimsoll {
namespace {

MigCard CardOf(const GpuModel& gpu, std::vector<std::string>& names) {
  MigCard card{static_cast<std::int32_t>(gpu.compute_slices),
               static_cast<std::int32_t>(gpu.memory_slices),
               {}};
  if (card.memory_slices > kMigSlicesMax) return {};
  for (const MigProfile& profile : gpu.profiles) {
    if (profile.name.ends_with("+me")) continue;
    const auto found = std::ranges::find(names, profile.name);
    MigCut cut;
    cut.profile = static_cast<std::int32_t>(found - names.begin());
    if (found == names.end()) names.push_back(profile.name);
    cut.compute_slices = static_cast<std::int32_t>(profile.compute_slices);
    cut.memory_slices = static_cast<std::int32_t>(profile.memory_slices);
    for (const std::int64_t start : profile.starts) {
      cut.starts.push_back(static_cast<std::int32_t>(start));
    }
    std::ranges::sort(cut.starts);
    card.cuts.push_back(std::move(cut));
  }
  return card;
}

}  // namespace

MigCards MigCardsOf(const Catalog& catalog, std::span<const std::string> flavors) {
  MigCards cards;
  for (const std::string& flavor : flavors) {
    const GpuModel* const gpu = catalog.FindGpu(flavor);
    cards.flavors.push_back(gpu == nullptr ? MigCard() : CardOf(*gpu, cards.profiles));
  }
  return cards;
}

Result<PodShape> WithMigProfile(PodShape shape, const MigCards& cards, const std::string& profile) {
  const auto found = std::ranges::find(cards.profiles, profile);
  if (found == cards.profiles.end()) {
    std::string names;
    for (const std::string& name : cards.profiles) names += (names.empty() ? "" : ", ") + name;
    return Error{ErrorCode::kNotFound, "'" + profile +
                                           "' is no MIG profile of the cluster's cards: " +
                                           (names.empty() ? "none of them can be cut" : names)};
  }
  shape.mig_profile = static_cast<std::int32_t>(found - cards.profiles.begin());
  shape.gpus = 1;
  FlavorSet having = 0;
  std::optional<std::int32_t> milli;
  for (std::size_t flavor = 0; flavor < cards.flavors.size(); ++flavor) {
    const MigCut* const cut = cards.flavors[flavor].Find(shape.mig_profile);
    if (cut == nullptr) continue;
    const std::int32_t here = MigMilli(cards.flavors[flavor], *cut);
    if (milli && *milli != here) {
      return Error{ErrorCode::kInvalidArgument, "MIG profile '" + profile +
                                                    "' is another part of a card on other flavors: "
                                                    "name the flavor"};
    }
    milli = here;
    having |= FlavorSet{1} << flavor;
  }
  shape.gpu_milli = *milli;  // a profile is of some flavor
  shape.flavors &= having;
  return shape;
}

}  // namespace plimsoll
