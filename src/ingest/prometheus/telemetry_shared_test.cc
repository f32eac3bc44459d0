// Every telemetry file of the shared data set: read or refused with a reason, and what it says:
// distinct cards, instances, holders and marks, as the files' own comments state them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "ingest/prometheus/exposition_file.h"
#include "ingest/prometheus/telemetry.h"

namespace plimsoll {
namespace {

const Instant kAt = AtSeconds(1'768'212'000);  // 2026-01-12T10:00:00Z
const Window kDay{FloorTo(kAt, Days(1)), FloorTo(kAt, Days(1)) + Days(1)};

using Texts = std::set<std::string>;

std::filesystem::path SharedTelemetry() {
  const char* shared = std::getenv("PLIMSOLL_SHARED");
  const char* root = std::getenv("PLIMSOLL_ROOT");
  const std::filesystem::path base =
      shared != nullptr ? shared : std::string(root == nullptr ? "." : root) + "/../shared";
  return base / "data" / "telemetry";
}

struct Facts {
  Texts cards, instances, holders;
  std::map<std::string, std::string> marks;  // "card/instance" -> marks, if any
  std::map<std::string, std::int64_t> watts_mw, memory_mib, busy_ppm;
  Texts ignored;
  std::int64_t accepted = 0, rejected = 0, duplicates = 0;
  UsageBatch usage;
  BindingBatch bindings;
};

Facts FactsOf(const std::vector<std::pair<SeriesLabels, std::string>>& samples) {
  Telemetry telemetry({"c", kDay});
  for (const auto& [series, value] : samples) {
    telemetry.OnSample(telemetry.OpenSeries(series), kAt.base(), value);
  }
  TelemetryDay day = telemetry.TakeDay(kDay);
  Facts facts;
  facts.accepted = telemetry.counts().accepted;
  facts.rejected = telemetry.counts().rejected;
  facts.duplicates = telemetry.counts().duplicates;
  facts.ignored = telemetry.ignored();
  for (std::size_t i = 0; i < RowsOf(day.usage); ++i) {
    const std::string card = day.usage.device[i];
    const std::string key = card + "/" + day.usage.instance[i].text();
    facts.cards.insert(card);
    if (!day.usage.instance[i].empty()) facts.instances.insert(key);
    if (!day.usage.quality[i].empty()) facts.marks[key] = day.usage.quality[i];
    if (day.usage.power_ms[i]) {
      facts.watts_mw[key] = *day.usage.energy_mj[i] * 1'000 / *day.usage.power_ms[i];
    }
    if (day.usage.memory_ms[i]) {
      facts.memory_mib[key] = *day.usage.memory_mib_ms[i] / *day.usage.memory_ms[i];
    }
    if (day.usage.covered[i][0] > 0) {
      facts.busy_ppm[key] = day.usage.active[i][0] / day.usage.covered[i][0];
    }
  }
  for (std::size_t i = 0; i < RowsOf(day.bindings); ++i) {
    facts.holders.insert(day.bindings.ns[i] + "/" + day.bindings.name[i]);
  }
  facts.usage = std::move(day.usage);
  facts.bindings = std::move(day.bindings);
  return facts;
}

// Gathers the samples, so that a test may say them again in another way.
class Gather : public SampleSink {
 public:
  std::int32_t OpenSeries(const SeriesLabels& series) override {
    opened_.push_back(series);
    return static_cast<std::int32_t>(opened_.size() - 1);
  }
  void OnSample(std::int32_t series, std::int64_t, std::string_view value) override {
    samples.emplace_back(opened_[static_cast<std::size_t>(series)], std::string(value));
  }
  void AtLine(std::int64_t) override {}
  void OnBadInput(std::int64_t line, std::string_view reason, std::string_view) override {
    bad.push_back(std::to_string(line) + ": " + std::string(reason));
  }
  std::vector<std::pair<SeriesLabels, std::string>> samples;
  std::vector<std::string> bad;

 private:
  std::vector<SeriesLabels> opened_;
};

class TelemetrySharedTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::is_directory(SharedTelemetry() / "dcgm")) {
      GTEST_SKIP() << "no shared data at " << SharedTelemetry();
    }
  }
  Gather Read(const std::string& file) {
    Gather gather;
    const Status read = ReadSamplesFile(SharedTelemetry() / file, kAt, gather);
    EXPECT_TRUE(read.has_value()) << file << ": " << read.error().message;
    EXPECT_TRUE(gather.bad.empty()) << file << ": " << gather.bad.front();
    return gather;
  }
  Facts FactsOfFile(const std::string& file) { return FactsOf(Read(file).samples); }
};

