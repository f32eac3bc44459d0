// QuotaGate: whether a queue may use what it asks for, whatever is free on nodes.
//
// The queue asks before it places a job on a flavor, and tells what it then took and gave back.
// Without a gate every queue may use everything.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "units/time.h"

namespace plimsoll {

// One job on one flavor: what it would take of its queue's quota.
struct QuotaClaim {
  std::uint32_t job = 0;  // index into the workload
  std::uint32_t queue = 0;
  std::uint32_t flavor = 0;
  std::int32_t priority = 0;
  Instant queued;              // since when it waits, for orders among equals
  bool preemptible = true;     // once it runs
  std::int64_t gpu_milli = 0;  // of all pods, as the others
  std::int64_t cpu_milli = 0;
  std::int64_t memory_mib = 0;
  std::int32_t pods = 0;
};

enum class QuotaAnswer : unsigned char {
  kFits,      // within what the queue may use by itself
  kBorrows,   // by borrowing
  kUsedUp,    // not now: the queue's own is used by the queue itself
  kBorrowed,  // not now: others use what is the queue's
  kNever,     // more than the queue may ever use
};

class QuotaGate {
 public:
  virtual ~QuotaGate() = default;
  virtual QuotaAnswer Ask(const QuotaClaim& claim) const = 0;
  // Jobs that must stop so that the claim is admitted, by the gate's preemption rules; empty where
  // there are none. `now` for rules about who runs since when.
  virtual std::vector<std::uint32_t> Victims(const QuotaClaim& claim, Instant now) const = 0;
  virtual void Reserve(const QuotaClaim& claim, Instant now) = 0;
  virtual void Release(const QuotaClaim& claim) = 0;  // REQUIRES: reserved
  virtual std::unique_ptr<QuotaGate> Clone() const = 0;
};

}  // namespace plimsoll
