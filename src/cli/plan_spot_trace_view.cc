#include "cli/plan_spot_trace_view.h"

#include <algorithm>

#include "cli/plan_input.h"
#include "cli/render.h"
#include "config/duration.h"

namespace plimsoll {
namespace {

constexpr std::int64_t kBillion = 1'000'000'000;

const char* NameOf(TracePolicy policy) {
  return kTracePolicyNames[static_cast<std::size_t>(policy)];
}

const TraceSummary* Find(const SpotTraceView& view, TracePolicy policy) {
  for (const PolicyOutcomes& one : view.policies) {
    if (one.policy == policy) return &one.summary;
  }
  return nullptr;
}

Cell GapClosedBy(const TraceSummary& summary, const SpotTraceView& view) {
  const TraceSummary* const greedy = Find(view, TracePolicy::kGreedy);
  const TraceSummary* const best = Find(view, TracePolicy::kOptimum);
  if (greedy == nullptr || best == nullptr) return std::nullopt;
  const std::optional<std::int64_t> closed = GapClosed(summary.mean, greedy->mean, best->mean);
  return closed ? Cell(BillionthsText(*closed)) : std::nullopt;
}

Table PolicyTable(const SpotTraceView& view) {
  Table table;
  table.name = "policies";
  table.title = "Cost of the job by policy, " + view.currency;
  table.columns = {{"name"},
                   {"cost.mean", CellKind::kMoney, 2},
                   {"cost.sd", CellKind::kMoney, 2},
                   {"cost.p90", CellKind::kMoney, 2},
                   {"cost.p99", CellKind::kMoney, 2},
                   {"late", CellKind::kNumber},
                   {"gap_closed", CellKind::kNumber, 3}};
  for (const PolicyOutcomes& one : view.policies) {
    const TraceSummary& summary = one.summary;
    table.rows.push_back({NameOf(one.policy), summary.mean.ToString(), summary.sd.ToString(),
                          summary.p90.ToString(), summary.p99.ToString(),
                          std::to_string(summary.late), GapClosedBy(summary, view)});
  }
  return table;
}

// Null for the optimum, which is searched for and not replayed.
Cell Preemptions(const PolicyOutcomes& one) {
  if (one.policy >= TracePolicy::kOptimum || one.summary.starts == 0) return std::nullopt;
  return BillionthsText(static_cast<std::int64_t>(
      DivideHalfEven(int128{one.summary.preemptions} * kBillion, one.summary.starts)));
}

Table UsageTable(const SpotTraceView& view) {
  Table table;
  table.name = "usage";
  table.title = "Mean of a start";
  table.columns = {{"name"},
                   {"spot_hours", CellKind::kDecimal, 2},
                   {"on_demand_hours", CellKind::kDecimal, 2},
                   {"preemptions", CellKind::kNumber, 2},
                   {"unfinished", CellKind::kNumber}};
  for (const PolicyOutcomes& one : view.policies) {
    table.rows.push_back({NameOf(one.policy), HoursText(one.summary.spot_time),
                          HoursText(one.summary.on_demand_time), Preemptions(one),
                          std::to_string(one.summary.unfinished)});
  }
  return table;
}

Table StartTable(const SpotTraceView& view) {
  Table table;
  table.name = "starts";
  table.title = "Every start";
  table.columns = {{"name"},
                   {"start", CellKind::kNumber},
                   {"cost", CellKind::kMoney, 2},
                   {"done_hours", CellKind::kDecimal, 2},
                   {"late", CellKind::kNumber}};
  for (const PolicyOutcomes& one : view.policies) {
    for (std::size_t i = 0; i < one.outcomes.size(); ++i) {
      const TraceOutcome& outcome = one.outcomes[i];
      table.rows.push_back({NameOf(one.policy), std::to_string(view.starts[i]),
                            outcome.cost.ToString(),
                            outcome.done ? Cell(HoursText(outcome.finished)) : std::nullopt,
                            IsLate(outcome, view.job) ? "1" : "0"});
    }
  }
  return table;
}

// The cheapest that is never late and needs no foresight.
void AddAdvice(const SpotTraceView& view, Answer& answer) {
  const PolicyOutcomes* best = nullptr;
  bool is_any = false;
  for (const PolicyOutcomes& one : view.policies) {
    if (one.policy >= TracePolicy::kOptimum) continue;
    is_any = true;
    if (one.summary.late > 0) continue;
    if (best == nullptr || one.summary.mean < best->summary.mean) best = &one;
  }
  if (!is_any) return;
  if (best == nullptr) {
    answer.lines.push_back("No policy that was replayed met the deadline from every start");
    return;
  }
  std::string line = std::string(NameOf(best->policy)) + " is the cheapest that is never late: " +
                     DisplayDecimal(best->summary.mean.ToString(), 2) + " " + view.currency +
                     " a job";
  const TraceSummary* const on_demand = Find(view, TracePolicy::kOnDemand);
  if (on_demand != nullptr && on_demand->mean > best->summary.mean) {
    const int128 saved = on_demand->mean.nanos() - best->summary.mean.nanos();
    line += ", " +
            std::to_string(
                static_cast<std::int64_t>(DivideHalfEven(saved * 100, on_demand->mean.nanos()))) +
            " % below on-demand";
  }
  answer.lines.push_back(line);
}

void AddNotes(const SpotTraceView& view, Answer& answer) {
  std::int64_t unfinished = 0;
  for (const PolicyOutcomes& one : view.policies) unfinished += one.summary.unfinished;
  if (unfinished > 0) {
    answer.notes.push_back(
        "the trace ended before some jobs did: their cost until then is too low");
  }
  if (Find(view, TracePolicy::kOptimum) != nullptr) {
    answer.notes.push_back("optimum knows the whole trace: no policy can reach it but by luck");
  }
  if (Find(view, TracePolicy::kOptimumPublished) != nullptr) {
    answer.notes.push_back(
        "optimum-published counts a restart at tick 0 even if the job waits there, as the "
        "published programme does: it is never below optimum");
  }
}

}  // namespace

Answer SpotTraceAnswer(const SpotTraceView& view) {
  Answer answer;
  const auto fact = [&](const char* name, CellKind kind, Cell value) {
    answer.facts.push_back({name, kind, std::move(value)});
  };
  fact("trace", CellKind::kText, view.trace);
  fact("gap_seconds", CellKind::kNumber, BillionthsText(view.gap.base() * (kBillion / 1000)));
  fact("availability", CellKind::kNumber,
       BillionthsText(static_cast<std::int64_t>(DivideHalfEven(
           int128{view.ticks_up} * kBillion, std::max<std::int64_t>(view.ticks, 1)))));
  fact("starts_count", CellKind::kNumber, std::to_string(view.starts.size()));
  fact("work_hours", CellKind::kDecimal, HoursText(view.job.work));
  fact("deadline_hours", CellKind::kDecimal, HoursText(view.job.deadline));
  fact("restart_hours", CellKind::kDecimal, HoursText(view.job.restart));
  fact("currency", CellKind::kText, view.currency);
  answer.lines.push_back(view.trace + ": " + std::to_string(view.starts.size()) + " starts, " +
                         FormatDuration(view.job.work) + " of work by " +
                         FormatDuration(view.job.deadline));
  AddAdvice(view, answer);
  answer.tables.push_back(PolicyTable(view));
  answer.tables.push_back(UsageTable(view));
  if (view.per_start) answer.tables.push_back(StartTable(view));
  AddNotes(view, answer);
  return answer;
}

}  // namespace plimsoll
