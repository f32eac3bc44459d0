// TestDocument: a report made by hand for tests: every kind of value, missing ones, hostile text.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "report/document.h"

namespace plimsoll {

inline constexpr char kHostile[] =
    "</script><script>alert(1)</script> <!-- a|b \"quoted\" 'single' & *bold* `tick` $x$ @all";
inline constexpr char kWeek[] = "@2026-11-16T00:00:00Z/2026-11-23T00:00:00Z";

inline std::string WeekFigure(const std::string& filter) { return filter + kWeek; }

inline std::vector<ReportFact> TestHeader() {
  return {
      {"window", "Window", ValueKind::kText, "16 to 22 November 2026, UTC", "", "", "7 whole days"},
      {"time_zone", "Time zone", ValueKind::kText, "Europe/Berlin", "", "", ""},
      {"bill_as_of", "Bill up to", ValueKind::kText, "2026-11-22T18:00:00Z", "", "",
       "6 hours are estimated from list prices"},
      {"signal", "Hours with a usage signal", ValueKind::kPercent, "96.4", "%", "", ""},
      {"tie_out", "Tie-out", ValueKind::kMoney, "0.000000000", "USD", "", "every sum holds"},
  };
}

inline ReportChart ClassChart() {
  return {"class_by_day",
          "GPU time by class and day",
          "GPU-hours",
          {"2026-11-16", "2026-11-17", "2026-11-18", "2026-11-19", "2026-11-20", "2026-11-21",
           "2026-11-22"},
          {{"used", {"810.4", "845.25", "902", "877.5", "860.1", "512", "498.75"}},
           {"unused", {"301.1", "288", "254.5", "270.25", "281", "190.5", "188"}},
           {"startup", {"22", "25.5", "31", "24", "20", "8", "7.5"}},
           {"hung", {"0", "0", "14", "6", "0", "0", "0"}},
           {"usage_unknown", {"40", "41", "38", "40", "44", "42", "40"}},
           {"busy_unattributed", {"12", "9", "10", "12", "11", "3", "2"}},
           {"reserve", {"96", "96", "96", "96", "96", "96", "96"}},
           {"quota_held", {"20", "18", "24", "16", "20", "0", "0"}},
           {"scale_down_delay", {"8", "9", "6", "9", "11", "14", "12"}},
           {"stranded", {"31", "30", "28", "30", "33", "44", "42"}},
           {"waste", {"171.5", "150.25", "108.5", "131.25", "135.9", "602.5", "625.75"}},
           {"unavailable", {"24", "24", "24", "24", "24", "24", "24"}}}};
}

inline ReportSection TestSummary() {
  ReportSection summary;
  summary.key = "summary";
  summary.title = "Summary";
  summary.sentences = {
      "The fleet of 64 GPUs cost 31,204.55 USD this week; 54.3 % of its paid GPU time was used.",
      "1,925.7 GPU-hours (17.9 %) were idle without a declared reason, most of them at the "
      "weekend.",
  };
  summary.facts = {
      {"cost", "Cost of the week", ValueKind::kMoney, "31204.545000001", "USD", WeekFigure(""),
       "+4.1 % against the week before"},
      {"used", "Used share of paid GPU time", ValueKind::kPercent, "54.3", "%", "",
       "5,306.0 of 9,771.2 GPU-hours"},
      {"waste", "Idle without a reason", ValueKind::kMoney, "5582.905", "USD",
       WeekFigure("class:\"waste\""), "1,925.7 GPU-hours"},
      {"gpus", "GPUs", ValueKind::kCount, "1064", "", "", "64 H100, 1,000 A100"},
      {"tokens", "Cost per 1M good tokens", ValueKind::kMoney, std::nullopt, "USD", "",
       "connect a request log: plimsoll ingest requests FILE"},
      {"wait", "Longest wait", ValueKind::kText, "6 h 12 min", "", "", "queue research"},
  };
  summary.charts = {ClassChart()};
  ReportTable table{"class",
                    "GPU time by class",
                    {{"class", "Class", ValueKind::kText},
                     {"gpu_hours", "GPU-hours", ValueKind::kHours},
                     {"share", "Share", ValueKind::kPercent},
                     {"cost", "Cost, USD", ValueKind::kMoney}},
                    {{"used", "5306.000000000", "54.3", "16950.105"},
                     {"unused", "1773.35", "18.1", "5651.00"},
                     {"reserve", "672", "6.9", "2150.4"},
                     {"waste", "1925.65", "19.7", "5582.905"},
                     {"usage_unknown", std::nullopt, std::nullopt, std::nullopt}},
                    {WeekFigure("class:\"used\""), WeekFigure("class:\"unused\""),
                     WeekFigure("class:\"reserve\""), WeekFigure("class:\"waste\""), ""}};
  summary.tables = {std::move(table)};
  return summary;
}

inline ReportSection TestTenant() {
  ReportSection tenant;
  tenant.key = "tenant";
  tenant.title = "Tenant";
  tenant.sentences = {std::string("A team chose this name: ") + kHostile};
  tenant.charts = {{"team",
                    "Cost by team",
                    "USD",
                    {"research-foundation-models", "search-and-ranking", kHostile, "unattributed"},
                    {{"GPU", {"18000.5", "9000", "1204", "410.045"}},
                     {"CPU and memory", {"1400", "800.5", "300", "90"}},
                     {"Storage and network", {"600", "120", "50.25", "0"}}}}};
  tenant.tables = {{"team",
                    "Cost and budget by team",
                    {{"team", "Team", ValueKind::kText},
                     {"cost", "Cost, USD", ValueKind::kMoney},
                     {"budget", "Budget, USD", ValueKind::kMoney},
                     {"variance", "Against budget", ValueKind::kPercent},
                     {"gpu_hours", "GPU-hours", ValueKind::kHours},
                     {"workloads", "Workloads", ValueKind::kCount}},
                    {{"research-foundation-models", "20000.5", "18000", "11.1", "6001.25", "1210"},
                     {"search-and-ranking", "9920.5", "12000", "-17.3", "2950", "84"},
                     {kHostile, "1554.25", std::nullopt, std::nullopt, "610.04", "3"},
                     {"unattributed", "-500.045", std::nullopt, std::nullopt, "210", "12"}},
                    {WeekFigure("team:\"research-foundation-models\""),
                     WeekFigure("team:\"search-and-ranking\""),
                     WeekFigure(std::string("team:\"o'brien </script>\"")), ""}}};
  return tenant;
}

inline ReportSection TestInference() {
  ReportSection inference;
  inference.key = "inference";
  inference.title = "Inference";
  inference.facts = {
      {"good_tokens", "Good tokens", ValueKind::kCount, std::nullopt, "tokens", "",
       "connect a request log"},
      {"replicas", "Replicas, mean", ValueKind::kDecimal, "12.375", "", "", ""},
      {"gpu_hours", "Time held", ValueKind::kHours, "2950.05", "GPU-hours",
       WeekFigure("workload_type:\"inference\""), "30.2 % of the fleet"},
      {"power", "Mean power", ValueKind::kCount, "512", "W", "", ""},
  };
  inference.connect = {
      "Requests with their SLO result: plimsoll ingest requests FILE (docs/formats/requests.md)",
      "A load test per model: plimsoll ingest loadtest FILE"};
  return inference;
}

inline ReportSection TestFindings() {
  ReportSection findings;
  findings.key = "findings";
  findings.title = "Findings";
  ReportTable table{"findings",
                    "All findings of the week",
                    {{"kind", "Finding", ValueKind::kText},
                     {"subject", "Subject", ValueKind::kText},
                     {"detail", "Detail", ValueKind::kText},
                     {"cost", "Cost, USD", ValueKind::kMoney}},
                    {},
                    {}};
  for (int i = 1; i <= 48; ++i) {
    table.rows.push_back({"no-telemetry", "node gpu-" + std::to_string(i),
                          "no usage sample between 02:00 and 09:00; check its dcgm-exporter",
                          std::to_string(i) + ".5"});
  }
  findings.tables = {std::move(table),
                     {"rejected",
                      "Rejected rows",
                      {{"file", "File", ValueKind::kText}, {"rows", "Rows", ValueKind::kCount}},
                      {},
                      {}}};
  return findings;
}

inline ReportDocument TestDocument() {
  ReportDocument document;
  document.title = "GPU fleet: weekly report";
  document.subtitle = "16 to 22 November 2026, times in UTC";
  document.header = TestHeader();
  document.summary = TestSummary();
  document.dimensions = {TestTenant(), TestInference()};
  document.appendix = {TestFindings()};
  return document;
}

}  // namespace plimsoll
