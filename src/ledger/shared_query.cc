#include "ledger/shared_query.h"

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "base/check.h"
#include "ledger/filter.h"
#include "ledger/line_sums.h"
#include "model/cost_line.h"

namespace plimsoll {
namespace {

// Beside the roles of sharing: capacity that a team keeps free and pays for.
constexpr std::int64_t kOwnedReserve = 3;

// The groups of the SQL below.
struct Groups {
  std::vector<std::int64_t> step, role, kept, class_min, class_max;
  std::vector<std::vector<std::string>> keys;
  std::vector<std::string> currency, cluster, node;
  LineSums sums;

  BatchRef Refs() {
    BatchRef refs{
        {"step", ColumnType::kInt64, &step},      {"currency", ColumnType::kText, &currency},
        {"role", ColumnType::kInt64, &role},      {"kept", ColumnType::kInt64, &kept},
        {"cluster", ColumnType::kText, &cluster}, {"node", ColumnType::kText, &node}};
    for (auto& key : keys) refs.push_back({"key", ColumnType::kText, &key});
    refs.push_back({"class_min", ColumnType::kInt64, &class_min});
    refs.push_back({"class_max", ColumnType::kInt64, &class_max});
    sums.AppendTo(refs);
    return refs;
  }

  SharingRow Row(std::size_t at) const {
    SharingRow out;
    for (const auto& key : keys) out.key.push_back(key[at]);
    out.cluster = cluster[at];
    out.node = node[at];
    out.role = static_cast<SharingRole>(role[at]);
    out.kept = kept[at] != 0;
    out.amounts = sums.At(at);
    return out;
  }
};

struct Statement {
  std::string sql;
  SqlParams params;

  void Add(const SqlCondition& condition) {
    sql += condition.sql;
    params.insert(params.end(), condition.params.begin(), condition.params.end());
  }
};

// The index of a line's step. Days of the wall clock may differ in length: then each hour of
// the window is looked up.
std::string StepSql(Window window, const std::vector<Window>& steps) {
  if (steps.size() <= 1) return "0::BIGINT";
  const Duration length = steps.front().length();
  const std::string hours = "(l.hour - " + std::to_string(window.begin.base()) + ") // ";
  const bool uniform = steps.back().length() <= length &&
                       std::all_of(steps.begin(), steps.end() - 1,
                                   [&](const Window& step) { return step.length() == length; });
  if (uniform) return "(" + hours + std::to_string(length.base()) + ")::BIGINT";
  std::string list;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const std::int64_t count = steps[i].length().base() / Hours(1).base();
    for (std::int64_t hour = 0; hour < count; ++hour) {
      list += (list.empty() ? "" : ",") + std::to_string(i);
    }
  }
  return "list_extract([" + list + "], " + hours + std::to_string(Hours(1).base()) +
         " + 1)::BIGINT";
}

Result<SqlCondition> SharedLines(const std::vector<std::string>& filters) {
  SqlCondition any{"false", {}};
  for (const std::string& filter : filters) {
    PLIMSOLL_TRY(const SqlCondition one, ParseFilter(filter));
    any.sql += " OR " + one.sql;
    any.params.insert(any.params.end(), one.params.begin(), one.params.end());
  }
  return any;
}

Result<Statement> StatementOf(const SharedQuery& query) {
  PLIMSOLL_TRY(const SqlCondition filter, ParseFilter(query.base.filter));
  PLIMSOLL_TRY(const SqlCondition shared, SharedLines(query.share));
  // Rows that the filter drops weigh too wherever anything is divided.
  const bool divides = query.idle == IdleSharing::kShare || !query.share.empty();
  const bool pools = query.idle == IdleSharing::kShare;
  Statement out;
  out.sql = "SELECT " + StepSql(query.base.window, query.steps) +
            ", s.currency, CASE WHEN l.workload_id < 0 OR (w.source = 'fleet' AND w.team = '') "
            "THEN 2 WHEN w.source = 'fleet' THEN 3 WHEN ";
  out.Add(shared);
  out.sql += " THEN 1 ELSE 0 END::BIGINT, ";
  if (divides) {
    out.sql += "CASE WHEN ";
    out.Add(filter);
    out.sql += " THEN 1 ELSE 0 END::BIGINT, ";
  } else {
    out.sql += "1::BIGINT, ";
  }
  PLIMSOLL_TRY(const LedgerField* cluster, FindLedgerField("cluster"));
  PLIMSOLL_TRY(const LedgerField* node, FindLedgerField("node"));
  out.sql += pools ? SqlOf(*cluster) + ", " : "'', ";
  out.sql += pools && query.idle_by_node ? SqlOf(*node) + ", " : "'', ";
  std::string group = "1, 2, 3, 4, 5, 6";
  for (std::size_t i = 0; i < query.base.by.size(); ++i) {
    PLIMSOLL_TRY(const LedgerField* field, FindLedgerField(query.base.by[i]));
    out.sql += SqlOf(*field) + ", ";
    group += ", " + std::to_string(i + 7);
  }
  out.sql += "min(l.cost_class), max(l.cost_class), " + LineSumsSql();
  const bool of_days = AsksForDays(query.base.window, out.sql + filter.sql) &&
                       std::all_of(query.steps.begin(), query.steps.end(),
                                   [](const Window& step) { return AsksForDays(step, ""); });
  out.sql += LedgerFrom(of_days) + "WHERE l.hour >= ? AND l.hour < ?";
  out.params.insert(out.params.end(), {query.base.window.begin, query.base.window.until});
  if (!divides) {
    out.sql += " AND ";
    out.Add(filter);
  }
  out.sql += " GROUP BY " + group + " ORDER BY 1, 2";
  return out;
}

// The least and the greatest class of a row's lines.
struct ClassRange {
  std::int64_t min, max;
};

std::string NameOf(const ClassRange& range, bool idle) {
  const auto first = static_cast<CostClass>(range.min);
  if (range.min == range.max && !(idle && first == CostClass::kNone)) {
    return std::string(NameOf(first));
  }
  return idle ? "idle" : "mixed";
}

class Runner {
 public:
  explicit Runner(const SharedQuery& query) : query_(query) {}

