// TasCase: one case of Kueue's topology-aware scheduling as a file has it.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "capacity/topology/tas_assign.h"

namespace plimsoll {

struct TasCase {
  // Of several pods on one domain before the case.
  struct Usage {
    std::vector<std::string> values;
    ResourceAmounts pod;
    std::int64_t count = 0;
  };
  struct Pod {  // that TAS does not manage
    std::string node;
    ResourceAmounts amounts;
  };
  struct Wanted {
    std::optional<TasAssignment> assignment;
    std::string reason;
  };

  std::string name;
  TasFlavor flavor;
  std::vector<KubeNode> nodes;
  std::vector<Pod> pods;
  std::vector<Usage> own_usage, sibling_usage;
  std::vector<TasPodSet> podsets;
  std::vector<Wanted> wanted;  // by podset
  TasOptions options;
};

// The case at `i` of the document's cases. Fails with kBadData, the case's name and the field.
Result<TasCase> ReadTasCase(const nlohmann::json& document, std::size_t i);

}  // namespace plimsoll
