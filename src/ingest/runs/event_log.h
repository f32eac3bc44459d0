// EventLog: Plimsoll's own log of a training run, one JSON object a line.
//
//   {"format":"plimsoll-run/1","kind":"start","run":"x","at":"2026-11-30T20:00:00Z","gpus":8}
//   {"kind":"step","run":"x","at":1795982401.5,"step":1,"samples":512,"tokens":1048576}
//
// Every line names its run and attempt, so that a log may be cut, joined or sorted. The fields
// are those of model/run.h; docs/formats/runs.md has all of them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <istream>
#include <string>
#include <string_view>

#include "base/result.h"
#include "ingest/runs/run_facts.h"

namespace plimsoll {

// True if the text begins as an event log does: its first line states the format, or is an
// object with a kind and a time.
bool IsEventLog(std::string_view head);

// Reads to the end. `run` names the run of lines that name none; "": such lines are refused.
// A line that cannot be taken is a rejection; one that breaks off where its writer was killed
// (the last one, or right before a new start) is a note. Fails with kBadData if the first line
// states a format that is not known; stated later on, it ends the reading with a rejection.
Status ReadEventLog(std::istream& in, const std::string& file, const std::string& run,
                    RunFacts& facts);

}  // namespace plimsoll