  Result<SharedTable> Run(Store& store) {
    PLIMSOLL_TRY(const Statement statement, StatementOf(query_));
    Groups groups;
    groups.keys.resize(query_.base.by.size());
    PLIMSOLL_RETURN_IF_ERROR(store.Stream(statement.sql, statement.params, groups.Refs(),
                                          [&] { return TakeAll(groups); }));
    PLIMSOLL_RETURN_IF_ERROR(EndStep());
    return Finish();
  }

 private:
  // Of one currency: an answer's row before it is sorted.
  using RowKey = std::tuple<std::int64_t, std::string, SharingKey, bool>;
  struct Built {
    SharingAmounts amounts;
    std::optional<ClassRange> classes;  // none: shared cost that nobody could take
  };

  Status TakeAll(const Groups& groups) {
    for (std::size_t at = 0; at < groups.step.size(); ++at) {
      PLIMSOLL_RETURN_IF_ERROR(Take(groups, at));
    }
    return Ok();
  }

  Status Take(const Groups& groups, std::size_t at) {
    if (groups.step[at] != step_ || groups.currency[at] != currency_) {
      PLIMSOLL_RETURN_IF_ERROR(EndStep());
      step_ = groups.step[at];
      currency_ = groups.currency[at];
    }
    if (groups.role[at] == kOwnedReserve) {  // its owner's cost, which takes no part in sharing
      const SharingRow owned = groups.Row(at);
      const ClassRange range{groups.class_min[at], groups.class_max[at]};
      if (owned.kept) Put(owned.key, false, owned.amounts, range);
      return Ok();
    }
    SharingRow row = groups.Row(at);
    const bool idle = row.role == SharingRole::kIdle;
    const ClassRange classes{groups.class_min[at], groups.class_max[at]};
    if (idle && query_.idle == IdleSharing::kHide) {
      if (row.kept) hidden_[currency_] += row.amounts;
      return Ok();
    }
    if (idle && query_.idle == IdleSharing::kSeparate) {
      if (row.kept) Put(row.key, true, row.amounts, classes);
      return Ok();
    }
    // Idle time has no signal of use: given to a row, it must not pass for time with one.
    if (idle) row.amounts.gpu_unknown = row.amounts.gpu_time;
    if (row.kept && row.role != SharingRole::kShared) Widen(classes_[{row.key, idle}], classes);
    rows_.push_back(std::move(row));
    return Ok();
  }

  static void Widen(std::optional<ClassRange>& range, const ClassRange& with) {
    if (!range) range = with;
    range = ClassRange{std::min(range->min, with.min), std::max(range->max, with.max)};
  }

