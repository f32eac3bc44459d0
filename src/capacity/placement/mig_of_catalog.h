// The MIG cards of a cluster's flavors, as the catalog knows them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "base/result.h"
#include "capacity/model/mig_cards.h"
#include "capacity/model/pod_shape.h"
#include "catalog/catalog.h"

namespace plimsoll {

// For each flavor that names a GPU of the catalog its profiles, without those with media
// extensions ("+me"), which are the same slices; others cannot be cut.
MigCards MigCardsOf(const Catalog& catalog, std::span<const std::string> flavors);

// `shape` with an instance of the profile "3g.40gb" in place of its GPUs, on the flavors that have
// it. Fails with kNotFound, naming the profiles that there are; with kInvalidArgument where two
// flavors cut their cards in different numbers of compute slices for it.
Result<PodShape> WithMigProfile(PodShape shape, const MigCards& cards, const std::string& profile);

}  // namespace plimsoll
