#include "report/facts_sql.h"

#include <utility>

namespace plimsoll {
namespace {

template <class T>
ColumnRef Ref(std::vector<T>& values) {
  return {"column", ColumnTypeOf<T>::value, &values};
}

// Gathers all rows of a query into vectors, in order.
template <class... T>
Status Gather(Store& store, const std::string& sql, const SqlParams& params,
              std::vector<T>&... into) {
  std::tuple<std::vector<T>...> chunk;
  BatchRef refs;
  std::apply([&](auto&... column) { (refs.push_back(Ref(column)), ...); }, chunk);
  return store.Stream(sql, params, refs, [&] {
    std::apply(
        [&](auto&... column) { (into.insert(into.end(), column.begin(), column.end()), ...); },
        chunk);
    return Ok();
  });
}

// Each GPU holding once, whichever sources saw it, with the ledger's attribution.
constexpr char kHoldings[] =
    "(SELECT cluster, uid, min(source) AS source, max(namespace) AS ns, max(workload_kind) AS "
    "kind, max(workload) AS workload, max(queue) AS queue, min(queued_at) AS queued_at, "
    "min(begin_at) AS begin_at, max(until_at) AS until_at, max(end_reason) AS end_reason "
    "FROM active_holding WHERE devices > 0 GROUP BY cluster, uid)";

std::optional<int128> OptionalSum(const std::vector<int128>& sum,
                                  const std::vector<std::int64_t>& rows) {
  if (rows.empty() || rows[0] == 0) return std::nullopt;
  return sum[0];
}

}  // namespace

Result<UsageSums> ReadUsageSums(Store& store, Window window) {
  std::vector<int128> active, covered, energy, power, memory, memory_ms;
  std::vector<std::int64_t> power_rows, memory_rows;
  PLIMSOLL_RETURN_IF_ERROR(
      Gather(store,
             "SELECT coalesce(sum(list_sum(active)), 0)::HUGEINT, "
             "coalesce(sum(list_sum(covered)), 0)::HUGEINT, coalesce(sum(energy_mj), 0)::HUGEINT, "
             "coalesce(sum(power_ms), 0)::HUGEINT, coalesce(sum(memory_mib_ms), 0)::HUGEINT, "
             "coalesce(sum(memory_ms), 0)::HUGEINT, count(energy_mj), count(memory_mib_ms) "
             "FROM active_usage WHERE hour >= ? AND hour < ?",
             {window.begin, window.until}, active, covered, energy, power, memory, memory_ms,
             power_rows, memory_rows));
  UsageSums sums;
  sums.active_ppm_ms = active.at(0);
  sums.covered_ms = covered.at(0);
  sums.energy_mj = OptionalSum(energy, power_rows);
  sums.power_ms = OptionalSum(power, power_rows);
  sums.memory_mib_ms = OptionalSum(memory, memory_rows);
  sums.memory_ms = OptionalSum(memory_ms, memory_rows);
  return sums;
}

Result<Coverage> ReadCoverage(Store& store, Window window) {
  std::vector<std::int64_t> node_hours, with_samples;
  PLIMSOLL_RETURN_IF_ERROR(Gather(
      store,
      "WITH paid AS (SELECT DISTINCT n.cluster, n.node, a.hour FROM ledger_asset a JOIN "
      "ledger_node n ON n.day_id = a.day_id AND n.id = a.node_id WHERE a.hour >= ? AND "
      "a.hour < ?), seen AS (SELECT DISTINCT cluster, node, hour FROM active_usage WHERE "
      "hour >= ? AND hour < ? AND list_sum(covered) > 0) SELECT count(*), count(s.node) FROM "
      "paid p LEFT JOIN seen s ON s.cluster = p.cluster AND s.node = p.node AND s.hour = p.hour",
      {window.begin, window.until, window.begin, window.until}, node_hours, with_samples));
  return Coverage{node_hours.at(0), with_samples.at(0)};
}

Result<std::optional<Instant>> ReadBillAsOf(Store& store) {
  std::vector<std::optional<Instant>> last;
  PLIMSOLL_RETURN_IF_ERROR(Gather(
      store, "SELECT max(charge_until) FROM active_charge WHERE category = 'Usage'", {}, last));
  return last.at(0);
}

Result<std::optional<Instant>> ReadMeasuredSince(Store& store) {
  std::vector<std::optional<Instant>> first;
  PLIMSOLL_RETURN_IF_ERROR(Gather(store,
                                  "SELECT min(data_begin) FROM snapshot WHERE active = 1 AND "
                                  "kind IN ('charge', 'usage')",
                                  {}, first));
  return first.at(0);
}

Result<Waits> ReadWaits(Store& store, Window window) {
  Waits out;
  PLIMSOLL_RETURN_IF_ERROR(
      Gather(store,
             std::string("WITH w AS (SELECT source, queue, begin_at - queued_at AS wait FROM ") +
                 kHoldings +
                 " WHERE queued_at IS NOT NULL AND begin_at >= ? AND begin_at < ? AND begin_at >= "
                 "queued_at) SELECT source, queue, count(*), quantile_disc(wait, 0.5)::BIGINT, "
                 "quantile_disc(wait, 0.95)::BIGINT, max(wait)::BIGINT FROM w GROUP BY 1, 2 "
                 "ORDER BY 1, 2",
             {window.begin, window.until}, out.source, out.queue, out.count, out.p50_ms, out.p95_ms,
             out.max_ms));
  return out;
}

Result<Ends> ReadEnds(Store& store, Window window) {
  Ends out;
  PLIMSOLL_RETURN_IF_ERROR(Gather(
      store,
      std::string("WITH w AS (SELECT DISTINCT cluster, namespace, workload_kind, workload, "
                  "workload_type FROM ledger_workload WHERE workload_type <> '') "
                  "SELECT h.source, coalesce(w.workload_type, ''), h.end_reason, count(*) FROM ") +
          kHoldings +
          " h LEFT JOIN w ON w.cluster = h.cluster AND w.namespace = h.ns AND w.workload_kind = "
          "h.kind AND w.workload = h.workload WHERE h.until_at > ? AND h.until_at <= ? AND "
          "h.end_reason <> '' GROUP BY 1, 2, 3 ORDER BY 1, 2, 3",
      {window.begin, window.until}, out.source, out.workload_type, out.reason, out.count));
  return out;
}

Result<Pending> ReadPending(Store& store) {
  Pending out;
  PLIMSOLL_RETURN_IF_ERROR(
      Gather(store,
             "SELECT source, reason, count(*), sum(devices)::BIGINT FROM active_pending WHERE "
             "devices > 0 GROUP BY 1, 2 ORDER BY 1, 2",
             {}, out.source, out.reason, out.count, out.devices));
  return out;
}

Result<Marks> ReadMarks(Store& store, Window window) {
  Marks out;
  PLIMSOLL_RETURN_IF_ERROR(
      Gather(store,
             "WITH u AS (SELECT cluster, device, instance, hour, unnest(string_split(quality, "
             "',')) AS mark FROM active_usage WHERE hour >= ? AND hour < ?) SELECT mark, "
             "count(DISTINCT (cluster, device, instance, hour)), count(DISTINCT (cluster, device)) "
             "FROM u GROUP BY 1 ORDER BY 2 DESC, 1",
             {window.begin, window.until}, out.mark, out.device_hours, out.devices));
  return out;
}

Result<Rungs> ReadRungs(Store& store, Window window, const std::string& currency) {
  Rungs out;
  PLIMSOLL_RETURN_IF_ERROR(
      Gather(store,
             "SELECT a.rung, a.price_source, sum(a.cost) FROM ledger_asset a JOIN ledger_scope s "
             "ON s.day_id = a.day_id AND s.id = a.scope_id WHERE a.hour >= ? AND a.hour < ? AND "
             "s.currency = ? GROUP BY 1, 2 ORDER BY 1, 2",
             {window.begin, window.until, currency}, out.rung, out.price_source, out.cost));
  return out;
}

Result<Findings> ReadFindings(Store& store, Window window) {
  Findings out;
  PLIMSOLL_RETURN_IF_ERROR(
      Gather(store,
             "SELECT f.kind, f.subject, min(f.detail), sum(f.gpu_time)::BIGINT, sum(f.cost) FROM "
             "ledger_finding f JOIN ledger_day d ON d.day_id = f.day_id WHERE d.day < ? AND "
             "d.day > ? GROUP BY 1, 2 ORDER BY 5 DESC, 4 DESC, 1, 2",
             {window.until, window.begin - Days(1)}, out.kind, out.subject, out.detail,
             out.gpu_time, out.cost));
  return out;
}

Result<Flavors> ReadFlavors(Store& store, Window window) {
  Flavors out;
  PLIMSOLL_RETURN_IF_ERROR(
      Gather(store,
             "SELECT n.gpu_model, n.capacity_type, count(DISTINCT (n.cluster, n.node)) FROM "
             "ledger_asset a JOIN ledger_node n ON n.day_id = a.day_id AND n.id = a.node_id "
             "WHERE a.hour >= ? AND a.hour < ? GROUP BY 1, 2 ORDER BY 1, 2",
             {window.begin, window.until}, out.gpu_model, out.capacity_type, out.nodes));
  return out;
}

}  // namespace plimsoll
