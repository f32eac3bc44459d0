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
      "  pretraining: \"90000\"\n";
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
  const nlohmann::ordered_json json{{"seed", fleet.seed},
                                    {"gpus", fleet.gpus},
                                    {"window", ToString(fleet.window)},
                                    {"totals", totals},
                                    {"lines", lines}};
  return json.dump(2) + "\n";
}

}  // namespace plimsoll
