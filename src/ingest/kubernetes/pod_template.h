// PodTemplate: the GPUs that a pod of some other object's template would hold.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "ingest/kubernetes/field_reader.h"
#include "ingest/pod.h"

namespace plimsoll {

// Millionths of a card, rounded down: exact for sums that make whole cards.
inline constexpr std::int64_t kMicrosPerCard = 1'000'000;

// Cards behind what a pod holds, in micros.
std::int64_t CardMicrosOf(const PodRecord& pod);

// Of `micros`, whole cards, a part of one rounded up.
std::int64_t WholeCards(std::int64_t micros);

// The pod template of a PodTemplate, Deployment, StatefulSet, Job, CronJob, LeaderWorkerSet (its
// workers) or any kind that keeps one in spec.template; null if there is none.
std::optional<FieldReader> TemplateOf(const FieldReader& object);

// Cards of a pod of `pod_template` in micros: by name alone, so a GPU is a whole card.
std::int64_t CardMicrosOf(const FieldReader& pod_template);

}  // namespace plimsoll
