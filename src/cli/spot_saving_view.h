// SpotSavingView: what spot saved, as an answer for people and programs.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/table.h"
#include "ledger/spot_saving.h"

namespace plimsoll {

// Names are those of docs/formats/output.md. What is not known is null.
Answer SpotSavingAnswer(const SpotSaving& saving);

}  // namespace plimsoll
