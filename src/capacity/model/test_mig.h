// Fixtures of tests with MIG: an A100 as NVIDIA's MIG User Guide gives it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capacity/model/cluster.h"
#include "capacity/model/mig_cards.h"

namespace plimsoll {

inline constexpr std::int32_t kMig1g = 0, kMig2g = 1, kMig3g = 2, kMig4g = 3, kMig7g = 4;

inline MigCard A100() {
  return {7,
          8,
          {{kMig1g, 1, 1, {0, 1, 2, 3, 4, 5, 6}},
           {kMig2g, 2, 2, {0, 2, 4}},
           {kMig3g, 3, 4, {0, 4}},
           {kMig4g, 4, 4, {0}},
           {kMig7g, 7, 8, {0}}}};
}

inline MigCards A100s() {
  return {{"1g.10gb", "2g.20gb", "3g.40gb", "4g.40gb", "7g.80gb"}, {A100()}};
}

inline PodShape MigPod(std::int32_t profile) {
  const MigCard card = A100();
  return {1'000, 1'024, 1, MigMilli(card, *card.Find(profile)), kAnyFlavor, profile};
}

}  // namespace plimsoll
