#include "demo/write_config.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "demo/bill.h"
#include "demo/demo.h"

namespace plimsoll {
namespace {

std::string ResourceIdOf(const DemoFleet& fleet, std::size_t node) {
  for (const DemoBill& bill : fleet.bills) {
    for (const DemoCharge& charge : bill.charges) {
      if (charge.node == node) return charge.resource_id;
    }
  }
  return "";
}

// At what runs are compared, and what the logged service promises.
std::string ProducedYaml(const DemoFleet& fleet) {
  std::string text;
  if (!fleet.runs.empty()) {
    text +=
        "\n# Runs of an experiment are compared at what reaching this cost.\n"
        "targets:\n"
        "  - {experiment: data-mix, metric: loss, at_most: 2.25, window: 3}\n"
        "  - {experiment: long-context, metric: loss, at_most: 2.25, window: 3}\n"
        "  - {experiment: fp8, metric: loss, at_most: 2.25, window: 3}\n";
  }
  if (fleet.bills.size() > 1) {
    text += "  - {experiment: fold, metric: val/lddt, at_least: 0.85, window: 3}\n";
  }
  if (!fleet.service) return text;
  return text + fmt::format(
                    "\n# Every request to it is in its log, so that its whole cost is divided by "
                    "them.\n"
                    "services:\n"
                    "  - name: {0}\n"
                    "    slo: {{ttft: {1}ms, tpot: {2}ms}}\n"
                    "    cost: 'cluster:\"{3}\"+namespace:\"inference\"+workload:\"{0}\"'\n"
                    "    peak: {{hours: 09:00-18:00, days: [mon, tue, wed, thu, fri]}}\n",
                    kDemoService, kDemoTtftMillis, kDemoTpotMillis, kDemoCluster);
}

template <class Map, class ToJson>
nlohmann::ordered_json ListOf(const Map& map, const char* key, const ToJson& to_json) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const auto& [name, value] : map) {
    nlohmann::ordered_json row{{key, name}};
    row.update(to_json(value));
    list.push_back(std::move(row));
  }
  return list;
}

nlohmann::ordered_json JsonOf(const DemoRunTruth& run) {
  return {{"allocated_milliseconds", run.allocated.base()},
          {"effective_milliseconds", run.effective.base()},
          {"startup_milliseconds", run.startup.base()},
          {"data_stall_milliseconds", run.data_stall.base()},
          {"checkpoint_milliseconds", run.checkpoint.base()},
          {"recomputation_milliseconds", run.recomputation.base()},
          {"hang_milliseconds", run.hang.base()},
          {"restart_milliseconds", run.restart.base()},
          {"unknown_milliseconds", run.unknown.base()},
          {"failures", run.failures},
          {"samples", run.samples},
          {"tokens", run.tokens}};
}

nlohmann::ordered_json JsonOf(const DemoServiceTruth& service) {
  return {{"requests", service.requests},         {"good", service.good},
          {"input_tokens", service.input_tokens}, {"cached_tokens", service.cached_tokens},
          {"output_tokens", service.tokens},      {"good_output_tokens", service.tokens_good}};
}

nlohmann::ordered_json JsonOf(const DemoSpotTruth& spot) {
  return {{"effective_cost", DecimalText(spot.effective)},
          {"gross_saving", DecimalText(spot.gross)},
          {"recomputation", DecimalText(spot.recomputation)},
          {"restart", DecimalText(spot.restart)},
          {"evictions", spot.evictions}};
}

}  // namespace

std::string DemoConfigYaml(const DemoFleet& fleet) {
  std::string text =
      "# The demo's fleet: every source is a file beside this one.\n"
      "time_zone: UTC\n"
      "currency: USD\n"
      "split: {gpu: 90, cpu: 9, memory: 1}\n"
      "unused_commitment: owner\n"
      "platform_team: platform\n"
      "\n"
      "sources:\n";
  for (const DemoSource& source : SourcesOf(fleet)) {
    text += fmt::format("  - kind: {}\n    name: {}\n", source.kind, source.name);
    if (!source.cluster.empty()) text += fmt::format("    cluster: {}\n", source.cluster);
    text += fmt::format("    files: [{}]\n", fmt::join(source.files, ", "));
  }
  text +=
      "\n"
      "attribution:\n"
      "  dimensions:\n"
      "    team:\n"
      "      keys: [platform.example.com/team, team]\n"
      "      values: [assistants, hpc-bio, hpc-climate, platform, pretraining, research, search,\n"
      "               trust-safety, vision]\n"
      "  fallbacks:\n"
      "    - {namespace: evals, team: research}\n"
      "    - {namespace: monitoring, team: platform}\n"
      "    - {account: bio, team: hpc-bio}\n"
      "    - {account: climate, team: hpc-climate}\n"
      "\n"
      "budgets:\n"
      "  assistants: \"60000\"\n"
      "  pretraining: \"90000\"\n"
      "\n"
      "# What running on spot needs beside the nodes.\n"
      "spot_costs:\n"
      "  - {name: eviction on-call, kind: operations, monthly: 250}\n";
  text += ProducedYaml(fleet);
  std::string nodes;
  for (std::size_t i = 0; i < fleet.nodes.size(); ++i) {
    if (!fleet.nodes[i].slurm()) continue;
    nodes += fmt::format("  {}: {}\n", fleet.nodes[i].name, ResourceIdOf(fleet, i));
  }
  if (!nodes.empty()) text += "\n# Slurm knows no provider ids.\nnode_resources:\n" + nodes;
  return text;
}

std::string DemoTruthJson(const DemoFleet& fleet, const DemoTruth& truth) {
  nlohmann::ordered_json lines = nlohmann::ordered_json::array();
  for (const auto& [key, value] : truth.lines) {
    lines.push_back({{"who", key.who},
                     {"class", NameOf(key.cost_class)},
                     {"node", key.node},
                     {"gpu_milliseconds", value.gpu_time.base()},
                     {"effective_cost", DecimalText(value.cost)}});
  }
  nlohmann::ordered_json totals = nlohmann::ordered_json::array();
  for (const auto& [key, value] : truth.totals) {
    totals.push_back({{"invoice_issuer", key.issuer},
                      {"billing_account", key.account},
                      {"currency", key.currency},
                      {"billing_period", ToString(key.period)},
                      {"charge_category", key.category},
                      {"billed_cost", DecimalText(value.billed)},
                      {"effective_cost", DecimalText(value.effective)}});
  }
  const auto json_of = [](const auto& value) { return JsonOf(value); };
  const nlohmann::ordered_json json{{"seed", fleet.seed},
                                    {"gpus", fleet.gpus},
                                    {"window", ToString(fleet.window)},
                                    {"totals", totals},
                                    {"lines", lines},
                                    {"runs", ListOf(truth.runs, "run", json_of)},
                                    {"services", ListOf(truth.services, "service", json_of)},
                                    {"spot", ListOf(truth.spot, "currency", json_of)}};
  return json.dump(2) + "\n";
}

}  // namespace plimsoll
