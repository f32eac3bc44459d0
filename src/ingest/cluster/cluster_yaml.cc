// Our own cluster.yaml: groups of nodes, how they lie in domains, what they cost, how they fail.
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <set>

#include "base/check.h"
#include "catalog/yaml_document.h"
#include "config/yaml_reader.h"
#include "ingest/cluster/cluster_formats.h"
#include "ingest/cluster/row_fields.h"
#include "ingest/kubernetes/kubernetes_quantity.h"
#include "units/human_text.h"

namespace plimsoll {
namespace {

constexpr std::int64_t kMib = 1'024 * 1'024;
constexpr std::int64_t kDomainsMax = 100'000;  // of one level and parent
const std::string kPurchases[] = {"owned", "reserved-1y", "reserved-3y", "on-demand", "spot"};

std::int64_t Quantity(YamlMap& map, const std::string& key, std::int64_t scale) {
  std::string text;
  map.Text(key, &text);
  if (text.empty()) return 0;
  const auto quantity = ParseKubernetesQuantity(text, scale);
  if (!quantity) map.Fail(key, quantity.error().message + "; write 192, 7500m or 2Ti");
  return quantity ? *quantity : 0;
}

constexpr std::int64_t kRateMax = 1'000'000'000'000;  // millionths

// Events a thousand units and day, with up to three decimals kept: 6.5 is 6,500 millionths.
std::optional<std::int64_t> Rate(YamlMap& map, const std::string& key) {
  std::string text;
  map.Text(key, &text);
  if (text.empty()) return std::nullopt;
  const auto rate = ParseThousandths(text);
  if (rate && *rate <= kRateMax) return rate;
  map.Fail(key, "'" + text.substr(0, 40) + "' is no rate such as 6.5");
  return std::nullopt;
}

// How a group's nodes lie in domains: of each level a number of domains within one of the level
// above, or the name of one domain that groups share.
struct Layout {
  std::vector<std::pair<std::string, std::string>> levels;  // level, number or name
  std::vector<std::string> hosts;                           // hosts_per_domain, as written
};

Layout ReadLayout(YamlMap& map) {
  Layout layout;
  map.FreeTexts("topology", [&](const std::string& level, const std::string& text) {
    layout.levels.emplace_back(level, text);
    return std::string();
  });
  map.Texts("hosts_per_domain", &layout.hosts);
  if (!layout.hosts.empty() && layout.levels.empty()) {
    map.Fail("hosts_per_domain", "needs a topology, such as topology: {rack: 8}");
  }
  return layout;
}

// The lowest domains as their names from the widest level on.
bool Leaves(YamlMap& map, const std::string& group, const Layout& layout,
            std::vector<std::vector<std::string>>& leaves) {
  leaves = {{}};
  for (const auto& [level, text] : layout.levels) {
    const auto count = ParseWhole(text, 1, kDomainsMax);
    const bool is_number = text.find_first_not_of("0123456789") == std::string::npos;
    if ((is_number && !count) ||
        static_cast<std::int64_t>(leaves.size()) * count.value_or(1) > kClusterNodesMax) {
      map.Fail("topology", level + ": '" + text.substr(0, 40) + "' is no number of domains");
      return false;
    }
    std::vector<std::vector<std::string>> below;
    for (const auto& above : leaves) {
      for (std::int64_t i = 0; i < count.value_or(1); ++i) {
        below.push_back(above);
        below.back().push_back(
            is_number ? group + "-" + level + "-" + std::to_string(below.size() - 1) : text);
      }
    }
    leaves = std::move(below);
  }
  return true;
}

// How many hosts each of the lowest domains has.
bool HostsOf(YamlMap& map, const Layout& layout, std::size_t leaves,
             std::optional<std::int64_t> nodes, std::vector<std::int64_t>& hosts) {
  const auto count = static_cast<std::int64_t>(leaves);
  if (layout.hosts.empty()) {
    if (!nodes) return map.Fail("nodes", "is missing; write how many nodes, such as 16"), false;
    for (std::int64_t i = 0; i < count; ++i) {
      hosts.push_back(*nodes / count + (i < *nodes % count ? 1 : 0));
    }
    return true;
  }
  if (layout.hosts.size() != 1 && layout.hosts.size() != leaves) {
    map.Fail("hosts_per_domain", "has " + std::to_string(layout.hosts.size()) + " numbers for " +
                                     std::to_string(leaves) + " domains");
    return false;
  }
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < leaves; ++i) {
    const std::string& text = layout.hosts[layout.hosts.size() == 1 ? 0 : i];
    const auto of_one = ParseWhole(text, 0, kClusterNodesMax);
    if (!of_one || sum + *of_one > kClusterNodesMax) {
      map.Fail("hosts_per_domain", "'" + text.substr(0, 40) + "' is no number of hosts");
      return false;
    }
    // One number for all: the last domains may be part full.
    const std::int64_t room = nodes ? *nodes - sum : *of_one;
    hosts.push_back(std::clamp<std::int64_t>(room, 0, *of_one));
    sum += hosts.back();
  }
  if (!nodes || sum == *nodes) return true;
  map.Fail("nodes", "are " + std::to_string(*nodes) + ", the domains have room for " +
                        std::to_string(sum) + "; correct one of them");
  return false;
}

class ClusterYaml {
 public:
  explicit ClusterYaml(ClusterSpec& facts) : facts_(facts) {}