  void Put(const SharingKey& key, bool idle, const SharingAmounts& amounts,
           const std::optional<ClassRange>& classes) {
    Built& built = built_[{query_.accumulate ? 0 : step_, currency_, key, idle}];
    built.amounts += amounts;
    if (classes) Widen(built.classes, *classes);
  }

  SharingPolicy Policy() const {
    SharingPolicy policy;
    policy.idle = query_.idle;
    policy.idle_by_node = query_.idle_by_node;
    if (query_.split == SharedSplit::kWeighted) return policy;
    policy.shared_split = SharingSplit::kEven;
    if (query_.split == SharedSplit::kEven) return policy;
    policy.shared_split = SharingSplit::kMetric;
    for (const SharingRow& row : rows_) {
      if (row.role != SharingRole::kWorkload) continue;
      const bool used = query_.split == SharedSplit::kGpuHoursUsed;
      policy.metric[row.key] += (used ? row.amounts.gpu_used : row.amounts.gpu_time).base();
    }
    return policy;
  }

  // Divides what was gathered of one step and currency.
  Status EndStep() {
    PLIMSOLL_TRY(const SharingResult result, Share(rows_, Policy()));
    for (const KeyRow& row : result.rows) {
      Put(row.key, false, row.amounts, classes_.at({row.key, false}));
    }
    for (const IdleRow& row : result.idle) {
      SharingAmounts amounts = row.amounts;
      amounts.gpu_unknown = GpuHours();
      Put(row.key, true, amounts, classes_.at({row.key, true}));
    }
    if (result.unshared != SharingAmounts()) {
      unshared_[{query_.accumulate ? 0 : step_, currency_}] += result.unshared;
    }
    rows_.clear();
    classes_.clear();
    return Ok();
  }

  void Add(std::int64_t step, const std::string& currency, SharedRow row) {
    row.step = query_.steps.empty() ? query_.base.window.begin
                                    : query_.steps.at(static_cast<std::size_t>(step)).begin;
    if (shows_currency_) row.row.keys.push_back(currency);
    table_.rows.push_back(std::move(row));
  }

  Result<SharedTable> Finish() {
    std::set<std::string> currencies;
    for (const auto& [key, built] : built_) currencies.insert(std::get<1>(key));
    for (const auto& [key, amounts] : unshared_) currencies.insert(key.second);
    table_.by = query_.base.by;
    const bool asked = std::find(table_.by.begin(), table_.by.end(), "currency") != table_.by.end();
    shows_currency_ = !asked && currencies.size() > 1;
    if (shows_currency_) table_.by.emplace_back("currency");
    for (auto& [key, built] : built_) {
      const auto& [step, currency, keys, idle] = key;
      PLIMSOLL_CHECK(built.classes.has_value());
      Add(step, currency, {RowOf(keys, built.amounts), {}, idle, NameOf(*built.classes, idle)});
    }
    for (const auto& [key, amounts] : unshared_) {
      const SharingKey nobody(query_.base.by.size());
      Add(key.first, key.second, {RowOf(nobody, amounts), {}, false, "shared"});
    }
    for (const auto& [currency, amounts] : hidden_) table_.hidden[currency] = RowOf({}, amounts);
    std::sort(table_.rows.begin(), table_.rows.end(), [](const SharedRow& a, const SharedRow& b) {
      return std::tie(a.step, b.row.cost, a.row.keys, a.cost_class, a.idle) <
             std::tie(b.step, a.row.cost, b.row.keys, b.cost_class, b.idle);
    });
    return std::move(table_);
  }

  const SharedQuery& query_;
  std::int64_t step_ = 0;
  std::string currency_;
  std::vector<SharingRow> rows_;  // of this step and currency
  std::map<std::pair<SharingKey, bool>, std::optional<ClassRange>> classes_;
  std::map<RowKey, Built> built_;
  std::map<std::pair<std::int64_t, std::string>, SharingAmounts> unshared_;
  std::map<std::string, SharingAmounts> hidden_;
  bool shows_currency_ = false;
  SharedTable table_;
};

}  // namespace

Result<SharedTable> RunSharedQuery(Store& store, const SharedQuery& query) {
  PLIMSOLL_RETURN_IF_ERROR(CheckQuestion(query.base));
  if (!query.steps.empty()) {
    PLIMSOLL_CHECK(query.steps.front().begin == query.base.window.begin &&
                   query.steps.back().until == query.base.window.until);
  }
  return Runner(query).Run(store);
}

}  // namespace plimsoll
