#include "cli/spot_view.h"

#include <string>

#include "cli/render.h"
#include "config/duration.h"
#include "units/quantity.h"

namespace plimsoll {
namespace {

constexpr std::int64_t kBillion = 1'000'000'000;
constexpr std::size_t kSpotOnly = 1, kFallback = 2;  // in plan.outcomes

Cell HoursCell(Duration time) { return ToDecimalHours(GpuMillis(time.base())); }
Cell HoursCell(const std::optional<Duration>& time) {
  return time ? HoursCell(*time) : std::nullopt;
}
// Parts per billion as a number.
Cell BillionthsCell(std::int64_t ppb) { return Money::FromNanos(ppb).ToString(); }
Cell BillionthsCell(const std::optional<std::int64_t>& ppb) {
  return ppb ? BillionthsCell(*ppb) : std::nullopt;
}
Cell MoneyCell(Money money) { return money.ToString(); }

Cell PriceOfAnHour(Money cost, Duration work, std::int64_t units) {
  return Money::FromNanos(
             DivideHalfEven(cost.nanos() * Hours(1).base(), int128{work.base()} * units))
      .ToString();
}

std::string ShortHours(Duration time) { return DisplayDecimal(*HoursCell(time), 1) + " h"; }
std::string ShortMoney(Money money) { return DisplayDecimal(money.ToString(), 2); }
// Of whole tenths of a percent: sums of any size fit.
std::string Percent(int128 part, int128 whole) {
  if (whole == 0) return "0 %";
  const int128 tenths = DivideHalfEven(part * 1'000, whole);
  return DisplayDecimal(Money::FromNanos(tenths * (kBillion / 10)).ToString(), 1) + " %";
}

// Without an age to go by there is one interval.
bool ByAge(const SpotView& view) { return view.question.by_age && !view.plan.ages.empty(); }

class Facts {
 public:
  explicit Facts(Answer& answer) : answer_(answer) {}
  void Number(const std::string& name, Cell value) { Add(name, CellKind::kNumber, value); }
  void Money(const std::string& name, Cell value) { Add(name, CellKind::kMoney, value); }
  void Text(const std::string& name, Cell value) { Add(name, CellKind::kText, value); }

 private:
  void Add(const std::string& name, CellKind kind, Cell& value) {
    answer_.facts.push_back({name, kind, std::move(value)});
  }
  Answer& answer_;
};

void AddQuestion(const SpotView& view, Facts& facts) {
  const SpotRunModel& run = view.question.run;
  facts.Number("work_hours", HoursCell(run.work));
  facts.Number("nodes", std::to_string(run.nodes));
  facts.Number("gpus", view.gpus ? Cell(std::to_string(*view.gpus)) : std::nullopt);
  facts.Text("lifetime", run.lifetime.ToString());
  facts.Number("job_mtbf_hours", HoursCell(view.plan.job_mtbf));
}

void AddIntervals(const SpotView& view, Facts& facts) {
  const SpotPlan& plan = view.plan;
  facts.Number("interval_hours", ByAge(view) ? std::nullopt : HoursCell(plan.interval));
  facts.Text("interval", ByAge(view) ? "by-age" : FormatDuration(plan.interval));
  facts.Number("interval_steps",
               plan.interval_steps > 0 ? Cell(std::to_string(plan.interval_steps)) : std::nullopt);
  facts.Number("interval_young_hours", HoursCell(plan.interval_young));
  facts.Number("interval_daly_hours", HoursCell(plan.interval_daly));
  facts.Number("interval_optimal_hours", HoursCell(plan.interval_optimal));
}

void AddTimes(const SpotView& view, Facts& facts) {
  const SpotPlan& plan = view.plan;
  const SpotOutcome& spot = plan.outcomes[kSpotOnly];
  facts.Number("expected_hours_closed_form", HoursCell(plan.expected_even));
  facts.Number("expected_hours_exact", HoursCell(plan.expected_exact));
  facts.Number("expected_hours_simulated.mean", HoursCell(spot.mean_time));
  facts.Number("expected_hours_simulated.low", HoursCell(spot.mean_time_low));
  facts.Number("expected_hours_simulated.high", HoursCell(spot.mean_time_high));
  facts.Number("confidence", "0.99");
  facts.Number("hours.p50", HoursCell(spot.time_p50.value));
  facts.Number("hours.p90", HoursCell(spot.time_p90.value));
  facts.Number("hours.p99", HoursCell(spot.time_p99.value));
  facts.Number("evictions", BillionthsCell(spot.evictions_per_billion_runs));
  facts.Number("first_order_waste", BillionthsCell(plan.first_order_waste_ppb));
}

void AddDeadline(const SpotOutcome& spot, Facts& facts) {
  const bool known = spot.on_time.has_value();
  const auto cell = [&](std::int64_t SpotShare::*part) {
    return known ? BillionthsCell((*spot.on_time).*part) : std::nullopt;
  };
  facts.Number("p_deadline", cell(&SpotShare::ppb));
  facts.Number("p_deadline_interval.low", cell(&SpotShare::low_ppb));
  facts.Number("p_deadline_interval.high", cell(&SpotShare::high_ppb));
}

void AddMoney(const SpotView& view, Facts& facts) {
  const SpotPlan& plan = view.plan;
  const SpotRunModel& run = view.question.run;
  const SpotOutcome& spot = plan.outcomes[kSpotOnly];
  const SpotSaving& saving = plan.savings[kSpotOnly];
  const Money cost = spot.mean_cost.total();
  facts.Money("cost.mean", MoneyCell(cost));
  facts.Money("cost.p50", MoneyCell(spot.cost_p50.value));
  facts.Money("cost.p90", MoneyCell(spot.cost_p90.value));
  facts.Money("cost.p99", MoneyCell(spot.cost_p99.value));
  AddDeadline(spot, facts);
  facts.Money("on_demand_cost", MoneyCell(saving.on_demand));
  facts.Money("gross_saving", MoneyCell(saving.gross));
  for (std::size_t i = 0; i < kSpotLines; ++i) {
    facts.Money("deductions." + std::string(kSpotLineNames[i]), MoneyCell(saving.deductions[i]));
  }
  facts.Money("net_saving", spot.unfinished > 0 ? std::nullopt : MoneyCell(saving.net));
  facts.Money("cost_per_node_hour_of_work", PriceOfAnHour(cost, run.work, run.nodes));
  facts.Money("cost_per_gpu_hour_of_work",
              view.gpus ? PriceOfAnHour(cost, run.work, run.nodes * *view.gpus) : std::nullopt);
  facts.Number("discount", BillionthsCell(plan.discount_ppb));
  facts.Number("break_even_mtbf_hours", HoursCell(plan.break_even_mtbf));
  facts.Number("break_even_discount", BillionthsCell(plan.break_even_discount_ppb));
  facts.Number("worth_waiting_hours", HoursCell(plan.worth_waiting));
}

void AddFacts(const SpotView& view, Answer& answer) {
  Facts facts(answer);
  AddQuestion(view, facts);
  AddIntervals(view, facts);
  AddTimes(view, facts);
  AddMoney(view, facts);
  facts.Text("advised", kSpotPolicyNames[static_cast<std::size_t>(view.plan.advised)]);
  facts.Text("advised_meets_deadline", view.question.run.deadline
                                           ? Cell(view.plan.advised_meets_deadline ? "yes" : "no")
                                           : std::nullopt);
  facts.Number("seed", std::to_string(view.question.sampling.seed));
  facts.Number("replications", std::to_string(view.plan.outcomes[kSpotOnly].runs));
  facts.Text("fingerprint", view.plan.outcomes[kSpotOnly].fingerprint.ToHex());
}

Table PolicyTable(const SpotView& view) {
  // Wide amounts without decimals, so that the table fits.
  const bool wide = view.plan.savings[0].on_demand >= Money::Units(10'000);
  const int places = wide ? 0 : 2;
  Table table;
  table.name = "policies";
  table.title = "Ways to buy it";
  table.columns = {{"policy"},
                   {"hours", CellKind::kNumber, 1},
                   {"hours_p90", CellKind::kNumber, 1},
                   {"cost", CellKind::kMoney, places},
                   {"cost_p90", CellKind::kMoney, places},
                   {"cost_p99", CellKind::kMoney, places},
                   {"on_time", CellKind::kNumber, 4},
                   {"net_saving", CellKind::kMoney, places}};
  if (!view.question.run.deadline) table.columns.erase(table.columns.begin() + 6);
  for (std::size_t i = 0; i < view.plan.outcomes.size(); ++i) {
    const SpotOutcome& outcome = view.plan.outcomes[i];
    Row row{kSpotPolicyNames[i],
            HoursCell(outcome.mean_time),
            HoursCell(outcome.time_p90.value),
            MoneyCell(outcome.mean_cost.total()),
            MoneyCell(outcome.cost_p90.value),
            MoneyCell(outcome.cost_p99.value)};
    if (outcome.on_time) row.push_back(BillionthsCell(outcome.on_time->ppb));
    // What a run that did not end has cost so far says nothing of a saving.
    row.push_back(outcome.unfinished > 0 ? std::nullopt : MoneyCell(view.plan.savings[i].net));
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table SavingTable(const SpotView& view) {
  Table table;
  table.name = "savings";
  table.title = "From the difference in price to the net saving";
  table.columns = {{"line"}};
  Row gross{"gross_saving"}, net{"net_saving"};
  for (std::size_t p = kSpotOnly; p < view.plan.savings.size(); ++p) {
    table.columns.push_back({kSpotPolicyNames[p], CellKind::kMoney, 2});
    gross.push_back(MoneyCell(view.plan.savings[p].gross));
    net.push_back(MoneyCell(view.plan.savings[p].net));
  }
  table.rows.push_back(std::move(gross));
  for (std::size_t line = 0; line < kSpotLines; ++line) {
    Row row{kSpotLineNames[line]};
    bool any = false;
    for (std::size_t p = kSpotOnly; p < view.plan.savings.size(); ++p) {
      const Money deduction = view.plan.savings[p].deductions[line];
      any = any || deduction != Money();
      row.push_back(MoneyCell(-deduction));
    }
    if (any) table.rows.push_back(std::move(row));
  }
  table.total = std::move(net);
  return table;
}

Table TimeTable(const SpotView& view) {
  constexpr const char* kNames[kSpotTimes] = {"work", "recomputation", "checkpoints", "restarts",
                                              "waiting"};
  Table table;
  table.name = "time";
  table.title = "Where the hours go, on average";
  table.columns = {{"cause"}};
  Row total{"all"};
  for (std::size_t p = kSpotOnly; p < view.plan.outcomes.size(); ++p) {
    table.columns.push_back({kSpotPolicyNames[p], CellKind::kNumber, 2});
    total.push_back(HoursCell(view.plan.outcomes[p].mean_time));
  }
  for (std::size_t i = 0; i < kSpotTimes; ++i) {
    Row row{kNames[i]};
    for (std::size_t p = kSpotOnly; p < view.plan.outcomes.size(); ++p) {
      row.push_back(HoursCell(view.plan.outcomes[p].time_by_cause[i]));
    }
    table.rows.push_back(std::move(row));
  }
  table.total = std::move(total);
  return table;
}

Table AgeTable(const SpotPlan& plan) {
  Table table;
  table.name = "ages";
  table.title = "What a spot node of some age has before it";
  table.columns = {{"age_hours", CellKind::kNumber, 0},
                   {"p_survives_an_hour", CellKind::kNumber, 4},
                   {"next_interval_hours", CellKind::kNumber, 2}};
  for (const SpotAge& age : plan.ages) {
    table.rows.push_back(
        {HoursCell(age.age), BillionthsCell(age.survives_hour_ppb), HoursCell(age.interval)});
  }
  return table;
}

void AddIntervalLine(const SpotView& view, std::vector<std::string>& lines) {
  const SpotPlan& plan = view.plan;
  std::string line = "Saves every " + ShortSpan(plan.interval) + " of work";
  if (plan.interval_steps > 0) line += ", " + std::to_string(plan.interval_steps) + " steps";
  if (ByAge(view)) {
    line = "Saves by the age of the instance, first after " + ShortSpan(plan.ages.front().interval);
  }
  lines.push_back(line + "; best " + ShortSpan(plan.interval_optimal) + ", Young " +
                  ShortSpan(plan.interval_young) + ", Daly " + ShortSpan(plan.interval_daly) + ".");
}

void AddTimeLines(const SpotView& view, std::vector<std::string>& lines) {
  const SpotOutcome& spot = view.plan.outcomes[kSpotOnly];
  if (spot.unfinished > 0) {
    lines.push_back(std::to_string(spot.unfinished) + " of " + std::to_string(spot.runs) +
                    " runs on spot only were given up before their " +
                    ShortHours(view.question.run.work) + " of work were done.");
    return;
  }
  lines.push_back(ShortHours(view.question.run.work) + " of work take " +
                  ShortHours(spot.mean_time) + " on spot, with " +
                  DisplayDecimal(*BillionthsCell(spot.evictions_per_billion_runs), 1) +
                  " evictions.");
  std::string line = "The mean is " + ShortHours(spot.mean_time_low) + " to " +
                     ShortHours(spot.mean_time_high) + " with 99 % confidence";
  if (view.plan.expected_even) line += "; closed form " + ShortHours(*view.plan.expected_even);
  lines.push_back(line + ".");
}

void AddMoneyLines(const SpotView& view, std::vector<std::string>& lines) {
  if (view.plan.outcomes[kSpotOnly].unfinished > 0) {
    lines.push_back("Spot only saves nothing: it does not get the work done.");
    if (!ByAge(view) &&
        view.plan.interval > view.plan.interval_optimal + view.plan.interval_optimal) {
      lines.push_back("It may with a checkpoint every " + ShortSpan(view.plan.interval_optimal) +
                      ": leave --interval out.");
    }
    return;
  }
  const SpotSaving& saving = view.plan.savings[kSpotOnly];
  const bool saves = saving.net >= Money();
  const Money net = saves ? saving.net : -saving.net;
  lines.push_back(std::string("Spot only ") + (saves ? "saves " : "loses ") + ShortMoney(net) +
                  " net of " + ShortMoney(saving.on_demand) + " on demand, " +
                  Percent(net.nanos(), saving.on_demand.nanos()) + ".");
  const std::int64_t discount = view.plan.discount_ppb;
  std::string line = "Its price is " + Percent(discount < 0 ? -discount : discount, kBillion) +
                     (discount < 0 ? " higher." : " lower.");
  line += view.plan.break_even_mtbf
              ? " It pays from an MTBF of " + ShortSpan(*view.plan.break_even_mtbf) + " a node."
              : " It does not pay at any MTBF.";
  lines.push_back(line);
  if (view.plan.worth_waiting) {
    lines.push_back("It pays to wait " + ShortSpan(*view.plan.worth_waiting) +
                    " for spot before the start, and no longer.");
  }
}

void AddAdvice(const SpotView& view, std::vector<std::string>& lines) {
  const SpotPlan& plan = view.plan;
  constexpr const char* kWords[] = {"buy on demand", "run on spot only",
                                    "run on spot, on demand when the deadline is near"};
  const SpotOutcome& advised = plan.of(plan.advised);
  lines.push_back(std::string("Advice: ") + kWords[static_cast<std::size_t>(plan.advised)] +
                  ", for " + ShortMoney(advised.mean_cost.total()) + " on average.");
  if (!advised.on_time) return;
  lines.push_back("On time with probability " +
                  DisplayDecimal(*BillionthsCell(advised.on_time->ppb), 3) +
                  (plan.advised_meets_deadline ? "; " : "; no way to buy it reaches ") +
                  DisplayDecimal(*BillionthsCell(view.question.on_time_ppb), 3) +
                  (plan.advised_meets_deadline ? " was asked for." : "."));
}

void AddNotes(const SpotView& view, Answer& answer) {
  const SpotPlan& plan = view.plan;
  const SpotRunModel& run = view.question.run;
  const auto note = [&](const std::string& text) { answer.notes.push_back(text); };
  const SpotOutcome& spot = plan.outcomes[kSpotOnly];
  if (spot.unfinished > 0) {
    note("hours and costs of runs that were given up are those until then: lower bounds");
  }
  if (spot.runs < view.question.sampling.replications) {
    note("only " + std::to_string(spot.runs) +
         " runs were simulated: each takes very many evictions");
  }
  if (run.lifetime.memoryless()) {
    note("a constant eviction rate is assumed; mostly the young are taken sooner: see --model");
  } else {
    note("break-even, Young's and Daly's figures are for a constant rate of the same mean");
  }
  if (run.lifetime.measured() != nullptr && run.lifetime.measured()->ends_alive()) {
    note("the longest lifetime was still going: what comes later is not known, taken as its end");
  }
  if (!plan.expected_even && !plan.never_ends) {
    note("no closed form holds for this run: its time is the simulation's alone");
  }
  if (run.nodes > 1) {
    note("the loss of a node stops all: MTBF of the run " + ShortSpan(plan.job_mtbf) +
         "; nodes that wait are paid for");
  }
  if (!run.hardware_mtbf) {
    note("on demand is taken to never fail; --hardware-mtbf tells its own failures");
  }
}

}  // namespace

std::string ShortSpan(Duration span) {
  const Duration unit = span >= Hours(10)    ? Minutes(1)
                        : span >= Minutes(1) ? Seconds(1)
                                             : Millis(1);
  const auto units = static_cast<std::int64_t>(DivideHalfEven(span.base(), unit.base()));
  return FormatDuration(Millis(units * unit.base()));
}

Answer SpotAnswer(const SpotView& view) {
  Answer answer;
  AddFacts(view, answer);
  AddAdvice(view, answer.lines);
  AddMoneyLines(view, answer.lines);
  AddTimeLines(view, answer.lines);
  AddIntervalLine(view, answer.lines);
  answer.tables = {PolicyTable(view), SavingTable(view), TimeTable(view)};
  if (!view.plan.ages.empty()) answer.tables.push_back(AgeTable(view.plan));
  AddNotes(view, answer);
  return answer;
}

}  // namespace plimsoll
