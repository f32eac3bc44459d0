#include "ledger/declarations.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "allocation/attribute.h"

namespace plimsoll {
namespace {

struct AllocatedNodes {
  std::vector<std::string> cluster, node, zone, region, gpu_model, capacity_type, labels;
  static constexpr std::tuple kColumns{
      MakeColumn("cluster", &AllocatedNodes::cluster),
      MakeColumn("node", &AllocatedNodes::node),
      MakeColumn("zone", &AllocatedNodes::zone),
      MakeColumn("region", &AllocatedNodes::region),
      MakeColumn("gpu_model", &AllocatedNodes::gpu_model),
      MakeColumn("capacity_type", &AllocatedNodes::capacity_type),
      MakeColumn("labels", &AllocatedNodes::labels),
  };
};

struct Texts {
  std::vector<std::string> text;
  static constexpr std::tuple kColumns{MakeColumn("text", &Texts::text)};
};

bool Touches(const std::optional<Instant>& from, const std::optional<Instant>& until,
             Window window) {
  return (!from || *from < window.until) && (!until || *until > window.begin);
}

// ---- nodes -------------------------------------------------------------------------------

bool Fits(const std::string& wanted, const std::string& is) {
  return wanted.empty() || MatchesPattern(wanted, is);
}

bool IsIn(const NodeScope& scope, const AllocatedNodes& nodes, std::size_t i) {
  if (!Fits(scope.cluster, nodes.cluster[i]) || !Fits(scope.node, nodes.node[i]) ||
      !Fits(scope.zone, nodes.zone[i]) || !Fits(scope.region, nodes.region[i]) ||
      !Fits(scope.gpu_model, nodes.gpu_model[i]) ||
      !Fits(scope.capacity_type, nodes.capacity_type[i])) {
    return false;
  }
  if (scope.label_key.empty()) return true;
  const auto labels = NormalizedLabels(nodes.labels[i]);
  const auto label = labels.find(NormalizedLabelKey(scope.label_key));
  return label != labels.end() && Fits(scope.label_value, label->second);
}

std::string TextOf(const NodeScope& scope) {
  std::string text;
  const auto add = [&](const char* key, const std::string& value) {
    if (!value.empty()) text += (text.empty() ? "" : ", ") + std::string(key) + " " + value;
  };
  add("cluster", scope.cluster);
  add("node", scope.node);
  add("zone", scope.zone);
  add("region", scope.region);
  add("gpu_model", scope.gpu_model);
  add("capacity_type", scope.capacity_type);
  if (!scope.label_key.empty()) add("label", scope.label_key + "=" + scope.label_value);
  return text;
}

class NodeCheck {
 public:
  NodeCheck(AllocatedNodes nodes, std::vector<DeclarationNote>& notes)
      : nodes_(std::move(nodes)), notes_(notes) {}

  void Check(const std::string& subject, const NodeScope& scope, const char* effect) {
    for (std::size_t i = 0; i < RowsOf(nodes_); ++i) {
      if (IsIn(scope, nodes_, i)) return;
    }
    const std::string where = TextOf(scope);
    notes_.push_back({subject, "no node of this time is in its scope" +
                                   (where.empty() ? "" : " (" + where + ")") + ", so " + effect});
  }

