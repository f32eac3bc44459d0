#include "ingest/kubernetes/kubernetes_import.h"

#include <algorithm>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/limits.h"
#include "ingest/kubernetes/cluster_objects.h"
#include "ingest/kubernetes/json_items.h"
#include "store/snapshot.h"

namespace plimsoll {
namespace {

constexpr std::int64_t kObjectsPerTell = 1'000;

std::string RawOf(const nlohmann::json& object) {
  return object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)
      .substr(0, kRawBytesMax);
}

class FileReader {
 public:
  FileReader(std::string file, const KubernetesOptions& options, ClusterObjects& objects,
             std::vector<Rejection>& rejections)
      : file_(std::move(file)), options_(options), objects_(objects), rejections_(rejections) {}

  Status Read(std::istream& in) {
    const JsonEnd end = ReadJsonItems(
        in, {[&](const JsonItem& item, const nlohmann::json& object) { Take(item, object); },
             [&](const std::string& path, const std::string& reason) {
               rejections_.push_back({file_, 0, path, reason, "", ""});
             }});
    if (!refusal_.empty()) return Error{ErrorCode::kBadData, file_ + refusal_};
    if (end.error.empty() && end.documents == 0) {
      return Error{ErrorCode::kBadData,
                   file_ + ": is empty; give the output of 'kubectl get ... -o json'"};
    }
    if (end.error.empty()) return Ok();
    if (end.items == 0) {
      return Error{ErrorCode::kBadData, file_ + ":" + std::to_string(end.line) +
                                            ": is not JSON; give the output of 'kubectl get "
                                            "... -o json' (" +
                                            end.error + ")"};
    }
    rejections_.push_back(
        {file_, end.line, end.path, "the JSON breaks off here: " + end.error, "", ""});
    return Ok();
  }

 private:
  void Take(const JsonItem& item, const nlohmann::json& object) {
    if (object.is_object() && object.value("kind", nlohmann::json()) == "Status") {
      refusal_ = ": holds no objects but an error of the API server: " +
                 object.value("message", nlohmann::json("no message")).dump();
      return;
    }
    FieldError error;
    objects_.Add(object, item.list_kind, error);
    if (!error.reason.empty()) {
      const std::string path = item.path.empty() || error.path.empty()
                                   ? item.path + error.path
                                   : item.path + "." + error.path;
      rejections_.push_back({file_, 0, path, error.reason, "", RawOf(object)});
    }
    if (++taken_ % kObjectsPerTell == 0 && options_.progress) {
      options_.progress(file_, taken_, 0);
    }
  }

  std::string file_;
  const KubernetesOptions& options_;
  ClusterObjects& objects_;
  std::vector<Rejection>& rejections_;
  std::int64_t taken_ = 0;
  std::string refusal_;  // of the API server
};

Status ReadFile(const std::string& path, const KubernetesOptions& options, ClusterObjects& objects,
                std::vector<Rejection>& rejections) {
  if (path == "-") {
    return FileReader("standard input", options, objects, rejections).Read(std::cin);
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) return Error{ErrorCode::kNotFound, path + ": cannot be opened"};
  return FileReader(path, options, objects, rejections).Read(file);
}

void Describe(const ClusterFacts& facts, const std::vector<Rejection>& rejections,
              ImportReport& report) {
  report.accepted = facts.objects;
  report.duplicates = facts.duplicates;
  report.rejected = static_cast<std::int64_t>(rejections.size());
  const std::size_t shown = std::min(rejections.size(), kRejectionsShownMax);
  report.first_rejections.assign(rejections.begin(),
                                 rejections.begin() + static_cast<std::ptrdiff_t>(shown));
  for (const auto& [kind, count] : facts.ignored) {
    report.ignored.push_back(kind + " (" + std::to_string(count) +
                             (count == 1 ? " object)" : " objects)"));
  }
  if (facts.with_claims > 0) {
    report.warnings.push_back(std::to_string(facts.with_claims) +
                              " pods hold devices by resource claims (DRA), which their requests "
                              "do not show: those devices are not counted");
  }
  if (facts.unknown_share > 0) {
    report.warnings.push_back(std::to_string(facts.unknown_share) +
                              " pods share a GPU by memory (annotation gpu-memory), whose share "
                              "of a card is not known: those shares are not counted");
  }
}

}  // namespace

Result<ImportReport> ImportKubernetes(Store& store, const KubernetesOptions& options) {
  if (options.cluster.empty()) {
    return Error{ErrorCode::kInvalidArgument,
                 "Kubernetes objects do not name their cluster; name it with --cluster"};
  }
  ClusterObjects objects(options.cluster, options.catalog);
  std::vector<Rejection> rejections;
  for (const std::string& path : options.files) {
    PLIMSOLL_RETURN_IF_ERROR(ReadFile(path, options, objects, rejections));
  }
  ClusterFacts facts = objects.Finish();
  ImportReport report;
  report.kind = "kubernetes";
  Describe(facts, rejections, report);

  PLIMSOLL_TRY(SnapshotLoad load, SnapshotLoad::Begin(store));
  const SnapshotKey key{"kubernetes", options.cluster, {}};
  PLIMSOLL_RETURN_IF_ERROR(StoreFleet(store, load, key, std::move(facts.facts)));
  PLIMSOLL_TRY(const std::int64_t id, load.Open(key));
  const std::optional<Instant> as_of = options.as_of ? options.as_of : facts.as_of;
  if (as_of) load.CoverTime(id, {*as_of, *as_of});
  RejectionBatch refused;
  for (const Rejection& rejection : rejections) Append(refused, rejection);
  std::fill(refused.snapshot_id.begin(), refused.snapshot_id.end(), id);
  PLIMSOLL_RETURN_IF_ERROR(load.Reject(refused));
  PLIMSOLL_RETURN_IF_ERROR(load.Commit(report));
  return report;
}

}  // namespace plimsoll
