// TrainingPage: the answer of `plan training` as a page (--html): waits by class, what they wait
// for, P(start) of gangs, one run's GPUs over time and by domain.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "capacity/queue/queue_outcome.h"
#include "cli/training_runs_view.h"
#include "report/document.h"

namespace plimsoll {

// One run that is drawn: the first replication's.
struct TrainingPicture {
  const Cluster* cluster = nullptr;
  const QueueOutcome* run = nullptr;  // with a timeline
  std::vector<std::string> queues;
};

ReportDocument TrainingPage(const TrainingRuns& runs, const TrainingPicture& picture);

// Steps of a timeline over the window so that it is drawn with 168 of them at most.
Duration TimelineStepOf(const Window& window);

}  // namespace plimsoll
