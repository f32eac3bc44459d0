#include "units/money.h"
bool f() { return plimsoll::Money::Parse("1").has_value(); }
