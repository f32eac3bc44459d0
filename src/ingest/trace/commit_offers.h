// CommitOffers: files of offers, on-demand prices and existing commitments, in YAML or CSV
// (docs/formats/usage-csv.md).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/commitment.h"

namespace plimsoll {

struct OfferFile {
  std::vector<CommitmentOffer> offers;  // in the file's order
  std::vector<FlavorPrice> on_demand;
  std::vector<ExistingCommitment> existing;
};

// YAML with the lists offers, on_demand and existing; or CSV of offers, with rows of the same name
// as one offer; or CSV of existing commitments, told by its column expires. Fails with kBadData
// and everything that is wrong, "file:line: field: sentence", one a line.
Result<OfferFile> ReadOfferFile(const std::string& file, const std::string& text);

}  // namespace plimsoll