std::string H100(int n) { return "GPU-0a1b0000-0000-4000-8000-00000000000" + std::to_string(n); }

struct Expected {
  std::size_t cards, instances;
  Texts holders;
  std::map<std::string, std::string> marks;
};

std::map<std::string, Expected> ExpectedOfDcgm() {
  const std::string mig = "GPU-5c89852c-0000-4000-8000-0000000000aa/";
  const std::string t4 = "GPU-77aa0000-0000-4000-8000-0000000000f4/";
  const std::string card = "/";
  return {
      {"dcgm/k8s_exclusive_pods_labels_uid.prom",
       {4, 0, {"team-nlp/hung-ddp-1", "team-nlp/llm-train-0", "team-vision/nb-alice-0"}, {}}},
      {"dcgm/k8s_mig_mixed.prom",
       {1, 4, {"prod-infer/infer-a", "team-nlp/batch-7", "team-vision/nb-bob-0"}, {}}},
      {"dcgm/k8s_time_slicing_virtual_gpus.prom",
       {1,
        0,
        {"prod-infer/emb-0", "prod-infer/emb-1", "team-vision/nb-carol-0"},
        {{t4, "time-slicing-copies"}}}},
      {"dcgm/k8s_dra_claims.prom",
       {3,
        1,
        {"team-nlp/dra-train-0", "team-nlp/mig-a", "team-nlp/shared-a", "team-nlp/shared-b"},
        {{H100(0) + card, "coarse"}, {H100(1) + card, "coarse,time-slicing-copies"}}}},
      {"dcgm/k8s_old_label_dialects.prom",
       {4,
        0,
        {"team-nlp/legacy-0", "team-nlp/llm-train-0", "team-vision/nb-alice-0"},
        {{H100(0) + card, "coarse"},
         {H100(1) + card, "coarse"},
         {H100(2) + card, "coarse"},
         {H100(3) + card, "coarse"}}}},
      {"dcgm/slurm_hpc_job.prom",
       {5,
        0,
        {"/799999", "/812345", "/812400", "/812401"},
        {{H100(0) + card, "coarse"},
         {H100(1) + card, "coarse"},
         {H100(2) + card, "coarse,time-slicing-copies"},
         {H100(3) + card, "coarse"},
         {H100(9) + card, "coarse"}}}},
      {"dcgm/sentinels_duplicates.prom",
       {2, 0, {}, {{H100(0) + card, "clamped,sentinel"}, {H100(1) + card, "nan"}}}},
      {"dcgm/prometheus_api_exported_labels.json",
       {2,
        0,
        {"team-nlp/llm-train-0"},
        {{H100(0) + card, "coarse,duplicate-exporter"}, {H100(3) + card, "coarse"}}}},
      {"dcgm/real_nvidia_docs_mig_parent_and_instance.prom", {1, 1, {}, {}}},
  };
}

std::map<std::string, Expected> ExpectedOfFiles() {
  std::map<std::string, Expected> all = {
      {"other/amd_device_metrics_exporter.prom",
       {3,
        1,
        {"/4242", "prod-infer/vllm-0", "prod-infer/vllm-1"},
        {{"mi-1/amd-0/", "coarse"},
         {"mi-1/amd-1/", "coarse"},
         {"mi-2/amd-0/1", "partition-silent"}}}},
      {"other/intel_gaudi.prom",
       {2,
        0,
        {"team-nlp/gaudi-train-0"},
        {{"01P0-HL2080A0-15-TNPS34-06-07-00/", "coarse"},
         {"01P0-HL2080A0-15-TNPS34-06-07-01/", "coarse"}}}},
      {"other/aws_neuron_monitor_real.prom",
       {1,
        4,
        {},
        {{"i-0823d657f57057590/neuron-0/0", "coarse"},
         {"i-0823d657f57057590/neuron-0/1", "coarse"},
         {"i-0823d657f57057590/neuron-0/2", "coarse"},
         {"i-0823d657f57057590/neuron-0/3", "coarse"}}}},
      {"other/gke_tpu.prom", {1, 0, {"team-nlp/jax-0"}, {{"7654321-0/", "coarse"}}}},
      {"other/jobstats_nvidia_exporter.prom",
       {1, 0, {"/1191148"}, {{"GPU-e8ba89df-0d52-4693-7098-1b38647e1462/", "coarse"}}}},
      {"other/otel_hw_gpu.prom", {1, 0, {}, {{H100(0) + "/", "coarse"}}}},
      // Not of devices: Kubernetes state, and metrics that nothing here reads.
      {"other/kueue_constructed.prom", {}},
      {"ksm/constructed_gpu_cluster.prom", {}},
      {"ksm/job_samples_from_ksm_tests.prom", {}},
      {"ksm/node_samples_from_ksm_tests.prom", {}},
      {"ksm/pod_samples_from_ksm_tests.prom", {}},
      {"ksm/resourcequota_samples_from_ksm_tests.prom", {}},
  };
  all.merge(ExpectedOfDcgm());
  return all;
}

