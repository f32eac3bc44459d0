#include <memory>

#include "cli/commands.h"
#include "cli/context.h"

namespace plimsoll {
namespace {

struct Args {
  std::string file;
  std::int64_t limit = 100;
};

struct CountBatch {
  std::vector<std::int64_t> rows;
  static constexpr std::tuple kColumns{MakeColumn("rows", &CountBatch::rows)};
};

// Of what is loaded now; rows of no scope (snapshot 0) belong to every load.
constexpr const char* kActive =
    " FROM rejection WHERE (snapshot_id = 0 OR snapshot_id IN (SELECT snapshot_id FROM snapshot "
    "WHERE active = 1)) AND contains(file, ?)";

Cell TextOrNull(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional(text);
}

Table TableOf(const RejectionBatch& batch) {
  Table table;
  table.columns = {{"file"},   {"line", CellKind::kNumber}, {"field"},
                   {"reason"}, {"cost", CellKind::kMoney},  {"raw"}};
  for (std::size_t i = 0; i < RowsOf(batch); ++i) {
    table.rows.push_back(
        {batch.file[i],
         batch.line[i] == 0 ? std::nullopt : std::optional(std::to_string(batch.line[i])),
         TextOrNull(batch.field[i]), batch.reason[i], TextOrNull(batch.cost[i]),
         TextOrNull(batch.raw[i])});
  }
  return table;
}

Result<ExitCode> RunQuarantine(Context& context, const Args& args) {
  if (args.limit < 0) {
    return Error{ErrorCode::kInvalidArgument, "--limit must not be negative; 0 shows all"};
  }
  PLIMSOLL_TRY(Store* const store, context.existing_store());
  PLIMSOLL_TRY(const CountBatch count,
               Query<CountBatch>(*store, std::string("SELECT count(*)") + kActive, {args.file}));
  std::string sql = std::string("SELECT snapshot_id, file, line, field, reason, cost, raw") +
                    kActive + " ORDER BY file, line, field, reason, raw, snapshot_id";
  if (args.limit > 0) sql += " LIMIT " + std::to_string(args.limit);
  PLIMSOLL_TRY(const RejectionBatch batch, Query<RejectionBatch>(*store, sql, {args.file}));
  if (count.rows.front() == 0 && context.options().format == "table") {
    context.Say("Nothing is quarantined.");
    return ExitCode::kDone;
  }
  context.Print(TableOf(batch));
  const std::int64_t hidden = count.rows.front() - static_cast<std::int64_t>(RowsOf(batch));
  if (hidden > 0) {
    context.Say(std::to_string(hidden) + " more; --limit 0 shows all of them");
  }
  return ExitCode::kDone;
}

}  // namespace

Command QuarantineCommand() {
  auto args = std::make_shared<Args>();
  Command command;
  command.name = "quarantine";
  command.summary = "List the rows that imports refused, with file, line, reason and cost";
  command.about =
      "A row that cannot be read is never dropped silently: it is kept with its reason, and "
      "its written cost stays visible. Mend the file and ingest it again; its rows then leave "
      "the quarantine.";
  command.example = "plimsoll quarantine\nplimsoll quarantine --file bill-2026-10 --format csv";
  command.common = CommonSet::kFacts;
  command.options = {
      CommandOption::Text("--file", "TEXT", "Only files whose name contains TEXT", &args->file),
      CommandOption::Number("--limit", "N", "Rows to show; 0 shows all", &args->limit).From(0)};
  command.run = [args](Context& context) { return RunQuarantine(context, *args); };
  return command;
}

}  // namespace plimsoll
