// ExpositionFile: a file of samples, plain or gzip, whichever format it is in.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "base/result.h"
#include "ingest/prometheus/samples.h"
#include "units/time.h"

namespace plimsoll {

// Streams the file's samples to `sink`: exposition text, OpenMetrics (its last line is
// "# EOF", so times are seconds), or one answer of the HTTP API (JSON). `at` is the time of
// samples that carry none; `on_bytes` hears how much was read. Errors name the file.
Status ReadSamplesFile(const std::string& path, std::optional<Instant> at, SampleSink& sink,
                       const std::function<void(std::int64_t)>& on_bytes = {});

}  // namespace plimsoll
