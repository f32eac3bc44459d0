#include "units/money.h"
void f() { plimsoll::Money::Parse("1"); }  // a Result that nobody looks at
