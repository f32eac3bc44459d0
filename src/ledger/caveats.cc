#include "ledger/caveats.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "ledger/declarations.h"
#include "ledger/filter.h"
#include "model/price.h"

namespace plimsoll {
namespace {

constexpr std::size_t kKnownShownMax = 8;

struct Unpriced {
  std::vector<std::int64_t> nodes;
  std::vector<GpuHours> gpu_time;
  static constexpr std::tuple kColumns{MakeColumn("nodes", &Unpriced::nodes),
                                       MakeColumn("gpu_time", &Unpriced::gpu_time)};
};

struct Texts {
  std::vector<std::string> text;
  static constexpr std::tuple kColumns{MakeColumn("text", &Texts::text)};
};

struct Details {
  std::vector<std::string> subject, detail;
  static constexpr std::tuple kColumns{MakeColumn("subject", &Details::subject),
                                       MakeColumn("detail", &Details::detail)};
};

// By what the window's nodes are priced where no bill names them.
Result<std::string> LadderText(Store& store, Window window) {
  PLIMSOLL_TRY(
      const Texts rungs,
      Query<Texts>(store, "SELECT DISTINCT rung FROM ledger_asset WHERE hour >= ? AND hour < ?",
                   {window.begin, window.until}));
  const std::pair<const char*, const char*> known[] = {
      {kRungContracted, "declared and contracted prices"},
      {kRungSpotHistory, "the history of spot prices"},
      {kRungList, "price lists"}};
  std::string text;
  for (const auto& [rung, words] : known) {
    if (std::find(rungs.text.begin(), rungs.text.end(), rung) == rungs.text.end()) continue;
    text += (text.empty() ? "" : ", ") + std::string(words);
  }
  return text.empty() ? "declared prices" : text;
}

Status AddUnbilled(Store& store, const LedgerQuery& query, std::vector<std::string>& caveats) {
  PLIMSOLL_TRY(const LedgerTable table,
               RunQuery(store, {query.window, {"issuer", "source", "currency"}, query.filter}));
  std::map<std::string, Money> declared;
  std::map<std::string, Money> priced;
  for (const LedgerRow& row : table.rows) {
    if (!row.keys[0].empty()) continue;
    (row.keys[1] == "declared" ? declared : priced)[row.keys[2]] += row.cost;
  }
  for (const auto& [currency, cost] : declared) {
    if (cost == Money()) continue;
    caveats.push_back(cost.ToString() + " " + currency +
                      " of this is what plimsoll.yaml declares under monthly_costs, not a bill");
  }
  for (const auto& [currency, cost] : priced) {
    if (cost == Money()) continue;
    PLIMSOLL_TRY(const std::string ladder, LadderText(store, query.window));
    caveats.push_back(cost.ToString() + " " + currency + " of this is priced by " + ladder +
                      ", for time that no loaded bill covers; --by issuer tells it apart (issuer "
                      "is empty there)");
  }
  return Ok();
}

Status AddUnpriced(Store& store, const LedgerQuery& query, std::vector<std::string>& caveats) {
  PLIMSOLL_TRY(const Unpriced unpriced,
               Query<Unpriced>(store,
                               "SELECT count(DISTINCT f.subject), coalesce(sum(f.gpu_time), "
                               "0)::BIGINT FROM ledger_finding f JOIN ledger_day d ON d.day_id = "
                               "f.day_id WHERE f.kind = 'no-price' AND d.day < ? AND d.day > ?",
                               {query.window.until, query.window.begin - Days(1)}));
  if (unpriced.nodes.at(0) == 0) return Ok();
  caveats.push_back(ToDecimalHours(unpriced.gpu_time[0]) + " GPU-hours of " +
                    std::to_string(unpriced.nodes[0]) +
                    " nodes in these days have no price and cost 0 here: load a bill or prices");
  return Ok();
}

Status AddOverCommitted(Store& store, const LedgerQuery& query, std::vector<std::string>& caveats) {
  PLIMSOLL_TRY(const Details over,
               Query<Details>(store,
                              "SELECT f.subject, min(f.detail) FROM ledger_finding f JOIN "
                              "ledger_day d ON d.day_id = f.day_id WHERE f.kind = 'over-committed' "
                              "AND d.day < ? AND d.day > ? GROUP BY 1 ORDER BY 1",
                              {query.window.until, query.window.begin - Days(1)}));
  if (over.subject.empty()) return Ok();
  std::string text = "node " + over.subject[0] + " is " + over.detail[0];
  if (over.subject.size() > 1) {
    text += "; so are " + std::to_string(over.subject.size() - 1) +
            " others (plimsoll report lists them under findings)";
  }
  caveats.push_back(std::move(text));
  return Ok();
}

void GatherEquals(const FilterTree& tree, std::map<std::string, std::set<std::string>>& wanted) {
  const FilterComparison& comparison = tree.comparison;
  if (tree.kind == FilterTree::Kind::kComparison && comparison.op == FilterOperator::kEquals) {
    wanted[comparison.field].insert(comparison.values.begin(), comparison.values.end());
  }
  for (const FilterTree& child : tree.children) GatherEquals(child, wanted);
}

std::string KnownText(const std::vector<std::string>& known) {
  std::string text;
  for (std::size_t i = 0; i < std::min(known.size(), kKnownShownMax); ++i) {
    text += (i == 0 ? "" : ", ") + (known[i].empty() ? "\"\"" : known[i]);
  }
  if (known.size() > kKnownShownMax) {
    text += " and " + std::to_string(known.size() - kKnownShownMax) + " more";
  }
  return text;
}

}  // namespace

Result<std::vector<std::string>> CaveatsOf(Ledger& ledger, const LedgerQuery& query) {
  Store& store = ledger.store();
  std::vector<std::string> caveats;
  PLIMSOLL_RETURN_IF_ERROR(AddUnbilled(store, query, caveats));
  PLIMSOLL_RETURN_IF_ERROR(AddUnpriced(store, query, caveats));
  PLIMSOLL_RETURN_IF_ERROR(AddOverCommitted(store, query, caveats));
  PLIMSOLL_TRY(const std::vector<DeclarationNote> notes,
               UnansweredDeclarations(store, ledger.options().allocation, query.window));
  for (const DeclarationNote& note : notes) caveats.push_back(note.subject + ": " + note.detail);
  return caveats;
}

Result<std::vector<std::string>> UnknownFilterValues(Store& store, const LedgerQuery& query) {
  std::vector<std::string> notes;
  PLIMSOLL_TRY(const FilterTree tree, ParseLedgerFilter(query.filter));
  std::map<std::string, std::set<std::string>> wanted;
  GatherEquals(tree, wanted);
  for (const auto& [field, values] : wanted) {
    PLIMSOLL_TRY(const LedgerTable table, RunQuery(store, {query.window, {field}, ""}));
    std::set<std::string> known;
    for (const LedgerRow& row : table.rows) known.insert(row.keys[0]);
    const std::vector<std::string> list(known.begin(), known.end());
    for (const std::string& value : values) {
      if (known.contains(value)) continue;
      notes.push_back("no line has " + field + " = " + (value.empty() ? "\"\"" : value) +
                      (list.empty() ? "; there are no lines" : "; known: " + KnownText(list)));
    }
  }
  return notes;
}

}  // namespace plimsoll
