// Tensorboard: TensorBoard's event files, a folder a run.
//
// A file begins an attempt: a writer makes a new one whenever it starts. Scalars are metrics;
// histograms, images, texts and graphs are passed over.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <istream>
#include <string>

#include "ingest/runs/run_facts.h"

namespace plimsoll {

struct EventFilePlace {
  std::string file;       // for messages
  std::string run, name;  // id; for people
  std::string prefix;     // before each tag: "validation/"
  bool begins_attempt = true;
};

// Which run the files of a folder belong to. Keras and the Estimator write a folder each for
// training and validation, hyperparameters come in one named by the time: these belong to
// the folder around them.
EventFilePlace EventFilePlaceOf(const std::string& folder);

// Reads to the end. A damaged record is a rejection, a torn tail a note.
void ReadEventFile(std::istream& in, const EventFilePlace& place, RunFacts& facts);

}  // namespace plimsoll
