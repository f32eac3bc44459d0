// KsmSeries: kube-state-metrics series, each kept as its first and last sight and its extremes;
// and the kubelet's memory in use by container, which means something only beside them.
//
// kube-state-metrics repeats the state of every object at every scrape; what counts of a
// series is when it was there, when it was true and the least and greatest value it had. So
// memory grows with objects, not with samples, and the order of samples does not matter.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/prometheus/samples.h"

namespace plimsoll {

enum class KsmMetric : unsigned char {
  kPodInfo,
  kPodOwner,
  kPodLabels,
  kPodRequest,
  kPodInitRequest,
  kPodInitInfo,
  kPodPhase,
  kPodReason,
  kPodUnschedulable,
  kPodTerminatedReason,
  kPodCreated,
  kPodScheduled,
  kPodStarted,
  kPodContainerStarted,
  kPodReady,
  kPodCompleted,
  kPodDeleted,
  kReplicaSetOwner,
  kJobOwner,
  kNamespaceLabels,
  kContainerMemory,  // the kubelet's; all others are kube-state-metrics'
  kNodeInfo,
  kNodeLabels,
  kNodeCapacity,
  kNodeCreated,
};

struct KsmMetricName {
  const char* name;
  KsmMetric metric;
  const char* matcher;  // what a query asks besides the name, or ""
};
inline constexpr KsmMetricName kKsmMetrics[] = {
    {"kube_pod_info", KsmMetric::kPodInfo, ""},
    {"kube_pod_owner", KsmMetric::kPodOwner, ""},
    {"kube_pod_labels", KsmMetric::kPodLabels, ""},
    {"kube_pod_container_resource_requests", KsmMetric::kPodRequest, ""},
    {"kube_pod_init_container_resource_requests", KsmMetric::kPodInitRequest, ""},
    {"kube_pod_init_container_info", KsmMetric::kPodInitInfo, "restart_policy=\"Always\""},
    {"kube_pod_status_phase", KsmMetric::kPodPhase, "phase!=\"Unknown\""},
    {"kube_pod_status_reason", KsmMetric::kPodReason, ""},
    {"kube_pod_status_unschedulable", KsmMetric::kPodUnschedulable, ""},
    {"kube_pod_container_status_terminated_reason", KsmMetric::kPodTerminatedReason,
     "reason=\"OOMKilled\""},
    {"kube_pod_created", KsmMetric::kPodCreated, ""},
    {"kube_pod_status_scheduled_time", KsmMetric::kPodScheduled, ""},
    {"kube_pod_start_time", KsmMetric::kPodStarted, ""},
    {"kube_pod_container_state_started", KsmMetric::kPodContainerStarted, ""},
    {"kube_pod_container_status_state_started", KsmMetric::kPodContainerStarted, ""},
    {"kube_pod_status_ready_time", KsmMetric::kPodReady, ""},
    {"kube_pod_completion_time", KsmMetric::kPodCompleted, ""},
    {"kube_pod_deletion_timestamp", KsmMetric::kPodDeleted, ""},
    {"kube_replicaset_owner", KsmMetric::kReplicaSetOwner, ""},
    {"kube_job_owner", KsmMetric::kJobOwner, ""},
    {"kube_namespace_labels", KsmMetric::kNamespaceLabels, ""},
    {"container_memory_working_set_bytes", KsmMetric::kContainerMemory,
     "container!=\"\",container!=\"POD\""},
    {"kube_node_info", KsmMetric::kNodeInfo, ""},
    {"kube_node_labels", KsmMetric::kNodeLabels, ""},
    {"kube_node_status_capacity", KsmMetric::kNodeCapacity, ""},
    {"kube_node_created", KsmMetric::kNodeCreated, ""},
};
const KsmMetricName* FindKsmMetric(std::string_view name);  // null if it is not read

// Times are milliseconds since the epoch; values are scaled by the metric: times to
// milliseconds, cpu to milli, all else to whole numbers.
struct KsmSeries {
  KsmMetric metric = KsmMetric::kPodInfo;
  SeriesLabels labels;
  int scale = 0;
  bool is_of_devices = false;                        // a count of GPUs or other accelerators
  std::int64_t first = INT64_MAX, last = INT64_MIN;  // seen at all
  std::int64_t first_true = INT64_MAX, last_true = INT64_MIN;  // seen with the value 1
  std::int64_t least = INT64_MAX, greatest = INT64_MIN;

  bool was_true() const { return first_true <= last_true; }
};

enum class KsmValue : unsigned char {
  kTaken,
  kAbsent,      // NaN or infinite: nothing is known
  kImpossible,  // negative, no time of a calendar, more than any object has, or half a device
};

// Series of one object and metric that more than one scrape brought at the same time.
struct KsmDuplicates {
  std::int64_t series = 0;                 // beyond the first of each
  std::string one_scrape, another_scrape;  // two of them, by their label `instance` or `pod`
};

class KsmStore {
 public:
  std::int32_t Open(KsmMetric metric, const SeriesLabels& labels);
  // Only what is taken changes anything.
  KsmValue Add(std::int32_t series, std::int64_t at_ms, std::string_view value);

  const std::vector<KsmSeries>& series() const { return series_; }  // those never seen too
  // The first and the latest sample of kube-state-metrics; INT64_MAX and INT64_MIN if none.
  std::int64_t since() const { return since_; }
  std::int64_t as_of() const { return as_of_; }
  // Series that differ only in what the scrape adds (instance, job, endpoint, the exporter's own
  // pod) and whose times overlap. One exporter that replaces another begins after it.
  KsmDuplicates Duplicates() const;

 private:
  struct Latest {
    std::string text;
    std::int64_t value = 0;
  };
  static std::optional<std::int64_t> Read(const KsmSeries& series, std::string_view text);

  std::vector<KsmSeries> series_;
  std::vector<Latest> latest_;  // of each series: values repeat, so they are parsed once
  std::int64_t since_ = INT64_MAX, as_of_ = INT64_MIN;
};

// The labels label_X of the series, without the prefix.
std::vector<std::pair<std::string, std::string>> ObjectLabels(const SeriesLabels& labels);

}  // namespace plimsoll
