// QuotaTree: quotas of queues and cohorts, what is used of them, and what is still to be had.
//
// Kueue's arithmetic exactly: a node's subtree quota is its own and what its children lend; of it
// `local` is what a lending limit keeps from the parent; usage above the free local part is the
// parent's too. Limits are shared by copies, so a copy (a snapshot) costs the usage alone.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "capacity/quota/quota_spec.h"
#include "units/money.h"

namespace plimsoll {

using QuotaNode = std::uint32_t;  // queues first, in the order of the spec, then cohorts
using QuotaCell = std::uint32_t;  // a (flavor, resource) that any quota names
inline constexpr QuotaNode kNoQuotaNode = ~QuotaNode{0};
inline constexpr QuotaCell kNoQuotaCell = ~QuotaCell{0};
inline constexpr std::uint32_t kNoResource = ~std::uint32_t{0};
inline constexpr std::int64_t kQuotaAmountMax = std::int64_t{1} << 60;  // also of a cell's sum
inline constexpr std::size_t kCohortDepthMax = 64;

struct QuotaAmount {
  QuotaCell cell = 0;
  std::int64_t amount = 0;

  friend bool operator==(const QuotaAmount&, const QuotaAmount&) = default;
};

class QuotaTree {
 public:
  // Fails with kBadData: a name twice, a cohort within itself, a flavor of a group without one of
  // its resources, a resource in two groups of a queue, amounts below 0 or too large to add up.
  static Result<QuotaTree> Build(const QuotaSpec& spec);

  std::size_t queues() const { return layout_->queues; }
  std::size_t size() const { return layout_->nodes.size(); }
  std::size_t cells() const { return layout_->cells.size(); }
  const std::vector<std::string>& flavors() const { return layout_->flavors; }
  const std::vector<std::string>& resources() const { return layout_->resources; }

  struct Cell {
    std::uint32_t flavor = 0;    // index into flavors()
    std::uint32_t resource = 0;  // index into resources()
  };
  Cell cell(QuotaCell cell) const { return layout_->cells[cell]; }
  QuotaCell FindCell(std::uint32_t flavor, std::uint32_t resource) const;  // or kNoQuotaCell
  QuotaCell FindCell(std::string_view flavor, std::string_view resource) const;
  QuotaNode FindQueue(std::string_view name) const;         // or kNoQuotaNode
  QuotaNode FindCohort(std::string_view name) const;        // or kNoQuotaNode
  std::uint32_t FindResource(std::string_view name) const;  // or kNoResource
  // The resource "pods", of which each pod takes one without asking; or kNoResource.
  std::uint32_t pods_resource() const { return layout_->pods_resource; }

  // A group of a queue with indices for names: cells[f][r] is flavors[f]'s quota of resources[r].
  struct Group {
    std::vector<std::uint32_t> flavors, resources;
    std::vector<std::vector<QuotaCell>> cells;
  };
  struct Node {
    std::string name;
    QuotaNode parent = kNoQuotaNode;
    std::vector<QuotaNode> cohorts, queues;  // children
    std::int32_t height = 0;                 // to the farthest leaf, 0 of a queue
    std::int64_t weight_nano = kWeightOne;
    std::vector<Group> groups;  // of queues; so are the rest
    QueuePreemption preemption;
    FlavorFungibility fungibility;
    QueueingStrategy strategy = QueueingStrategy::kBestEffortFifo;
  };
  const Node& node(QuotaNode id) const { return layout_->nodes[id]; }
  bool HasParent(QuotaNode id) const { return node(id).parent != kNoQuotaNode; }
  QuotaNode Root(QuotaNode id) const;

  struct Quota {
    std::int64_t nominal = 0;
    std::optional<std::int64_t> borrowing_limit;
    std::int64_t subtree = 0;    // own and lent by children
    std::int64_t local = 0;      // of subtree: not lent to the parent
    std::int64_t potential = 0;  // the most that the node can have, with nothing in use
    bool defined = false;        // named by the node or below it
  };
  const Quota& quota(QuotaNode id, QuotaCell cell) const { return layout_->quotas[At(id, cell)]; }
  std::int64_t usage(QuotaNode id, QuotaCell cell) const { return usage_[At(id, cell)]; }
  // Of a node's parent, all flavors of a resource: what the node could borrow or own at most.
  int128 Lendable(QuotaNode id, std::uint32_t resource) const;

  // What can still be added at the node; below 0 where more is in use than there is.
  std::int64_t Available(QuotaNode id, QuotaCell cell) const;
  std::int64_t LocalAvailable(QuotaNode id, QuotaCell cell) const {
    return std::max<std::int64_t>(0, quota(id, cell).local - usage(id, cell));
  }
  bool Borrows(QuotaNode id, QuotaCell cell, std::int64_t with = 0) const {
    return usage(id, cell) + with > quota(id, cell).subtree;
  }
  bool IsWithinQuota(QuotaNode id, std::span<const QuotaCell> cells) const;
  // True if the queue could take all of it now.
  bool Fits(QuotaNode queue, std::span<const QuotaAmount> amounts) const;

  // From how far away the amount comes: the height of the lowest subtree around the queue that
  // holds it, 0 within the queue's quota, the whole tree's where none does.
  struct Reach {
    std::int32_t height = 0;
    bool below_root = false;  // others of the cohort lie outside of that subtree
  };
  Reach BorrowingReach(QuotaNode queue, QuotaCell cell, std::int64_t amount) const;

  // O(depth) a cell. REQUIRES: amounts of at least 0; Remove: what was added before
  void Add(QuotaNode queue, std::span<const QuotaAmount> amounts);
  void Remove(QuotaNode queue, std::span<const QuotaAmount> amounts);

 private:
  struct Layout {
    std::size_t queues = 0;
    std::vector<Node> nodes;
    std::vector<std::string> flavors, resources;
    std::map<std::string, QuotaNode, std::less<>> queue_ids, cohort_ids;
    std::uint32_t pods_resource = kNoResource;
    std::vector<Cell> cells;         // those of a resource are neighbours
    std::vector<QuotaCell> cell_of;  // a row of resources a flavor
    std::vector<Quota> quotas;       // a row of cells a node
    std::vector<int128> lendable;    // a row of resources a node
  };
  friend class QuotaTreeBuilder;

  std::size_t At(QuotaNode id, QuotaCell cell) const { return id * layout_->cells.size() + cell; }

  std::shared_ptr<const Layout> layout_;
  std::vector<std::int64_t> usage_;  // as Layout::quotas
};

}  // namespace plimsoll
