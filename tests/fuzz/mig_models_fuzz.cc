// Any bytes are a list of models to pack: no crash, errors that name a place, needs within
// their limits, and a plan of every list that is read.
#include <cstdint>
#include <string>

#include "base/check.h"
#include "purchase/mig/mig_plan.h"

namespace plimsoll {
namespace {

void ReadAs(const std::string& file, const std::string& text) {
  static const Catalog catalog = *Catalog::Load(BuiltinCatalogFiles());
  static const MigGeometry geometry = *MigGeometry::Of(*catalog.FindGpu("A100-SXM-80GB"));
  const Result<std::vector<SliceModel>> models = ReadSliceModels(file, text);
  if (!models) {
    PLIMSOLL_CHECK(models.error().code == ErrorCode::kBadData);
    PLIMSOLL_CHECK(models.error().message.starts_with(file));
    return;
  }
  std::int64_t replicas = 0;
  for (const SliceModel& model : *models) {
    PLIMSOLL_CHECK(!model.name.empty() && model.memory_mib > 0);
    PLIMSOLL_CHECK(model.tensor_parallel > 0 && model.instances_per_pod > 0);
    replicas += model.replicas * model.instances_per_pod;
  }
  PLIMSOLL_CHECK(replicas > 0 && replicas <= kSliceReplicasMax);
  if (replicas > 200) return;  // a search that proves nothing about the reader
  const Result<MigPlan> plan = PlanMig(geometry, *models, 1'000);
  if (!plan) return;
  PLIMSOLL_CHECK(plan->cards() <= plan->cards_without_mig);
  PLIMSOLL_CHECK(plan->packing.lower_bound <=
                 static_cast<std::int64_t>(plan->packing.cards.size()));
}

}  // namespace
}  // namespace plimsoll

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  plimsoll::ReadAs("m.yaml", text);
  plimsoll::ReadAs("m.csv", text);
  return 0;
}
