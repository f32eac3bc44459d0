// IeeeText: floating-point numbers of binary logs as decimal text, by their bits.
//
// The one place of this folder that touches them: what TensorBoard and SQLite store in binary
// becomes the shortest decimal that reads back as the same number.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace plimsoll {

// "0.1", "1e-07", "nan", "-inf". Written without an exponent from 1e-5 up to 1e16.
std::string Ieee32Text(std::uint32_t bits);
std::string Ieee64Text(std::uint64_t bits);

}  // namespace plimsoll
