// SPDX-License-Identifier: Apache-2.0
#include "capacity/placement/typical_pods.h"

#include <algorithm>
#include <tuple>

#include "base/check.h"

namespace plimsoll {
namespace {

auto KeyOf(const PodShape& shape) {
  return std::tuple(shape.cpu_milli, shape.gpu_milli, shape.gpus, shape.flavors, shape.mig_profile);
}

}  // namespace

TypicalPods TypicalPodsOf(std::span<const PodShape> pods, std::int64_t share_percent) {
  PLIMSOLL_CHECK(share_percent > 0 && share_percent <= 100);
  std::vector<PodShape> sorted(pods.begin(), pods.end());
  for (PodShape& shape : sorted) {
    shape.memory_mib = 0;
    if (shape.gpus == 0) shape.gpu_milli = 0;
  }
  std::ranges::sort(sorted,
                    [](const PodShape& a, const PodShape& b) { return KeyOf(a) > KeyOf(b); });
  std::vector<TypicalPod> all;
  for (const PodShape& shape : sorted) {
    if (all.empty() || !(all.back().shape == shape)) all.push_back({shape, 0});
    ++all.back().count;
  }
  std::ranges::stable_sort(
      all, [](const TypicalPod& a, const TypicalPod& b) { return a.count > b.count; });
  TypicalPods typical;
  typical.shapes_seen = static_cast<std::int64_t>(all.size());
  const auto total = static_cast<std::int64_t>(pods.size());
  for (const TypicalPod& pod : all) {
    if (typical.count * 100 >= total * share_percent) break;
    typical.pods.push_back(pod);
    typical.count += pod.count;
  }
  return typical;
}

}  // namespace plimsoll
