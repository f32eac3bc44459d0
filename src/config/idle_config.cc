#include "config/idle_config.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>

#include "config/suggest.h"
#include "units/human_text.h"

namespace plimsoll {
namespace {

constexpr std::int64_t kGpusMax = 10'000'000;

void ReadScope(YamlMap& map, NodeScope& scope) {
  map.Text("cluster", &scope.cluster);
  map.Text("node", &scope.node);
  map.Text("zone", &scope.zone);
  map.Text("region", &scope.region);
  map.Text("gpu_model", &scope.gpu_model);
  map.Text("capacity_type", &scope.capacity_type);
  map.Text("node_label", &scope.label_key);
  map.Text("node_label_value", &scope.label_value);
  if (map.Has("node_label") != map.Has("node_label_value")) {
    map.Fail(map.Has("node_label") ? "node_label" : "node_label_value",
             "needs both node_label and node_label_value, as in node_label: pool, "
             "node_label_value: warm");
  }
}

DeclaredReserve ReadReserve(YamlMap& map, const std::vector<std::string>& teams) {
  const std::vector<std::string> kinds(std::begin(kReserveKinds), std::end(kReserveKinds));
  DeclaredReserve reserve;
  map.Require("name", "name: a name of its own, which reports show");
  map.Text("name", &reserve.name);
  map.Require("kind",
              "kind: one of failure-domain, release-overlap, gang-hold, warm-pool, "
              "placeholder, guarantee");
  map.TextOf("kind", kinds, &reserve.kind);
  ReadScope(map, reserve.scope);
  std::optional<std::int64_t> gpus;
  map.Require("gpus", "gpus: the physical cards that are kept free");
  map.Whole("gpus", 1, kGpusMax, &gpus);
  reserve.gpus = gpus.value_or(0);
  map.Require("owner", "owner: the team that pays for it");
  map.Text("owner", &reserve.owner);
  const bool is_known = std::find(teams.begin(), teams.end(), reserve.owner) != teams.end();
  if (!teams.empty() && !reserve.owner.empty() && !is_known) {
    map.Fail("owner", "'" + reserve.owner + "' is not in attribution.dimensions.team.values" +
                          DidYouMean(reserve.owner, teams));
  }
  map.Require("reason", "reason: why it is kept, for those who pay");
  map.Text("reason", &reserve.reason);
  map.Time("from", &reserve.from);
  map.Time("until", &reserve.until);
  if (reserve.from && reserve.until && *reserve.until <= *reserve.from) {
    map.Fail("until", "must be after from");
  }
  return reserve;
}

void ReadMaintenance(YamlMap& map, IdlePolicy& idle) {
  MaintenanceWindow window;
  ReadScope(map, window.scope);
  map.Require("from", "from: 2026-12-01T08:00:00Z");
  map.Require("until", "until: 2026-12-01T12:00:00Z");
  std::optional<Instant> from;
  std::optional<Instant> until;
  map.Time("from", &from);
  map.Time("until", &until);
  map.Text("reason", &window.reason);
  if (!from || !until) return;
  if (*until <= *from) return map.Fail("until", "must be after from");
  window.time = {*from, *until};
  idle.maintenance.push_back(window);
}

void ReadRules(YamlMap& map, IdlePolicy& idle) {
  const auto read = [&](const char* key, Duration* length) {
    map.Length(key, length);
    if (*length > Days(30)) map.Fail(key, "must be 30 days at most, such as 30m");
  };
  read("scale_down_delay", &idle.scale_down_delay);
  read("init_grace", &idle.init_grace);
  read("cordon_grace", &idle.cordon_grace);
  std::vector<std::string> sizes;
  map.Texts("typical_gpus", &sizes);
  for (const std::string& size : sizes) {
    if (const std::optional<std::int64_t> gpus = ParseWhole(size, 1, kGpusMax)) {
      idle.typical_gpus.push_back(*gpus);
    } else {
      map.Fail("typical_gpus", "'" + size + "' is not a number of GPUs that one pod asks for");
    }
  }
}

}  // namespace

void ReadIdlePolicy(YamlMap& top, const std::vector<std::string>& teams, IdlePolicy& idle) {
  std::set<std::string> names;
  top.Maps("reserves", [&](YamlMap& map) {
    DeclaredReserve reserve = ReadReserve(map, teams);
    if (!reserve.name.empty() && !names.insert(reserve.name).second) {
      map.Fail("name", "'" + reserve.name + "' is taken by an earlier reserve");
    }
    idle.reserves.push_back(std::move(reserve));
  });
  top.Maps("maintenance", [&](YamlMap& map) { ReadMaintenance(map, idle); });
  top.Map("idle", [&](YamlMap& map) { ReadRules(map, idle); });
}

}  // namespace plimsoll
