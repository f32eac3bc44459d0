#include "ingest/kube_api/kube_resources.h"

namespace plimsoll {

std::string KubeResource::ApiVersionOf(const char* version) const {
  return *group == '\0' ? std::string(version) : std::string(group) + "/" + version;
}

std::string KubeResource::PathOf(const char* version) const {
  return (*group == '\0' ? "/api/" : "/apis/") + ApiVersionOf(version) + "/" + plural;
}

std::string KubeResource::RuleFor() const {
  return std::string("apiGroups: [\"") + group + "\"], resources: [\"" + plural +
         "\"], verbs: [\"get\", \"list\", \"watch\"]";
}

std::span<const KubeResource> KubeResources() {
  static const std::vector<KubeResource> kResources = {
      {"", {"v1"}, "nodes", "Node", true},
      {"", {"v1"}, "pods", "Pod", true},
      {"", {"v1"}, "namespaces", "Namespace"},
      {"", {"v1"}, "persistentvolumeclaims", "PersistentVolumeClaim"},
      {"", {"v1"}, "persistentvolumes", "PersistentVolume"},
      {"", {"v1"}, "podtemplates", "PodTemplate"},
      {"", {"v1"}, "replicationcontrollers", "ReplicationController"},
      {"apps", {"v1"}, "replicasets", "ReplicaSet"},
      {"apps", {"v1"}, "deployments", "Deployment"},
      {"apps", {"v1"}, "statefulsets", "StatefulSet"},
      {"apps", {"v1"}, "daemonsets", "DaemonSet"},
      {"batch", {"v1"}, "jobs", "Job"},
      {"batch", {"v1"}, "cronjobs", "CronJob"},
      {"jobset.x-k8s.io", {"v1alpha2"}, "jobsets", "JobSet"},
      {"leaderworkerset.x-k8s.io", {"v1"}, "leaderworkersets", "LeaderWorkerSet"},
      {"kubeflow.org", {"v1"}, "pytorchjobs", "PyTorchJob"},
      {"kubeflow.org", {"v1"}, "tfjobs", "TFJob"},
      {"kubeflow.org", {"v2beta1", "v1"}, "mpijobs", "MPIJob"},
      {"kubeflow.org", {"v1", "v1beta1"}, "notebooks", "Notebook"},
      {"trainer.kubeflow.org", {"v1alpha1"}, "trainjobs", "TrainJob"},
      {"ray.io", {"v1", "v1alpha1"}, "rayclusters", "RayCluster"},
      {"ray.io", {"v1", "v1alpha1"}, "rayjobs", "RayJob"},
      {"ray.io", {"v1", "v1alpha1"}, "rayservices", "RayService"},
      {"serving.kserve.io", {"v1beta1"}, "inferenceservices", "InferenceService"},
      {"argoproj.io", {"v1alpha1"}, "workflows", "Workflow"},
      {"sparkoperator.k8s.io", {"v1beta2"}, "sparkapplications", "SparkApplication"},
      {"kueue.x-k8s.io", {"v1beta2", "v1beta1"}, "workloads", "Workload"},
      {"autoscaling.x-k8s.io", {"v1", "v1beta1", "v1alpha1"}, "capacitybuffers", "CapacityBuffer"},
      {"resource.k8s.io", {"v1", "v1beta2", "v1beta1"}, "resourceclaims", "ResourceClaim"},
      {"resource.k8s.io", {"v1", "v1beta2", "v1beta1"}, "resourceslices", "ResourceSlice"},
  };
  return kResources;
}

}  // namespace plimsoll
