#include "cli/import_view.h"

#include <algorithm>

#include "cli/text.h"

namespace plimsoll {
namespace {

std::string JoinedBy(const std::vector<std::string>& texts, const std::string& by) {
  std::string joined;
  for (const std::string& text : texts) joined += (joined.empty() ? "" : by) + text;
  return joined;
}

// One text a line; a line break within a text would split it.
std::string List(std::vector<std::string> texts) {
  for (std::string& text : texts) std::replace(text.begin(), text.end(), '\n', ' ');
  return JoinedBy(texts, "\n");
}

Cell TextOrNull(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional(text);
}

std::string Count(std::int64_t n) { return GroupThousands(std::to_string(n)); }

Table LoadsTable(const ImportReport& report) {
  Table table;
  table.name = "loads";
  table.columns = {
      {"scope"}, {"outcome"}, {"rows", CellKind::kNumber}, {"differences", CellKind::kList}};
  for (const ImportReport::Load& load : report.loads) {
    table.rows.push_back(
        {load.scope, load.outcome, std::to_string(load.rows),
         load.differences.empty() ? std::nullopt : std::optional(List(load.differences))});
  }
  return table;
}

Table TotalsTable(const ImportReport& report) {
  Table table;
  table.name = "totals";
  table.columns = {{"provider"},
                   {"currency"},
                   {"rows", CellKind::kNumber},
                   {"billed", CellKind::kMoney},
                   {"effective", CellKind::kMoney},
                   {"rejected_billed", CellKind::kMoney}};
  for (const ImportReport::Total& total : report.totals) {
    table.rows.push_back({total.provider, total.currency, std::to_string(total.rows),
                          TextOrNull(total.billed), TextOrNull(total.effective),
                          TextOrNull(total.rejected_billed)});
  }
  return table;
}

Table RejectionsTable(const ImportReport& report) {
  Table table;
  table.name = "rejections";
  table.columns = {
      {"file"}, {"line", CellKind::kNumber}, {"field"}, {"reason"}, {"cost", CellKind::kMoney}};
  for (const Rejection& rejection : report.first_rejections) {
    table.rows.push_back(
        {rejection.file,
         rejection.line == 0 ? std::nullopt : std::optional(std::to_string(rejection.line)),
         TextOrNull(rejection.field), rejection.reason, TextOrNull(rejection.cost)});
  }
  return table;
}

std::string UnchangedSentence(const ImportReport& report) {
  const auto unchanged =
      std::count_if(report.loads.begin(), report.loads.end(),
                    [](const ImportReport::Load& load) { return load.outcome == "unchanged"; });
  if (unchanged == 0) return "";
  if (static_cast<std::size_t>(unchanged) == report.loads.size()) {
    return "Nothing changed: the same content is loaded already.";
  }
  return std::to_string(unchanged) + " of " + std::to_string(report.loads.size()) +
         " are unchanged: the same content is loaded already.";
}

}  // namespace

std::string ImportHeadline(const ImportReport& report) {
  return report.kind + ": " + Count(report.accepted) + " accepted, " + Count(report.rejected) +
         " rejected, " + Count(report.duplicates) + " duplicates";
}

Answer ImportAnswer(const ImportReport& report) {
  Answer answer;
  answer.lines.push_back(ImportHeadline(report));
  const std::string unchanged = UnchangedSentence(report);
  if (!unchanged.empty()) answer.lines.push_back(unchanged);
  answer.facts = {{"kind", CellKind::kText, report.kind},
                  {"accepted", CellKind::kNumber, std::to_string(report.accepted)},
                  {"rejected", CellKind::kNumber, std::to_string(report.rejected)},
                  {"duplicates", CellKind::kNumber, std::to_string(report.duplicates)},
                  {"warnings", CellKind::kList, List(report.warnings)},
                  {"ignored", CellKind::kList, List(report.ignored)}};
  answer.tables = {LoadsTable(report), TotalsTable(report), RejectionsTable(report)};
  const auto shown = static_cast<std::int64_t>(report.first_rejections.size());
  if (report.rejected > shown) {
    answer.notes.push_back(Count(report.rejected - shown) +
                           " more rejections; plimsoll quarantine lists all of them");
  } else if (report.rejected > 0) {
    answer.notes.push_back("Rejected rows are kept; plimsoll quarantine lists them");
  }
  for (const std::string& warning : report.warnings) answer.notes.push_back("warning: " + warning);
  if (!report.ignored.empty())
    answer.notes.push_back("not used: " + JoinedBy(report.ignored, ", "));
  return answer;
}

}  // namespace plimsoll
