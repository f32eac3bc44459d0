#include "report/weekly.h"

#include <algorithm>

#include "report/facts_sql.h"
#include "report/render.h"
#include "report/weekly_parts.h"

namespace plimsoll {
namespace {

// The currency that most of the week's cost is in; others are named, never added.
Result<std::vector<std::string>> CurrenciesByCost(Ledger& ledger, Window window) {
  PLIMSOLL_TRY(const LedgerTable table, RunQuery(ledger.store(), {window, {"currency"}, ""}));
  std::vector<std::string> currencies;
  for (const LedgerRow& row : table.rows) currencies.push_back(row.keys[0]);
  return currencies;
}

std::string TieOutText(const std::vector<ReconciledPeriod>& periods) {
  if (periods.empty()) return "no bill loaded: costs are priced by the ladder";
  std::string wrong;
  for (const ReconciledPeriod& period : periods) {
    if (period.unexplained == Money()) continue;
    wrong += (wrong.empty() ? "" : "; ") + period.scope.issuer + " " +
             ToDateString(period.scope.period.begin).substr(0, 7) + ": " + period.outcome;
  }
  if (!wrong.empty()) return "does not tie: " + wrong;
  return "ties: " + std::to_string(periods.size()) + (periods.size() == 1 ? " bill" : " bills") +
         ", unexplained " + Money().ToString();
}

std::string RejectedText(const std::vector<ReconciledPeriod>& periods) {
  std::string text;
  for (const ReconciledPeriod& period : periods) {
    if (period.rejected_billed == "0") continue;
    text += (text.empty() ? "" : "; ") + period.scope.issuer + " " + period.rejected_billed + " " +
            period.scope.currency;
  }
  return text.empty() ? "none" : text;
}

// Who reads figures reads these first.
Result<std::vector<ReportFact>> HeaderFacts(const Ask& ask, const WeeklyOptions& options,
                                            const ClassSums& classes,
                                            const std::vector<ReconciledPeriod>& periods) {
  PLIMSOLL_TRY(const Coverage coverage, ReadCoverage(ask.store(), ask.window()));
  PLIMSOLL_TRY(const std::optional<Instant> bill, ReadBillAsOf(ask.store()));
  PLIMSOLL_TRY(const Instant facts, ask.ledger().DataAsOf());
  const int128 held = classes.Held().gpu_time.base();
  const int128 unknown = classes.Of(CostClass::kUsageUnknown).gpu_time.base();
  const auto fact = [](std::string key, std::string label, ValueKind kind, Value value,
                       std::string note) {
    return ReportFact{std::move(key), std::move(label), kind, std::move(value), "", "",
                      std::move(note)};
  };
  return std::vector<ReportFact>{
      fact("window", "Window (UTC)", ValueKind::kText, ToString(ask.window()), ""),
      fact("time_zone", "Time zone", ValueKind::kText, options.time_zone, ""),
      fact("data_as_of", "Telemetry and occupancy as of", ValueKind::kText,
           facts == Instant() ? Value() : ToString(facts),
           facts == Instant() ? "connect Prometheus, Kubernetes or Slurm" : ""),
      fact("bill_as_of", "Bill as of", ValueKind::kText,
           bill ? Value(ToString(*bill)) : std::nullopt, bill ? "" : "connect a FOCUS export"),
      fact("completeness", "Paid node-hours with telemetry", ValueKind::kPercent,
           PercentOf(coverage.with_samples, coverage.node_hours),
           std::to_string(coverage.with_samples) + " of " + std::to_string(coverage.node_hours)),
      fact("no_signal_share", "Held GPU-hours without a usage signal", ValueKind::kPercent,
           PercentOf(unknown, held), ""),
      fact("tie_out", "Tie-out", ValueKind::kText, TieOutText(periods), ""),
      fact("quarantined", "Quarantined cost", ValueKind::kText, RejectedText(periods),
           "plimsoll quarantine lists the rows"),
  };
}

// The change against the week before, if there was one with data.
Result<std::string> ChangeText(const Ask& ask, const Sum& now) {
  const Duration length = ask.window().length();
  const Window before{ask.window().begin - length, ask.window().begin};
  PLIMSOLL_TRY(const std::optional<Instant> measured, ReadMeasuredSince(ask.store()));
  if (!measured || before.begin < *measured) {
    return std::string("no earlier week is loaded to compare with");
  }
  PLIMSOLL_RETURN_IF_ERROR(ask.ledger().Refresh(before));
  PLIMSOLL_TRY(const Sum then, Ask(ask.ledger(), before, ask.currency()).Total(""));
  const Value change = PercentOf((now.cost - then.cost).nanos(), then.cost.nanos());
  if (!change) return std::string("nothing was spent in the week before");
  return *change + " % against the week before";
}

// The week in one sentence.
std::string HeadlineOf(const Ask& ask, const ClassSums& classes) {
  const auto share = [&](CostClass c) {
    return PercentOf(classes.Of(c).cost.nanos(), classes.all.cost.nanos()).value_or("0.0") + " %";
  };
  const std::string held =
      classes.HasSignal()
          ? share(CostClass::kUsed) + " of it did work, " + share(CostClass::kUnused) +
                " was held but unused, "
          : share(CostClass::kUsageUnknown) + " was held by work whose use no signal tells, ";
  return "The fleet cost " + Display(ValueKind::kMoney, classes.all.cost.ToString()) + " " +
         ask.currency() + ": " + held + share(CostClass::kWaste) + " was idle and unexplained.";
}

// Every class is in one row, so the rows add up to the week's cost.
struct SummaryRow {
  const char* key;
  const char* label;
  std::vector<CostClass> classes;
  bool always;  // also where it is 0
};
const SummaryRow kSummaryRows[] = {
    {"used_cost", "Used", {CostClass::kUsed}, true},
    {"unused_cost", "Held but unused", {CostClass::kUnused}, true},
    {"unknown_cost", "Held, use unknown", {CostClass::kUsageUnknown}, false},
    {"startup_cost", "Held, starting up or hung", {CostClass::kStartup, CostClass::kHung}, false},
    {"explained_cost",
     "Idle, explained: reserved, queued for, scaling down, stranded",
     {CostClass::kQuotaHeld, CostClass::kReserve, CostClass::kScaleDownDelay, CostClass::kStranded},
     false},
    {"waste_cost", "Idle, unexplained", {CostClass::kWaste}, true},
    {"bypass_cost",
     "Busy with work that nobody answers for",
     {CostClass::kBusyUnattributed},
     false},
    {"unavailable_cost", "Failed, missing or in maintenance", {CostClass::kUnavailable}, true},
    {"other_cost", "Not GPU time: storage, traffic, tax, fees", {CostClass::kNone}, true},
};

void AddSummaryRows(const Ask& ask, const ClassSums& classes, ReportSection& section) {
  for (const SummaryRow& row : kSummaryRows) {
    Money cost;
    std::string values;
    for (const CostClass c : row.classes) {
      cost += classes.Of(c).cost;
      values += (values.empty() ? "" : ",") + ("\"" + std::string(NameOf(c)) + "\"");
    }
    if (cost == Money() && !row.always) continue;
    ReportFact fact = FactOf(ask, {row.key, row.label, cost, "class:" + values}, classes.all.cost);
    const bool needs_signal =
        row.classes[0] == CostClass::kUsed || row.classes[0] == CostClass::kUnused;
    if (needs_signal && !classes.HasSignal()) {
      fact.value = std::nullopt;
      fact.note = "no usage signal: connect DCGM metrics";
    }
    section.facts.push_back(std::move(fact));
  }
}

Result<ReportSection> SummarySection(const Ask& ask, const ClassSums& classes,
                                     const std::vector<Opportunity>& opportunities) {
  ReportSection section;
  section.key = "summary";
  section.title = "Summary";
  PLIMSOLL_TRY(const std::string change, ChangeText(ask, classes.all));
  PLIMSOLL_TRY(const Sum unattributed, ask.Total("reason!:\"\""));
  const Money whole = classes.all.cost;
  ReportFact total = FactOf(ask, {"total_cost", "Effective cost", whole, ""}, whole);
  total.note = change;
  section.facts.push_back(std::move(total));
  AddSummaryRows(ask, classes, section);
  ReportFact lost = FactOf(
      ask, {"unattributed_cost", "Of all this without an owner", unattributed.cost, "reason!:\"\""},
      whole);
  lost.note += (lost.note.empty() ? "" : "; ") + std::string("counted in the rows above too");
  section.facts.push_back(std::move(lost));
  section.sentences.push_back(HeadlineOf(ask, classes));
  // By money, but no kind of finding crowds out the others.
  std::map<std::string, int> shown;
  for (const Opportunity& one : opportunities) {
    if (section.sentences.size() < 7 && ++shown[one.kind] <= 2) {
      section.sentences.push_back(one.sentence);
    }
  }
  section.sentences.push_back(
      "Each of these is a place to look, not a saving: before acting, check what the load "
      "produced, its latency target and what a restart would cost.");
  return section;
}

}  // namespace

Sum ClassSums::Held() const {
  Sum held;
  for (std::size_t i = 0; i < kCostClassCount; ++i) {
    if (!IsHeld(static_cast<CostClass>(i))) continue;
    held.gpu_time += of[i].gpu_time;
    if (of[i].gpu_used) held.gpu_used = held.gpu_used.value_or(GpuHours()) + *of[i].gpu_used;
    held.cost += of[i].cost;
  }
  return held;
}

bool ClassSums::HasSignal() const {
  const GpuHours told = Of(CostClass::kUsed).gpu_time + Of(CostClass::kUnused).gpu_time +
                        Of(CostClass::kHung).gpu_time;
  return told != GpuHours() || Of(CostClass::kUsageUnknown).gpu_time == GpuHours();
}

Result<ClassSums> ReadClassSums(const Ask& ask) {
  ClassSums sums;
  PLIMSOLL_TRY(const std::vector<LedgerRow> rows, ask.Rows({"class"}, ""));
  for (const LedgerRow& row : rows) {
    const auto c = static_cast<std::size_t>(ParseCostClass(row.keys[0]).value_or(CostClass::kNone));
    sums.of[c].Add(row);
    sums.all.Add(row);
  }
  return sums;
}

ReportFact FactOf(const Ask& ask, const MoneyFact& fact, Money whole) {
  ReportFact out;
  out.key = fact.key;
  out.label = fact.label;
  out.kind = ValueKind::kMoney;
  out.value = fact.amount.ToString();
  out.unit = ask.currency();
  out.figure = ask.FigureOf(fact.filter);
  if (const Value share = PercentOf(fact.amount.nanos(), whole.nanos())) {
    out.note = *share + " % of the week";
  }
  return out;
}

Result<ReportDocument> BuildWeekly(Ledger& ledger, const WeeklyOptions& options) {
  PLIMSOLL_RETURN_IF_ERROR(ledger.Refresh(options.window));
  PLIMSOLL_TRY(const auto currencies, CurrenciesByCost(ledger, options.window));
  if (currencies.empty()) {
    return Error{ErrorCode::kFailedPrecondition, "no cost in " + ToString(options.window) +
                                                     ": load a bill, or occupancy and prices"};
  }
  PLIMSOLL_TRY(const std::vector<ReconciledPeriod> periods, Reconcile(ledger, options.window));
  const Ask ask(ledger, options.window, currencies.front());
  PLIMSOLL_TRY(const ClassSums classes, ReadClassSums(ask));
  PLIMSOLL_TRY(const std::vector<Opportunity> opportunities, FindOpportunities(ask));

  ReportDocument document;
  document.title = "GPU fleet: weekly report";
  document.subtitle = ToDateString(options.window.begin) + " to " +
                      ToDateString(options.window.until - Millis(1)) + ", " + ask.currency();
  PLIMSOLL_TRY(document.header, HeaderFacts(ask, options, classes, periods));
  PLIMSOLL_TRY(document.summary, SummarySection(ask, classes, opportunities));
  PLIMSOLL_TRY(std::vector<std::string> produced, UnitSentences(ask, options.unit));
  PLIMSOLL_TRY(const std::vector<std::string> alerts, UnitAlerts(ask, options.unit));
  produced.insert(produced.end(), alerts.begin(), alerts.end());
  for (std::string& sentence : UnfitSentences(options.capacity)) {
    produced.push_back(std::move(sentence));
  }
  if (options.spot) {
    for (std::string& sentence : SpotSentences(*options.spot)) {
      produced.push_back(std::move(sentence));
    }
  }
  std::vector<std::string>& said = document.summary.sentences;
  said.insert(said.begin() + 1, produced.begin(), produced.end());
  for (std::size_t i = 1; i < currencies.size(); ++i) {
    document.summary.sentences.push_back("Costs in " + currencies[i] +
                                         " are not in these figures: currencies are never added.");
  }
  PLIMSOLL_TRY(ReportSection capacity, CapacitySection(ask, classes));
  AddJobWaits(options.capacity, capacity);
  AddIdleUse(ask, options.capacity, capacity);
  PLIMSOLL_TRY(ReportSection utilization, UtilizationSection(ask, classes));
  PLIMSOLL_TRY(ReportSection queue, QueueSection(ask));
  PLIMSOLL_TRY(ReportSection training, TrainingSection(ask));
  PLIMSOLL_TRY(ReportSection inference, InferenceSection(ask));
  PLIMSOLL_RETURN_IF_ERROR(AddRunEconomics(ask, options.unit, training));
  PLIMSOLL_RETURN_IF_ERROR(AddServiceEconomics(ask, options.unit, inference));
  PLIMSOLL_TRY(ReportSection tenant, TenantSection(ask, options.budgets));
  for (ReportSection* section : {&capacity, &utilization, &queue, &training, &inference, &tenant}) {
    document.dimensions.push_back(std::move(*section));
  }
  if (options.spot) document.dimensions.push_back(SpotSection(ask, *options.spot));
  document.dimensions.push_back(OptimizationSection(ask, opportunities));
  PLIMSOLL_TRY(document.appendix, AppendixSections(ask, periods));
  return document;
}

}  // namespace plimsoll
