// Any bytes as the events of a run, with numbers from small to the ends of 64 bits: no crash, and
// the causes add up or the run is refused. And any text as a target: what is read is written back.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <string>

#include "economics/training_account.h"
#include "economics/training_cost.h"
#include "economics/training_target.h"

namespace {

constexpr const char* kKinds[] = {
    "start",     "resume",  "step", "metric", "checkpoint_begin", "checkpoint_end", "stall_begin",
    "stall_end", "failure", "stop", "lunch"};
constexpr std::size_t kEventBytes = 14;

void Require(bool holds) {
  if (!holds) std::abort();
}

// A number of any size from 9 bytes: the first one says how many of the others count.
std::int64_t NumberAt(const std::uint8_t* bytes) {
  std::uint64_t number = 0;
  std::memcpy(&number, bytes + 1, 8);
  const unsigned drop = bytes[0] % 64;
  const auto small = static_cast<std::int64_t>(number >> drop);
  return bytes[0] >= 128 ? -(small / 2) : small;
}

plimsoll::RunEventBatch EventsOf(const std::uint8_t* data, std::size_t size) {
  plimsoll::RunEventBatch events;
  for (std::size_t i = 0; i + kEventBytes <= size; i += kEventBytes) {
    const std::uint8_t* bytes = data + i;
    std::apply([&](auto... column) { ((events.*(column.values)).emplace_back(), ...); },
               plimsoll::RunEventBatch::kColumns);
    events.run.back() = "r";
    events.kind.back() = kKinds[bytes[0] % 11];
    events.attempt.back() = bytes[1] % 4;
    events.at.back() = plimsoll::AtMillis(NumberAt(bytes + 5));
    if (bytes[2] % 2 == 0) events.step.back() = bytes[2] % 8 == 0 ? NumberAt(bytes + 5) : bytes[2];
    if (bytes[3] % 3 == 0) events.gpus.back() = bytes[3] % 9 == 0 ? NumberAt(bytes + 5) : bytes[3];
    if (bytes[4] % 2 == 0) events.samples.back() = NumberAt(bytes + 5);
    if (bytes[4] % 3 == 0) events.seq.back() = bytes[4];
    events.name.back() = bytes[4] % 2 == 0 ? "loss" : "preempted";
    events.value.back() = std::to_string(bytes[2]);
  }
  return events;
}

void CheckAccount(const plimsoll::RunEventBatch& events) {
  using plimsoll::GpuHours;
  const auto run = plimsoll::Account(events, {});
  if (!run.has_value()) {
    Require(run.error().code == plimsoll::ErrorCode::kOutOfRange);
    return;
  }
  Require(std::accumulate(run->time.begin(), run->time.end(), GpuHours()) == run->allocated);
  for (const GpuHours part : run->time) Require(part >= GpuHours());
  Require(run->FailureLoss() <= run->allocated);
  plimsoll::QualityTarget target;
  target.metric = "loss";
  target.window = 2;
  for (const bool in_steps : {false, true}) {
    target.window_in_steps = in_steps;
    const auto reached = plimsoll::Reach(plimsoll::EvaluationsOf(events, run->log, "loss"), target);
    if (reached.at) Require(plimsoll::HeldBefore(*run, *reached.at) <= run->allocated);
  }
  (void)plimsoll::ExpectedEttr(*run);
  (void)plimsoll::CostAt(*run, plimsoll::Money::Units(1'000));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  CheckAccount(EventsOf(data, size));
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto target = plimsoll::ParseTarget(text);
  if (!target.has_value()) {
    Require(target.error().code == plimsoll::ErrorCode::kInvalidArgument);
    return 0;
  }
  const auto again = plimsoll::ParseTarget(plimsoll::ToString(*target));
  Require(again.has_value() && *again == *target);
  return 0;
}
