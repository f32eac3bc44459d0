#include "cli/commit_view.h"

#include <algorithm>

#include "cli/commit_cells.h"
#include "cli/commit_notes.h"
#include "purchase/commit/term_cost.h"

namespace plimsoll {
namespace {

// All flavors as one, under what is chosen. Coverage is by on-demand value.
struct Total {
  std::int64_t hours = 0, missing = 0;
  std::int64_t units = 0, existing = 0, p5 = 0;
  std::optional<std::int64_t> recent;
  Money cost, cost_on_demand, covered, stranded;
  Money commitment, commitment_used, commitment_paid;  // of money
  int128 unit_millis = 0, used = 0;                    // of units to buy
};

Total TotalOf(const CommitView& view) {
  Total total;
  const SpendChoice* const spend = view.chosen ? &view.spends[*view.chosen] : nullptr;
  const bool units = spend == nullptr || spend->after_units;
  for (std::size_t i = 0; i < view.flavors.size(); ++i) {
    const CommitAdvice& flavor = view.flavors[i];
    const UnitReplay& replay = units ? flavor.after : flavor.before;
    total.hours += flavor.hours;
    total.missing += view.usage.missing[i];
    total.existing += flavor.existing_units;
    total.p5 += flavor.used_p5;
    total.cost += replay.cost;
    total.cost_on_demand += replay.cost_on_demand;
    total.covered += replay.cost_on_demand - (replay.cost - replay.cost_committed);
    if (flavor.units_recent) total.recent = total.recent.value_or(0) + *flavor.units_recent;
    if (!units) continue;
    total.units += flavor.units;
    total.stranded += flavor.stranded;
    total.unit_millis += int128{flavor.units} * kUnitHour * flavor.hours;
    total.used += flavor.after.covered - flavor.before.covered;
  }
  if (spend == nullptr) return total;
  const SpendOutcome& outcome = spend->advice.outcome;
  total.cost -= outcome.cost_on_demand - outcome.cost;
  total.covered += outcome.cost_on_demand - outcome.cost_rest;
  total.commitment = spend->advice.commitment;
  total.commitment_used = outcome.used;
  total.commitment_paid = outcome.used + outcome.unused;
  total.stranded += outcome.unused;
  return total;
}

// Of everything to buy: by units, or by money where only money is bought.
std::optional<std::int64_t> UtilizationOf(const Total& total) {
  if (total.units > 0) return ShareOf(total.used, total.unit_millis);
  return ShareOf(total.commitment_used.nanos(), total.commitment_paid.nanos());
}

const OfferAdvice* BoughtOffer(const CommitAdvice& flavor) {
  for (const UnitPurchase& purchase : flavor.purchases) {
    if (purchase.begin_month == 0) return &flavor.alone[purchase.offer];
  }
  return nullptr;
}

// A file that names no flavor is of units, for people; null for programs.
Cell NameOf(const CommitAdvice& flavor, const CommitView& view) {
  if (!flavor.flavor.empty()) return flavor.flavor;
  return view.for_people ? Cell("units") : std::nullopt;
}

void AddFacts(const CommitView& view, const Total& total, Answer& answer) {
  const CommitAdvice* const one = view.flavors.size() == 1 ? &view.flavors.front() : nullptr;
  const auto add = [&](const char* name, CellKind kind, Cell value) {
    answer.facts.push_back({name, kind, std::move(value)});
  };
  const Money saving = total.cost_on_demand - total.cost;
  add("flavor", CellKind::kText, one && !one->flavor.empty() ? Cell(one->flavor) : std::nullopt);
  add("window_begin", CellKind::kText, ToString(view.usage.window.begin));
  add("window_until", CellKind::kText, ToString(view.usage.window.until));
  add("hours", CellKind::kNumber, std::to_string(total.hours));
  add("hours_missing", CellKind::kNumber, std::to_string(total.missing));
  add("start", CellKind::kText, ToString(view.start));
  add("currency", CellKind::kText, view.currency);
  add("on_demand", CellKind::kMoney, one ? Cell(one->on_demand.ToString()) : std::nullopt);
  const OfferAdvice* const offer = one ? BoughtOffer(*one) : nullptr;
  add("offer", CellKind::kText,
      view.chosen ? Cell(view.spends[*view.chosen].advice.name)
      : offer     ? Cell(offer->name)
                  : std::nullopt);
  add("quantity", CellKind::kNumber, std::to_string(total.units));
  add("commitment", CellKind::kMoney,
      view.chosen ? Cell(total.commitment.ToString()) : std::nullopt);
  add("cost", CellKind::kMoney, total.cost.ToString());
  add("cost_on_demand", CellKind::kMoney, total.cost_on_demand.ToString());
  add("saving", CellKind::kMoney, saving.ToString());
  add("coverage", CellKind::kNumber,
      ShareCell(ShareOf(total.covered.nanos(), total.cost_on_demand.nanos())));
  add("utilization", CellKind::kNumber, ShareCell(UtilizationOf(total)));
  add("effective_savings_rate", CellKind::kNumber,
      ShareCell(ShareOf(saving.nanos(), total.cost_on_demand.nanos())));
  add("stranded_cost", CellKind::kMoney, total.stranded.ToString());
  add("p5_baseline", CellKind::kNumber, one ? Cell(UnitsCell(one->used_p5)) : std::nullopt);
  add("quantity_recent", CellKind::kNumber,
      total.recent ? Cell(std::to_string(*total.recent)) : std::nullopt);
  add("existing_quantity", CellKind::kNumber, std::to_string(total.existing));
  add("break_even_price_cut", CellKind::kNumber,
      one ? ShareCell(one->break_even_price_cut) : std::nullopt);
}

Table FlavorTable(const CommitView& view) {
  Table table{"flavors", "Units to commit to, by hourly use", {}, {}, {}};
  table.columns = {{"flavor"},
                   {"hours", CellKind::kNumber},
                   {"hours_missing", CellKind::kNumber},
                   {"on_demand", CellKind::kMoney, 4},
                   {"offer"},
                   {"p5_baseline", CellKind::kNumber, 2},
                   {"quantity", CellKind::kNumber},
                   {"quantity_recent", CellKind::kNumber},
                   {"existing_quantity", CellKind::kNumber},
                   {"cost", CellKind::kMoney, 2},
                   {"cost_on_demand", CellKind::kMoney, 2},
                   {"saving", CellKind::kMoney, 2},
                   {"coverage", CellKind::kNumber, 4},
                   {"utilization", CellKind::kNumber, 4},
                   {"effective_savings_rate", CellKind::kNumber, 4},
                   {"stranded_cost", CellKind::kMoney, 2},
                   {"break_even_price_cut", CellKind::kNumber, 4}};
  for (std::size_t i = 0; i < view.flavors.size(); ++i) {
    const CommitAdvice& flavor = view.flavors[i];
    const OfferAdvice* const offer = BoughtOffer(flavor);
    table.rows.push_back(
        {NameOf(flavor, view), std::to_string(flavor.hours), std::to_string(view.usage.missing[i]),
         flavor.on_demand.ToString(), offer ? Cell(offer->name) : std::nullopt,
         UnitsCell(flavor.used_p5), std::to_string(flavor.units),
         flavor.units_recent ? Cell(std::to_string(*flavor.units_recent)) : std::nullopt,
         std::to_string(flavor.existing_units), flavor.after.cost.ToString(),
         flavor.after.cost_on_demand.ToString(), flavor.after.saving.ToString(),
         ShareCell(flavor.after.coverage()), ShareCell(flavor.utilization),
         ShareCell(flavor.after.effective_savings_rate()), flavor.stranded.ToString(),
         ShareCell(flavor.break_even_price_cut)});
  }
  if (view.for_people) {
    KeepColumns(table, {"flavor", "offer", "p5_baseline", "quantity", "saving", "utilization",
                        "stranded_cost"});
  }
  return table;
}

Table OfferTable(const CommitView& view) {
  Table table{"offers", "Each offer by itself", {}, {}, {}};
  table.columns = {{"flavor"},
                   {"offer"},
                   {"term_months", CellKind::kNumber},
                   {"hourly", CellKind::kMoney, 4},
                   {"break_even", CellKind::kNumber, 4},
                   {"quantity", CellKind::kNumber},
                   {"cost", CellKind::kMoney, 2},
                   {"saving", CellKind::kMoney, 2},
                   {"coverage", CellKind::kNumber, 4},
                   {"utilization", CellKind::kNumber, 4},
                   {"effective_savings_rate", CellKind::kNumber, 4}};
  for (const CommitAdvice& flavor : view.flavors) {
    for (const OfferAdvice& offer : flavor.alone) {
      table.rows.push_back({NameOf(flavor, view), offer.name, std::to_string(offer.months),
                            offer.hourly.ToString(), ShareCell(offer.break_even),
                            std::to_string(offer.units), offer.replay.cost.ToString(),
                            offer.replay.saving.ToString(), ShareCell(offer.replay.coverage()),
                            ShareCell(offer.replay.utilization()),
                            ShareCell(offer.replay.effective_savings_rate())});
    }
  }
  if (view.for_people) {
    KeepColumns(table,
                {"flavor", "offer", "term_months", "hourly", "break_even", "quantity", "saving"});
  }
  return table;
}

Table PurchaseTable(const CommitView& view) {
  Table table{"purchases", "What to buy, and what is planned as commitments expire", {}, {}, {}};
  table.columns = {{"flavor"},
                   {"offer"},
                   {"begin"},
                   {"end"},
                   {"quantity", CellKind::kNumber},
                   {"hourly", CellKind::kMoney, 4},
                   {"term_cost", CellKind::kMoney, 2}};
  for (const CommitAdvice& flavor : view.flavors) {
    for (const UnitPurchase& purchase : flavor.purchases) {
      const UnitOffer& offer = flavor.offers[purchase.offer];
      const Money cost = Money::FromNanos(offer.term_cost.nanos() * purchase.units);
      table.rows.push_back({NameOf(flavor, view), flavor.alone[purchase.offer].name,
                            MonthDate(view.start, purchase.begin_month),
                            MonthDate(view.start, purchase.begin_month + offer.months),
                            std::to_string(purchase.units),
                            flavor.alone[purchase.offer].hourly.ToString(), cost.ToString()});
    }
  }
  return table;
}

Table PlanTable(const CommitView& view) {
  Table table{"plans", "Commitments of money an hour, at the plans' own prices", {}, {}, {}};
  table.columns = {{"offer"},
                   {"flavors", CellKind::kList},
                   {"after_units", CellKind::kNumber},
                   {"term_months", CellKind::kNumber},
                   {"commitment", CellKind::kMoney, 3},
                   {"on_demand_value", CellKind::kMoney, 3},
                   {"cost", CellKind::kMoney, 2},
                   {"saving", CellKind::kMoney, 2},
                   {"utilization", CellKind::kNumber, 4},
                   {"unused", CellKind::kMoney, 2}};
  for (const SpendChoice& choice : view.spends) {
    const SpendAdvice& plan = choice.advice;
    std::string flavors;
    for (const std::string& flavor : plan.flavors) {
      flavors += (flavors.empty() ? "" : "\n") + (flavor.empty() ? "units" : flavor);
    }
    const Money face = plan.outcome.used + plan.outcome.unused;
    table.rows.push_back({plan.name, flavors, choice.after_units ? "true" : "false",
                          std::to_string(plan.months), plan.commitment.ToString(),
                          plan.commitment_on_demand.ToString(), plan.outcome.cost.ToString(),
                          choice.saving.ToString(),
                          ShareCell(ShareOf(plan.outcome.used.nanos(), face.nanos())),
                          plan.outcome.unused.ToString()});
  }
  if (view.for_people) {
    KeepColumns(table,
                {"offer", "after_units", "commitment", "on_demand_value", "saving", "utilization"});
  }
  return table;
}

std::string BestText(const CommitAdvice& flavor, const ScenarioOutcome& outcome,
                     const CommitView& view) {
  std::string text;
  for (const UnitPurchase& purchase : outcome.purchases_best) {
    text += (text.empty() ? "" : "\n") + std::to_string(purchase.units) + " x " +
            flavor.alone[purchase.offer].name +
            (purchase.begin_month == 0 ? "" : " at " + MonthDate(view.start, purchase.begin_month));
  }
  return text.empty() ? "nothing" : text;
}

Table ScenarioTable(const CommitView& view) {
  Table table{"scenarios",
              "Over the longest term on offer, if this happens after the purchase",
              {},
              {},
              {}};
  table.columns = {{"flavor"},
                   {"scenario"},
                   {"cost", CellKind::kMoney, 0},
                   {"cost_on_demand", CellKind::kMoney, 0},
                   {"saving", CellKind::kMoney, 0},
                   {"stranded_cost", CellKind::kMoney, 0},
                   {"regret", CellKind::kMoney, 0},
                   {"best", CellKind::kList}};
  for (const CommitAdvice& flavor : view.flavors) {
    for (std::size_t i = 0; i < flavor.scenarios.size(); ++i) {
      const ScenarioOutcome& outcome = flavor.scenarios[i];
      const Money saving = outcome.bought.cost_without - outcome.bought.cost;
      table.rows.push_back({NameOf(flavor, view), view.scenarios[i].name,
                            outcome.bought.cost.ToString(), outcome.bought.cost_without.ToString(),
                            saving.ToString(), outcome.bought.stranded.ToString(),
                            outcome.regret.ToString(), BestText(flavor, outcome, view)});
    }
  }
  for (const SpendChoice& choice : view.spends) {
    for (std::size_t i = 0; i < choice.advice.scenarios.size(); ++i) {
      const SpendScenario& outcome = choice.advice.scenarios[i];
      const std::string name = choice.advice.name + (choice.after_units ? " after units" : "");
      table.rows.push_back(
          {name, view.scenarios[i].name, outcome.cost.ToString(), outcome.cost_on_demand.ToString(),
           (outcome.cost_on_demand - outcome.cost).ToString(), outcome.unused.ToString(),
           outcome.regret ? Cell(outcome.regret->ToString()) : std::nullopt, std::nullopt});
    }
  }
  if (view.for_people) {
    KeepColumns(table, {"flavor", "scenario", "saving", "stranded_cost", "regret", "best"});
  }
  return table;
}

Table LadderTable(const CommitView& view) {
  Table table{"ladder", "The purchase in parts", {}, {}, {}};
  table.columns = {{"flavor"},
                   {"offer"},
                   {"begin"},
                   {"end"},
                   {"quantity", CellKind::kNumber},
                   {"quantity_total", CellKind::kNumber},
                   {"saving_forgone", CellKind::kMoney, 2}};
  for (const CommitAdvice& flavor : view.flavors) {
    for (const LadderRung& rung : flavor.ladder) {
      table.rows.push_back({NameOf(flavor, view), BoughtOffer(flavor)->name,
                            MonthDate(view.start, rung.month),
                            MonthDate(view.start, rung.ends_month), std::to_string(rung.units),
                            std::to_string(rung.units_total), rung.saving_forgone.ToString()});
    }
  }
  return table;
}

Table ExistingTable(const CommitView& view) {
  Table table{"existing", "Commitments in force", {}, {}, {}};
  table.columns = {{"flavor"},
                   {"quantity", CellKind::kNumber},
                   {"cost", CellKind::kMoney, 2},
                   {"utilization", CellKind::kNumber, 4},
                   {"stranded_cost", CellKind::kMoney, 2}};
  for (const CommitAdvice& flavor : view.flavors) {
    if (flavor.existing_units == 0) continue;
    table.rows.push_back({NameOf(flavor, view), std::to_string(flavor.existing_units),
                          flavor.before.cost_committed.ToString(),
                          ShareCell(flavor.before.utilization()),
                          flavor.before.stranded.ToString()});
  }
  for (const ExistingCommitment& idle : UnmatchedExisting(view)) {
    const std::int64_t hours = view.usage.window.length().base() / Hours(1).base();
    const Money cost = Money::FromNanos(idle.price.nanos() * idle.units * hours);
    table.rows.push_back(
        {idle.flavor, std::to_string(idle.units), cost.ToString(), ShareCell(0), cost.ToString()});
  }
  return table;
}

}  // namespace

Answer CommitAnswer(const CommitView& view) {
  Answer answer;
  const Total total = TotalOf(view);
  AddFacts(view, total, answer);
  AddLines(view,
           {total.cost, total.cost_on_demand,
            ShareOf(total.covered.nanos(), total.cost_on_demand.nanos()), UtilizationOf(total)},
           answer);
  const auto add = [&](Table table) {
    if (!table.rows.empty() || !view.for_people) answer.tables.push_back(std::move(table));
  };
  add(FlavorTable(view));
  add(OfferTable(view));
  add(PlanTable(view));
  add(PurchaseTable(view));
  add(ExistingTable(view));
  add(ScenarioTable(view));
  add(LadderTable(view));
  AddNotes(view, answer);
  return answer;
}

Answer BlockAnswer(const CapacityBlock& block, const CapacityBlockTerms& terms,
                   const std::string& currency) {
  Answer answer;
  answer.facts = {
      {"begin", CellKind::kText, ToString(block.begin)},
      {"end", CellKind::kText, ToString(terms.end)},
      {"terminates", CellKind::kText, ToString(terms.terminates)},
      {"instances", CellKind::kNumber, std::to_string(block.instances)},
      {"usable_hours", CellKind::kDecimal, ToDecimalHours(GpuMillis(terms.usable.base()))},
      {"currency", CellKind::kText, currency},
      {"price", CellKind::kMoney, block.price.ToString()},
      {"cost", CellKind::kMoney, terms.cost.ToString()},
      {"cost_per_usable_hour", CellKind::kMoney, terms.per_usable_hour.ToString()}};
  Table table{"block", "Capacity block", {}, {}, {}};
  Row row;
  for (const Fact& fact : answer.facts) {
    if (fact.name == "currency") continue;
    const int places = fact.name == "cost" || fact.kind == CellKind::kDecimal ? 2 : 3;
    table.columns.push_back({fact.name, fact.kind, fact.kind == CellKind::kNumber ? -1 : places});
    row.push_back(fact.value);
  }
  table.rows.push_back(std::move(row));
  answer.lines = {std::to_string(block.instances) +
                  (block.instances == 1 ? " instance until " : " instances until ") +
                  ToString(terms.terminates) + ", paid at the purchase: " + Rounded(terms.cost, 2) +
                  " " + currency + ", " + Rounded(terms.per_usable_hour, 3) +
                  " for an hour that can be used"};
  answer.notes = {
      "a capacity block is neither changed nor cancelled; savings plans and reservations do not "
      "lower its price, and an operating system's fee is on top",
      "the begin is the block's earliest hour: it holds what the provider has on that day"};
  answer.tables.push_back(std::move(table));
  return answer;
}

}  // namespace plimsoll
