// Classify: divides one device's hour into classes of time (rule S10).
//
// Time is cut where a holding begins, gets ready or ends and at every twelfth of the hour.
// Each cut is weighed in parts-per-million x milliseconds x the common denominator of the
// shares on the card, all integers: nothing is rounded but the used part of a piece.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "allocation/device_grid.h"
#include "allocation/resolve.h"
#include "model/cost_line.h"

namespace plimsoll {

struct DeviceHour {
  Instant hour;
  Window provisioned;  // within the hour, not empty
  UsageCell card;
  std::span<const InstanceCell> instances;
  std::uint16_t covered = 0;       // bit t: the device has coverage in twelfth t
  std::uint16_t node_covered = 0;  // bit t: some device of the node has
  std::span<const Piece> pieces;   // that overlap the hour; others are skipped
  std::span<const Window> mixed;   // Pieces::mixed of the node
};

struct ClassWeight {
  std::int32_t workload;  // kNoId: nobody
  CostClass cost_class;
  std::int64_t weight;
};

class Classifier {
 public:
  explicit Classifier(std::int64_t busy_ppm_min) : busy_ppm_min_(busy_ppm_min) {}

  // Fills `weights`, one row a (class, workload), by class and then workload; positive only.
  // False if the shares on the card have no common denominator that keeps weights in 64 bits.
  [[nodiscard]] bool Classify(const DeviceHour& device, std::vector<ClassWeight>& weights);

  // Of the last Classify: a whole card for a millisecond weighs 1,000,000 x denominator.
  std::int64_t denominator() const { return denominator_; }

  // Milliseconds that pieces lost to a later one because the card was already full, by
  // holding, since the last call.
  struct Loss {
    std::int32_t holding;
    std::int64_t millis;
  };
  bool has_losses() const { return !losses_.empty(); }
  std::vector<Loss> TakeLosses() { return std::exchange(losses_, {}); }

 private:
  struct Segment {
    std::size_t twelfth;
    Window time;
  };
  bool ClassifySimple(const DeviceHour& device, std::vector<ClassWeight>& weights) const;
  bool CommonDenominator();
  void CutTime(const DeviceHour& device);
  void WeighSegment(const DeviceHour& device, const Segment& segment,
                    std::vector<ClassWeight>& weights);
  void PickHolders(const Segment& segment);
  void WeighUnheld(const DeviceHour& device, const Segment& segment,
                   std::vector<ClassWeight>& weights) const;
  CostClass IdleClass(const DeviceHour& device, std::size_t twelfth, bool may_be_busy) const;

  std::int64_t busy_ppm_min_;
  std::int64_t denominator_ = 1;
  std::vector<const Piece*> pieces_;   // that overlap the provisioned time
  std::vector<const Piece*> holders_;  // of the current segment
  std::int64_t held_share_ = 0;        // of holders_, in 1/denominator_
  std::vector<Instant> cuts_;
  std::vector<Loss> losses_;
};

}  // namespace plimsoll
