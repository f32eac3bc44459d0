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
      EXPECT_TRUE(store.Add(id, at, value));
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
  EXPECT_TRUE(store.Add(created, 1, "1.501569018e+09"));
  EXPECT_TRUE(store.Add(cpu, 1, "0.2"));
  EXPECT_TRUE(store.Add(memory, 1, "3e+08"));
  EXPECT_EQ(store.series()[0].greatest, 1'501'569'018'000);
  EXPECT_EQ(store.series()[1].greatest, 200);
  EXPECT_EQ(store.series()[2].greatest, 300'000'000);
}

TEST(KsmSeriesTest, WhatIsNoNumberIsNotKept) {
  KsmStore store;
  const auto id = store.Open(KsmMetric::kPodCreated, {"kube_pod_created", {}});
  EXPECT_FALSE(store.Add(id, 1, "NaN"));
  EXPECT_FALSE(store.Add(id, 1, "-5"));
  EXPECT_EQ(store.as_of(), INT64_MIN);
}

TEST(KsmSeriesTest, ObjectLabelsLoseTheirPrefix) {
  const auto labels = ObjectLabels({"kube_pod_labels", {{"label_team", "nlp"}, {"pod", "p"}}});
  ASSERT_EQ(labels.size(), 1u);
  EXPECT_EQ(labels[0].first, "team");
}

}  // namespace
}  // namespace plimsoll
