// A bill in the columns of FOCUS 1.2.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "demo/fleet.h"

namespace plimsoll {

// CSV with a header: the 57 columns of FOCUS 1.2 in alphabetical order, nulls empty.
std::string FocusCsv(const DemoBill& bill);

// "EUINUS26-202611": the invoice of a calendar month.
std::string InvoiceIdOf(const DemoBill& bill, Instant t);

}  // namespace plimsoll
