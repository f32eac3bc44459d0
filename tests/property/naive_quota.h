// NaiveQuota: Kueue's quota tree told once more: from the list of what is held, by recursion, with
// nothing kept between two questions. The oracle of capacity/quota's tree.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "capacity/quota/quota_spec.h"

namespace plimsoll {

// One flavor and resource only; a workload is (queue, amount).
class NaiveQuota {
 public:
  explicit NaiveQuota(const QuotaSpec& spec);

  using Held = std::vector<std::pair<std::string, std::int64_t>>;
  std::int64_t Available(const std::string& queue, const Held& held) const;
  // Whether every limit that the spec names is kept with `held`: no queue or cohort takes more
  // from above than its borrowing limit, none lends more than its lending limit, and no root
  // more than there is.
  bool KeepsLimits(const Held& held) const;
  // What a node, with all below it, holds beyond its quota; at most 0 within it.
  std::int64_t Excess(const std::string& node, const Held& held) const;

 private:
  struct Node {
    std::string parent;
    ResourceQuota quota;
    std::vector<std::string> children;
  };
  std::int64_t Subtree(const std::string& node) const;
  std::int64_t Local(const std::string& node) const;
  std::int64_t Usage(const std::string& node, const Held& held) const;

  std::map<std::string, Node> nodes_;
};

}  // namespace plimsoll
