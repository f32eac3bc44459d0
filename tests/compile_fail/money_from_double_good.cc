#include "units/money.h"
plimsoll::Money good = plimsoll::Money::Units(1);
