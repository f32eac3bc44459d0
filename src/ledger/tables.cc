#include "ledger/tables.h"

#include <numeric>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "ledger/day_lines.h"
#include "store/schema.h"

namespace plimsoll {
namespace {

struct Table {
  std::string name;
  BatchRef columns;
};

// Columns that every ledger table begins with, and their values for one append.
struct Lead {
  std::vector<std::int64_t> day_id;
  std::vector<std::int64_t> id;

  BatchRef Refs(bool with_id) {
    BatchRef refs{{"day_id", ColumnType::kInt64, &day_id}};
    if (with_id) refs.push_back({"id", ColumnType::kInt64, &id});
    return refs;
  }
  void Fill(std::int64_t day, std::size_t rows) {
    day_id.assign(rows, day);
    id.resize(rows);
    std::iota(id.begin(), id.end(), std::int64_t{0});
  }
};

struct DayBatch {
  std::vector<std::int64_t> day_id;
  std::vector<Instant> day;
  std::vector<std::string> input_hash, snapshots;
  static constexpr std::tuple kColumns{
      MakeColumn("day_id", &DayBatch::day_id),
      MakeColumn("day", &DayBatch::day),
      MakeColumn("input_hash", &DayBatch::input_hash),
      MakeColumn("snapshots", &DayBatch::snapshots),
  };
};

BatchRef Join(BatchRef lead, const BatchRef& rest) {
  lead.insert(lead.end(), rest.begin(), rest.end());
  return lead;
}

// The tables of one output; `lead`, `output` and `days` must outlive the result.
std::vector<Table> TablesOf(Lead& lead, const AllocationOutput& output, const CostLineBatch& days) {
  return {
      {"ledger_line", Join(lead.Refs(false), RefTo(output.lines))},
      {"ledger_day_line", Join(lead.Refs(false), RefTo(days))},
      {"ledger_scope", Join(lead.Refs(true), RefTo(output.scopes))},
      {"ledger_workload", Join(lead.Refs(true), RefTo(output.workloads))},
      {"ledger_node", Join(lead.Refs(true), RefTo(output.nodes))},
      {"ledger_asset", Join(lead.Refs(false), RefTo(output.assets))},
      {"ledger_finding", Join(lead.Refs(false), RefTo(output.findings))},
  };
}

std::vector<std::size_t> RowCounts(const AllocationOutput& output, const CostLineBatch& days) {
  return {RowsOf(output.lines),     RowsOf(days),         RowsOf(output.scopes),
          RowsOf(output.workloads), RowsOf(output.nodes), RowsOf(output.assets),
          RowsOf(output.findings)};
}

// The CREATE statements: their hash is the layout's version.
std::vector<std::pair<std::string, std::string>> Statements() {
  Lead lead;
  const AllocationOutput empty;
  const CostLineBatch no_lines;
  const DayBatch days;
  std::vector<std::pair<std::string, std::string>> out;
  for (const Table& table : TablesOf(lead, empty, no_lines)) {
    out.emplace_back(table.name, CreateTableSql(table.name, table.columns));
  }
  out.emplace_back("ledger_day", CreateTableSql("ledger_day", RefTo(days)));
  return out;
}

struct LayoutBatch {
  std::vector<std::string> layout;
  static constexpr std::tuple kColumns{MakeColumn("layout", &LayoutBatch::layout)};
};

}  // namespace

Status PrepareLedgerTables(Store& store) {
  const auto statements = Statements();
  std::string all;
  for (const auto& [name, sql] : statements) all += sql;
  const std::string layout = HashOf(all).ToHex();

  PLIMSOLL_RETURN_IF_ERROR(
      store.Execute("CREATE TABLE IF NOT EXISTS ledger_layout (layout VARCHAR NOT NULL)", {}));
  PLIMSOLL_TRY(const LayoutBatch present,
               Query<LayoutBatch>(store, "SELECT layout FROM ledger_layout"));
  if (present.layout == std::vector{layout}) return Ok();

  PLIMSOLL_RETURN_IF_ERROR(store.Begin());
  const auto remake = [&]() -> Status {
    for (const auto& [name, sql] : statements) {
      PLIMSOLL_RETURN_IF_ERROR(store.Execute("DROP TABLE IF EXISTS " + name, {}));
      PLIMSOLL_RETURN_IF_ERROR(store.Execute(sql, {}));
    }
    PLIMSOLL_RETURN_IF_ERROR(store.Execute("DELETE FROM ledger_layout", {}));
    return store.Execute("INSERT INTO ledger_layout VALUES (?)", {layout});
  };
  Status remade = remake();
  if (!remade) {
    (void)store.Rollback();
    return remade;
  }
  return store.Commit();
}

Status WriteLedgerDay(Store& store, std::int64_t day_id, const AllocationOutput& output) {
  Lead lead;
  const CostLineBatch days = AddUpDays(output.lines);
  const std::vector<Table> tables = TablesOf(lead, output, days);
  const std::vector<std::size_t> rows = RowCounts(output, days);
  for (std::size_t i = 0; i < tables.size(); ++i) {
    lead.Fill(day_id, rows[i]);
    PLIMSOLL_RETURN_IF_ERROR(store.Append(tables[i].name, tables[i].columns));
  }
  return Ok();
}

Status DeleteLedgerDay(Store& store, std::int64_t day_id) {
  for (const auto& [name, sql] : Statements()) {
    PLIMSOLL_RETURN_IF_ERROR(store.Execute("DELETE FROM " + name + " WHERE day_id = ?", {day_id}));
  }
  return Ok();
}

}  // namespace plimsoll
