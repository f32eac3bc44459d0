// Any text as a training log of each kind that is text: never a crash, and what is taken is
// sound and merges to the same rows again.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>

#include "base/check.h"
#include "ingest/runs/event_log.h"
#include "ingest/runs/lightning.h"
#include "ingest/runs/mlflow_files.h"
#include "ingest/runs/number_text.h"
#include "ingest/runs/run_merge.h"
#include "ingest/runs/trainer_state.h"
#include "model/row_hash.h"
#include "store/utf8.h"

namespace {

void CheckRows(const plimsoll::RunEventBatch& events) {
  for (std::size_t row = 0; row < plimsoll::RowsOf(events); ++row) {
    PLIMSOLL_CHECK(events.attempt[row] >= 0 && events.seq[row] >= 0);
    for (const auto* counts : {&events.gpus, &events.tokens, &events.samples}) {
      PLIMSOLL_CHECK((*counts)[row].value_or(0) >= 0);
    }
    PLIMSOLL_CHECK(events.kind[row] != "step" || events.step[row].value_or(-1) >= 0);
    PLIMSOLL_CHECK(events.value[row].empty() || plimsoll::NumberText(events.value[row]));
    PLIMSOLL_CHECK(plimsoll::IsUtf8(events.run[row]) && plimsoll::IsUtf8(events.name[row]));
  }
}

void CheckMerge(plimsoll::RunFacts& facts) {
  CheckRows(facts.events);
  plimsoll::MergeRuns(facts.runs, facts.events);
  CheckRows(facts.events);
  const plimsoll::Hash128 runs = plimsoll::HashOfRows(facts.runs);
  const plimsoll::Hash128 events = plimsoll::HashOfRows(facts.events);
  PLIMSOLL_CHECK(plimsoll::MergeRuns(facts.runs, facts.events) == 0);
  PLIMSOLL_CHECK(plimsoll::HashOfRows(facts.runs) == runs);
  PLIMSOLL_CHECK(plimsoll::HashOfRows(facts.events) == events);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  plimsoll::RunFacts facts;
  std::istringstream log(text);
  if (plimsoll::IsEventLog(text)) static_cast<void>(ReadEventLog(log, "f", "", facts).has_value());
  std::istringstream named(text);
  static_cast<void>(plimsoll::ReadEventLog(named, "f", "r", facts).has_value());
  const plimsoll::RunPlace place{"f", "r", "n", std::nullopt};
  static_cast<void>(plimsoll::ReadTrainerState(text, place, facts).has_value());
  std::size_t at = 0;
  const plimsoll::ReadBytes read = [&](char* to,
                                       std::size_t most) -> plimsoll::Result<std::size_t> {
    const std::size_t count = std::min(most, text.size() - at);
    std::copy_n(text.data() + at, count, to);
    at += count;
    return count;
  };
  plimsoll::RunFacts csv;
  if (plimsoll::ReadLightningMetrics(read, text, place, csv)) AppendFacts(facts, csv);
  if (const auto meta = plimsoll::ReadMlflowMeta(text)) {
    static_cast<void>(plimsoll::IsMlflowRun(*meta));
  }
  plimsoll::RunFacts mlflow;
  plimsoll::RunRow row;
  row.run = "r";
  row.source = "mlflow";
  plimsoll::Append(mlflow.runs, row);
  std::istringstream metrics(text);
  plimsoll::ReadMlflowMetrics(metrics, "f", "loss", "r", mlflow);
  AppendFacts(facts, mlflow);
  // A reader that failed may have left events without a row of their run.
  for (const char* source : {"log", "trainer-state", "lightning"}) {
    row.source = source;
    plimsoll::Append(facts.runs, row);
  }
  CheckMerge(facts);
  return 0;
}
