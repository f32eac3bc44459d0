#include "ingest/kubernetes/pod_template.h"

#include <algorithm>

#include "ingest/kubernetes/pod_requests.h"

namespace plimsoll {
namespace {

constexpr std::int64_t kMicrosMax = std::int64_t{1} << 40;  // a million cards

}  // namespace

std::int64_t CardMicrosOf(const PodRecord& pod) {
  std::int64_t micros = 0;
  for (const HeldDevices& held : HeldDevicesOf(pod)) {
    const std::int64_t devices = std::min<std::int64_t>(held.devices, 1'000'000);
    const int128 cards = int128{devices} * held.unit.share_num * kMicrosPerCard;
    micros += static_cast<std::int64_t>(
        std::min<int128>(cards / std::max<std::int64_t>(1, held.unit.share_den), kMicrosMax));
  }
  return std::min(micros, kMicrosMax);
}

std::int64_t WholeCards(std::int64_t micros) {
  return (micros + kMicrosPerCard - 1) / kMicrosPerCard;
}

std::optional<FieldReader> TemplateOf(const FieldReader& object) {
  for (const char* path : {"template", "spec.template", "spec.jobTemplate.spec.template",
                           "spec.leaderWorkerTemplate.workerTemplate"}) {
    const auto parent = object.Object(path);
    if (parent && parent->Object("spec")) return parent;
  }
  return std::nullopt;
}

std::int64_t CardMicrosOf(const FieldReader& pod_template) {
  PodRequests requests = EffectiveRequests(pod_template);
  PodRecord pod;
  pod.requests = std::move(requests.amounts);
  pod.units = std::move(requests.units);
  return CardMicrosOf(pod);
}

}  // namespace plimsoll
