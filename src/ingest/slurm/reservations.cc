#include "ingest/slurm/reservations.h"

#include <algorithm>

#include "ingest/slurm/host_list.h"
#include "ingest/slurm/tres.h"

namespace plimsoll {
namespace {

using Record = std::map<std::string, std::string>;

std::string Get(const Record& record, const char* key) {
  const auto found = record.find(key);
  if (found == record.end() || found->second == "(null)" || found->second == "N/A") return "";
  return found->second;
}

Result<Instant> TimeOf(const Record& record, const char* key, const SlurmClock& clock) {
  const auto read = clock.Read(Get(record, key));
  if (!read) return Error{ErrorCode::kBadData, std::string(key) + ": " + read.error().message};
  if (read->empty()) return Error{ErrorCode::kBadData, std::string(key) + ": no time is given"};
  if (read->size() > 1) {
    return Error{ErrorCode::kBadData, std::string(key) +
                                          ": falls into the hour that a clock change repeats; "
                                          "print with TZ=UTC"};
  }
  return read->front();
}

// "a,b" as "user:a,user:b".
std::string WithPrefix(const std::string& prefix, const std::string& list) {
  if (list.empty()) return list;
  std::string out = prefix;
  for (const char c : list) {
    out += c;
    if (c == ',') out += prefix;
  }
  return out;
}

// Names joined by commas, without those that are shut out ("-bob").
std::string Included(std::string_view list) {
  std::string names;
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    const std::string_view name = list.substr(0, comma);
    list = comma == list.size() ? std::string_view() : list.substr(comma + 1);
    if (name.empty() || name.front() == '-') continue;
    names += (names.empty() ? "" : ",") + std::string(name);
  }
  return names;
}

bool HasFlag(std::string_view flags, std::string_view flag) {
  const std::string padded = "," + std::string(flags) + ",";
  return padded.find("," + std::string(flag) + ",") != std::string::npos;
}

void AppendRow(const SlurmReservation& reservation, const std::string& cluster,
               const std::string& node, std::int64_t gpus, SetAsideBatch& rows) {
  rows.snapshot_id.push_back(0);
  rows.cluster.emplace_back(cluster);
  rows.source.emplace_back("slurm");
  rows.kind.emplace_back(reservation.maintenance ? "slurm-maintenance" : "slurm-reservation");
  rows.ns.emplace_back();
  rows.name.push_back(reservation.name);
  rows.owner.push_back(reservation.owner);
  rows.node.emplace_back(node);
  rows.gpus.push_back(gpus);
  rows.reason.push_back(reservation.reason);
  rows.since.push_back(reservation.begin);
  rows.until.emplace_back(reservation.until);
}

// What the reservation's nodes have together; null if one of them is not among `nodes`.
struct Capacity {
  std::int64_t gpus = 0, cpus = 0;
  std::vector<std::int64_t> gpus_by_node;
};
std::optional<Capacity> CapacityOf(const SlurmReservation& reservation, const NodeBatch& nodes) {
  Capacity capacity;
  for (const std::string& name : reservation.nodes) {
    std::size_t row = 0;
    while (row < RowsOf(nodes) && std::string_view(nodes.node[row]) != name) ++row;
    if (row == RowsOf(nodes)) return std::nullopt;
    capacity.gpus += nodes.gpu_count[row];
    capacity.cpus += nodes.cpu_milli[row] / 1'000;
    capacity.gpus_by_node.push_back(nodes.gpu_count[row]);
  }
  return capacity;
}

}  // namespace

Result<SlurmReservation> ReadReservation(const Record& record, const SlurmClock& clock) {
  SlurmReservation reservation;
  reservation.name = Get(record, "ReservationName");
  if (reservation.name.empty()) {
    return Error{ErrorCode::kBadData, "ReservationName: the record names no reservation"};
  }
  PLIMSOLL_TRY(reservation.begin, TimeOf(record, "StartTime", clock));
  PLIMSOLL_TRY(reservation.until, TimeOf(record, "EndTime", clock));
  if (reservation.until < reservation.begin) {
    return Error{ErrorCode::kBadData, "EndTime: the reservation ends before it starts"};
  }
  auto nodes = ExpandHostList(Get(record, "Nodes"));
  if (!nodes) return Error{ErrorCode::kBadData, "Nodes: " + nodes.error().message};
  reservation.nodes = *std::move(nodes);
  std::sort(reservation.nodes.begin(), reservation.nodes.end());
  const auto last = std::unique(reservation.nodes.begin(), reservation.nodes.end());
  reservation.nodes.erase(last, reservation.nodes.end());
  const auto tres = ParseTres(Get(record, "TRES"));
  if (!tres) return Error{ErrorCode::kBadData, "TRES: " + tres.error().message};
  reservation.gpus = tres->gpus;
  reservation.cpus = tres->cpus;
  reservation.reason = Get(record, "Flags");
  reservation.maintenance = HasFlag(reservation.reason, "MAINT");
  reservation.owner = Included(Get(record, "Accounts"));
  if (reservation.owner.empty()) {
    reservation.owner = WithPrefix("user:", Included(Get(record, "Users")));
  }
  return reservation;
}

Status AppendSetAside(const SlurmReservation& reservation, const NodeBatch& nodes,
                      const std::string& cluster, Instant seen, SetAsideBatch& rows) {
  const std::size_t count = reservation.nodes.size();
  if (count == 0) {
    if (reservation.gpus > 0) AppendRow(reservation, cluster, "", reservation.gpus, rows);
  } else {
    const auto capacity = CapacityOf(reservation, nodes);
    if (!capacity && reservation.gpus == 0) {
      return Error{ErrorCode::kBadData,
                   "Nodes: their GPUs are not known; load the output of 'scontrol show node' "
                   "together with this file"};
    }
    const bool all_cpus = capacity && reservation.gpus == 0 &&
                          reservation.cpus.value_or(capacity->cpus) >= capacity->cpus;
    const bool whole = capacity && (capacity->gpus == reservation.gpus || all_cpus);
    for (std::size_t i = 0; i < count; ++i) {
      const auto of_nodes = static_cast<std::int64_t>(count);
      const std::int64_t left_over = reservation.gpus % of_nodes;
      const std::int64_t even =
          reservation.gpus / of_nodes + (static_cast<std::int64_t>(i) < left_over ? 1 : 0);
      const std::int64_t gpus = whole ? capacity->gpus_by_node[i] : even;
      if (gpus > 0) AppendRow(reservation, cluster, reservation.nodes[i], gpus, rows);
    }
  }
  rows.seen.resize(RowsOf(rows), seen);
  return Ok();
}

}  // namespace plimsoll
