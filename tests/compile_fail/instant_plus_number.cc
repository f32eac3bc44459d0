#include "units/time.h"
plimsoll::Instant bad = plimsoll::AtSeconds(1) + 5;
