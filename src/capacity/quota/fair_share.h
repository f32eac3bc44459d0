// FairShare: how much more than its quota a node of the tree holds, for fair sharing.
//
// Kueue's dominant resource share: of all resources the greatest of borrowed / lendable, all
// flavors of a resource together, in thousandths, over the node's weight. Numbers are IEEE
// doubles computed in Kueue's order, so that ties are ties where Kueue has them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <span>

#include "capacity/quota/quota_tree.h"

namespace plimsoll {

struct FairShare {
  double ratio = 0;  // before the weight; 0 also of a root
  double weight = 1;
  bool borrows = false;  // more than its quota of anything

  // Of weight 0 and borrowing: above all others.
  bool IsInfinite() const { return weight == 0 && borrows; }
  // Weighted; infinity as such.
  double value() const;
};

// Infinite shares by their ratios, others by their values.
std::weak_ordering Compare(const FairShare& a, const FairShare& b);

FairShare ShareOf(const QuotaTree& tree, QuotaNode node);
// Whether the node is above its quota of any cell that is asked for (amounts above 0).
bool BorrowsAny(const QuotaTree& tree, QuotaNode node, std::span<const QuotaAmount> amounts);

}  // namespace plimsoll
