// Property: the same measurements in any exporter's spelling, order or repetition are the same
// facts.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <random>
#include <tuple>

#include "ingest/prometheus/exposition.h"
#include "ingest/prometheus/telemetry.h"
#include "ingest/usage_load.h"

namespace plimsoll {
namespace {

const Instant kDay = AtSeconds(1'764'288'000);  // 2025-11-28

struct Sample {
  std::string name;
  std::map<std::string, std::string> labels{};
  std::string value{};
  std::int64_t at = 0;  // seconds since kDay
};

std::string TextOf(const Sample& sample) {
  std::string text = sample.name + "{";
  for (const auto& [key, value] : sample.labels) text += key + "=\"" + value + "\",";
  return text + "} " + sample.value + " " + std::to_string(kDay.base() + sample.at * 1'000) + "\n";
}

TelemetryDay FactsOf(const std::vector<Sample>& samples) {
  Telemetry telemetry({"c", {kDay, kDay + Days(1)}});
  ExpositionParser parser({}, telemetry);
  for (const Sample& sample : samples) EXPECT_TRUE(parser.Feed(TextOf(sample)).has_value());
  EXPECT_TRUE(parser.Finish().has_value());
  EXPECT_EQ(telemetry.counts().rejected, 0);
  EXPECT_TRUE(telemetry.ignored().empty());
  return telemetry.TakeDay({kDay, kDay + Days(1)});
}

template <class Batch>
bool Same(const Batch& a, const Batch& b) {
  bool same = true;
  std::apply(
      [&](auto... column) { ((same = same && a.*(column.values) == b.*(column.values)), ...); },
      Batch::kColumns);
  return same;
}

// Cards, MIG instances and shared cards of dcgm-exporter, and cards of the other exporters:
// of each four hours of one sample a minute, with gaps, in the spelling of a scrape by hand.
class DialectsTest : public ::testing::Test {
 protected:
  DialectsTest() {
    for (std::int64_t at = 0; at < 4 * 3'600; at += 60) {
      if (random_() % 20 == 0) at += static_cast<std::int64_t>(random_() % 1'200);
      if (at > 4 * 3'600 - 300) break;  // no hour has nothing but what holds from before
      AddDcgm(at);
      AddOthers(at);
    }
  }

  std::string Number(std::uint64_t below) { return std::to_string(random_() % below); }

  void AddDcgm(std::int64_t at) {
    for (int gpu = 0; gpu < 4; ++gpu) {
      std::map<std::string, std::string> labels{{"UUID", "GPU-" + std::to_string(gpu)},
                                                {"gpu", std::to_string(gpu)},
                                                {"modelName", "H100"},
                                                {"Hostname", "node-1"}};
      const auto energy = std::to_string(at * 301'000 + gpu);
      samples_.push_back({"DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION", labels, energy, at});
      if (gpu == 2) {
        labels["GPU_I_ID"] = std::to_string(3 + random_() % 2);
        labels["GPU_I_PROFILE"] = "1g.10gb";
      }
      const std::uint64_t pods = gpu == 3 ? 3 : gpu == 1 ? 0 : 1;
      for (std::uint64_t pod = 0; pod < std::max<std::uint64_t>(pods, 1); ++pod) {
        if (pods > 0) {
          labels["pod"] = "pod-" + std::to_string(gpu) + "-" + std::to_string(pod);
          labels["namespace"] = "team";
          labels["container"] = "main";
        }
        samples_.push_back({"DCGM_FI_PROF_GR_ENGINE_ACTIVE", labels, "0." + Number(1'000), at});
        samples_.push_back({"DCGM_FI_DEV_GPU_UTIL", labels, Number(104), at});
        samples_.push_back({"DCGM_FI_DEV_FB_USED", labels, Number(80'000), at});
        samples_.push_back({"DCGM_FI_DEV_XID_ERRORS", labels, at > 7'200 ? "31" : "0", at});
      }
    }
  }

  void AddOthers(std::int64_t at) {
    const std::map<std::string, std::string> amd{
        {"gpu_id", "0"}, {"hostname", "mi-1"}, {"pod", "vllm-0"}, {"namespace", "prod"}};
    samples_.push_back({"gpu_gfx_activity", amd, Number(101), at});
    samples_.push_back({"gpu_used_vram", amd, Number(190'000), at});
    const std::map<std::string, std::string> gaudi{
        {"UUID", "01P0-HL"}, {"device", "accel1"}, {"pod", "g-0"}, {"namespace", "team"}};
    samples_.push_back({"habanalabs_power_mW", gaudi, Number(600'000), at});
    samples_.push_back({"hw_gpu_utilization_ratio", {{"hw_id", "GPU-o"}}, "0." + Number(99), at});
  }

  std::vector<Sample> Changed(const std::function<void(Sample&)>& change) const {
    std::vector<Sample> all = samples_;
    for (Sample& sample : all) change(sample);
    return all;
  }

  static void Rename(Sample& sample, const std::string& from, const std::string& to) {
    auto node = sample.labels.extract(from);
    if (node.empty()) return;
    node.key() = to;
    sample.labels.insert(std::move(node));
  }

  void ExpectSame(const std::vector<Sample>& other) {
    const TelemetryDay facts = FactsOf(samples_);
    const TelemetryDay again = FactsOf(other);
    EXPECT_GT(RowsOf(facts.usage), 20u);
    EXPECT_GT(RowsOf(facts.bindings), 5u);
    EXPECT_TRUE(Same(facts.usage, again.usage));
    EXPECT_TRUE(Same(facts.bindings, again.bindings));
  }

  std::mt19937_64 random_{309};
  std::vector<Sample> samples_;
};

TEST_F(DialectsTest, PermutedAndRepeatedLines) {
  std::vector<Sample> twice = samples_;
  twice.insert(twice.end(), samples_.begin(), samples_.end());
  for (int round = 0; round < 3; ++round) {
    SCOPED_TRACE(round);
    std::shuffle(twice.begin(), twice.end(), random_);
    ExpectSame(twice);
  }
}

TEST_F(DialectsTest, HostnameInEitherCaseAndByTheTarget) {
  ExpectSame(Changed([](Sample& s) { Rename(s, "Hostname", "hostname"); }));
  ExpectSame(Changed([](Sample& s) { Rename(s, "hostname", "Hostname"); }));
  ExpectSame(Changed([](Sample& s) {
    Rename(s, "Hostname", "node");
    if (s.labels.contains("node")) s.labels["Hostname"] = "nvidia-dcgm-exporter-x2";
  }));
}

TEST_F(DialectsTest, LabelsThatTheScraperRenamed) {
  ExpectSame(Changed([](Sample& s) {
    for (const char* key : {"pod", "namespace", "container"}) {
      Rename(s, key, "exported_" + std::string(key));
    }
    s.labels.merge(std::map<std::string, std::string>{{"pod", "monitor-7"},
                                                      {"namespace", "gpu-operator"},
                                                      {"container", "main"},
                                                      {"instance", "10.1.2.3:9400"},
                                                      {"job", "gpu"}});
  }));
}

TEST_F(DialectsTest, TheNamesAndLabelsOfOldReleases) {
  const std::map<std::string, std::string> old_names{
      {"DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION", "dcgm_total_energy_consumption"},
      {"DCGM_FI_PROF_GR_ENGINE_ACTIVE", "dcgm_fi_prof_gr_engine_active"},
      {"DCGM_FI_DEV_GPU_UTIL", "dcgm_gpu_utilization"},
      {"DCGM_FI_DEV_FB_USED", "dcgm_fb_used"},
      {"DCGM_FI_DEV_XID_ERRORS", "dcgm_xid_errors"},
      {"gpu_gfx_activity", "amd_gpu_gfx_activity"},
      {"gpu_used_vram", "amd_gpu_used_vram"}};
  ExpectSame(Changed([&](Sample& s) {
    if (const auto found = old_names.find(s.name); found != old_names.end()) {
      s.name = found->second;
    }
    if (!s.name.starts_with("dcgm_")) return;
    Rename(s, "UUID", "uuid");
    Rename(s, "pod", "pod_name");
    Rename(s, "namespace", "pod_namespace");
    Rename(s, "container", "container_name");
  }));
}

TEST_F(DialectsTest, PodLabelsAndDriverVersionsChurn) {
  ExpectSame(Changed([this](Sample& s) {
    s.labels["team"] = "t" + Number(3);
    s.labels["DCGM_FI_DRIVER_VERSION"] = "570." + Number(3);
    s.labels["pci_bus_id"] = "00000000:1" + Number(9) + ":00.0";
    if (random_() % 2 == 0) s.labels["pod_uid"] = "u-" + Number(2);
  }));
}

// Energy apart from the busy fractions, and one signal of the ladder apart from another.
TEST_F(DialectsTest, MetricsLoadedApartAreMergedToTheSameUsage) {
  std::map<std::string, std::vector<Sample>> by_metric;
  for (const Sample& sample : samples_) by_metric[sample.name].push_back(sample);
  UsageBatch merged;
  for (const auto& [name, part] : by_metric)
    merged = MergeUsage(std::move(merged), FactsOf(part).usage);
  const UsageBatch whole = MergeUsage(FactsOf(samples_).usage, {});
  ASSERT_EQ(RowsOf(merged), RowsOf(whole));
  for (std::size_t i = 0; i < RowsOf(whole); ++i) {
    SCOPED_TRACE(whole.device[i].text() + " " + whole.instance[i].text());
    EXPECT_EQ(merged.signal[i], whole.signal[i]);
    EXPECT_EQ(merged.covered[i], whole.covered[i]);
    EXPECT_EQ(merged.active[i], whole.active[i]);
    EXPECT_EQ(merged.energy_mj[i], whole.energy_mj[i]);
    EXPECT_EQ(merged.memory_mib_ms[i], whole.memory_mib_ms[i]);
    EXPECT_EQ(merged.quality[i], whole.quality[i]);
  }
}

// A second exporter without a pod mapping, scraped at the same times.
TEST_F(DialectsTest, ASecondExporterChangesNothingButTheMark) {
  const auto scraped = [](const char* instance, const char* job) {
    return [=](Sample& s) {
      s.labels["instance"] = instance;
      s.labels["job"] = job;
    };
  };
  std::vector<Sample> both = Changed(scraped("10.0.0.1:9400", "operator"));
  for (Sample second : Changed(scraped("10.0.0.2:9400", "by-hand"))) {
    if (!second.name.starts_with("DCGM")) continue;
    second.labels["pod"] = "dcgm-exporter-zz";
    second.labels["namespace"] = "monitoring";
    both.push_back(second);
  }
  const TelemetryDay once = FactsOf(samples_);
  TelemetryDay twice = FactsOf(both);
  ASSERT_EQ(RowsOf(once.usage), RowsOf(twice.usage));
  const std::string mark = "duplicate-exporter";
  for (std::size_t i = 0; i < RowsOf(twice.usage); ++i) {
    std::string marks = twice.usage.quality[i].text();
    const std::size_t at = marks.find(mark);
    const bool is_nvidia =
        twice.usage.device[i].text().starts_with("GPU-") && twice.usage.device[i] != "GPU-o";
    EXPECT_EQ(at != std::string::npos, is_nvidia) << twice.usage.device[i].text() << " " << marks;
    if (at == std::string::npos) continue;
    marks.erase(at, mark.size());
    if (marks.ends_with(',')) marks.pop_back();
    if (marks.starts_with(',')) marks.erase(0, 1);
    if (const std::size_t comma = marks.find(",,"); comma != std::string::npos) {
      marks.erase(comma, 1);
    }
    twice.usage.quality[i] = marks;
  }
  EXPECT_TRUE(Same(once.usage, twice.usage));
  EXPECT_TRUE(Same(once.bindings, twice.bindings));
}

}  // namespace
}  // namespace plimsoll
