#include "ingest/serving/alias_table.h"

#include <gtest/gtest.h>

#include <set>

#include "model/serving.h"

namespace plimsoll {
namespace {

AliasTable Builtin() {
  Result<AliasTable> table = AliasTable::Load(BuiltinCatalogFiles());
  EXPECT_TRUE(table.has_value()) << table.error().message;
  return *std::move(table);
}

std::string ProblemsOf(const std::string& text) {
  const Result<AliasTable> table = AliasTable::Load({{"own.yaml", text}});
  return table ? "" : table.error().message;
}

std::string QuantityOf(const AliasTable& table, const std::string& name) {
  const NameMatch match = table.Find(name);
  return match.kind == NameKind::kRead ? match.uses->front().row->quantity : "";
}

TEST(AliasTableTest, TheBuiltinTableHoldsEveryEngine) {
  const AliasTable table = Builtin();
  std::set<std::string> names;
  for (const EngineAliases& engine : table.engines()) names.insert(engine.name);
  EXPECT_EQ(names, (std::set<std::string>{"vllm", "sglang", "tgi", "triton", "trtllm", "dynamo",
                                          "gie", "llm-d-epp"}));
  for (const EngineAliases& engine : table.engines()) {
    std::set<std::string> quantities;
    for (const AliasRow& row : engine.rows) quantities.insert(row.quantity);
    EXPECT_TRUE(quantities.contains(kTokensOutput)) << engine.name;
    EXPECT_TRUE(quantities.contains(kE2e)) << engine.name;
    EXPECT_TRUE(quantities.contains(kRequestsOk) || quantities.contains(kRequestsAll))
        << engine.name;
  }
}

TEST(AliasTableTest, RenamesAreOneQuantity) {
  const AliasTable table = Builtin();
  EXPECT_EQ(QuantityOf(table, "vllm:gpu_cache_usage_perc"), kKvCacheUsed);
  EXPECT_EQ(QuantityOf(table, "vllm:kv_cache_usage_perc"), kKvCacheUsed);
  EXPECT_EQ(QuantityOf(table, "vllm:time_per_output_token_seconds_bucket"), kItl);
  EXPECT_EQ(QuantityOf(table, "vllm:inter_token_latency_seconds_bucket"), kItl);
  EXPECT_EQ(QuantityOf(table, "vllm:request_time_per_output_token_seconds_bucket"), kTpot);
  const NameMatch old = table.Find("vllm:gpu_cache_usage_perc");
  EXPECT_GT(old.uses->front().row->rank, 1);
}

TEST(AliasTableTest, PartsOfAHistogramAreToldApart) {
  const AliasTable table = Builtin();
  const std::string ttft = "vllm:time_to_first_token_seconds";
  EXPECT_EQ(table.Find(ttft + "_bucket").uses->front().part, SamplePart::kBucket);
  EXPECT_EQ(table.Find(ttft + "_sum").uses->front().part, SamplePart::kSum);
  EXPECT_EQ(table.Find(ttft + "_count").kind, NameKind::kPassed);
  EXPECT_EQ(table.Find(ttft + "_created").kind, NameKind::kPassed);
  // Of a histogram of tokens only the sum is used.
  EXPECT_EQ(table.Find("tgi_request_generated_tokens_sum").uses->front().part, SamplePart::kValue);
  EXPECT_EQ(table.Find("tgi_request_generated_tokens_bucket").kind, NameKind::kPassed);
}

// Real names of pages of vLLM, SGLang and others are all known: read or passed over.
TEST(AliasTableTest, RealNamesAreKnown) {
  const AliasTable table = Builtin();
  for (const char* name : {"vllm:cache_config_info",
                           "vllm:iteration_tokens_total_bucket",
                           "vllm:iteration_tokens_total_created",
                           "vllm:num_preemptions_total",
                           "vllm:num_preemptions_created",
                           "vllm:prompt_tokens_created",
                           "vllm:prompt_tokens_by_source_total",
                           "vllm:request_params_n_bucket",
                           "vllm:request_prefill_kv_computed_tokens_sum",
                           "vllm:spec_decode_num_drafts_total",
                           "vllm:prefix_cache_queries_total",
                           "vllm:request_success_created",
                           "sglang:spec_accept_length",
                           "sglang:cache_hit_rate",
                           "sglang:num_retracted_reqs",
                           "sglang:per_stage_req_latency_seconds_bucket",
                           "sglang:prompt_tokens_histogram_bucket",
                           "tgi_batch_inference_duration_bucket",
                           "tgi_request_skipped_tokens_sum",
                           "nv_inference_exec_count",
                           "nv_inference_compute_infer_duration_us",
                           "nv_trt_llm_general_metrics",
                           "trtllm_kv_cache_iter_reused_blocks_total",
                           "trtllm_spec_decode_acceptance_length",
                           "dynamo_frontend_model_total_kv_blocks",
                           "dynamo_frontend_disconnected_clients",
                           "inference_objective_request_sizes_bucket",
                           "llm_d_epp_flow_control_requests_total",
                           "llm_d_epp_plugin_duration_seconds_bucket"}) {
    EXPECT_EQ(table.Find(name).kind, NameKind::kPassed) << name;
  }
  for (const char* name :
       {"vllm:request_success_total", "vllm:generation_tokens_total", "vllm:generation_tokens",
        "sglang:cached_tokens_total", "tgi_request_count", "nv_inference_queue_duration_us",
        "nv_llm_output_token_len_sum", "trtllm_e2e_request_latency_seconds_bucket",
        "dynamo_frontend_output_tokens_total", "inference_objective_request_total",
        "llm_d_epp_request_ttft_seconds_bucket"}) {
    EXPECT_EQ(table.Find(name).kind, NameKind::kRead) << name;
  }
}

// production-stack issue 617: a rename must not read as 0.
TEST(AliasTableTest, AnUnknownNameNamesTheNearestAndItsVersions) {
  const AliasTable table = Builtin();
  EXPECT_EQ(table.Find("vllm:kv_cache_usage").kind, NameKind::kUnknown);
  const std::string reason = table.UnknownReason("vllm:kv_cache_usage");
  EXPECT_NE(reason.find("vllm:kv_cache_usage_perc (vllm 0.9 and later: kv_cache_used)"),
            std::string::npos)
      << reason;
  EXPECT_NE(reason.find("not 0"), std::string::npos);
  EXPECT_NE(table.UnknownReason("vllm:time_per_output_tokens_seconds_bucket")
                .find("vllm:time_per_output_token_seconds (vllm up to 0.12: itl)"),
            std::string::npos);
}

TEST(AliasTableTest, OtherProgramsAndRecordingRulesAreForeign) {
  const AliasTable table = Builtin();
  for (const char* name : {"up", "DCGM_FI_DEV_GPU_UTIL", "vllm:ttft:p99", "nv_gpu_utilization",
                           "python_gc_objects_collected_total"}) {
    EXPECT_EQ(table.Find(name).kind, NameKind::kForeign) << name;
  }
}

TEST(AliasTableTest, PrefixesAreSpellings) {
  AliasTable table = Builtin();
  EXPECT_EQ(QuantityOf(table, "vllm_generation_tokens_total"), kTokensOutput);
  EXPECT_EQ(QuantityOf(table, "ray_vllm:generation_tokens_total"), kTokensOutput);
  EXPECT_EQ(QuantityOf(table, "kserve_vllm:generation_tokens_total"), kTokensOutput);
  EXPECT_EQ(QuantityOf(table, "nv_llm_http_service_requests_total"), kRequestsOk);  // Dynamo's old
  EXPECT_EQ(QuantityOf(table, "nim_requests_total"), "");
  table.AddPrefix("dynamo", "nim");
  EXPECT_EQ(QuantityOf(table, "nim_requests_total"), kRequestsOk);
}

TEST(AliasTableTest, EveryReadNameIsFound) {
  const AliasTable table = Builtin();
  const std::vector<std::string> names = table.ReadNames();
  EXPECT_GT(names.size(), 100U);
  for (const std::string& name : names) {
    EXPECT_EQ(table.Find(name).kind, NameKind::kRead) << name;
  }
}

TEST(AliasTableTest, LabelRulesHoldForAbsentLabelsAsEmpty) {
  const SeriesLabels series{"x", {{"status", "error"}}};
  const LabelRule listed{"status", {"ok", "error"}, false};
  const LabelRule negated{"error_type", {"cancelled"}, true};
  const LabelRule empty{"priority", {""}, false};
  EXPECT_TRUE(listed.Holds(series));
  EXPECT_TRUE(negated.Holds(series));
  EXPECT_TRUE(empty.Holds(series));
  EXPECT_FALSE((LabelRule{"status", {"ok"}, false}).Holds(series));
}

TEST(AliasTableTest, OwnFilesAreLaidOver) {
  std::vector<CatalogFile> files = BuiltinCatalogFiles();
  files.push_back({"own.yaml",
                   "serving_engines:\n"
                   "  - engine: vllm\n"
                   "    prefixes: [\"vllm:\"]\n"
                   "    metrics:\n"
                   "      - {quantity: kv_cache_used, name: \"vllm:kv_cache_usage\", type: gauge, "
                   "unit: percent}\n"
                   "    unused: [\"vllm:brand_new_total\"]\n"});
  const Result<AliasTable> table = AliasTable::Load(files);
  ASSERT_TRUE(table.has_value()) << table.error().message;
  EXPECT_EQ(QuantityOf(*table, "vllm:kv_cache_usage"), kKvCacheUsed);
  EXPECT_EQ(QuantityOf(*table, "vllm:kv_cache_usage_perc"), kKvCacheUsed);
  EXPECT_EQ(table->Find("vllm:brand_new_total").kind, NameKind::kPassed);
}

TEST(AliasTableTest, ProblemsAreToldWithLineAndField) {
  const std::string head = "serving_engines:\n  - engine: e\n    prefixes: [e_]\n    metrics:\n";
  const auto row = [&](const std::string& fields) {
    return ProblemsOf(head + "      - {" + fields + "}\n");
  };
  EXPECT_EQ(row("quantity: tokens_output, name: e_tokens_total, type: counter"), "");
  EXPECT_NE(row("quantity: tokens, name: e_t, type: counter").find("own.yaml:5: "),
            std::string::npos);
  EXPECT_NE(row("quantity: tokens, name: e_t, type: counter").find("is no quantity"),
            std::string::npos);
  EXPECT_NE(row("quantity: ttft, name: e_t, type: histogram").find("must be s, ms, us or ns"),
            std::string::npos);
  EXPECT_NE(row("quantity: ttft, name: e_t, type: gauge, unit: s").find("a level is a gauge"),
            std::string::npos);
  EXPECT_NE(row("quantity: ttft, name: x_t, type: histogram, unit: s").find("first prefix"),
            std::string::npos);
  EXPECT_NE(row("quantity: tokens_output, name: e_t, type: histogram").find("part"),
            std::string::npos);
  EXPECT_NE(row("quantity: running, name: e_t, type: gauge, where: [x]").find("label=value"),
            std::string::npos);
  EXPECT_NE(row("quantity: running, name: e_t, type: gauge, until: new").find("a version"),
            std::string::npos);
  EXPECT_NE(row("quantity: running, name: e_t, type: gauge, untill: 1").find("not known here"),
            std::string::npos);
}

}  // namespace
}  // namespace plimsoll
