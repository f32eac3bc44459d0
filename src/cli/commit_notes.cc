#include "cli/commit_notes.h"

#include <algorithm>

#include "cli/commit_cells.h"

namespace plimsoll {
namespace {

std::string Units(std::int64_t count, const CommitAdvice& flavor) {
  return std::to_string(count) + (count == 1 ? " unit" : " units") +
         (flavor.flavor.empty() ? "" : " of " + flavor.flavor);
}

std::string OfFlavor(const CommitAdvice& flavor) {
  return flavor.flavor.empty() ? "" : flavor.flavor + ": ";
}

void AddFlavorLine(const CommitAdvice& flavor, Answer& answer) {
  if (flavor.units == 0) {
    const auto cheapest = std::min_element(
        flavor.alone.begin(), flavor.alone.end(),
        [](const OfferAdvice& a, const OfferAdvice& b) { return a.hourly < b.hourly; });
    if (cheapest == flavor.alone.end()) return;
    answer.lines.push_back(OfFlavor(flavor) + "commit to nothing: no unit more is used more than " +
                           PercentText(cheapest->break_even) + " of the time, where " +
                           cheapest->name + " breaks even");
    return;
  }
  for (const UnitPurchase& purchase : flavor.purchases) {
    if (purchase.begin_month > 0) continue;
    const OfferAdvice& offer = flavor.alone[purchase.offer];
    answer.lines.push_back("Commit to " + Units(purchase.units, flavor) + ": " + offer.name +
                           " at " + Rounded(offer.hourly, 4) +
                           " a unit-hour, worth it where used " + PercentText(offer.break_even) +
                           " of the time");
  }
}

// One flavor's purchase a line; of a long list the sum.
void AddUnitLines(const CommitView& view, Answer& answer) {
  constexpr std::size_t kFlavorsMax = 8;
  if (view.flavors.size() <= kFlavorsMax) {
    for (const CommitAdvice& flavor : view.flavors) AddFlavorLine(flavor, answer);
    return;
  }
  std::int64_t units = 0, flavors = 0;
  for (const CommitAdvice& flavor : view.flavors) {
    units += flavor.units;
    flavors += flavor.units > 0 ? 1 : 0;
  }
  answer.lines.push_back("Commit to " + std::to_string(units) + " units of " +
                         std::to_string(flavors) + " of " + std::to_string(view.flavors.size()) +
                         " flavors");
}

// Flavors that nothing on offer has a rate for: an empty answer would look like advice.
void AddUnofferedNote(const CommitView& view, Answer& answer) {
  std::string names;
  std::int64_t count = 0;
  for (const CommitAdvice& flavor : view.flavors) {
    const bool in_plan =
        std::any_of(view.spends.begin(), view.spends.end(), [&](const SpendChoice& choice) {
          const auto& covered = choice.advice.flavors;
          return std::find(covered.begin(), covered.end(), flavor.flavor) != covered.end();
        });
    if (in_plan || !flavor.alone.empty()) continue;
    if (++count <= 5) names += (names.empty() ? "" : ", ") + flavor.flavor;
  }
  if (count == 0) return;
  answer.notes.push_back(
      "no offer has a rate for " +
      (names.empty() ? std::string("use without a flavor; --flavor names it") : names) +
      (count > 5 ? " and " + std::to_string(count - 5) + " more" : ""));
}

void AddHourNotes(const CommitView& view, Answer& answer) {
  std::int64_t missing = 0;
  for (const std::int64_t hours : view.usage.missing) missing += hours;
  if (missing > 0) {
    answer.notes.push_back(std::to_string(missing) + " hours of the window are missing and " +
                           (view.missing_is_zero ? "count as hours without use"
                                                 : "left out; --missing zero counts them as hours "
                                                   "without use"));
  }
  const HourNotes& notes = view.usage.notes;
  if (view.usage.duplicates > 0) {
    answer.notes.push_back(std::to_string(view.usage.duplicates) +
                           " rows repeat an hour with the same use and count once");
  }
  if (notes.without_offset > 0) {
    answer.notes.push_back(std::to_string(notes.without_offset) +
                           " hours have no offset and are read as UTC");
  }
  if (view.usage.rounded > 0) {
    answer.notes.push_back(std::to_string(view.usage.rounded) +
                           " values are rounded to a millisecond of a unit");
  }
  for (const std::string& column : notes.ignored) {
    answer.notes.push_back("column '" + column + "' is not used");
  }
  const std::int64_t days = view.usage.window.length().base() / Days(1).base();
  if (days < 30) {
    answer.notes.push_back("the file spans " + std::to_string(days) +
                           " days; what binds for a year or more is better decided on 30 or more");
  }
}

void AddFlavorNotes(const CommitView& view, const CommitAdvice& flavor, Answer& answer) {
  if (flavor.units_recent && *flavor.units_recent < flavor.units_long) {
    answer.notes.push_back(
        OfFlavor(flavor) + "the recent days alone ask for " + std::to_string(*flavor.units_recent) +
        ", all of them for " + std::to_string(flavor.units_long) +
        (view.cautious ? "; the lower is taken" : ": use is falling; --cautious takes the lower"));
  }
  if (flavor.existing_units > 0 && flavor.before.stranded > Money()) {
    answer.notes.push_back(OfFlavor(flavor) + "existing commitments are used " +
                           PercentText(flavor.before.utilization().value_or(0)) + "; " +
                           Rounded(flavor.before.stranded, 2) + " " + view.currency +
                           " of them is for nothing");
  }
}

// On-demand prices of GPUs fall within the terms that are sold; after a deep enough cut a
// commitment saves nothing.
void AddPriceCutNote(const CommitView& view, Answer& answer) {
  std::string cuts;
  for (const CommitAdvice& flavor : view.flavors) {
    if (flavor.units == 0 || !flavor.break_even_price_cut) continue;
    cuts +=
        (cuts.empty() ? "" : ", ") + OfFlavor(flavor) + PercentText(*flavor.break_even_price_cut);
  }
  if (cuts.empty()) return;
  answer.notes.push_back(
      "an on-demand price cut right after the purchase takes all of its saving from here on: " +
      cuts + " (AWS cut P5 by 44 % in June 2025; --price-cut shows what is then regretted)");
}

}  // namespace

std::vector<ExistingCommitment> UnmatchedExisting(const CommitView& view) {
  std::vector<ExistingCommitment> idle;
  for (const ExistingCommitment& commitment : view.existing) {
    const bool known =
        std::any_of(view.flavors.begin(), view.flavors.end(),
                    [&](const CommitAdvice& f) { return f.flavor == commitment.flavor; });
    if (!known && commitment.expires > view.start) idle.push_back(commitment);
  }
  return idle;
}

void AddLines(const CommitView& view, const CommitHeadline& headline, Answer& answer) {
  const SpendChoice* const spend = view.chosen ? &view.spends[*view.chosen] : nullptr;
  if (spend == nullptr || spend->after_units) AddUnitLines(view, answer);
  if (spend != nullptr) {
    answer.lines.push_back("Commit to " + Rounded(spend->advice.commitment, 3) + " " +
                           view.currency + " an hour of " + spend->advice.name +
                           ", in the plan's own prices: " +
                           Rounded(spend->advice.commitment_on_demand, 3) + " on demand");
  }
  const Money saving = headline.cost_on_demand - headline.cost;
  std::string line = "In the measured hours: " + Rounded(headline.cost, 2) + " of " +
                     Rounded(headline.cost_on_demand, 2) + " " + view.currency + " on demand, " +
                     Rounded(saving, 2) + " saved";
  if (const auto share = ShareOf(saving.nanos(), headline.cost_on_demand.nanos())) {
    line += " (" + PercentText(*share) + ")";
  }
  if (headline.coverage) line += "; " + PercentText(*headline.coverage) + " of use is covered";
  if (headline.utilization) {
    line += ", what is bought is used " + PercentText(*headline.utilization);
  }
  answer.lines.push_back(line);
}

void AddNotes(const CommitView& view, Answer& answer) {
  AddHourNotes(view, answer);
  AddUnofferedNote(view, answer);
  for (const CommitAdvice& flavor : view.flavors) AddFlavorNotes(view, flavor, answer);
  AddPriceCutNote(view, answer);
  for (const ExistingCommitment& idle : UnmatchedExisting(view)) {
    answer.notes.push_back("existing commitment " + idle.name + " (" + std::to_string(idle.units) +
                           " x " + (idle.flavor.empty() ? "no flavor" : idle.flavor) +
                           ") has no use at all: it is idle and billed");
  }
}

}  // namespace plimsoll
