#include "capacity/quota/preemption.h"

#include "capacity/quota/eviction_search.h"

namespace plimsoll {

std::vector<Victim> FindVictims(QuotaState& state, const Preemptor& preemptor,
                                const QuotaRules& rules) {
  EvictionSearch search(state, preemptor, rules);
  return rules.fair_sharing ? FairVictims(search) : ClassicalVictims(search);
}

}  // namespace plimsoll
