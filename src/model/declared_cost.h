// DeclaredCost: cost that no bill of the fleet holds, as its owners state it by the month.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "units/money.h"
#include "units/time.h"

namespace plimsoll {

// Of them, storage and network are storage and network cost, all others overhead.
inline constexpr const char* kDeclaredKinds[] = {"control-plane", "licence", "platform", "people",
                                                 "support",       "storage", "network",  "other"};

struct DeclaredCost {
  std::string name;  // unique
  std::string kind;  // kDeclaredKinds
  Money amount;      // a calendar month; an hour costs its part of the month
  std::string team;  // that carries it; "" is shared (see `allocate --share`)
  std::optional<Instant> from, until;
};

// What a volume costs where no bill names it.
struct VolumePrice {
  std::string storage_class;  // may end in '*'; first match counts
  Money per_gib_month;        // a GiB of capacity for a calendar month
};

}  // namespace plimsoll
