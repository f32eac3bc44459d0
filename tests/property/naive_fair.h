// NaiveFairVictims: fair sharing's preemption told step by step: every share is counted anew at
// every step, every list searched from its start. The oracle of FindVictims with fair sharing.
#pragma once

#include <vector>

#include "capacity/quota/preemption.h"

namespace plimsoll {

std::vector<Victim> NaiveFairVictims(QuotaState state, const Preemptor& preemptor,
                                     const QuotaRules& rules);

}  // namespace plimsoll
