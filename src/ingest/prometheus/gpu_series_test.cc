#include "ingest/prometheus/gpu_series.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

GpuSeries Read(Pairs labels, const char* name = "DCGM_FI_DEV_GPU_UTIL") {
  return ReadGpuSeries({name, std::move(labels)}, *FindSignal(name));
}

TEST(GpuSeriesTest, EveryDialectNamesTheSameDevice) {
  for (const char* key : {"UUID", "uuid", "gpu_uuid", "exported_UUID"}) {
    EXPECT_EQ(Read({{key, "GPU-a"}}).uuid, "GPU-a");
    EXPECT_EQ(Read({{key, "GPU-a"}}, "dcgm_gpu_utilization").uuid, "GPU-a");
  }
  for (const char* key : {"Hostname", "hostname", "exported_hostname", "exported_Hostname"}) {
    EXPECT_EQ(Read({{"UUID", "GPU-a"}, {key, "node-1"}}).labels.node, "node-1");
  }
  EXPECT_EQ(Read({{"modelName", "H100"}}).labels.gpu_model, "H100");
  EXPECT_EQ(Read({{"gpu", "7"}}).labels.gpu_index, 7);
  EXPECT_EQ(Read({}).labels.gpu_index, -1);
  EXPECT_EQ(Read({}).uuid, "");
}

TEST(GpuSeriesTest, ALabelThatTheScraperRenamedIsTheExporters) {
  const GpuSeries read =
      Read({{"UUID", "GPU-a"}, {"hostname", "scraper"}, {"exported_hostname", "gpu-a1"}});
  EXPECT_EQ(read.labels.node, "gpu-a1");
}

TEST(GpuSeriesTest, AHostnameThatIsTheExportersPodGivesWayToTheNode) {
  EXPECT_EQ(Read({{"Hostname", "nvidia-dcgm-exporter-7xk2p"}, {"node", "gpu-a1"}}).labels.node,
            "gpu-a1");
}

TEST(GpuSeriesTest, HoldersOfEveryDialect) {
  const GpuSeries exported = Read({{"exported_pod", "train-0"},
                                   {"exported_namespace", "nlp"},
                                   {"pod", "exp-1"},
                                   {"namespace", "gpu-operator"}});
  EXPECT_EQ(exported.holder.name, "train-0");
  EXPECT_EQ(exported.holder.ns, "nlp");
  EXPECT_EQ(exported.exporter.name, "exp-1");
  EXPECT_EQ(Read({{"pod", "train-0"}, {"namespace", "nlp"}}).holder.name, "train-0");
  // The old spelling meets no label of the target, so nothing is renamed: `pod` is the target's.
  const GpuSeries old = Read({{"pod_name", "legacy-0"},
                              {"pod_namespace", "nlp"},
                              {"pod", "exp-1"},
                              {"namespace", "gpu-operator"}});
  EXPECT_EQ(old.holder.name, "legacy-0");
  EXPECT_EQ(old.holder.ns, "nlp");
  EXPECT_EQ(old.exporter.name, "exp-1");
  const GpuSeries job = Read({{"hpc_job", "812345"}});
  EXPECT_EQ(job.holder.name, "812345");
  EXPECT_EQ(job.holder.ns, "");
}

TEST(GpuSeriesTest, AJobIsTheHolderAlsoBesideTheTargetsPod) {
  const GpuSeries job = Read({{"hpc_job", "812345"}, {"pod", "mon-1"}, {"namespace", "ops"}});
  EXPECT_EQ(job.holder.name, "812345");
  EXPECT_EQ(job.exporter.name, "") << "whose pod that is, nothing says";
}

TEST(GpuSeriesTest, TheExportersOwnPodHoldsNothing) {
  EXPECT_EQ(Read({{"pod", "nvidia-dcgm-exporter-7xk2p"}, {"namespace", "x"}}).holder.name, "");
  EXPECT_EQ(Read({{"pod", "mon-1"}, {"container", "nvidia-dcgm-exporter"}}).holder.name, "");
  EXPECT_EQ(Read({{"pod", ""}, {"namespace", ""}}).holder.name, "");
}

