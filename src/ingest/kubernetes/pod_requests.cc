#include "ingest/kubernetes/pod_requests.h"

#include <algorithm>
#include <numeric>
#include <string_view>

#include "ingest/kubernetes/kubernetes_quantity.h"

namespace plimsoll {
namespace {

using Amounts = std::map<std::string, std::int64_t>;

constexpr const char* kCores = "nvidia.com/gpucores";  // percent of each GPU of the container
constexpr const char* kMemoryPercent = "nvidia.com/gpumem-percentage";  // HAMi, of each GPU
constexpr const char* kMemoryMib = "nvidia.com/gpumem";                 // HAMi, of each GPU
constexpr const char* kGpu = "nvidia.com/gpu";
constexpr const char* kFraction = "kai.scheduler/gpu-fraction";
constexpr std::int64_t kAmountMax = std::int64_t{1} << 56;
constexpr std::int64_t kMemoryMibMax = 1 << 24;  // 16 TiB: more than any card has

bool IsOfDevice(const std::string& resource) {
  return resource == kCores || resource == kMemoryPercent || resource == kMemoryMib;
}

bool IsCounted(const std::string& resource) {
  return resource == "cpu" || resource == "memory" || IsOfDevice(resource) ||
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

// What the status says that containers have, by name: more than the spec while a resize down
// has not come through.
std::map<std::string, Amounts> AllocatedOf(const FieldReader& pod) {
  std::map<std::string, Amounts> allocated;
  for (const char* list : {"status.containerStatuses", "status.initContainerStatuses"}) {
    for (const FieldReader& status : pod.Elements(list)) {
      Amounts& amounts = allocated[status.Text("name")];
      ReadAmounts(status, "allocatedResources", amounts);
      ReadAmounts(status, "resources.requests", amounts);
    }
  }
  return allocated;
}

Amounts RequestsOf(const FieldReader& container, const std::map<std::string, Amounts>& allocated) {
  Amounts amounts;
  ReadAmounts(container, "resources.limits", amounts);
  ReadAmounts(container, "resources.requests", amounts);
  const auto held = allocated.find(container.Text("name"));
  if (held == allocated.end()) return amounts;
  for (const char* resource : {"cpu", "memory"}) {
    const auto amount = held->second.find(resource);
    const auto asked = amounts.find(resource);
    if (amount == held->second.end() || asked == amounts.end()) continue;
    asked->second = std::max(asked->second, amount->second);
  }
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

std::int64_t FractionDevices(const std::map<std::string, std::string>& annotations) {
  const auto count = annotations.find("gpu-fraction-num-devices");
  if (count == annotations.end()) return 1;
  const auto parsed = ParseKubernetesQuantity(count->second, 1);
  return parsed && *parsed > 0 && *parsed <= 1'024 ? *parsed : 1;
}

void ReadFraction(const FieldReader& pod, PodRequests& requests) {
  const auto annotations = pod.Texts("metadata.annotations");
  if (const auto fraction = annotations.find("gpu-fraction"); fraction != annotations.end()) {
    const DeviceUnit unit = FractionUnit(fraction->second);
    if (unit.share_num == 0) {
      pod.Fail("metadata.annotations.gpu-fraction", "is not a fraction such as 0.5");
      return;
    }
    requests.amounts[kFraction] = FractionDevices(annotations);
    requests.units[kFraction] = unit;
  } else if (const auto mib = annotations.find("gpu-memory"); mib != annotations.end()) {
    const auto memory = ParseKubernetesQuantity(mib->second, 1);
    if (!memory || *memory <= 0 || *memory > kMemoryMibMax) {
      pod.Fail("metadata.annotations.gpu-memory", "is not a number of MiB such as 20000");
      return;
    }
    requests.amounts[kFraction] = FractionDevices(annotations);
    requests.memory_mib[kFraction] = *memory;
  }
}

// HAMi gives shares of a GPU by cores, or by memory alone.
void ReadShares(const Amounts& largest, PodRequests& requests) {
  const auto amount = [&](const char* resource) {
    const auto found = largest.find(resource);
    return found == largest.end() ? std::int64_t{0} : found->second;
  };
  const std::int64_t cores = amount(kCores);
  const std::int64_t percent = amount(kMemoryPercent);
  const std::int64_t mib = amount(kMemoryMib);
  if (cores > 0) {
    if (cores < 100) requests.units[kGpu] = {"gpu.cores", cores, 100};
  } else if (percent > 0) {
    if (percent < 100) requests.units[kGpu] = {"gpu.memory", percent, 100};
  } else if (mib > 0 && mib <= kMemoryMibMax) {
    requests.memory_mib[kGpu] = mib;
  }
}

}  // namespace

PodRequests EffectiveRequests(const FieldReader& pod) {
  Amounts sidecars;
  Amounts largest_init;
  Amounts shares;  // of each device, the largest of any container that has one
  const std::map<std::string, Amounts> allocated = AllocatedOf(pod);
  const auto requests_of = [&](const FieldReader& container) {
    Amounts amounts = RequestsOf(container, allocated);
    for (const char* resource : {kCores, kMemoryPercent, kMemoryMib}) {
      const auto share = amounts.find(resource);
      if (share == amounts.end()) continue;
      if (amounts.contains(kGpu)) shares[resource] = std::max(shares[resource], share->second);
      amounts.erase(share);
    }
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
  ReadShares(shares, requests);
  ReadFraction(pod, requests);
  return requests;
}

bool ApplyMemoryShares(const std::map<std::string, std::int64_t>& memory_mib, std::int64_t card_mib,
                       std::map<std::string, DeviceUnit>& units) {
  if (card_mib <= 0) return memory_mib.empty();
  for (const auto& [resource, mib] : memory_mib) {
    const std::int64_t part = std::min(mib, card_mib);
    const std::int64_t divisor = std::gcd(part, card_mib);
    units[resource] = {resource == kFraction ? "gpu.fraction" : "gpu.memory", part / divisor,
                       card_mib / divisor};
  }
  return true;
}

}  // namespace plimsoll