  void Read(YamlMap& top) {
    std::vector<std::string> levels;
    top.Texts("levels", &levels);
    if (!levels.empty()) SetLevels(levels);
    top.Text("currency", &facts_.currency);
    top.Require("groups", "a list of node groups");
    top.Maps("groups", [&](YamlMap& map) { ReadGroup(map); });
    top.Maps("maintenance", [&](YamlMap& map) { ReadMaintenance(map); });
    top.Maps("domain_failures", [&](YamlMap& map) { ReadDomainFailure(map); });
    top.Finish();
  }

 private:
  void SetLevels(const std::vector<std::string>& levels) {
    facts_.tree = DomainTree(levels);
    has_levels_ = true;
  }

  bool CheckLevels(YamlMap& map, const Layout& layout) {
    if (layout.levels.empty()) return true;
    std::vector<std::string> names;
    for (const auto& [level, text] : layout.levels) names.push_back(level);
    if (!has_levels_) SetLevels(names);
    if (names == facts_.tree.levels()) return true;
    std::string known;
    for (const std::string& name : facts_.tree.levels())
      known += (known.empty() ? "" : ", ") + name;
    map.Fail("topology", "must name the levels " + known + ", the widest first");
    return false;
  }

  std::optional<std::uint32_t> Flavor(const std::string& name) {
    const auto at = std::find(facts_.flavors.begin(), facts_.flavors.end(), name);
    const auto index = static_cast<std::uint32_t>(at - facts_.flavors.begin());
    if (at == facts_.flavors.end()) {
      if (facts_.flavors.size() == kFlavorsMax) return std::nullopt;
      facts_.flavors.push_back(name);
    }
    return index;
  }

  void ReadGroup(YamlMap& map) {
    EqualNodes equal;
    map.Require("name", "a name for the group");
    map.Text("name", &equal.group);
    for (const NodeGroup& known : facts_.groups) {
      if (known.name == equal.group) return map.Fail("name", "is that of another group");
    }
    std::string flavor = equal.group;
    map.Text("flavor", &flavor);
    std::optional<std::int64_t> nodes, gpus;
    map.Whole("nodes", 1, kClusterNodesMax, &nodes);
    map.Require("gpus", "the GPUs of one node, such as 8");
    map.Whole("gpus", 0, kGpusPerNodeMax, &gpus);
    equal.gpus = static_cast<std::int32_t>(gpus.value_or(0));
    equal.cpu_milli = Quantity(map, "cpu", 1'000);
    equal.memory_mib = Quantity(map, "memory", 1) / kMib;
    NodeGroup group;
    ReadFacts(map, group);
    const Layout layout = ReadLayout(map);
    std::vector<std::vector<std::string>> leaves;
    std::vector<std::int64_t> hosts;
    if (!CheckLevels(map, layout) || !Leaves(map, equal.group, layout, leaves)) return;
    if (!HostsOf(map, layout, leaves.size(), nodes, hosts)) return;
    const auto index = Flavor(flavor);
    if (!index) return map.Fail("flavor", "is one more than a cluster may have");
    equal.flavor = *index;
    AddGroup(map, equal, leaves, hosts, std::move(group));
  }

  void AddGroup(YamlMap& map, EqualNodes& equal,
                const std::vector<std::vector<std::string>>& leaves,
                const std::vector<std::int64_t>& hosts, NodeGroup facts) {
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      equal.nodes = hosts[i];
      equal.domains = leaves[i];
      if (static_cast<std::int64_t>(facts_.nodes.size()) + hosts[i] > kClusterNodesMax) {
        return map.Fail("nodes", "are more than a million with those of other groups");
      }
      AddNodes(equal, facts_);
    }
    if (facts_.groups.empty() || facts_.groups.back().name != equal.group) {
      return map.Fail("nodes", "are none; remove the group");
    }
    NodeGroup& group = facts_.groups.back();
    facts.name = group.name;
    facts.first = group.first;
    facts.nodes = group.nodes;
    if (facts.spares >= facts.nodes) map.Fail("spares", "must be fewer than the nodes");
    group = std::move(facts);
  }

