// Any bytes as a TensorBoard event file, and as one record of it: never a crash, and what is
// taken is a number of a step.
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>

#include "base/check.h"
#include "ingest/runs/number_text.h"
#include "ingest/runs/run_merge.h"
#include "ingest/runs/tensorboard.h"
#include "ingest/runs/tf_event.h"
#include "ingest/runs/tf_records.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(data, data + size);
  std::istringstream in(bytes);
  plimsoll::RunFacts facts;
  plimsoll::ReadEventFile(in, {"f", "r", "n", "", true}, facts);
  for (std::size_t row = 0; row < plimsoll::RowsOf(facts.events); ++row) {
    PLIMSOLL_CHECK(facts.events.step[row].value_or(0) >= 0);
    PLIMSOLL_CHECK(facts.events.kind[row] != "metric" ||
                   plimsoll::NumberText(facts.events.value[row]));
  }
  plimsoll::MergeRuns(facts.runs, facts.events);
  // A mutated record has a wrong checksum: its bytes are tried by themselves too.
  std::istringstream again(bytes);
  plimsoll::TfRecordReader records(again);
  plimsoll::TfPlugins plugins;
  plimsoll::TfEvent event;
  for (plimsoll::TfRecordState state = records.Next(); state < plimsoll::TfRecordState::kEnd;
       state = records.Next()) {
    static_cast<void>(plimsoll::ParseTfEvent(records.data(), plugins, event));
  }
  if (plimsoll::ParseTfEvent(bytes, plugins, event)) {
    for (const plimsoll::TfScalar& scalar : event.scalars) {
      PLIMSOLL_CHECK(!scalar.tag.empty() && plimsoll::NumberText(scalar.value));
    }
  }
  return 0;
}
