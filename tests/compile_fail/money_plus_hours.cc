#include "units/money.h"
auto bad = plimsoll::Money::Units(1) + plimsoll::WholeGpuHours(1);
