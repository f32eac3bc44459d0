// Config: plimsoll.yaml as typed values, validated whole before anything runs.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "config/unit_alerts.h"
#include "model/attribution.h"
#include "model/declared_cost.h"
#include "model/idle_policy.h"
#include "model/price.h"
#include "model/quality_target.h"
#include "model/service.h"
#include "model/spot_cost_rule.h"
#include "units/time.h"

namespace plimsoll {

// What is true of the training runs of a source where its files do not say it.
struct RunSource {
  std::string run, experiment, model;
  std::optional<std::int64_t> gpus;  // held from a start
  std::optional<std::int64_t> samples_per_step, tokens_per_step;
};

// One thing to pull from, as `sync` does.
struct SourceConfig {
  std::string kind;                // one of SourceKinds
  std::string name;                // unique; defaults to kind
  std::string cluster;             // of kubernetes, prometheus, slurm, runs
  std::vector<std::string> files;  // paths or globs, relative to the config file
  std::string url;                 // prometheus
  std::string token_file;          // bearer token; read when used, never logged
  std::string token_env;           // environment variable with the token
  std::string match;               // label matchers of every query: job="dcgm",cluster="a"
  std::map<std::string, std::string> defaults;  // focus: column -> value, where a file lacks it
  Duration hold = Minutes(5);                   // how long one sample speaks for its GPU
  bool api = false;                             // kubernetes: read the live API, no files
  std::string kubeconfig, context;              // of the API; "": as kubectl chooses them
  bool in_cluster = false;                      // the API, by the pod's service account
  Duration watch;                               // how long to watch the API; 0: only list it
  RunSource runs;                               // runs: what their files do not say
  std::string service;                          // requests: of those that name none
  std::vector<std::string> maps;                // requests: "FIELD=COLUMN[:UNIT]"
};

struct Config {
  std::string path;  // "" if defaults
  std::string db = "plimsoll.duckdb";
  std::string time_zone = "UTC";  // IANA
  std::string currency = "USD";
  std::vector<SourceConfig> sources;
  AttributionRules attribution = DefaultAttributionRules();
  IdlePolicy idle;
  std::vector<DeclaredCost> declared;                            // key monthly_costs
  std::vector<VolumePrice> volume_prices;                        // key volume_prices
  std::int64_t split_gpu = 90, split_cpu = 9, split_memory = 1;  // unit weights, in tenths
  std::string unused_commitment = "owner";                       // owner, platform, proportional
  std::string platform_team = "platform";
  std::map<std::string, std::string> node_resources;  // node name -> billed resource id
  std::vector<std::string> catalog_files;
  PriceBatch prices;                           // inline prices: contracted rates and on-prem nodes
  std::map<std::string, std::string> budgets;  // team -> monthly amount, decimal text
  std::vector<QualityTarget> targets;          // key targets: of training experiments
  UnitAlertConfig unit_alerts;
  std::vector<SpotCostRule> spot_costs;      // what running on spot costs beside the instances
  std::vector<ServiceDeclaration> services;  // inference services, in the order of the file
};

// Reads and validates. Fails with kBadData and every error, one a line:
// "plimsoll.yaml:12: sources[1].url: must start with http:// or https://".
Result<Config> LoadConfig(const std::string& path, const std::string& text);

}  // namespace plimsoll
