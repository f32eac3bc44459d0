#include "units/money.h"
auto good = plimsoll::Money::Units(1) + plimsoll::Money::Units(1);
