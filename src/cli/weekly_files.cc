#include "cli/weekly_files.h"

#include <filesystem>
#include <system_error>

#include "cli/capacity_week.h"
#include "cli/files.h"
#include "cli/spot_measure.h"
#include "cli/unit_week.h"
#include "report/render.h"
#include "report/weekly.h"

namespace plimsoll {
namespace {

std::string PathOf(const WeeklyFiles& files, const std::string& extension) {
  return (std::filesystem::path(files.folder) / (files.name + extension)).string();
}

}  // namespace

Result<ReportDocument> WeeklyDocument(Context& context, Ledger& ledger, Window window) {
  PLIMSOLL_TRY(const Config* config, context.config());
  PLIMSOLL_TRY(UnitWeek unit, GatherUnitWeek(context, window));
  PLIMSOLL_TRY(std::optional<SpotSaving> spot, MeasureSpot(context, ledger, window));
  PLIMSOLL_TRY(std::optional<CapacityWeek> capacity, GatherCapacityWeek(context, ledger, window));
  return BuildWeekly(ledger, {window, config->time_zone, config->budgets, std::move(unit),
                              std::move(spot), std::move(capacity).value_or(CapacityWeek())});
}

Status WriteWeekly(const ReportDocument& document, const WeeklyFiles& files) {
  std::error_code error;
  std::filesystem::create_directories(files.folder, error);
  if (error) {
    return Error{ErrorCode::kUnavailable,
                 "cannot make folder " + files.folder + ": " + error.message()};
  }
  PLIMSOLL_RETURN_IF_ERROR(WriteWholeFile(PathOf(files, ".html"), RenderHtml(document)));
  PLIMSOLL_RETURN_IF_ERROR(WriteWholeFile(PathOf(files, ".md"), RenderMarkdown(document)));
  return WriteWholeFile(PathOf(files, ".json"), RenderJson(document));
}

Answer WeeklySummary(const ReportDocument& document, const WeeklyFiles& files) {
  Answer answer;
  answer.lines = {document.title + ", " + document.subtitle};
  for (const ReportFact& fact : document.header) {
    answer.lines.push_back(fact.label + ": " + DisplayWithUnit(fact) +
                           (fact.note.empty() ? "" : " (" + fact.note + ")"));
  }
  Table table;
  table.name = "summary";
  table.title = "Summary";
  table.columns = {{"figure"}, {"amount", CellKind::kMoney, 2}, {"currency"}, {"share"}};
  for (const ReportFact& fact : document.summary.facts) {
    table.rows.push_back({fact.label, fact.value, fact.unit, fact.note});
  }
  answer.tables = {std::move(table)};
  answer.notes = document.summary.sentences;
  if (!files.folder.empty()) {
    answer.notes.push_back("Report: " + PathOf(files, ".html") + ", " + PathOf(files, ".md") +
                           ", " + PathOf(files, ".json"));
  }
  return answer;
}

}  // namespace plimsoll
