// The steps of the schema, oldest first. A released step is frozen: a batch that gains a
// column needs a new step (docs/decisions/0001-snapshots.md).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "store/schema.h"

namespace plimsoll {

std::span<const SchemaStep> SchemaSteps();

}  // namespace plimsoll
