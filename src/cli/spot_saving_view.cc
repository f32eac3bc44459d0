#include "cli/spot_saving_view.h"

#include <algorithm>
#include <string>
#include <utility>

#include "cli/text.h"

namespace plimsoll {
namespace {

constexpr CellKind kMoneyKind = CellKind::kMoney;

Cell MoneyCell(Money money) { return money.ToString(); }
Cell IfKnown(bool is_known, Money money) { return is_known ? MoneyCell(money) : std::nullopt; }
std::string HoursText(Duration time) { return ToDecimalHours(GpuMillis(time.base())); }
Cell HoursCell(GpuHours time) { return ToDecimalHours(time); }
Cell RateCell(std::int64_t rate) { return Money::FromNanos(rate).ToString(); }

std::string ToCents(Money money) {
  const int128 cent = Money::kNanosPerUnit / 100;
  const std::string text = Money::FromNanos(DivideHalfEven(money.nanos(), cent) * cent).ToString();
  return GroupThousands(text.substr(0, text.size() - 7));
}

// Whether losses of a row can be told: none were, or a log tells of some.
struct Known {
  bool list = false, lost = false;
};

void AddMoney(const SpotSums& sums, Known known, Row& row) {
  row.push_back(MoneyCell(sums.effective));
  row.push_back(IfKnown(known.list, sums.gross()));
  row.push_back(IfKnown(known.list && known.lost, sums.recomputation + sums.restart));
  row.push_back(IfKnown(known.list, sums.net()));
}

void AddMoneyColumns(std::vector<TableColumn>& columns) {
  for (const char* name : {"cost", "gross", "lost", "net"}) {
    columns.push_back({name, kMoneyKind, 2});
  }
}

Table LineTable(const SpotSaving& saving) {
  Table table;
  table.name = "lines";
  table.title = "From the list cost to the net saving";
  table.columns = {
      {"line"}, {"amount", kMoneyKind, 2}, {"gpu_hours", CellKind::kDecimal, 1}, {"is"}};
  const bool is_known = saving.is_gross_known();
  const bool is_lost_known = is_known && saving.is_lost_known();
  const auto add = [&](const char* line, Cell amount, Cell hours, std::string is) {
    table.rows.push_back({line, std::move(amount), std::move(hours), std::move(is)});
  };
  add("list", IfKnown(is_known, saving.all.list), HoursCell(saving.all.gpu_time),
      "the same hours on demand");
  add("spot", IfKnown(is_known, -saving.all.known_effective), std::nullopt, "what they cost");
  add("recomputation", IfKnown(is_lost_known, -saving.all.recomputation),
      HoursCell(saving.lost_recomputation), "work done again, at list prices");
  add("restart", IfKnown(is_lost_known, -saving.all.restart), HoursCell(saving.lost_restart),
      "until the next step, at list prices");
  for (const SpotDeclared& one : saving.declared) {
    add(one.kind.c_str(), MoneyCell(-one.amount), std::nullopt, one.name);
  }
  table.total = Row{"net", IfKnown(is_known, saving.net()), std::nullopt,
                    saving.is_net_exact() ? "" : "at most"};
  return table;
}

Table FlavorTable(const SpotSaving& saving) {
  Table table;
  table.name = "flavors";
  table.title = "By instance type and zone; lost to evictions; net before declared cost";
  table.columns = {{"instance_type"},
                   {"gpu_model"},
                   {"zone"},
                   {"nodes", CellKind::kNumber},
                   {"hours", CellKind::kDecimal, 1}};
  AddMoneyColumns(table.columns);
  for (const SpotSums& flavor : saving.flavors) {
    Row row{flavor.keys[0], flavor.keys[1], flavor.keys[2], std::to_string(flavor.nodes),
            HoursText(flavor.time)};
    AddMoney(flavor, {flavor.list != Money(), flavor.is_lost_known()}, row);
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table TeamTable(const SpotSaving& saving) {
  Table table;
  table.name = "teams";
  table.title = "By team, as each held the nodes' GPU time";
  table.columns = {{"team"}, {"gpu_hours", CellKind::kDecimal, 1}};
  AddMoneyColumns(table.columns);
  for (const SpotSums& team : saving.teams) {
    Row row{team.keys[0].empty() ? Cell() : Cell(team.keys[0]), HoursCell(team.gpu_time)};
    AddMoney(team, {team.list != Money(), team.is_lost_known()}, row);
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table EvictionTable(const SpotSaving& saving) {
  Table table;
  table.name = "evictions";
  table.title = "Evictions of an instance-hour, with their exact 95 % interval";
  table.columns = {{"instance_type"},
                   {"zone"},
                   {"evictions", CellKind::kNumber},
                   {"instance_hours", CellKind::kDecimal, 1},
                   {"rate", CellKind::kNumber, 5},
                   {"rate_low", CellKind::kNumber, 5},
                   {"rate_high", CellKind::kNumber, 5}};
  for (const SpotSums& flavor : saving.flavors) {
    Row row{flavor.keys[0], flavor.keys[2], std::to_string(flavor.evictions),
            HoursText(flavor.time)};
    const std::optional<SpotRate>& rate = flavor.rate;
    row.push_back(rate ? RateCell(rate->rate) : std::nullopt);
    row.push_back(rate ? RateCell(rate->low) : std::nullopt);
    row.push_back(rate ? RateCell(rate->high) : std::nullopt);
    table.rows.push_back(std::move(row));
  }
  return table;
}

void AddFacts(const SpotSaving& saving, Answer& answer) {
  const bool is_known = saving.is_gross_known();
  const bool is_lost_known = is_known && saving.is_lost_known();
  const auto money = [&](const char* name, Cell value) {
    answer.facts.push_back({name, kMoneyKind, std::move(value)});
  };
  const auto number = [&](const char* name, Cell value) {
    answer.facts.push_back({name, CellKind::kNumber, std::move(value)});
  };
  answer.facts.push_back({"window_begin", CellKind::kText, ToString(saving.window.begin)});
  answer.facts.push_back({"window_until", CellKind::kText, ToString(saving.window.until)});
  answer.facts.push_back({"currency", CellKind::kText, saving.currency});
  money("effective_cost", MoneyCell(saving.all.effective));
  money("effective_cost_with_list", MoneyCell(saving.all.known_effective));
  money("list_cost", IfKnown(is_known, saving.all.list));
  money("gross_saving", IfKnown(is_known, saving.all.gross()));
  money("recomputation", IfKnown(is_lost_known, saving.all.recomputation));
  money("restart", IfKnown(is_lost_known, saving.all.restart));
  money("declared", MoneyCell(saving.declared_sum()));
  money("net_saving", IfKnown(is_known, saving.net()));
  money("net_saving_at_least", IfKnown(is_known, saving.net_at_least()));
  answer.facts.push_back(
      {"net_is_exact", CellKind::kBoolean, saving.is_net_exact() ? "true" : "false"});
  money("gross_on_idle", IfKnown(is_known, saving.idle_gross));
  number("nodes", std::to_string(saving.all.nodes));
  number("nodes_without_list_cost", std::to_string(saving.nodes_unknown));
  number("nodes_by_price", std::to_string(saving.nodes_priced));
  number("eviction_count", std::to_string(saving.all.evictions));
  number("evictions_without_log", std::to_string(saving.evictions_unlogged));
  answer.facts.push_back({"instance_hours", CellKind::kDecimal, HoursText(saving.all.time)});
  const std::optional<SpotRate>& rate = saving.all.rate;
  number("eviction_rate.mean", rate ? RateCell(rate->rate) : std::nullopt);
  number("eviction_rate.low", rate ? RateCell(rate->low) : std::nullopt);
  number("eviction_rate.high", rate ? RateCell(rate->high) : std::nullopt);
}

std::string Headline(const SpotSaving& saving) {
  if (!saving.is_gross_known()) {
    return "What spot saved is not known: no node has a list cost or an on-demand price";
  }
  const std::string gross = " net, of " + ToCents(saving.all.gross()) + " " + saving.currency +
                            " gross, from " + ToString(saving.window.begin) + " to " +
                            ToString(saving.window.until);
  if (saving.evictions_unlogged == 0) return "Spot saved " + ToCents(saving.net()) + gross;
  return "Spot saved " + ToCents(saving.net_at_least()) + " to " + ToCents(saving.net()) + gross;
}

void AddNotes(const SpotSaving& saving, Answer& answer) {
  const auto count = [](std::int64_t n, const char* one, const char* many) {
    return std::to_string(n) + (n == 1 ? one : many);
  };
  if (saving.is_gross_known() && saving.net() <= Money()) {
    answer.notes.push_back("Warning: spot saved nothing in this time: compare plimsoll plan spot");
  }
  if (saving.evictions_unlogged > 0) {
    answer.notes.push_back(
        std::to_string(saving.evictions_unlogged) + " of " +
        count(saving.all.evictions, " eviction", " evictions") +
        " cut off work without a run log: what it did again is not known, from nothing to "
        "all that it had done, " +
        ToCents(saving.unlogged_at_most) + " " + saving.currency +
        " at list prices (plimsoll ingest runs loads logs)");
  }
  if (saving.nodes_unknown > 0) {
    answer.notes.push_back(count(saving.nodes_unknown, " node has", " nodes have") +
                           " no list cost and no on-demand price: not in the saving");
  }
  if (saving.nodes_priced > 0) {
    answer.notes.push_back("Of " + count(saving.nodes_priced, " node", " nodes") +
                           " the list cost is by the on-demand price, as no bill tells it");
  }
  if (saving.declared.empty()) {
    answer.notes.push_back(
        "No storage, traffic or operations for spot is declared (spot_costs in plimsoll.yaml)");
  }
  if (saving.is_gross_known()) {
    answer.notes.push_back(ToCents(saving.idle_gross) + " " + saving.currency +
                           " of the gross saving is on time that nobody held; it is not deducted, "
                           "as nodes on demand would have idled too");
  }
  for (const std::string& other : saving.other_currencies) {
    answer.notes.push_back("Spot nodes billed in " + other +
                           " are left out: currencies are never added");
  }
}

}  // namespace

Answer SpotSavingAnswer(const SpotSaving& saving) {
  Answer answer;
  answer.lines = {Headline(saving)};
  AddFacts(saving, answer);
  answer.tables = {LineTable(saving), FlavorTable(saving), TeamTable(saving),
                   EvictionTable(saving)};
  AddNotes(saving, answer);
  return answer;
}

}  // namespace plimsoll
