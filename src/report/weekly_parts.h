// The parts of the weekly report: one function a section, each asking its own questions.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "ledger/reconcile.h"
#include "ledger/spot_saving.h"
#include "model/cost_line.h"
#include "report/ask.h"
#include "report/capacity_week.h"
#include "report/document.h"
#include "report/unit_week.h"

namespace plimsoll {

// The week's sums by class: what several sections begin with.
struct ClassSums {
  std::array<Sum, kCostClassCount> of;
  Sum all;
  Sum Held() const;  // the classes that a workload holds
  // False if work held GPUs and nothing tells what it used of them.
  bool HasSignal() const;
  const Sum& Of(CostClass c) const { return of[static_cast<std::size_t>(c)]; }
};
Result<ClassSums> ReadClassSums(const Ask& ask);

// An item worth a look, by money; `sentence` says who, what, evidence and what to check first.
struct Opportunity {
  std::string kind;
  std::string subject;
  GpuHours gpu_time;
  Money cost;
  std::string sentence;
  std::string figure;
};
// Unused holdings, idle nodes, failed GPUs, unknown users: greatest cost first.
Result<std::vector<Opportunity>> FindOpportunities(const Ask& ask);

// Name, label, amount, share of the week's cost, and the question behind it.
struct MoneyFact {
  std::string key, label;
  Money amount;
  std::string filter;
};
ReportFact FactOf(const Ask& ask, const MoneyFact& fact, Money whole);

Result<ReportSection> CapacitySection(const Ask& ask, const ClassSums& classes);
// What is known of jobs' waits, and of what the idle GPUs are good for; else what to connect.
void AddJobWaits(const CapacityWeek& week, ReportSection& capacity);
void AddIdleUse(const Ask& ask, const CapacityWeek& week, ReportSection& capacity);
// For the summary: waiting jobs beside as many idle GPUs as they need.
std::vector<std::string> UnfitSentences(const CapacityWeek& week);
Result<ReportSection> UtilizationSection(const Ask& ask, const ClassSums& classes);
Result<ReportSection> QueueSection(const Ask& ask);
Result<ReportSection> TrainingSection(const Ask& ask);
Result<ReportSection> InferenceSection(const Ask& ask);
// What run logs and requests add to the two sections; nothing if there are none.
Status AddRunEconomics(const Ask& ask, const UnitWeek& week, ReportSection& training);
Status AddServiceEconomics(const Ask& ask, const UnitWeek& week, ReportSection& inference);
// For the summary: what the runs and the services made of their time.
Result<std::vector<std::string>> UnitSentences(const Ask& ask, const UnitWeek& week);
// A sentence for each unit cost that moved beyond its band.
Result<std::vector<std::string>> UnitAlerts(const Ask& ask, const UnitWeek& week);
// What spot saved: net first, the gross saving never alone. Other currencies are not in it.
ReportSection SpotSection(const Ask& ask, const SpotSaving& saving);
// For the summary: the net saving, and a warning where it is none or is not known.
std::vector<std::string> SpotSentences(const SpotSaving& saving);
Result<ReportSection> TenantSection(const Ask& ask,
                                    const std::map<std::string, std::string>& budgets);
ReportSection OptimizationSection(const Ask& ask, const std::vector<Opportunity>& opportunities);
Result<std::vector<ReportSection>> AppendixSections(const Ask& ask,
                                                    const std::vector<ReconciledPeriod>& periods);

// Unavailable capacity that maintenance explains, and all other.
inline constexpr const char* kInMaintenance = "class:\"unavailable\"+workload<~:\"maintenance\"";
inline constexpr const char* kNotWell = "class:\"unavailable\"+workload!<~:\"maintenance\"";

// Thousandths of GPUs with one decimal, half up: "12.5".
std::string GpusText(std::int64_t gpu_milli);

// Table cells.
inline Value HoursCell(GpuHours hours) { return ToDecimalHours(hours); }
inline Value MoneyCell(Money money) { return money.ToString(); }

}  // namespace plimsoll
