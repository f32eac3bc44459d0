#include "allocation/match.h"

#include <algorithm>
#include <tuple>

namespace plimsoll {
namespace {

std::string Lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

std::string_view LastSegment(std::string_view text) {
  const std::size_t cut = text.find_last_of("/:");
  return cut == std::string_view::npos ? text : text.substr(cut + 1);
}

// The last `count` segments of a path; the whole if it has fewer.
std::string_view Tail(std::string_view path, int count) {
  std::size_t cut = path.size();
  for (; count > 0; --count) {
    if (cut == 0) return path;
    cut = path.rfind('/', cut - 1);
    if (cut == std::string_view::npos) return path;
  }
  return path.substr(cut + 1);
}

std::string GcpKey(std::string_view path) {  // "project/zone/name"
  const std::size_t first = path.find('/');
  const std::size_t second = first == std::string_view::npos ? first : path.find('/', first + 1);
  if (second == std::string_view::npos) return std::string(path);
  return "projects/" + std::string(path.substr(0, first)) + "/zones/" +
         std::string(path.substr(first + 1, second - first - 1)) + "/instances/" +
         std::string(path.substr(second + 1));
}

bool IsCategory(const ChargeBatch& charges, std::size_t row, ChargeCategory category) {
  return charges.category[row] == kChargeCategoryNames[static_cast<std::size_t>(category)];
}

// A GPU machine on the bill: what rule S5 makes a node of.
bool IsGpuMachine(const ChargeBatch& charges, std::size_t row, const Catalog& catalog) {
  if (!IsUsage(charges, row) || !IsAssetCost(charges, row)) return false;
  if (charges.resource_id[row].empty() || charges.instance_type[row].empty()) return false;
  const InstanceShape* const shape = catalog.FindShape("", charges.instance_type[row]);
  return shape != nullptr && shape->gpu_num > 0;
}

NodeFact MachineOf(const ChargeBatch& charges, std::size_t row) {
  NodeFact fact;
  fact.node = charges.resource_id[row];
  fact.instance_type = charges.instance_type[row];
  fact.region = charges.region[row];
  fact.zone = charges.zone[row];
  fact.no_telemetry = true;
  return fact;
}

bool SaysLess(const NodeFact& a, const NodeFact& b) {
  return std::tie(a.instance_type, a.region, a.zone) < std::tie(b.instance_type, b.region, b.zone);
}

}  // namespace

NodeResource ResourceOf(const NodeFact& node,
                        const std::map<std::string, std::string>& node_resources) {
  using Kind = NodeResource::Kind;
  const std::string_view id = node.provider_id;
  if (id.starts_with("aws://")) return {Kind::kAws, std::string(LastSegment(id))};
  if (id.starts_with("gce://")) return {Kind::kGcp, GcpKey(id.substr(6))};
  if (id.starts_with("azure://")) return {Kind::kAzure, Lower(id.substr(8))};
  if (const auto named = node_resources.find(node.node); named != node_resources.end()) {
    return {Kind::kOther, named->second};
  }
  return {Kind::kOther, node.provider_id.empty() ? node.node.text() : node.provider_id};
}

NodeMatcher::NodeMatcher(const std::vector<NodeFact>& nodes,
                         const std::map<std::string, std::string>& node_resources) {
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const auto id = static_cast<std::int32_t>(i);
    NodeResource resource = ResourceOf(nodes[i], node_resources);
    if (!resource.key.empty()) {
      keys_[static_cast<std::size_t>(resource.kind)].emplace(std::move(resource.key), id);
    }
    if (!nodes[i].node.empty()) names_.emplace(nodes[i].node, id);
  }
}

