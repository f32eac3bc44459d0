#include "units/time.h"
plimsoll::Instant good = plimsoll::AtSeconds(1) + plimsoll::Seconds(5);