TEST_F(TelemetrySharedTest, EveryFileSaysItsCardsInstancesHoldersAndMarks) {
  for (const auto& [file, expected] : ExpectedOfFiles()) {
    SCOPED_TRACE(file);
    const Facts facts = FactsOfFile(file);
    EXPECT_EQ(facts.cards.size(), expected.cards) << ::testing::PrintToString(facts.cards);
    EXPECT_EQ(facts.instances.size(), expected.instances);
    EXPECT_EQ(facts.holders, expected.holders);
    EXPECT_EQ(facts.marks, expected.marks);
    EXPECT_EQ(facts.rejected, 0);
    EXPECT_TRUE(facts.accepted > 0 || !facts.ignored.empty());
  }
}

TEST_F(TelemetrySharedTest, EveryOtherFileIsRefusedWithItsNameAndAReason) {
  const std::map<std::string, Expected> read = ExpectedOfFiles();
  std::size_t files = 0;
  for (const char* folder : {"dcgm", "grafana", "ksm", "other"}) {
    for (const auto& entry : std::filesystem::directory_iterator(SharedTelemetry() / folder)) {
      const std::string name = std::string(folder) + "/" + entry.path().filename().string();
      SCOPED_TRACE(name);
      ++files;
      if (read.contains(name)) continue;
      Gather gather;
      const Status status = ReadSamplesFile(entry.path(), kAt, gather);
      EXPECT_TRUE(gather.samples.empty());
      if (status) {  // line by line: the import then says that nothing in it can be read
        EXPECT_FALSE(gather.bad.empty());
      } else {
        EXPECT_NE(status.error().message.find(name), std::string::npos) << status.error().message;
      }
    }
  }
  EXPECT_EQ(files, read.size() + 5) << "5: counters and XIDs as CSV, a dashboard";
}

