// The log of a service's requests.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "demo/produced.h"

namespace plimsoll {

// CSV in Plimsoll's own columns (docs/formats/requests.md), a request a line, as they ended.
std::string RequestsCsv(const DemoService& service);

}  // namespace plimsoll
