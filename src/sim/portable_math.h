// Logarithm, exponential and power with the same bits on every machine.
//
// A C library's own differ in the last place from one to the next, and a simulation that draws
// by them would not repeat. These use +, -, x and / only, which IEEE 754 defines (sqrt too).
// Errors are below 4 units in the last place; a power adds |y log x| of them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace plimsoll::portable {

// REQUIRES: x > 0 and finite
double Log(double x);

// 0 below -745, infinity above 709.78.
double Exp(double x);

// x^y = Exp(y Log x), 0 for x = 0. REQUIRES: x >= 0, y > 0
double Power(double x, double y);

}  // namespace plimsoll::portable
