#include "ingest/kubernetes/pod_requests.h"

#include <algorithm>
#include <numeric>
#include <string_view>

#include "ingest/kubernetes/kubernetes_quantity.h"

namespace plimsoll {
namespace {

using Amounts = std::map<std::string, std::int64_t>;

constexpr const char* kCores = "nvidia.com/gpucores";  // percent of each GPU of the container
constexpr const char* kGpu = "nvidia.com/gpu";
constexpr const char* kFraction = "kai.scheduler/gpu-fraction";
constexpr std::int64_t kAmountMax = std::int64_t{1} << 56;

bool IsCounted(const std::string& resource) {
  return resource == "cpu" || resource == "memory" || resource == kCores ||
         DeviceUnitOf(resource).has_value();
}

void ReadAmounts(const FieldReader& reader, const char* path, Amounts& amounts) {
  for (const auto& [resource, text] : reader.Texts(path)) {
    if (!IsCounted(resource)) continue;
    const auto amount = ParseKubernetesQuantity(text, resource == "cpu" ? 1'000 : 1);
    if (!amount || *amount > kAmountMax) {
      reader.Fail(std::string(path) + "." + resource,
                  amount ? "is too large" : amount.error().message);
    } else {
      amounts[resource] = *amount;
    }
  }
}

Amounts RequestsOf(const FieldReader& container) {
  Amounts amounts;
  ReadAmounts(container, "resources.limits", amounts);
  ReadAmounts(container, "resources.requests", amounts);
  return amounts;
}

void AddAmounts(Amounts& to, const Amounts& from) {
  for (const auto& [resource, amount] : from) {
    std::int64_t& sum = to[resource];
    sum = std::min(sum + amount, kAmountMax);
  }
}

void KeepLarger(Amounts& to, const Amounts& from) {
  for (const auto& [resource, amount] : from) to[resource] = std::max(to[resource], amount);
}

// "0.5" as 1/2; {0, 1} if it is not a fraction between 0 and 1.
DeviceUnit FractionUnit(std::string_view text) {
  const auto ten_thousandths = ParseKubernetesQuantity(text, 10'000);
  if (!ten_thousandths || *ten_thousandths <= 0 || *ten_thousandths > 10'000) {
    return {"gpu.fraction", 0, 1};
  }
  const std::int64_t divisor = std::gcd(*ten_thousandths, std::int64_t{10'000});
  return {"gpu.fraction", *ten_thousandths / divisor, 10'000 / divisor};
}

void ReadFraction(const FieldReader& pod, PodRequests& requests) {
  const auto annotations = pod.Texts("metadata.annotations");
  if (const auto fraction = annotations.find("gpu-fraction"); fraction != annotations.end()) {
    const DeviceUnit unit = FractionUnit(fraction->second);
    if (unit.share_num == 0) {
      pod.Fail("metadata.annotations.gpu-fraction", "is not a fraction such as 0.5");
      return;
    }
    std::int64_t devices = 1;
    const auto count = annotations.find("gpu-fraction-num-devices");
    if (count != annotations.end()) {
      const auto parsed = ParseKubernetesQuantity(count->second, 1);
      if (parsed && *parsed > 0 && *parsed <= 1'024) devices = *parsed;
    }
    requests.amounts[kFraction] = devices;
    requests.units[kFraction] = unit;
  } else if (annotations.contains("gpu-memory")) {
    requests.has_unknown_share = true;
  }
}

}  // namespace

PodRequests EffectiveRequests(const FieldReader& pod) {
  Amounts sidecars;
  Amounts largest_init;
  std::int64_t cores = 0;
  const auto requests_of = [&](const FieldReader& container) {
    Amounts amounts = RequestsOf(container);
    if (amounts.contains(kGpu) && amounts.contains(kCores)) {
      cores = std::max(cores, amounts[kCores]);
    }
    amounts.erase(kCores);
    return amounts;
  };
  for (const FieldReader& container : pod.Elements("spec.initContainers")) {
    const Amounts amounts = requests_of(container);
    if (container.Text("restartPolicy") == "Always") {
      AddAmounts(sidecars, amounts);
      KeepLarger(largest_init, sidecars);
    } else {
      Amounts with_sidecars = sidecars;
      AddAmounts(with_sidecars, amounts);
      KeepLarger(largest_init, with_sidecars);
    }
  }
  Amounts total = sidecars;
  for (const FieldReader& container : pod.Elements("spec.containers")) {
    AddAmounts(total, requests_of(container));
  }
  KeepLarger(total, largest_init);
  Amounts of_pod;
  ReadAmounts(pod, "spec.resources.requests", of_pod);
  for (const auto& [resource, amount] : of_pod) total[resource] = amount;
  Amounts overhead;
  ReadAmounts(pod, "spec.overhead", overhead);
  AddAmounts(total, overhead);

  PodRequests requests;
  requests.amounts = std::move(total);
  if (cores > 0 && cores < 100) requests.units[kGpu] = {"gpu.cores", cores, 100};
  ReadFraction(pod, requests);
  requests.has_claims = !pod.Elements("spec.resourceClaims").empty();
  return requests;
}

}  // namespace plimsoll
