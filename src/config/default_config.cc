#include "config/default_config.h"

#include "config/duration.h"

namespace plimsoll {
namespace {

constexpr const char* kHead = R"(# plimsoll.yaml: what Plimsoll reads and how it divides cost.
# Paths are relative to this file; ~ is your home. Every key may be left out.
# All keys: docs/formats/plimsoll-yaml.md

# Where facts and cost lines are kept.
db: plimsoll.duckdb

# IANA time zone of windows and reports. Facts are always kept in UTC.
time_zone: )";

constexpr const char* kCurrency = R"(
# Currency of prices that no bill gives (ISO 4217). Bills keep their own.
currency: )";

constexpr const char* kSourcesHead = R"(
# What `plimsoll sync` pulls. Kinds: prices, focus, kubernetes, slurm, prometheus, requests.
# `cluster` ties a source to others of the same cluster: use one name for each cluster.
)";

constexpr const char* kSourceExamples = R"(# sources:
#   - kind: focus                 # bill exports in FOCUS format
#     name: bill
#     files: [bills/*.csv, bills/*.csv.gz]
#   - kind: kubernetes            # kubectl get nodes,pods -A -o json > kube.json
#     cluster: prod
#     files: [kube.json]
#   - kind: prometheus            # dcgm-exporter and kube-state-metrics
#     cluster: prod
#     url: http://prometheus:9090
#     token_file: ~/.prometheus-token   # or token_env: PROMETHEUS_TOKEN
#     hold: 5m                    # how long one sample speaks for its GPU
#   - kind: slurm                 # sacct --parsable2 output
#     cluster: hpc
#     files: [sacct/*.psv]
#   - kind: prices                # price lists (docs/formats/prices.md)
#     files: [prices/*.yaml]
)";

constexpr const char* kTail = R"(
# Who pays. For each dimension: label keys (the first found wins), and the registered values
# (leave out to accept any). Dimensions: team, environment, workload_type, model, cost_center.
# attribution:
#   dimensions:
#     team:
#       keys: [platform.example.com/team, team]
#       values: [search, vision]
#   fallbacks:                    # when labels name no team
#     - namespace: ml-search
#       team: search
#       cost_center: CC-1001
#     - account: physics          # a Slurm account
#       team: vision

# How a node's price is divided: weights of one GPU, one vCPU, one GiB of memory.
split:
  gpu: 9
  cpu: 0.9
  memory: 0.1

# Who carries the unused part of a commitment: owner, platform, proportional.
unused_commitment: owner
platform_team: platform

# Nodes without a provider id (Slurm, on-prem): the resource id that the bill names them by.
# node_resources:
#   gpu-node-01: i-0abc123def4567890

# Your own hardware and price files, laid over the built-in catalog.
# catalog_files: [catalog/*.yaml]

# Prices that no bill gives, for one node each: negotiated rates, and owned nodes by what they
# cost over their life. Longer lists belong in price files (docs/formats/prices.md).
# prices:
#   - provider: aws
#     instance_type: p5.48xlarge
#     region: us-east-1           # leave out for any
#     purchase: on-demand         # spot, reserved-1y, reserved-3y, owned
#     amount: 38.50
#     per: hour
#     valid_from: 2026-01-01
# on_prem:
#   - name: dgx-*                 # node names or a node pool's name
#     capex: 350400
#     amortization_months: 48
#     power_kw: 10
#     price_per_kwh: 0.12
#     hosting_per_month: 730
#     valid_from: 2026-01-01

# Monthly budgets by team.
# budgets:
#   search: 50000
)";

// As YAML reads it back: in single quotes unless it is a plain word.
std::string Quoted(const std::string& text) {
  constexpr const char* kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-";
  const bool plain = !text.empty() && text.find_first_not_of(kPlain) == std::string::npos &&
                     text.front() != '-' && text.front() != '.' && text != "null" &&
                     text != "Null" && text != "NULL";
  if (plain) return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? "''" : std::string(1, c);
  return quoted + "'";
}

void AddText(std::string& text, const std::string& key, const std::string& value) {
  if (!value.empty()) text += "    " + key + ": " + Quoted(value) + "\n";
}

std::string SourceText(const SourceConfig& source) {
  std::string text = "  - kind: " + source.kind + "\n";
  if (source.name != source.kind) AddText(text, "name", source.name);
  AddText(text, "cluster", source.cluster);
  AddText(text, "url", source.url);
  AddText(text, "token_file", source.token_file);
  AddText(text, "token_env", source.token_env);
  if (source.kind == "prometheus") {
    AddText(text, "match", source.match);
    AddText(text, "hold", FormatDuration(source.hold));
  }
  std::string files;
  for (const std::string& file : source.files) files += (files.empty() ? "" : ", ") + Quoted(file);
  if (!files.empty()) text += "    files: [" + files + "]\n";
  return text;
}

}  // namespace

std::string ConfigText(const ConfigDraft& draft) {
  std::string text = kHead + Quoted(draft.time_zone) + "\n";
  text += kCurrency + draft.currency + "\n" + kSourcesHead;
  if (draft.sources.empty()) {
    text += kSourceExamples;
  } else {
    text += "sources:\n";
    for (const SourceConfig& source : draft.sources) text += SourceText(source);
  }
  return text + kTail;
}

std::string DefaultConfigText() { return ConfigText({}); }

}  // namespace plimsoll
