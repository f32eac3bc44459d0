// Any bytes are a file of offers, in YAML or CSV: no crash, and what is read is within bounds and
// either refused by name or can be priced.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "ingest/trace/commit_offers.h"
#include "purchase/commit/term_cost.h"

namespace {

using namespace plimsoll;  // NOLINT: a fuzz target is one file

void Require(bool holds) {
  if (!holds) std::abort();
}

void Read(const std::string& text) {
  const auto file = ReadOfferFile("f", text);
  if (!file) return Require(!file.error().message.empty());
  for (const CommitmentOffer& offer : file->offers) {
    Require(!offer.name.empty() && offer.term_months >= 1 && offer.term_months <= 60);
    if (!CheckOffer(offer)) continue;
    for (const FlavorPrice& price : offer.prices) {
      const auto cost = TermCost(offer, price.flavor, 80'000'000);
      Require(cost.has_value() && *cost >= Money());
    }
  }
  for (const ExistingCommitment& existing : file->existing) {
    Require(existing.units > 0 && existing.price >= Money());
    Require(existing.price <= Money::Units(10'000 + 10'000'000));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  Read(text);
  Read("offers:\n" + text);
  return 0;
}
