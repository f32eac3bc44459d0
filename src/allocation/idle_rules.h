// IdleRules: divides idle GPU time that nothing explained so far (class waste) among the
// classes of rule S16, node by node and twelfth by twelfth of an hour.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "allocation/idle_claims.h"
#include "allocation/node_hour.h"

namespace plimsoll {

class IdleRules {
 public:
  IdleRules(const AllocationInput& input, const AllocationOptions& options,
            const DeviceGrid& devices, const NodeTable& nodes, WorkloadTable& workloads);

  // False if no idle time can be other than waste: then Apply need not be called.
  bool active() const { return !claims_.empty() || !waiting_.empty() || typical_ > 0; }
  // Gives owners their final numbers.
  void Renumber(std::span<const std::int32_t> final_ids);

  // Replaces nobody's waste lines of the hour by lines of the classes that explain them; sums
  // of time and of each cost stay. `idle` is by node, ascending. Fails past 38 digits.
  Status Apply(Instant hour, std::span<const IdleTime> idle, std::vector<HourLine>& lines);

 private:
  struct Taken {  // of one node and hour
    std::int32_t workload;
    CostClass cost_class;
    std::int64_t parts;  // kIdleParts of a millisecond
  };
  struct Left {  // of one node in a cut of a twelfth
    std::int64_t waste, shared, missing_cards;
    Duration length;  // of it provisioned
  };
  Status DivideTwelfth(const std::vector<const IdleClaim*>& claims, const Window& twelfth,
                       std::size_t t);
  Status Claim(const IdleClaim& claim, Duration length);
  Status Share(const IdleClaim& claim, std::size_t at, std::int64_t parts);
  void Strand(std::size_t at, std::int64_t least, std::int64_t free_cards);
  std::int64_t SmallestShape(Symbol cluster, const Window& twelfth) const;
  Status Rewrite(std::vector<HourLine>& lines) const;
  static Status DivideLine(const HourLine& line, const std::vector<Taken>& taken,
                           std::int64_t waste, std::int64_t all, std::vector<HourLine>& out);
  void Take(std::size_t at, std::int32_t workload, CostClass cost_class, std::int64_t parts);

  const NodeTable& nodes_;
  std::vector<IdleClaim> claims_;
  std::vector<WaitingShape> waiting_;
  std::int64_t typical_ = 0;  // least GPUs of usual requests; 0: not declared

  // Of the current hour; `at` indexes idle_.
  std::span<const IdleTime> idle_;
  std::vector<Left> left_;
  std::vector<std::vector<Taken>> taken_;
};

}  // namespace plimsoll
