#include "ledger/caveats.h"

namespace plimsoll {
namespace {

struct Unpriced {
  std::vector<std::int64_t> nodes;
  std::vector<GpuHours> gpu_time;
  static constexpr std::tuple kColumns{MakeColumn("nodes", &Unpriced::nodes),
                                       MakeColumn("gpu_time", &Unpriced::gpu_time)};
};

Status AddEstimated(Store& store, const LedgerQuery& query, std::vector<std::string>& caveats) {
  PLIMSOLL_TRY(const LedgerTable table, RunQuery(store, {query.window, {"issuer"}, query.filter}));
  for (const LedgerRow& row : table.rows) {
    if (!row.keys[0].empty() || row.cost == Money()) continue;
    caveats.push_back(row.cost.ToString() + " " + row.keys[1] +
                      " of this is priced from price lists, for time that no loaded bill covers; "
                      "--by issuer tells them apart (issuer is empty there)");
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

}  // namespace

Result<std::vector<std::string>> CaveatsOf(Store& store, const LedgerQuery& query) {
  std::vector<std::string> caveats;
  PLIMSOLL_RETURN_IF_ERROR(AddEstimated(store, query, caveats));
  PLIMSOLL_RETURN_IF_ERROR(AddUnpriced(store, query, caveats));
  return caveats;
}

}  // namespace plimsoll