  static void ReadFacts(YamlMap& map, NodeGroup& group) {
    map.TextOf("purchase", kPurchases, &group.purchase);
    std::optional<std::int64_t> spares;
    map.Whole("spares", 0, kClusterNodesMax, &spares);
    group.spares = static_cast<std::uint32_t>(spares.value_or(0));
    group.failures_micro = Rate(map, "failures_per_1000_node_days");
    group.evictions_micro = Rate(map, "evictions_per_1000_node_days");
    Duration repair;
    map.Length("repair", &repair);
    if (repair > Duration()) group.repair = repair;
    map.FreeTexts("prices", [&](const std::string& purchase, const std::string& text) {
      if (std::find(std::begin(kPurchases), std::end(kPurchases), purchase) ==
          std::end(kPurchases)) {
        return std::string("is none of owned, reserved-1y, reserved-3y, on-demand, spot");
      }
      const Result<Money> price = Money::Parse(text);
      if (!price || *price < Money()) return std::string("is no price of a GPU-hour such as 2.49");
      group.prices.push_back({purchase, *price});
      return std::string();
    });
  }

  void ReadMaintenance(YamlMap& map) {
    NodeMaintenance window;
    map.Text("group", &window.group);
    const bool known = window.group.empty() ||
                       std::any_of(facts_.groups.begin(), facts_.groups.end(),
                                   [&](const auto& group) { return group.name == window.group; });
    if (!known) map.Fail("group", "'" + window.group + "' is no group above");
    std::optional<std::int64_t> nodes;
    map.Whole("nodes", 1, kClusterNodesMax, &nodes);
    window.nodes = static_cast<std::uint32_t>(nodes.value_or(0));
    std::optional<Instant> begin, until;
    map.Require("begin", "2026-12-01T08:00:00Z");
    map.Require("until", "2026-12-01T12:00:00Z");
    map.Time("begin", &begin);
    map.Time("until", &until);
    if (!begin || !until) return;
    if (*until <= *begin) return map.Fail("until", "must be after begin");
    window.window = {*begin, *until};
    facts_.maintenance.push_back(window);
  }

  void ReadDomainFailure(YamlMap& map) {
    DomainFailure failure;
    std::string level;
    map.Require("level", "a level of the topology, such as rack");
    map.Text("level", &level);
    const auto index = facts_.tree.Level(level);
    if (!level.empty() && !index) map.Fail("level", "'" + level + "' is no level of the topology");
    failure.level = index.value_or(0);
    map.Require("failures_per_1000_domain_days", "a rate such as 0.5");
    failure.failures_micro = Rate(map, "failures_per_1000_domain_days").value_or(0);
    map.Require("repair", "a length such as 4h");
    map.Length("repair", &failure.repair);
    facts_.domain_failures.push_back(failure);
  }

  ClusterSpec& facts_;
  bool has_levels_ = false;
};

}  // namespace

Result<ClusterReading> ReadClusterYaml(const ClusterSource& source) {
  ClusterReading reading;
  YamlErrors errors(source.file);
  const std::string text(source.text);
  try {
    if (const std::optional<int> after = LineAfterDocument(text)) {
      errors.Add(*after, "", "text follows the end of the mapping: keep one document");
    }
    YamlMap top(YAML::Load(text), "", errors);
    ClusterYaml(reading.facts).Read(top);
  } catch (const YAML::Exception& e) {
    errors.Add(e.mark, "", "is no YAML: " + e.msg);
  }
  if (errors.empty()) return reading;
  return Error{ErrorCode::kBadData,
               errors.Joined() + "\ndocs/formats/cluster-yaml.md describes the file"};
}

}  // namespace plimsoll
