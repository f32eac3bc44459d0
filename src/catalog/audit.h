// AuditCatalog: what is suspicious in a catalog that loads without errors.
//
// A user's own file may hold such rows for a reason, so they are no errors; in the built-in
// catalog there must be none.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "catalog/catalog.h"

namespace plimsoll {

// One sentence a finding, in a fixed order:
// - a price of an instance type that has no shape (owned nodes need none);
// - one region with prices in more than one currency;
// - a list price more than 10 times another region's of the same currency, or more than 10
//   times its predecessor in time: a currency mix-up, or a price of something else.
std::vector<std::string> AuditCatalog(const Catalog& catalog);

}  // namespace plimsoll
