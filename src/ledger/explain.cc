#include "ledger/explain.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "ledger/basis_charges.h"

namespace plimsoll {
namespace {

struct AssetSums {
  std::vector<std::string> cluster, node, currency, rung, price_source;
  std::vector<std::int64_t> hours;
  std::vector<MoneyTotal> cost, gpu_cost, cpu_cost, memory_cost;

  static constexpr std::tuple kColumns{
      MakeColumn("cluster", &AssetSums::cluster),
      MakeColumn("node", &AssetSums::node),
      MakeColumn("currency", &AssetSums::currency),
      MakeColumn("rung", &AssetSums::rung),
      MakeColumn("price_source", &AssetSums::price_source),
      MakeColumn("hours", &AssetSums::hours),
      MakeColumn("cost", &AssetSums::cost),
      MakeColumn("gpu_cost", &AssetSums::gpu_cost),
      MakeColumn("cpu_cost", &AssetSums::cpu_cost),
      MakeColumn("memory_cost", &AssetSums::memory_cost),
  };
};

struct SnapshotNames {
  std::vector<std::string> name;
  static constexpr std::tuple kColumns{MakeColumn("name", &SnapshotNames::name)};
};

// Bases by (cluster, node, service, currency): node or service is empty.
using BasisKey = std::tuple<std::string, std::string, std::string, std::string>;
using Bases = std::map<BasisKey, ExplainedBasis>;

Result<std::vector<LedgerRow>> Sums(Store& store, const Figure& figure,
                                    std::vector<std::string> by) {
  PLIMSOLL_TRY(LedgerTable table, RunQuery(store, {figure.window, std::move(by), figure.filter}));
  return std::move(table.rows);
}

// The figure's own part of every basis.
Status AddFigureParts(Store& store, const Figure& figure, Bases& bases) {
  PLIMSOLL_TRY(const auto rows, Sums(store, figure,
                                     {"cluster", "node", "workload_kind", "workload",
                                      "instance_type", "capacity_type", "currency"}));
  for (const LedgerRow& row : rows) {
    const bool on_node = !row.keys[1].empty();
    const std::string service = on_node ? "" : ServiceKey(row.keys[2], row.keys[3]);
    ExplainedBasis& basis = bases[{on_node ? row.keys[0] : "", row.keys[1], service, row.keys[6]}];
    basis.cluster = on_node ? row.keys[0] : "";
    basis.node = row.keys[1];
    basis.service = service;
    basis.instance_type = row.keys[4];
    basis.capacity_type = row.keys[5];
    basis.currency = row.keys[6];
    basis.figure_gpu_time += row.gpu_time;
    basis.figure_cost += row.cost;
  }
  return Ok();
}

// What every basis cost altogether, by the ledger.
Status AddLedgerCosts(Store& store, const Figure& figure, Bases& bases) {
  PLIMSOLL_TRY(const auto rows,
               Sums(store, {figure.window, ""},
                    {"cluster", "node", "workload_kind", "workload", "currency", "issuer"}));
  for (const LedgerRow& row : rows) {
    const bool on_node = !row.keys[1].empty();
    const std::string service = on_node ? "" : ServiceKey(row.keys[2], row.keys[3]);
    const auto found = bases.find({on_node ? row.keys[0] : "", row.keys[1], service, row.keys[4]});
    if (found == bases.end()) continue;
    found->second.cost += row.cost;
    if (!row.keys[5].empty()) found->second.billed_cost += row.cost;
    found->second.gpu_time += row.gpu_time;
  }
  return Ok();
}

void Join(std::string& list, const std::string& item) {
  if (item.empty() || ("+" + list + "+").find("+" + item + "+") != std::string::npos) return;
  list += (list.empty() ? "" : "+") + item;
}

Status AddAssets(Store& store, const Figure& figure, Bases& bases) {
  PLIMSOLL_TRY(
      const AssetSums sums,
      Query<AssetSums>(store,
                       "SELECT n.cluster, n.node, s.currency, a.rung, a.price_source, "
                       "count(DISTINCT a.hour), sum(a.cost), sum(a.gpu_cost), sum(a.cpu_cost), "
                       "sum(a.memory_cost) FROM ledger_asset a "
                       "JOIN ledger_node n ON n.day_id = a.day_id AND n.id = a.node_id "
                       "JOIN ledger_scope s ON s.day_id = a.day_id AND s.id = a.scope_id "
                       "WHERE a.hour >= ? AND a.hour < ? GROUP BY 1, 2, 3, 4, 5 "
                       "ORDER BY 1, 2, 3, 4, 5",
                       {figure.window.begin, figure.window.until}));
  for (std::size_t row = 0; row < RowsOf(sums); ++row) {
    const auto found = bases.find({sums.cluster[row], sums.node[row], "", sums.currency[row]});
    if (found == bases.end()) continue;
    ExplainedBasis& basis = found->second;
    basis.hours += sums.hours[row];
    basis.gpu_cost += sums.gpu_cost[row].value;
    basis.cpu_cost += sums.cpu_cost[row].value;
    basis.memory_cost += sums.memory_cost[row].value;
    Join(basis.rung, sums.rung[row]);
    Join(basis.price_source, sums.price_source[row]);
  }
  return Ok();
}

Status AddCharges(Ledger& ledger, const Figure& figure, Bases& bases) {
  PLIMSOLL_TRY(const auto charges, ChargesByBasis(ledger, figure.window));
  for (const BasisCharges& one : charges) {
    const auto found = bases.find({one.cluster, one.node, one.service, one.currency});
    if (found != bases.end()) found->second.charges.push_back(one.charges);
  }
  return Ok();
}

std::string NameOf(const ExplainedBasis& basis) {
  return basis.node.empty() ? basis.service : "node " + basis.node;
}

Check Equal(std::string what, Money left, Money right) {
  Check check{std::move(what), left == right, ""};
  if (!check.holds) check.detail = left.ToString() + " is not " + right.ToString();
  return check;
}

void AddChecks(Explanation& out) {
  std::map<std::string, Money> by_currency;
  for (const ExplainedBasis& basis : out.bases) by_currency[basis.currency] += basis.figure_cost;
  for (const LedgerRow& total : out.totals) {
    out.checks.push_back(Equal("parts of all bases = the figure (" + total.keys[0] + ")",
                               by_currency[total.keys[0]], total.cost));
    Money classes;
    for (const LedgerRow& row : out.by_class) {
      if (row.keys[1] == total.keys[0]) classes += row.cost;
    }
    out.checks.push_back(
        Equal("classes = the figure (" + total.keys[0] + ")", classes, total.cost));
  }
  for (const ExplainedBasis& basis : out.bases) {
    Money charges;
    for (const ExplainedCharges& one : basis.charges) charges += one.cost;
    // Without a bill there is nothing to compare: the price is the source.
    if (basis.charges.empty() && basis.billed_cost == Money()) continue;
    out.checks.push_back(
        Equal("charges of " + NameOf(basis) + " = its billed cost", charges, basis.billed_cost));
  }
}

std::vector<std::string> RulesOf(const AllocationOptions& options) {
  const NodeSplitWeights& split = options.split;
  return {
      "A node's cost is split by weights GPU " + std::to_string(split.gpu) + " : vCPU " +
          std::to_string(split.cpu) + " : GiB " + std::to_string(split.memory) +
          " (tenths, for each unit it has), its GPU part equally over its GPUs",
      "A GPU's hour is divided over holders and classes by milliseconds held and the busy "
      "fraction of its best signal (SM_ACTIVE, else GR_ENGINE_ACTIVE, else GPU_UTIL)",
      "CPU and memory go by what was requested; what nobody requested is waste",
      "Every division is by largest remainder: the parts add up to the nano",
  };
}

Status AddSnapshots(Store& store, Explanation& out) {
  PLIMSOLL_TRY(
      SnapshotNames names,
      Query<SnapshotNames>(store,
                           "SELECT snapshot_id || ': ' || kind || ' ' || scope FROM snapshot "
                           "WHERE active = 1 AND (data_begin IS NULL OR (data_begin < ? AND "
                           "data_until > ?)) ORDER BY snapshot_id",
                           {out.figure.window.until, out.figure.window.begin}));
  out.snapshots = std::move(names.name);
  return Ok();
}

}  // namespace

std::string ToId(const Figure& figure) { return figure.filter + "@" + ToString(figure.window); }

Result<Figure> ParseFigureId(std::string_view id) {
  const Error bad{ErrorCode::kInvalidArgument,
                  "'" + std::string(id) +
                      "' is not a figure such as team:\"nlp\"@2026-11-16T00:00:00Z/"
                      "2026-11-23T00:00:00Z"};
  const std::size_t at = id.rfind('@');
  if (at == std::string_view::npos) return bad;
  const std::string_view window = id.substr(at + 1);
  const std::size_t slash = window.find('/');
  if (slash == std::string_view::npos) return bad;
  const auto begin = ParseInstant(window.substr(0, slash));
  const auto until = ParseInstant(window.substr(slash + 1));
  if (!begin || !until || *until <= *begin) return bad;
  return Figure{{*begin, *until}, std::string(id.substr(0, at))};
}

Result<Explanation> Explain(Ledger& ledger, const Figure& figure) {
  PLIMSOLL_RETURN_IF_ERROR(ledger.Refresh(figure.window));
  Store& store = ledger.store();
  Explanation out;
  out.figure = figure;
  PLIMSOLL_TRY(out.totals, Sums(store, figure, {"currency"}));
  if (out.totals.empty()) {
    return Error{ErrorCode::kNotFound,
                 "no cost line matches '" + figure.filter + "' in " + ToString(figure.window)};
  }
  PLIMSOLL_TRY(out.by_class, Sums(store, figure, {"class", "currency"}));

  Bases bases;
  PLIMSOLL_RETURN_IF_ERROR(AddFigureParts(store, figure, bases));
  PLIMSOLL_RETURN_IF_ERROR(AddLedgerCosts(store, figure, bases));
  PLIMSOLL_RETURN_IF_ERROR(AddAssets(store, figure, bases));
  PLIMSOLL_RETURN_IF_ERROR(AddCharges(ledger, figure, bases));
  for (auto& [key, basis] : bases) out.bases.push_back(std::move(basis));
  std::stable_sort(out.bases.begin(), out.bases.end(),
                   [](const auto& a, const auto& b) { return a.figure_cost > b.figure_cost; });
  out.rules = RulesOf(ledger.options().allocation);
  PLIMSOLL_RETURN_IF_ERROR(AddSnapshots(store, out));
  AddChecks(out);
  return out;
}

}  // namespace plimsoll
