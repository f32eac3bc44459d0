#include "units/money.h"
plimsoll::Money bad = 1.5;
