// Lightning: metrics.csv of Lightning's CSVLogger, with hparams.yaml beside it.
//
// A row a logging step, a column a metric, blank where a metric was not logged. It tells no
// times, so that everything stands at the run's begin.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "ingest/csv.h"
#include "ingest/runs/run_facts.h"
#include "ingest/runs/trainer_state.h"

namespace plimsoll {

// True if the first line is a CSV header with a column "step" and another one; with `strict`
// also "epoch", which other tables rarely have beside it.
bool IsLightningMetrics(std::string_view head, bool strict);

// Reads to the end. `hparams` is the text of hparams.yaml, "" if there is none; its top-level
// scalars are labels. Rows that cannot be taken are rejections; a last row that breaks off is a
// note. Fails with kBadData if the header lacks "step", or as the reader does.
Status ReadLightningMetrics(ReadBytes read, const std::string& hparams, const RunPlace& place,
                            RunFacts& facts);

}  // namespace plimsoll
