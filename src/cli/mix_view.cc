#include "cli/mix_view.h"

#include <algorithm>

#include "cli/commit_cells.h"
#include "cli/plan_input.h"
#include "cli/text.h"
#include "purchase/mix/mix_reason.h"

namespace plimsoll {
namespace {

constexpr std::size_t kReasonWidth = 78;
// What the lines of a saving are called for people.
constexpr const char* kLineTexts[kSpotLines] = {"recomputation after evictions",
                                                "restarts after evictions",
                                                "checkpoint writes",
                                                "nodes held while others wait",
                                                "on demand where spot is short or late",
                                                "storage",
                                                "traffic",
                                                "people",
                                                "late work and missed deadlines"};

Cell MoneyCell(const std::optional<Money>& money) {
  return money ? Cell(money->ToString()) : std::nullopt;
}

Cell TimeCell(const std::optional<Duration>& time) {
  return time ? Cell(HoursText(*time)) : std::nullopt;
}

Cell UnitHours(int128 unit_ms) {
  return Money::FromNanos(DivideHalfEven(unit_ms * Money::kNanosPerUnit, kUnitHour)).ToString();
}

Cell TextCell(const std::string& text) { return text.empty() ? std::nullopt : Cell(text); }

Cell Flag(const std::optional<bool>& value) {
  return value ? Cell(*value ? "true" : "false") : std::nullopt;
}

std::string Whole(Money money) { return Rounded(money, 0); }

const MixWorkload& WorkloadOf(const MixView& view, const MixDecision& decision) {
  return view.question->workloads[decision.workload];
}

std::vector<TableColumn> DecisionColumns() {
  using enum CellKind;
  return {{"workload"},
          {"kind"},
          {"flavor"},
          {"decision"},
          {"spot_flavor"},
          {"reason"},
          {"cost", kMoney},
          {"cost_on_demand", kMoney},
          {"cost_reserved", kMoney},
          {"cost_spot", kMoney},
          {"saving", kMoney},
          {"cost_parts.committed", kMoney},
          {"cost_parts.on_demand", kMoney},
          {"cost_parts.spot", kMoney},
          {"hours.reserved", kDecimal},
          {"hours.on_demand", kDecimal},
          {"hours.spot", kDecimal},
          {"run_hours.on_demand", kDecimal},
          {"run_hours.spot", kDecimal},
          {"on_time.on_demand", kNumber},
          {"on_time.spot", kNumber},
          {"evictions_per_run", kNumber},
          {"break_even_mtbf_hours", kDecimal},
          {"break_even_spot_price", kMoney},
          {"return_to_spot_from_hours", kDecimal},
          {"wait_up_to_hours", kDecimal},
          {"waits_in_shortage", kBoolean}};
}

Row DecisionRow(const MixView& view, const MixDecision& decision) {
  const MixWorkload& workload = WorkloadOf(view, decision);
  Money spot = decision.cost_spot_work;
  for (const Money line : decision.lines) spot += line;
  return {workload.name,
          kWorkloadKindNames[static_cast<std::size_t>(workload.kind)],
          workload.flavor,
          WaysOf(decision),
          TextCell(decision.spot_flavor),
          TextCell(decision.reason),
          MoneyCell(decision.cost),
          MoneyCell(decision.cost_on_demand),
          MoneyCell(decision.cost_reserved),
          MoneyCell(decision.cost_spot),
          MoneyCell(decision.cost_on_demand - decision.cost),
          MoneyCell(decision.cost_committed),
          MoneyCell(decision.cost_rest + decision.penalty_on_demand),
          MoneyCell(spot),
          UnitHours(decision.use.reserved),
          UnitHours(decision.use.on_demand),
          UnitHours(decision.use.spot),
          TimeCell(decision.time_on_demand),
          TimeCell(decision.time_spot),
          ShareCell(decision.on_time_on_demand_ppb),
          ShareCell(decision.on_time_spot_ppb),
          ShareCell(decision.evictions_ppb),
          TimeCell(decision.break_even_mtbf),
          MoneyCell(decision.break_even_price),
          TimeCell(decision.return_pays_from),
          TimeCell(decision.wait_up_to),
          Flag(decision.waits)};
}

Table FullDecisions(const MixView& view) {
  Table table;
  table.name = "decisions";
  table.columns = DecisionColumns();
  for (const MixDecision& decision : view.plan->decisions) {
    table.rows.push_back(DecisionRow(view, decision));
  }
  return table;
}

Table ShortDecisions(const MixView& view) {
  using enum CellKind;
  Table table;
  table.name = "decisions";
  table.title = "Workloads, " + view.currency + " a month; saving against all on demand";
  table.columns = {{"workload"},        {"flavor"},
                   {"decision"},        {"on_demand", kMoney, 0},
                   {"plan", kMoney, 0}, {"saving", kMoney, 0}};
  const MixTotals& totals = view.plan->totals;
  Money cost, on_demand;
  for (const MixDecision& decision : view.plan->decisions) {
    const MixWorkload& workload = WorkloadOf(view, decision);
    table.rows.push_back({workload.name, workload.flavor, WaysOf(decision),
                          MoneyCell(decision.cost_on_demand), MoneyCell(decision.cost),
                          MoneyCell(decision.cost_on_demand - decision.cost)});
    cost += decision.cost;
    on_demand += decision.cost_on_demand;
  }
  if (const Money unused = totals.cost - cost; unused > Money()) {
    table.rows.push_back({"commitments unused", std::nullopt, std::nullopt, std::nullopt,
                          MoneyCell(unused), MoneyCell(-unused)});
  }
  table.total = Row{"total",
                    std::nullopt,
                    std::nullopt,
                    MoneyCell(on_demand),
                    MoneyCell(totals.cost),
                    MoneyCell(on_demand - totals.cost)};
  return table;
}

// From the cost as it is to the net saving; the lines add up.
Table SavingTable(const MixView& view) {
  using enum CellKind;
  const MixTotals& totals = view.plan->totals;
  Table table;
  table.name = "saving";
  table.title = "From gross to net saving, " + view.currency + " a month";
  table.columns = {{"line"}, {"amount", kMoney, 2}};
  const auto add = [&](const char* name, const char* text, Money amount) {
    if (view.for_people && amount == Money()) return;
    table.rows.push_back({std::string(view.for_people ? text : name), MoneyCell(amount)});
  };
  add("gross_saving", "gross: work at the prices chosen", totals.gross_saving);
  add("unused_purchases", "hours of purchases that nothing uses", -totals.unused_purchases);
  for (std::size_t l = 0; l < kSpotLines; ++l) {
    add(kSpotLineNames[l], kLineTexts[l], -totals.lines[l]);
  }
  if (view.for_people) {
    table.total = Row{"net saving", MoneyCell(totals.net_saving)};
  }
  return table;
}

Table PurchaseTable(const MixView& view) {
  using enum CellKind;
  Table table;
  table.name = "purchases";
  table.title = "To buy, " + view.currency;
  table.columns = {{"flavor"},
                   {"offer"},
                   {"kind"},
                   {"term_months", kNumber},
                   {"quantity", kNumber},
                   {"hourly", kMoney, 4},
                   {"commitment_hourly", kMoney, 2},
                   {"cost", kMoney, 0},
                   {"term_cost", kMoney, 0},
                   {"unused", kMoney, 0},
                   {"break_even", kNumber, 3},
                   {"utilization", kNumber, 3},
                   {"saving", kMoney, 0}};
  for (const MixPurchase& buy : view.plan->purchases) {
    table.rows.push_back(
        {buy.flavor, buy.offer, kCommitmentKindNames[static_cast<std::size_t>(buy.kind)],
         std::to_string(buy.months), std::to_string(buy.units), MoneyCell(buy.hourly),
         MoneyCell(Money::FromNanos(buy.hourly.nanos() * buy.units)), MoneyCell(buy.cost),
         MoneyCell(buy.term_cost), MoneyCell(buy.unused), ShareCell(buy.break_even_ppb),
         ShareCell(buy.utilization_ppb), MoneyCell(buy.saving)});
  }
  if (view.for_people) {
    KeepColumns(table, {"flavor", "offer", "quantity", "hourly", "cost", "utilization", "saving"});
  }
  return table;
}

Table ExistingTable(const MixView& view) {
  using enum CellKind;
  Table table;
  table.name = "existing";
  table.title = "Already in force, " + view.currency + " a month";
  table.columns = {
      {"flavor"}, {"quantity", kNumber}, {"cost", kMoney, 0}, {"unused", kMoney, 0}, {"expires"}};
  for (const MixExisting& one : view.plan->existing) {
    table.rows.push_back({one.flavor, std::to_string(one.units), MoneyCell(one.cost),
                          MoneyCell(one.unused), ToDateString(one.expires)});
  }
  return table;
}

Table RejectedTable(const MixView& view) {
  Table table;
  table.name = "rejected";
  table.columns = {{"workload"}, {"option"}, {"cost", CellKind::kMoney}, {"why"}};
  for (const MixRejection& no : view.plan->rejected) {
    table.rows.push_back({no.workload, no.option, MoneyCell(no.cost), no.why});
  }
  return table;
}

void AddFacts(const MixView& view, Answer& answer) {
  const MixPlan& plan = *view.plan;
  const MixTotals& totals = plan.totals;
  answer.facts.push_back({"currency", CellKind::kText, view.currency});
  answer.facts.push_back({"hours", CellKind::kNumber, std::to_string(plan.hours)});
  answer.facts.push_back({"optimal", CellKind::kBoolean, plan.proven ? "true" : "false"});
  const auto money = [&](const char* name, Money amount) {
    answer.facts.push_back({std::string("totals.") + name, CellKind::kMoney, amount.ToString()});
  };
  money("cost_on_demand", totals.on_demand);
  money("cost_as_is", totals.as_is);
  money("cost", totals.cost);
  money("cost_least", plan.cost_least);
  money("cost_existing", totals.cost_existing);
  money("cost_purchases", totals.cost_purchases);
  money("cost_rest_on_demand", totals.cost_on_demand);
  money("cost_spot", totals.cost_spot);
  money("gross_saving", totals.gross_saving);
  money("net_saving", totals.net_saving);
}

void AddLines(const MixView& view, Answer& answer) {
  const MixPlan& plan = *view.plan;
  const MixTotals& totals = plan.totals;
  std::string line = "Plan: " + Whole(totals.cost) + " " + view.currency + " a month, " +
                     Whole(totals.as_is) + " as it is";
  if (totals.as_is > Money()) {
    const int128 share = DivideHalfEven(totals.net_saving.nanos() * 1'000, totals.as_is.nanos());
    line += "; saves " + Whole(totals.net_saving) + " net (" +
            PercentText(static_cast<std::int64_t>(share) * 1'000'000) + ")";
  }
  answer.lines.push_back(line);
  for (const MixPurchase& buy : plan.purchases) {
    const bool money = IsOfMoney(buy.kind);
    const Money hourly = Money::FromNanos(buy.hourly.nanos() * buy.units);
    answer.lines.push_back(
        "Buy " + (money ? Rounded(hourly, 2) + " an hour of " + buy.offer + " for " : "") +
        std::to_string(buy.units) + " x " + buy.flavor + (money ? "" : " on " + buy.offer) + ", " +
        std::to_string(buy.months) + " months: " + Whole(buy.cost) + " a month, " +
        Whole(buy.term_cost) + " in all");
  }
  if (plan.purchases.empty()) answer.lines.push_back("Buy no commitment");
}

void AddWrapped(const std::string& text, Answer& answer) {
  bool first = true;
  for (const std::string& line : WrapText(text, kReasonWidth - 2)) {
    answer.notes.push_back((first ? "" : "  ") + line);
    first = false;
  }
}

void AddNotes(const MixView& view, Answer& answer) {
  const MixPlan& plan = *view.plan;
  if (view.for_people) {
    answer.notes.push_back("Why");
    for (const MixDecision& decision : plan.decisions) {
      AddWrapped("- " + WorkloadOf(view, decision).name + ": " + decision.reason, answer);
    }
    answer.notes.push_back("");
  }
  for (const MixRejection& no : plan.rejected) {
    if (std::find(plan.unpriced.begin(), plan.unpriced.end(), no.workload) != plan.unpriced.end()) {
      AddWrapped("Left out: " + no.workload + " on " + no.option + ": " + no.why, answer);
    }
  }
  for (const MixExisting& one : plan.existing) {
    if (one.unused > Money()) {
      AddWrapped("Commitments of " + one.flavor + " are billed unused for " + Whole(one.unused) +
                     " a month",
                 answer);
    }
    for (const MixPurchase& buy : plan.purchases) {
      if (buy.flavor != one.flavor ||
          one.expires >= view.question->options.start + Hours(730 * buy.months)) {
        continue;
      }
      AddWrapped("Commitments of " + one.flavor +
                     " in force count as if they lasted; the first "
                     "expires on " +
                     ToDateString(one.expires) + ": plan again then",
                 answer);
    }
  }
  if (!plan.purchases.empty()) {
    AddWrapped("Purchases hold if use and prices stay: plan commit says what falling ones strand",
               answer);
  }
  AddWrapped(plan.proven
                 ? "Runs on spot and units to buy are the joint optimum of each flavor, for the " +
                       std::to_string(plan.hours) + " hours that come again"
                 : "Too many runs for all combinations: no plan costs less than " +
                       Whole(plan.cost_least) + " a month",
             answer);
}

}  // namespace

Answer MixAnswer(const MixView& view) {
  Answer answer;
  AddFacts(view, answer);
  AddLines(view, answer);
  answer.tables.push_back(view.for_people ? ShortDecisions(view) : FullDecisions(view));
  answer.tables.push_back(PurchaseTable(view));
  answer.tables.push_back(ExistingTable(view));
  answer.tables.push_back(SavingTable(view));
  if (!view.for_people) answer.tables.push_back(RejectedTable(view));
  AddNotes(view, answer);
  return answer;
}

}  // namespace plimsoll