TEST(GpuSeriesTest, PowerAndEnergyAreTheCardsAlsoOnAnInstance) {
  const Pairs labels{
      {"UUID", "GPU-a"}, {"GPU_I_ID", "9"}, {"GPU_I_PROFILE", "1g.10gb"}, {"pod", "p"}};
  for (const char* name : {"DCGM_FI_DEV_POWER_USAGE", "DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION"}) {
    const GpuSeries power = Read(labels, name);
    EXPECT_EQ(power.instance, "");
    EXPECT_EQ(power.labels.profile, "");
    EXPECT_EQ(power.own_instance, "9") << "the holder stays on the instance";
  }
  const GpuSeries busy = Read(labels, "DCGM_FI_PROF_GR_ENGINE_ACTIVE");
  EXPECT_EQ(busy.instance, "9");
  EXPECT_EQ(busy.labels.profile, "1g.10gb");
}

TEST(GpuSeriesTest, TheScrapeIsTheTargetAndItsJob) {
  EXPECT_EQ(Read({{"UUID", "GPU-a"}}).scrape, "");
  EXPECT_NE(Read({{"instance", "a:9400"}, {"job", "x"}}).scrape,
            Read({{"instance", "a:9400"}, {"job", "y"}}).scrape);
}

TEST(GpuSeriesTest, AnXidCountSaysItsCode) {
  EXPECT_EQ(Read({{"UUID", "GPU-a"}, {"xid", "79"}}, "DCGM_EXP_XID_ERRORS_COUNT").xid, 79);
}

// ---- other exporters ---------------------------------------------------------------------

TEST(GpuSeriesTest, AnAmdCardIsKnownByItsPlaceAndAPartitionIsAnInstance) {
  const char* name = "gpu_gfx_activity";
  const GpuSeries whole = Read({{"gpu_id", "1"},
                                {"hostname", "mi-1"},
                                {"gpu_partition_id", "0"},
                                {"gpu_compute_partition_type", "spx"},
                                {"serial_number", "SN1"},
                                {"card_model", "MI300X"},
                                {"pod", ""},
                                {"job_id", "4242"}},
                               name);
  EXPECT_EQ(whole.uuid, "mi-1/amd-1");
  EXPECT_EQ(whole.instance, "");
  EXPECT_EQ(whole.labels.profile, "");
  EXPECT_EQ(whole.labels.gpu_model, "MI300X");
  EXPECT_EQ(whole.labels.gpu_index, 1);
  EXPECT_EQ(whole.holder.name, "4242");
  EXPECT_EQ(whole.holder.ns, "");
  EXPECT_FALSE(whole.zero_is_silence);
  Pairs cpx{{"gpu_id", "0"}, {"hostname", "mi-2"}, {"gpu_compute_partition_type", "CPX"}};
  cpx.emplace_back("gpu_partition_id", "0");
  EXPECT_EQ(Read(cpx, name).instance, "0");
  EXPECT_EQ(Read(cpx, name).labels.profile, "cpx");
  EXPECT_FALSE(Read(cpx, name).zero_is_silence) << "the first partition has the counters";
  cpx.back().second = "3";
  EXPECT_EQ(Read(cpx, name).instance, "3");
  EXPECT_TRUE(Read(cpx, name).zero_is_silence);
  EXPECT_TRUE(Read(cpx, "gpu_package_power").zero_is_silence);
  EXPECT_FALSE(Read(cpx, "gpu_used_vram").zero_is_silence) << "memory is each partition's own";
  EXPECT_EQ(Read({{"gpu_id", "0"}}, name).uuid, "") << "no place, no key";
  EXPECT_EQ(Read({{"gpu_id", "0"}, {"gpu_uuid", "u-1"}}, name).uuid, "u-1");
}

