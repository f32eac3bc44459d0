#include "ingest/kubernetes/volume_claims.h"

#include <algorithm>

#include "ingest/kubernetes/kubernetes_quantity.h"

namespace plimsoll {
namespace {

std::int64_t BytesOf(const FieldReader& object, const char* path) {
  const auto amounts = object.Texts(path);
  const auto storage = amounts.find("storage");
  if (storage == amounts.end()) return 0;
  const auto bytes = ParseKubernetesQuantity(storage->second, 1);
  if (bytes) return *bytes;
  object.Fail(std::string(path) + ".storage", bytes.error().message);
  return 0;
}

}  // namespace

std::string BilledVolumeId(const std::string& handle) {
  const std::size_t slash = handle.rfind('/');
  return slash == std::string::npos ? handle : handle.substr(slash + 1);
}

void VolumeClaims::AddClaim(const FieldReader& object, const Sighting& sighting) {
  const Name name{object.Text("metadata.namespace"), object.Text("metadata.name")};
  Claim claim;
  claim.resource_version = object.Text("metadata.resourceVersion");
  claim.volume = object.Text("spec.volumeName");
  claim.storage_class = object.Text("spec.storageClassName");
  claim.labels = LabelsJson(object.Texts("metadata.labels"));
  claim.bytes = BytesOf(object, "status.capacity");
  if (claim.bytes == 0) claim.bytes = BytesOf(object, "spec.resources.requests");
  claim.begin = object.Time("metadata.creationTimestamp");
  claim.gone = sighting.gone;
  if (sighting.gone) claim.until = sighting.at;
  if (name.second.empty()) object.Fail("metadata.name", "is missing");
  if (object.has_error()) return;
  const auto [at, is_new] = claims_.emplace(name, claim);
  if (is_new) return;
  Claim& kept = at->second;
  if (!IsLaterVersion(kept.resource_version, claim.resource_version) || claim.gone) {
    kept = std::move(claim);
  }
}

void VolumeClaims::AddVolume(const FieldReader& object) {
  Volume volume;
  volume.resource_version = object.Text("metadata.resourceVersion");
  volume.storage_class = object.Text("spec.storageClassName");
  volume.bytes = BytesOf(object, "spec.capacity");
  for (const char* path : {"spec.csi.volumeHandle", "spec.awsElasticBlockStore.volumeID",
                           "spec.gcePersistentDisk.pdName", "spec.azureDisk.diskURI"}) {
    if (volume.id.empty()) volume.id = BilledVolumeId(object.Text(path));
  }
  const std::string name = object.Text("metadata.name");
  if (name.empty()) object.Fail("metadata.name", "is missing");
  if (object.has_error()) return;
  Volume& kept = volumes_[name];
  if (!IsLaterVersion(kept.resource_version, volume.resource_version)) kept = std::move(volume);
}

void VolumeClaims::TakePod(const PodObject& object) {
  const PodRecord& pod = object.pod;
  if (pod.node.empty() || !pod.scheduled) return;
  for (const std::string& claim : object.volumes) {
    mounts_[{pod.ns, claim}].push_back(
        {pod.uid, pod.workload_kind, pod.workload, LabelsJson(pod.labels), *pod.scheduled,
         pod.ended ? std::optional(std::max(*pod.ended, *pod.scheduled)) : std::nullopt});
  }
}

void VolumeClaims::AppendTo(VolumeBatch& rows, const Name& name, const Claim& claim,
                            const Mount& mount) const {
  const auto found = volumes_.find(claim.volume);
  const Volume volume = found == volumes_.end() ? Volume{} : found->second;
  rows.snapshot_id.push_back(0);
  rows.cluster.emplace_back();
  rows.ns.push_back(name.first);
  rows.claim.push_back(name.second);
  rows.volume_id.push_back(volume.id);
  rows.storage_class.push_back(claim.storage_class.empty() ? volume.storage_class
                                                           : claim.storage_class);
  rows.bytes.push_back(std::max(claim.bytes, volume.bytes));
  rows.uid.push_back(mount.uid);
  rows.workload_kind.push_back(mount.workload_kind);
  rows.workload.push_back(mount.workload);
  rows.labels.push_back(mount.labels);
  rows.begin.push_back(mount.begin);
  rows.until.push_back(mount.until);
}

VolumeBatch VolumeClaims::Rows(const std::string& cluster, Instant as_of) const {
  VolumeBatch rows;
  for (const auto& [name, mounts] : mounts_) {
    const auto found = claims_.find(name);
    const Claim claim = found == claims_.end() ? Claim{} : found->second;
    for (const Mount& mount : mounts) AppendTo(rows, name, claim, mount);
  }
  for (const auto& [name, claim] : claims_) {
    Mount nobody{"", "", "", claim.labels, claim.begin.value_or(as_of), claim.until};
    if (claim.gone && !nobody.until) nobody.until = as_of;
    AppendTo(rows, name, claim, nobody);
  }
  for (Symbol& name : rows.cluster) name = cluster;
  return rows;
}

}  // namespace plimsoll
