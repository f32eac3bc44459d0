// SloConfig: the inference services of plimsoll.yaml, and their peak hours as spans of time.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "config/yaml_reader.h"
#include "config/zone.h"
#include "model/service.h"

namespace plimsoll {

// Reads the key `services` (docs/formats/plimsoll-yaml.md). Peak hours without a zone of their
// own are those of `time_zone`.
void ReadServices(YamlMap& top, const std::string& time_zone,
                  std::vector<ServiceDeclaration>& services);

// Reads "09:00-18:00" (24:00 is the day's end) into minutes of the day. False if it is none or
// ends before it begins.
bool ParseHours(const std::string& text, PeakHours& hours);

// The longest stretch around `t` within its local day that is all peak, or all not. Days of a
// changed clock have their hours by the clock on the wall.
PeakSpan PeakSpanAt(const PeakHours& hours, const Zone& zone, Instant t);

}  // namespace plimsoll
