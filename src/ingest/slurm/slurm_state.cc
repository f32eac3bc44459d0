#include "ingest/slurm/slurm_state.h"

namespace plimsoll {
namespace {

struct Entry {
  std::string_view name, abbreviation;
  SlurmPhase phase;
  const char* end_reason;
};

constexpr Entry kStates[] = {
    {"PENDING", "PD", SlurmPhase::kWaiting, ""},
    {"REQUEUE_HOLD", "RH", SlurmPhase::kWaiting, ""},
    {"SPECIAL_EXIT", "SE", SlurmPhase::kWaiting, ""},
    {"RESV_DEL_HOLD", "RD", SlurmPhase::kWaiting, ""},
    {"RUNNING", "R", SlurmPhase::kHeld, ""},
    {"CONFIGURING", "CF", SlurmPhase::kHeld, ""},
    {"COMPLETING", "CG", SlurmPhase::kHeld, ""},
    {"SUSPENDED", "S", SlurmPhase::kHeld, ""},
    {"STOPPED", "ST", SlurmPhase::kHeld, ""},
    {"SIGNALING", "SI", SlurmPhase::kHeld, ""},
    {"STAGE_OUT", "SO", SlurmPhase::kHeld, ""},
    {"COMPLETED", "CD", SlurmPhase::kEnded, "Completed"},
    {"FAILED", "F", SlurmPhase::kEnded, "Failed"},
    {"BOOT_FAIL", "BF", SlurmPhase::kEnded, "Failed"},
    {"LAUNCH_FAILED", "LF", SlurmPhase::kEnded, "Failed"},
    {"RECONFIG_FAIL", "RCF", SlurmPhase::kEnded, "Failed"},
    {"TIMEOUT", "TO", SlurmPhase::kEnded, "Timeout"},
    {"DEADLINE", "DL", SlurmPhase::kEnded, "Timeout"},
    {"OUT_OF_MEMORY", "OOM", SlurmPhase::kEnded, "OutOfMemory"},
    {"CANCELLED", "CA", SlurmPhase::kEnded, "Cancelled"},
    {"REVOKED", "RV", SlurmPhase::kEnded, "Cancelled"},
    {"PREEMPTED", "PR", SlurmPhase::kEnded, "Preempted"},
    {"NODE_FAIL", "NF", SlurmPhase::kEnded, "NodeLost"},
    {"POWER_UP_NODE", "PUN", SlurmPhase::kHeld, ""},
    {"REQUEUED", "RQ", SlurmPhase::kEnded, "Requeued"},
    {"REQUEUE_FED", "RF", SlurmPhase::kEnded, "Requeued"},
    {"RESIZING", "RS", SlurmPhase::kEnded, "Requeued"},  // goes on as another row
};

}  // namespace

std::optional<SlurmState> ParseSlurmState(std::string_view text) {
  // "CANCELLED by 1002", "COMPLETED,REQUEUED", "CANCELLED+" (cut to the column's width).
  const std::string_view word = text.substr(0, text.find_first_of(" ,+"));
  for (const Entry& entry : kStates) {
    if (word == entry.name || word == entry.abbreviation) {
      return SlurmState{entry.phase, entry.end_reason};
    }
  }
  return std::nullopt;
}

}  // namespace plimsoll