 private:
  AllocatedNodes nodes_;
  std::vector<DeclarationNote>& notes_;
};

Status CheckNodes(Store& store, const IdlePolicy& idle, Window window,
                  std::vector<DeclarationNote>& notes) {
  if (idle.reserves.empty() && idle.maintenance.empty()) return Ok();
  PLIMSOLL_TRY(AllocatedNodes nodes,
               Query<AllocatedNodes>(
                   store,
                   "SELECT DISTINCT n.cluster, n.node, n.zone, n.region, n.gpu_model, "
                   "n.capacity_type, coalesce(k.labels, '{}') FROM ledger_node n JOIN ledger_day d "
                   "ON d.day_id = n.day_id LEFT JOIN active_node k ON k.cluster = n.cluster AND "
                   "k.node = n.node WHERE d.day < ? AND d.day > ?",
                   {window.until, window.begin - Days(1)}));
  NodeCheck check(std::move(nodes), notes);
  for (const DeclaredReserve& one : idle.reserves) {
    if (!Touches(one.from, one.until, window)) continue;
    check.Check("reserves '" + one.name + "'", one.scope, "it keeps nothing");
  }
  for (const MaintenanceWindow& one : idle.maintenance) {
    if (Intersect(one.time, window).empty()) continue;
    check.Check("maintenance of " + ToString(one.time), one.scope, "it explains nothing");
  }
  return Ok();
}

// ---- volumes -----------------------------------------------------------------------------

Status CheckVolumes(Store& store, const std::vector<VolumePrice>& prices, Window window,
                    std::vector<DeclarationNote>& notes) {
  if (prices.empty()) return Ok();
  PLIMSOLL_TRY(const Texts classes,
               Query<Texts>(store,
                            "SELECT DISTINCT storage_class FROM active_volume WHERE begin_at < ? "
                            "AND (until_at IS NULL OR until_at > ?)",
                            {window.until, window.begin}));
  std::set<std::size_t> used;  // the first that matches a class is its price
  for (const std::string& is : classes.text) {
    const auto first = std::find_if(prices.begin(), prices.end(), [&](const VolumePrice& price) {
      return MatchesPattern(price.storage_class, is);
    });
    if (first != prices.end()) used.insert(static_cast<std::size_t>(first - prices.begin()));
  }
  for (std::size_t i = 0; i < prices.size(); ++i) {
    if (used.contains(i)) continue;
    notes.push_back({"volume_prices '" + prices[i].storage_class + "'",
                     "no volume of this time has this storage class" +
                         std::string(classes.text.empty() ? " (no volume is known at all)" : "") +
                         ", or an earlier price is for it; it prices nothing"});
  }
  return Ok();
}

// ---- attribution -------------------------------------------------------------------------

// The values of each dimension's label as they are written, of all that has labels.
using Values = std::array<std::set<std::string>, kDimensionCount>;

Result<Values> ReadValues(Store& store, const AttributionRules& rules, Window window) {
  PLIMSOLL_TRY(
      const Texts labels,
      Query<Texts>(
          store,
          "SELECT labels FROM active_holding WHERE begin_at < ? AND (until_at IS NULL OR "
          "until_at > ?) UNION SELECT labels FROM active_volume WHERE begin_at < ? AND "
          "(until_at IS NULL OR until_at > ?) UNION SELECT tags FROM active_charge WHERE "
          "charge_begin < ? AND charge_until > ?",
          {window.until, window.begin, window.until, window.begin, window.until, window.begin}));
  Values values;
  for (const std::string& text : labels.text) {
    const auto parsed = NormalizedLabels(text);
    for (std::size_t i = 0; i < kDimensionCount; ++i) {
      for (const std::string& key : rules.dimensions[i].keys) {
        const auto label = parsed.find(NormalizedLabelKey(key));
        if (label == parsed.end() || label->second.empty()) continue;
        values[i].insert(label->second);
        break;
      }
    }
  }
  return values;
}

std::string SubjectOf(const ValueMapping& mapping) {
  return std::string("attribution.mappings ") +
         kDimensionNames[static_cast<std::size_t>(mapping.dimension)] + " '" + mapping.from +
         "' to '" + mapping.to + "'";
}

// Is every value that `later` is for taken by `earlier`, in some time that both hold?
bool Covers(const ValueMapping& earlier, const ValueMapping& later) {
  if (earlier.dimension != later.dimension) return false;
  const bool in_time =
      (!earlier.time.since || !later.time.until || *earlier.time.since < *later.time.until) &&
      (!later.time.since || !earlier.time.until || *later.time.since < *earlier.time.until);
  if (!in_time) return false;
  if (!later.from.ends_with('*')) return MatchesPattern(earlier.from, later.from);
  return earlier.from.ends_with('*') &&
         MatchesPattern(earlier.from, later.from.substr(0, later.from.size() - 1));
}

Status CheckMappings(Store& store, const AttributionRules& rules, Window window,
                     std::vector<DeclarationNote>& notes) {
  if (rules.mappings.empty()) return Ok();
  PLIMSOLL_TRY(const Values values, ReadValues(store, rules, window));
  for (std::size_t i = 0; i < rules.mappings.size(); ++i) {
    const ValueMapping& mapping = rules.mappings[i];
    if (!Touches(mapping.time.since, mapping.time.until, window)) continue;
    const auto end = rules.mappings.begin() + static_cast<std::ptrdiff_t>(i);
    const auto earlier = std::find_if(rules.mappings.begin(), end, [&](const ValueMapping& other) {
      return Covers(other, mapping);
    });
    if (earlier != end && earlier->to != mapping.to) {
      notes.push_back({SubjectOf(mapping), "the earlier mapping of '" + earlier->from + "' to '" +
                                               earlier->to +
                                               "' takes the same values, and the first counts: "
                                               "put this one before it, or remove one"});
      continue;
    }
    const auto& written = values[static_cast<std::size_t>(mapping.dimension)];
    const bool any = std::any_of(written.begin(), written.end(), [&](const std::string& value) {
      return MatchesPattern(mapping.from, value);
    });
    if (!any) {
      notes.push_back({SubjectOf(mapping),
                       "no workload, volume or charge of this time has such a value; it maps "
                       "nothing"});
    }
  }
  return Ok();
}

}  // namespace

Result<std::vector<DeclarationNote>> UnansweredDeclarations(Store& store,
                                                            const AllocationOptions& options,
                                                            Window window) {
  std::vector<DeclarationNote> notes;
  PLIMSOLL_RETURN_IF_ERROR(CheckNodes(store, options.idle, window, notes));
  PLIMSOLL_RETURN_IF_ERROR(CheckVolumes(store, options.volume_prices, window, notes));
  PLIMSOLL_RETURN_IF_ERROR(CheckMappings(store, options.attribution, window, notes));
  return notes;
}

}  // namespace plimsoll
