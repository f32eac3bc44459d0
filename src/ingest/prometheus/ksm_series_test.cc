#include "ingest/prometheus/ksm_series.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

TEST(KsmSeriesTest, KeepsSightsAndExtremesInWhicheverOrder) {
  for (const bool backwards : {false, true}) {
    KsmStore store;
    const std::int32_t id = store.Open(KsmMetric::kPodPhase, {"kube_pod_status_phase", {}});
    const std::pair<std::int64_t, const char*> samples[] = {
        {10, "0"}, {20, "1"}, {30, "1"}, {40, "0"}};
    for (int i = 0; i < 4; ++i) {
      const auto& [at, value] = samples[backwards ? 3 - i : i];
      EXPECT_EQ(store.Add(id, at, value), KsmValue::kTaken);
    }
    const KsmSeries& series = store.series()[0];
    EXPECT_EQ(series.first, 10);
    EXPECT_EQ(series.last, 40);
    EXPECT_EQ(series.first_true, 20);
    EXPECT_EQ(series.last_true, 30);
    EXPECT_EQ(store.as_of(), 40);
  }
}

TEST(KsmSeriesTest, TimesAreMillisecondsAndCpuIsMilli) {
  KsmStore store;
  const auto created = store.Open(KsmMetric::kPodCreated, {"kube_pod_created", {}});
  const auto cpu = store.Open(KsmMetric::kPodRequest, {"r", {{"resource", "cpu"}}});
  const auto memory = store.Open(KsmMetric::kPodRequest, {"r", {{"resource", "memory"}}});
  EXPECT_EQ(store.Add(created, 1, "1.501569018e+09"), KsmValue::kTaken);
  EXPECT_EQ(store.Add(cpu, 1, "0.2"), KsmValue::kTaken);
  EXPECT_EQ(store.Add(memory, 1, "3e+08"), KsmValue::kTaken);
  EXPECT_EQ(store.series()[0].greatest, 1'501'569'018'000);
  EXPECT_EQ(store.series()[1].greatest, 200);
  EXPECT_EQ(store.series()[2].greatest, 300'000'000);
}

TEST(KsmSeriesTest, WhatIsNoNumberIsNotKept) {
  KsmStore store;
  const auto id = store.Open(KsmMetric::kPodCreated, {"kube_pod_created", {}});
  EXPECT_EQ(store.Add(id, 1, "NaN"), KsmValue::kAbsent);
  EXPECT_EQ(store.Add(id, 1, "-5"), KsmValue::kImpossible);
  EXPECT_EQ(store.Add(id, 1, "1e20"), KsmValue::kImpossible);  // no year has it
  EXPECT_EQ(store.as_of(), INT64_MIN);
}

TEST(KsmSeriesTest, DevicesAreWholeAndNotMoreThanANodeHas) {
  KsmStore store;
  const auto gpus = store.Open(KsmMetric::kNodeCapacity,
                               {"kube_node_status_capacity", {{"resource", "nvidia_com_gpu"}}});
  const auto cpu =
      store.Open(KsmMetric::kNodeCapacity, {"kube_node_status_capacity", {{"resource", "cpu"}}});
  for (const char* absurd : {"-1", "1.5", "1e20", "10001"}) {
    EXPECT_EQ(store.Add(gpus, 1, absurd), KsmValue::kImpossible) << absurd;
  }
  EXPECT_EQ(store.Add(gpus, 1, "10000"), KsmValue::kTaken);
  EXPECT_EQ(store.Add(gpus, 1, "8.0"), KsmValue::kTaken);
  EXPECT_EQ(store.Add(cpu, 1, "1.5"), KsmValue::kTaken);
  EXPECT_EQ(store.Add(cpu, 1, "1e30"), KsmValue::kImpossible);
}

// One series of a node and one of a pod, each at two times, as a scrape of `exporter` brings them.
void Scrape(KsmStore& store, const std::string& exporter, std::int64_t from, std::int64_t until) {
  const SeriesLabels node{"kube_node_info",
                          {{"node", "n1"}, {"instance", exporter + ":80"}, {"pod", exporter}}};
  const SeriesLabels pod{
      "kube_pod_info",
      {{"exported_pod", "p"}, {"instance", exporter + ":80"}, {"pod", exporter}, {"uid", "u"}}};
  const auto n = store.Open(KsmMetric::kNodeInfo, node);
  const auto p = store.Open(KsmMetric::kPodInfo, pod);
  for (const std::int64_t at : {from, until}) {
    (void)store.Add(n, at, "1");
    (void)store.Add(p, at, "1");
  }
}

TEST(KsmSeriesTest, SeriesOfTwoScrapesAtOneTimeAreDuplicates) {
  KsmStore store;
  Scrape(store, "a", 0, 60);
  Scrape(store, "b", 30, 90);
  const KsmDuplicates found = store.Duplicates();
  EXPECT_EQ(found.series, 2);
  EXPECT_EQ(found.one_scrape, "a:80");
  EXPECT_EQ(found.another_scrape, "b:80");
}

TEST(KsmSeriesTest, AnExporterThatReplacesAnotherIsNoDuplicate) {
  KsmStore store;
  Scrape(store, "a", 0, 60);
  Scrape(store, "b", 61, 90);
  EXPECT_EQ(store.Duplicates().series, 0);
}

TEST(KsmSeriesTest, SeriesOfOtherObjectsAreNoDuplicates) {
  KsmStore store;
  for (const char* pod : {"p", "q"}) {
    const auto id = store.Open(KsmMetric::kPodInfo,
                               {"kube_pod_info", {{"pod", pod}, {"uid", "u"}, {"instance", "a"}}});
    (void)store.Add(id, 1, "1");
  }
  EXPECT_EQ(store.Duplicates().series, 0);
}

TEST(KsmSeriesTest, TheKubeletDoesNotSayHowFarKubeStateMetricsReaches) {
  KsmStore store;
  const auto id =
      store.Open(KsmMetric::kContainerMemory, {"container_memory_working_set_bytes", {}});
  EXPECT_EQ(store.Add(id, 70, "1"), KsmValue::kTaken);
  EXPECT_EQ(store.as_of(), INT64_MIN);
  EXPECT_EQ(store.since(), INT64_MAX);
}

TEST(KsmSeriesTest, ObjectLabelsLoseTheirPrefix) {
  const auto labels = ObjectLabels({"kube_pod_labels", {{"label_team", "nlp"}, {"pod", "p"}}});
  ASSERT_EQ(labels.size(), 1u);
  EXPECT_EQ(labels[0].first, "team");
}

}  // namespace
}  // namespace plimsoll
