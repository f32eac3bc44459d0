// Any bytes are Kueue's objects: no crash, errors with a reason, and quotas that make a tree.
#include <cstdint>
#include <string>

#include "base/check.h"
#include "capacity/quota/quota_tree.h"
#include "ingest/cluster/kueue_objects.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const plimsoll::KueueFile files[] = {{"k.yaml", std::string(data, data + size)}};
  const auto objects = plimsoll::ReadKueueObjects(files);
  if (!objects) {
    PLIMSOLL_CHECK(objects.error().code == plimsoll::ErrorCode::kBadData);
    PLIMSOLL_CHECK(!objects.error().message.empty());
    return 0;
  }
  const auto tree = plimsoll::QuotaTree::Build(objects->quotas);
  PLIMSOLL_CHECK(tree.has_value());
  for (plimsoll::QuotaNode node = 0; node < tree->queues(); ++node) {
    for (plimsoll::QuotaCell cell = 0; cell < tree->cells(); ++cell) {
      PLIMSOLL_CHECK(tree->Available(node, cell) == tree->quota(node, cell).potential);
    }
  }
  return 0;
}
