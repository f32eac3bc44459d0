// Classify: divides one device's hour into classes of time (rule S10).
//
// Time is cut where a holding begins, gets ready or ends and at every twelfth of the hour.
// Each cut is weighed in parts-per-million x milliseconds x the common denominator of the
// shares on the card, all integers: nothing is rounded but the used part of a piece.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
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
  CardShare stranded;              // of the card, that no further MIG instance can use
};

struct ClassWeight {
  std::int32_t workload;  // kNoId: nobody
  CostClass cost_class;
  std::int64_t weight;
};

// Idle time is counted in parts of a millisecond: sevenths, eighths and hundredths of a card are
// whole numbers of them.
inline constexpr std::int64_t kIdleParts = 4'200;

// Parts of a card within a twelfth that nobody holds, rounded down.
struct IdleTwelfth {
  std::int64_t waste = 0;
  std::int64_t shared = 0;  // of waste, while another part of the card was held
  bool is_free = false;     // the whole card was waste for a while
};

class Classifier {
 public:
  // `notes_idle`: idle() is filled, for rules that claim it.
  explicit Classifier(std::int64_t busy_ppm_min, bool notes_idle = true)
      : busy_ppm_min_(busy_ppm_min), notes_idle_(notes_idle) {}

  // Fills `weights`, one row a (class, workload), by class and then workload; positive only.
  // False if the shares on the card have no common denominator that keeps weights in 64 bits.
  [[nodiscard]] bool Classify(const DeviceHour& device, std::vector<ClassWeight>& weights);

  // Of the last Classify: a whole card for a millisecond weighs 1,000,000 x denominator.
  std::int64_t denominator() const { return denominator_; }

  // Of the last Classify, by twelfth; all zero unless has_idle().
  bool has_idle() const { return has_idle_; }
  const std::array<IdleTwelfth, 12>& idle() const { return idle_; }

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
  bool ClassifySimple(const DeviceHour& device, std::vector<ClassWeight>& weights);
  bool CommonDenominator(std::int64_t least);
  void CutTime(const DeviceHour& device);
  void WeighSegment(const DeviceHour& device, const Segment& segment,
                    std::vector<ClassWeight>& weights);
  void PickHolders(const Segment& segment);
  void WeighIdle(const DeviceHour& device, CostClass idle, const Segment& segment,
                 std::vector<ClassWeight>& weights);
  void WeighHeld(const DeviceHour& device, const Piece& piece, const Segment& segment,
                 std::vector<ClassWeight>& weights) const;
  void WeighUnheld(const DeviceHour& device, const Segment& segment,
                   std::vector<ClassWeight>& weights);
  CostClass IdleClass(const DeviceHour& device, std::size_t twelfth, bool may_be_busy) const;
  void NoteIdle(CostClass idle, std::size_t twelfth, std::int64_t parts);

  std::int64_t busy_ppm_min_;
  bool notes_idle_;
  bool has_idle_ = false;
  std::int64_t denominator_ = 1;
  std::vector<const Piece*> pieces_;   // that overlap the provisioned time
  std::vector<const Piece*> holders_;  // of the current segment
  std::int64_t held_share_ = 0;        // of holders_, in 1/denominator_
  std::vector<Instant> cuts_;
  std::vector<Loss> losses_;
  std::array<IdleTwelfth, 12> idle_{};
};

}  // namespace plimsoll
