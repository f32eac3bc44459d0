// Any bytes as Kubernetes objects: never a crash, and what is taken is sound.
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "base/check.h"
#include "ingest/fleet_merge.h"
#include "ingest/kubernetes/cluster_objects.h"
#include "ingest/kubernetes/json_items.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::istringstream in(std::string(data, data + size));
  plimsoll::ClusterObjects objects("fuzz", nullptr);
  plimsoll::ReadJsonItems(in, {[&](const plimsoll::JsonItem& item, const nlohmann::json& object) {
                                 plimsoll::FieldError error;
                                 objects.Add(object, item.list_kind, error);
                               },
                               [](const std::string&, const std::string&) {}});
  const plimsoll::FleetFacts merged = plimsoll::MergeFacts(objects.Finish().facts);
  for (std::size_t i = 0; i < plimsoll::RowsOf(merged.holdings); ++i) {
    PLIMSOLL_CHECK(merged.holdings.devices[i] >= 0);
    PLIMSOLL_CHECK(merged.holdings.share_num[i] > 0 && merged.holdings.share_den[i] > 0);
    PLIMSOLL_CHECK(!merged.holdings.until[i] ||
                   merged.holdings.begin[i] <= *merged.holdings.until[i]);
  }
  for (std::size_t i = 0; i < plimsoll::RowsOf(merged.nodes); ++i) {
    PLIMSOLL_CHECK(merged.nodes.gpu_count[i] >= 0);
  }
  for (const std::int64_t gpus : merged.states.gpus) PLIMSOLL_CHECK(gpus >= 0);
  for (const std::int64_t gpus : merged.set_asides.gpus) PLIMSOLL_CHECK(gpus >= 0);
  for (std::size_t i = 0; i < plimsoll::RowsOf(merged.states); ++i) {
    PLIMSOLL_CHECK(merged.states.since[i] <= merged.states.seen[i]);
  }
  return 0;
}