std::int32_t NodeMatcher::Find(std::string_view resource_id, std::string_view resource_name) const {
  using Kind = NodeResource::Kind;
  std::int32_t found = -1;
  const auto look = [&](const Keys& keys, const std::string& key) {
    if (keys.empty() || key.empty()) return;
    const auto entry = keys.find(key);
    if (entry == keys.end()) return;
    if (found < 0 || entry->second < found) found = entry->second;
  };
  const auto keys_of = [&](Kind kind) -> const Keys& {
    return keys_[static_cast<std::size_t>(kind)];
  };
  if (resource_id.empty()) {
    look(names_, std::string(resource_name));
    return found;
  }
  look(keys_of(Kind::kOther), std::string(resource_id));
  look(keys_of(Kind::kAws), std::string(LastSegment(resource_id)));
  look(keys_of(Kind::kGcp), std::string(Tail(resource_id, 6)));
  if (!keys_of(Kind::kAzure).empty()) look(keys_of(Kind::kAzure), Lower(resource_id));
  return found;
}

bool TouchesWindow(const ChargeBatch& charges, std::size_t row, const Window& window) {
  const Window charge{charges.charge_begin[row], charges.charge_until[row]};
  if (charge.empty()) return window.contains(charge.begin);
  return !Intersect(charge, window).empty();
}

bool IsUsage(const ChargeBatch& charges, std::size_t row) {
  return IsCategory(charges, row, ChargeCategory::kUsage);
}
bool IsStorage(const ChargeBatch& charges, std::size_t row) {
  return charges.service_category[row] == "Storage";
}
bool IsNetworking(const ChargeBatch& charges, std::size_t row) {
  return charges.service_category[row] == "Networking";
}
bool IsUnusedCommitment(const ChargeBatch& charges, std::size_t row) {
  return charges.commitment_status[row] == "Unused";
}
bool IsAssetCost(const ChargeBatch& charges, std::size_t row) {
  return !IsCategory(charges, row, ChargeCategory::kPurchase) &&
         !IsUnusedCommitment(charges, row) && !IsStorage(charges, row) &&
         !IsNetworking(charges, row);
}

std::vector<std::int32_t> MatchCharges(const AllocationInput& input,
                                       const AllocationOptions& options, NodeTable& nodes) {
  const ChargeBatch& charges = input.charges;
  const NodeMatcher matcher(nodes.nodes(), options.node_resources);
  const std::size_t known = nodes.nodes().size();
  std::vector<std::int32_t> node_of(RowsOf(charges), -1);
  std::unordered_map<std::string, std::int32_t> machines;  // resource id -> position in added
  std::vector<NodeFact> added;
  for (std::size_t row = 0; row < node_of.size(); ++row) {
    if (!TouchesWindow(charges, row, options.window)) continue;
    if (IsCategory(charges, row, ChargeCategory::kPurchase) || IsUnusedCommitment(charges, row)) {
      continue;
    }
    node_of[row] = matcher.Find(charges.resource_id[row], charges.resource_name[row]);
    if (node_of[row] >= 0 || !IsGpuMachine(charges, row, input.catalog)) continue;
    const auto [entry, is_new] =
        machines.try_emplace(charges.resource_id[row], static_cast<std::int32_t>(added.size()));
    NodeFact fact = MachineOf(charges, row);
    if (is_new) {
      added.push_back(std::move(fact));
    } else if (SaysLess(fact, added[static_cast<std::size_t>(entry->second)])) {
      added[static_cast<std::size_t>(entry->second)] = std::move(fact);
    }
  }
  if (added.empty()) return node_of;

  const std::vector<std::int32_t> new_id = nodes.Add(std::move(added));
  for (std::size_t row = 0; row < node_of.size(); ++row) {
    if (node_of[row] >= 0) {
      node_of[row] = new_id[static_cast<std::size_t>(node_of[row])];
    } else if (TouchesWindow(charges, row, options.window) &&
               !IsCategory(charges, row, ChargeCategory::kPurchase) &&
               !IsUnusedCommitment(charges, row)) {
      const auto machine = machines.find(charges.resource_id[row]);
      if (machine == machines.end()) continue;
      node_of[row] = new_id[known + static_cast<std::size_t>(machine->second)];
    }
  }
  return node_of;
}

}  // namespace plimsoll
