#include "ingest/kubernetes/kubernetes_load.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/limits.h"
#include "store/snapshot.h"

namespace plimsoll {
namespace {

constexpr std::int64_t kObjectsPerTell = 1'000;

std::string RawOf(const nlohmann::json& object) {
  return object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)
      .substr(0, kRawBytesMax);
}

template <class Batch>
Result<Batch> Open(Store& store, const std::string& table, std::int64_t id,
                   const std::string& where = "") {
  std::string columns;
  std::apply(
      [&](auto... column) {
        ((columns += (columns.empty() ? "\"" : ", \"") + std::string(column.name) + "\""), ...);
      },
      Batch::kColumns);
  return Query<Batch>(
      store, "SELECT " + columns + " FROM " + table + " WHERE snapshot_id = ?" + where, {id});
}

// What the active snapshot has that a later reading may extend or end.
Result<KnownFacts> ReadKnown(Store& store, std::int64_t id, bool to_end) {
  KnownFacts known;
  PLIMSOLL_TRY(known.facts.states, Open<NodeStateBatch>(store, "node_state", id));
  PLIMSOLL_TRY(known.facts.set_asides, Open<SetAsideBatch>(store, "set_aside", id));
  if (!to_end) return known;
  const std::string open = " AND until_at IS NULL";
  PLIMSOLL_TRY(known.facts.nodes, Open<NodeBatch>(store, "node", id));
  PLIMSOLL_TRY(known.facts.holdings, Open<HoldingBatch>(store, "holding", id, open));
  PLIMSOLL_TRY(known.facts.volumes, Open<VolumeBatch>(store, "volume", id, open));
  PLIMSOLL_TRY(const SnapshotBatch row, Open<SnapshotBatch>(store, "snapshot", id));
  if (RowsOf(row) > 0) known.until = row.data_until[0];
  return known;
}

void WarnOf(std::int64_t count, const std::string& what, std::vector<std::string>& warnings) {
  if (count > 0) warnings.push_back(std::to_string(count) + " " + what);
}

}  // namespace

void KubernetesLoad::Take(const nlohmann::json& object, const Sighting& sighting,
                          const std::string& source, const std::string& path) {
  FieldError error;
  objects_.Add(object, sighting, error);
  if (!error.reason.empty()) {
    const std::string field =
        path.empty() || error.path.empty() ? path + error.path : path + "." + error.path;
    rejections_.push_back({source, 0, field, error.reason, "", RawOf(object)});
  }
  if (++taken_ % kObjectsPerTell == 0 && progress_) progress_(source, taken_, 0);
}

ImportReport KubernetesLoad::Describe(const ClusterFacts& facts) const {
  ImportReport report;
  report.kind = "kubernetes";
  report.accepted = facts.objects;
  report.duplicates = facts.duplicates;
  report.rejected = static_cast<std::int64_t>(rejections_.size());
  const std::size_t shown = std::min(rejections_.size(), kRejectionsShownMax);
  report.first_rejections.assign(rejections_.begin(),
                                 rejections_.begin() + static_cast<std::ptrdiff_t>(shown));
  for (const auto& [kind, count] : facts.ignored) {
    report.ignored.push_back(kind + " (" + std::to_string(count) +
                             (count == 1 ? " object)" : " objects)"));
  }
  report.ignored.insert(report.ignored.end(), notes_.begin(), notes_.end());
  report.warnings = warnings_;
  WarnOf(facts.with_claims,
         "pods hold devices by resource claims (DRA) that are not among the objects, or whose "
         "profile no ResourceSlice tells: those devices are not counted; add resourceclaims and "
         "resourceslices",
         report.warnings);
  WarnOf(facts.unknown_share,
         "pods share a GPU by memory, and no node here tells its cards' memory "
         "(nvidia.com/gpu.memory): a share by annotation gpu-memory is not counted, one by "
         "nvidia.com/gpumem is counted as a whole GPU",
         report.warnings);
  WarnOf(facts.without_template,
         "CapacityBuffers name a pod template that is not among the objects: what they keep "
         "free is not known; add podtemplates and the kinds that they scale with",
         report.warnings);
  WarnOf(facts.resized,
         "pods were resized in place: the larger CPU and memory count for their whole time",
         report.warnings);
  WarnOf(facts.gone, "pods and nodes are gone since the last load: they ended when last seen",
         report.warnings);
  return report;
}

Result<ImportReport> KubernetesLoad::StoreIn(Store& store, std::optional<Instant> as_of,
                                             const std::set<std::string>& complete) {
  PLIMSOLL_TRY(SnapshotLoad load, SnapshotLoad::Begin(store));
  const SnapshotKey key{"kubernetes", cluster_, {}};
  PLIMSOLL_TRY(const std::optional<std::int64_t> active, load.ActiveOf(key));
  KnownFacts known;
  if (active) {
    PLIMSOLL_TRY(known, ReadKnown(store, *active, !complete.empty()));
  }
  known.as_of = as_of;
  known.complete = complete;
  ClusterFacts facts = objects_.Finish(known);
  ImportReport report = Describe(facts);
  PLIMSOLL_RETURN_IF_ERROR(StoreFleet(store, load, key, std::move(facts.facts)));
  PLIMSOLL_TRY(const std::int64_t id, load.Open(key));
  if (facts.as_of) load.CoverTime(id, {*facts.as_of, *facts.as_of});
  RejectionBatch refused;
  for (const Rejection& rejection : rejections_) Append(refused, rejection);
  std::fill(refused.snapshot_id.begin(), refused.snapshot_id.end(), id);
  PLIMSOLL_RETURN_IF_ERROR(load.Reject(refused));
  PLIMSOLL_RETURN_IF_ERROR(load.Commit(report));
  return report;
}

}  // namespace plimsoll
