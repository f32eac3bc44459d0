// NaiveIdle: a second reading of S16 (docs/decisions/0002), to check the first. Walks minutes and
// twelfths with plain loops over what RandomFleet and IdleMaker make: whole minutes, evidence for
// every holder, cards shared by sevenths, quarters or percents, one cluster.
#pragma once

#include <map>
#include <string>
#include <tuple>

#include "property/random_fleet.h"

namespace plimsoll {

// A node-hour's lines of nobody's waste before anything explains it; and a part of them after.
struct NaiveIdlePart {
  int128 millis = 0, gpu = 0, cpu = 0, memory = 0;
};
using NaiveNodeHour = std::pair<Instant, std::string>;

// What of `waste` is which class: parts that add up to it, by (hour, node, class). Within a class
// the claims are rounded one by one, so a part may be off by as many units as there are claims.
std::map<std::tuple<Instant, std::string, CostClass>, NaiveIdlePart> ExplainIdleNaively(
    const RandomFleet& fleet, const Conditions& conditions, const IdlePolicy& policy,
    const std::map<NaiveNodeHour, NaiveIdlePart>& waste);

}  // namespace plimsoll