TEST_F(TelemetrySharedTest, UnitsOfEveryExporter) {
  const Facts amd = FactsOfFile("other/amd_device_metrics_exporter.prom");
  EXPECT_EQ(amd.busy_ppm.at("mi-1/amd-0/"), 870'000);
  EXPECT_EQ(amd.busy_ppm.at("mi-1/amd-1/"), 0);
  EXPECT_FALSE(amd.busy_ppm.contains("mi-2/amd-0/1")) << "unknown, not idle";
  EXPECT_EQ(amd.watts_mw.at("mi-1/amd-0/"), 612'000);
  EXPECT_EQ(amd.memory_mib.at("mi-1/amd-0/"), 171'234);
  const Facts gaudi = FactsOfFile("other/intel_gaudi.prom");
  EXPECT_EQ(gaudi.busy_ppm.at("01P0-HL2080A0-15-TNPS34-06-07-00/"), 910'000);
  EXPECT_EQ(gaudi.watts_mw.at("01P0-HL2080A0-15-TNPS34-06-07-00/"), 512'000);
  EXPECT_EQ(gaudi.memory_mib.at("01P0-HL2080A0-15-TNPS34-06-07-00/"), 77'248);
  EXPECT_TRUE(gaudi.ignored.contains("habanalabs_energy")) << "its unit is not declared";
  const Facts neuron = FactsOfFile("other/aws_neuron_monitor_real.prom");
  EXPECT_EQ(neuron.busy_ppm.at("i-0823d657f57057590/neuron-0/0"), 863'310);
  EXPECT_TRUE(neuron.ignored.contains("execution_status_created"));
  const Facts tpu = FactsOfFile("other/gke_tpu.prom");
  EXPECT_EQ(tpu.busy_ppm.at("7654321-0/"), 980'000);
  EXPECT_EQ(tpu.memory_mib.at("7654321-0/"), 26'703);
  const Facts jobstats = FactsOfFile("other/jobstats_nvidia_exporter.prom");
  const std::string a100 = "GPU-e8ba89df-0d52-4693-7098-1b38647e1462/";
  EXPECT_EQ(jobstats.busy_ppm.at(a100), 770'000);
  EXPECT_EQ(jobstats.watts_mw.at(a100), 136'075);
  EXPECT_EQ(jobstats.memory_mib.at(a100), 79'455);
  const Facts otel = FactsOfFile("other/otel_hw_gpu.prom");
  EXPECT_EQ(otel.busy_ppm.at(H100(0) + "/"), 970'000);
  EXPECT_EQ(otel.memory_mib.at(H100(0) + "/"), 72'110) << "as DCGM says it of the same card";
}

TEST_F(TelemetrySharedTest, ACardsOwnFiguresCountOnce) {
  const Facts mig = FactsOfFile("dcgm/k8s_mig_mixed.prom");
  ASSERT_EQ(mig.watts_mw.size(), 1u) << "repeated on each instance, it is the card's";
  EXPECT_EQ(mig.watts_mw.begin()->second, 240'100);
  EXPECT_EQ(mig.busy_ppm.size(), 4u) << "the parent beside its instances says nothing";
  const Facts shared = FactsOfFile("dcgm/k8s_time_slicing_virtual_gpus.prom");
  ASSERT_EQ(shared.watts_mw.size(), 1u);
  EXPECT_EQ(shared.watts_mw.begin()->second, 66'200);
  EXPECT_EQ(shared.memory_mib.begin()->second, 9'800);
  EXPECT_EQ(shared.busy_ppm.begin()->second, 611'000);
  const Facts hung = FactsOfFile("dcgm/k8s_exclusive_pods_labels_uid.prom");
  EXPECT_EQ(hung.busy_ppm.at(H100(2) + "/"), 312) << "SM_ACTIVE, though GPU_UTIL is 100";
  const Facts blanks = FactsOfFile("dcgm/sentinels_duplicates.prom");
  EXPECT_TRUE(blanks.watts_mw.empty());
  EXPECT_EQ(blanks.busy_ppm.at(H100(0) + "/"), 1'000'000) << "clamped";
  EXPECT_EQ(blanks.duplicates, 1);
}

template <class Batch>
bool Same(const Batch& a, const Batch& b) {
  bool same = true;
  std::apply(
      [&](auto... column) { ((same = same && a.*(column.values) == b.*(column.values)), ...); },
      Batch::kColumns);
  return same;
}

TEST_F(TelemetrySharedTest, OrderRepetitionAndSpellingOfEveryFileChangeNothing) {
  std::mt19937_64 random(310);
  for (const auto& [file, expected] : ExpectedOfFiles()) {
    SCOPED_TRACE(file);
    auto samples = Read(file).samples;
    const Facts facts = FactsOf(samples);
    const auto expect_same = [&](const char* what) {
      const Facts again = FactsOf(samples);
      EXPECT_TRUE(Same(facts.usage, again.usage)) << what;
      EXPECT_TRUE(Same(facts.bindings, again.bindings)) << what;
    };
    const auto once = samples;
    samples.insert(samples.end(), once.begin(), once.end());
    std::shuffle(samples.begin(), samples.end(), random);
    expect_same("permuted and repeated");
    for (auto& [series, value] : samples) {
      for (auto& [key, label] : series.labels) {
        if (key == "Hostname" || key == "hostname")
          key = key == "Hostname" ? "hostname" : "Hostname";
      }
    }
    expect_same("Hostname renamed");
    if (file.ends_with(".json")) continue;  // its labels were renamed by a server already
    for (auto& [series, value] : samples) {
      for (auto& [key, label] : series.labels) {
        if (key == "pod" || key == "namespace" || key == "container") key = "exported_" + key;
      }
      series.labels.emplace_back("pod", "exporter-of-ours-x1");
      series.labels.emplace_back("namespace", "monitoring");
      series.labels.emplace_back("job", "gpu");
    }
    const bool has_renamed = std::any_of(samples.begin(), samples.end(), [](const auto& sample) {
      return !sample.first.Get("exported_pod").empty();
    });
    if (has_renamed) expect_same("exported_");
  }
}

}  // namespace
}  // namespace plimsoll
