// Progress: how far long work has come. The library reports it, the CLI draws it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

namespace plimsoll {

// Called now and then from the working thread: what is being done, and how much of it.
// `total` is 0 while it is unknown.
using Progress = std::function<void(std::string_view what, std::int64_t done, std::int64_t total)>;

}  // namespace plimsoll