TEST(GpuSeriesTest, ANameOfAnybodysIsReadOnlyWithItsExportersLabel) {
  EXPECT_FALSE(Read({{"pod", "web-0"}}, "memory_used").is_ours);
  EXPECT_FALSE(Read({{"gpu", "0"}}, "gpu_power_usage").is_ours);
  const GpuSeries tpu = Read({{"accelerator_id", "7654321-2"},
                              {"model", "tpu-v6e-slice"},
                              {"namespace", "nlp"},
                              {"pod", "jax-0"}},
                             "duty_cycle");
  ASSERT_TRUE(tpu.is_ours);
  EXPECT_EQ(tpu.uuid, "7654321-2");
  EXPECT_EQ(tpu.labels.gpu_index, 2);
  EXPECT_EQ(tpu.labels.gpu_model, "tpu-v6e-slice");
  EXPECT_EQ(tpu.holder.name, "jax-0");
}

TEST(GpuSeriesTest, ANeuronCoreIsAnInstanceOfItsChip) {
  const auto core = [](const char* type, const char* number) {
    return Read({{"instance_id", "i-1"}, {"instance_type", type}, {"neuroncore", number}},
                "neuroncore_utilization_ratio");
  };
  EXPECT_EQ(core("inf1.xlarge", "3").uuid, "i-1/neuron-0");
  EXPECT_EQ(core("inf1.xlarge", "3").instance, "3");
  EXPECT_EQ(core("trn1.32xlarge", "31").uuid, "i-1/neuron-15");
  EXPECT_EQ(core("trn1.32xlarge", "31").labels.gpu_index, 15);
  EXPECT_EQ(core("trn9.large", "5").uuid, "i-1") << "cores of a chip unknown";
  EXPECT_EQ(core("inf1.xlarge", "3").labels.node, "i-1");
}

TEST(GpuSeriesTest, GaudiJobstatsAndOpenTelemetry) {
  const GpuSeries gaudi =
      Read({{"UUID", "01P0-HL"}, {"device", "accel3"}, {"pod", "g-0"}}, "habanalabs_utilization");
  EXPECT_EQ(gaudi.uuid, "01P0-HL");
  EXPECT_EQ(gaudi.labels.gpu_index, 3);
  Pairs princeton{{"uuid", "GPU-e"}, {"minor_number", "1"}, {"ordinal", "4"},
                  {"name", "A100"},  {"jobid", "1191148"},  {"instance", "gpu-n7:9445"}};
  const GpuSeries job = Read(princeton, "nvidia_gpu_duty_cycle");
  EXPECT_EQ(job.labels.gpu_index, 1) << "the minor number, not the ordinal";
  EXPECT_EQ(job.labels.node, "gpu-n7");
  EXPECT_EQ(job.holder.name, "1191148");
  princeton[4].second = "0";
  princeton[5].second = "10.1.2.3:9445";
  EXPECT_EQ(Read(princeton, "nvidia_gpu_duty_cycle").holder.name, "");
  EXPECT_EQ(Read(princeton, "nvidia_gpu_duty_cycle").labels.node, "");
  const GpuSeries otel = Read({{"hw_id", "GPU-a"},
                               {"hw_model", "H100"},
                               {"hw_gpu_task", "general"},
                               {"k8s_pod_name", "p"},
                               {"k8s_namespace_name", "n"}},
                              "hw_gpu_utilization_ratio");
  EXPECT_EQ(otel.uuid, "GPU-a");
  EXPECT_EQ(otel.holder.ns, "n");
  EXPECT_FALSE(
      Read({{"hw_id", "GPU-a"}, {"hw_gpu_task", "decoder"}}, "hw_gpu_utilization_ratio").is_ours)
      << "a video engine is not the busy fraction";
  EXPECT_FALSE(Read({{"hw_id", "psu0"}, {"hw_type", "power_supply"}}, "hw_power_watts").is_ours);
  EXPECT_FALSE(Read({{"hw_id", "psu0"}}, "hw_power_watts").is_ours);
  EXPECT_TRUE(Read({{"hw_id", "GPU-a"}, {"hw_type", "gpu"}}, "hw_power_watts").is_ours);
}

}  // namespace
}  // namespace plimsoll
