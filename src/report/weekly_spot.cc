#include <utility>

#include "report/render.h"
#include "report/weekly_parts.h"

namespace plimsoll {
namespace {

constexpr std::size_t kRowsMax = 12;
constexpr const char* kSpotCost = "capacity_type:\"spot\"";

std::string MoneyText(const SpotSaving& saving, Money money) {
  return Display(ValueKind::kMoney, money.ToString()) + " " + saving.currency;
}

std::string Hours(Duration time) { return ToDecimalHours(GpuMillis(time.base())); }

// Evictions of a thousand instance-hours, three places.
std::string PerThousand(std::int64_t rate) {
  const int128 nanos = DivideHalfEven(int128{rate} * 1'000, 1'000'000) * 1'000'000;
  const std::string text = Money::FromNanos(nanos).ToString();
  return text.substr(0, text.size() - 6);
}

ReportFact MoneyFactOf(const SpotSaving& saving, const char* key, const char* label, Value value,
                       std::string note) {
  return {key, label, ValueKind::kMoney, std::move(value), saving.currency, "", std::move(note)};
}

std::string EvictionNote(const SpotSaving& saving) {
  const std::string hours = Display(ValueKind::kHours, Hours(saving.all.time)) + " instance-hours";
  if (!saving.all.rate) return hours;
  const SpotRate& rate = *saving.all.rate;
  return PerThousand(rate.rate) + " in 1,000 instance-hours (95 %: " + PerThousand(rate.low) +
         " to " + PerThousand(rate.high) + "), of " + hours;
}

std::string GrossNote(const SpotSaving& saving) {
  std::string note = "list cost less spot cost, before what evictions cost";
  if (saving.nodes_unknown > 0) {
    note += "; " + std::to_string(saving.nodes_unknown) + " of " +
            std::to_string(saving.all.nodes) + " nodes have no list cost and are left out";
  }
  if (saving.nodes_priced > 0) {
    note += "; of " + std::to_string(saving.nodes_priced) + " by the on-demand price";
  }
  return note;
}

Value IfKnown(bool is_known, Money money) { return is_known ? MoneyCell(money) : std::nullopt; }

void AddFacts(const Ask& ask, const SpotSaving& saving, ReportSection& section) {
  const bool is_known = saving.is_gross_known(), is_lost_known = saving.is_lost_known();
  section.facts.push_back(MoneyFactOf(
      saving, "spot_net", saving.is_net_exact() ? "Net saving" : "Net saving, at most",
      IfKnown(is_known, saving.net()),
      is_known ? "gross less all below" : "no list cost: load a bill with list costs, or prices"));
  if (saving.evictions_unlogged > 0) {
    section.facts.push_back(MoneyFactOf(
        saving, "spot_net_at_least", "Net saving, at least",
        IfKnown(is_known, saving.net_at_least()),
        std::to_string(saving.evictions_unlogged) + " of " + std::to_string(saving.all.evictions) +
            " evictions cut off work without a run log: it may have lost all that it had done"));
  }
  section.facts.push_back(MoneyFactOf(saving, "spot_gross", "Gross saving",
                                      IfKnown(is_known, saving.all.gross()), GrossNote(saving)));
  section.facts.push_back(MoneyFactOf(
      saving, "spot_recomputation", "Work done again after evictions",
      IfKnown(is_known && is_lost_known, saving.all.recomputation),
      is_lost_known ? Display(ValueKind::kHours, ToDecimalHours(saving.lost_recomputation)) +
                          " GPU-hours at the list price"
                    : "not known: no run log tells of the work that was cut off"));
  section.facts.push_back(
      MoneyFactOf(saving, "spot_restart", "Restarts after evictions",
                  IfKnown(is_known && is_lost_known, saving.all.restart),
                  is_lost_known ? Display(ValueKind::kHours, ToDecimalHours(saving.lost_restart)) +
                                      " GPU-hours at the list price"
                                : "not known"));
  section.facts.push_back(
      MoneyFactOf(saving, "spot_declared", "Storage, traffic and operations for spot",
                  MoneyCell(saving.declared_sum()),
                  saving.declared.empty() ? "none is declared: spot_costs in plimsoll.yaml" : ""));
  ReportFact cost = MoneyFactOf(saving, "spot_cost", "Spot cost", MoneyCell(saving.all.effective),
                                std::to_string(saving.all.nodes) + " nodes");
  cost.figure = ask.FigureOf(kSpotCost);
  section.facts.push_back(std::move(cost));
  section.facts.push_back({"spot_evictions", "Evictions", ValueKind::kCount,
                           std::to_string(saving.all.evictions), "", "", EvictionNote(saving)});
}

ReportTable LineTable(const SpotSaving& saving) {
  ReportTable table{"spot_lines",
                    "From the list cost to the net saving; the lines add up",
                    {{"line", "Line"}, {"amount", "Amount", ValueKind::kMoney}, {"is", "Is"}},
                    {},
                    {}};
  const bool is_lost_known = saving.is_lost_known();
  table.rows.push_back({"list", MoneyCell(saving.all.list), "the same hours on demand"});
  table.rows.push_back({"spot", MoneyCell(-saving.all.known_effective), "what they cost on spot"});
  table.rows.push_back({"recomputation", IfKnown(is_lost_known, -saving.all.recomputation),
                        "steps that evictions lost, at list prices"});
  table.rows.push_back({"restart", IfKnown(is_lost_known, -saving.all.restart),
                        "from an eviction to the next step, at list prices"});
  for (const SpotDeclared& one : saving.declared) {
    table.rows.push_back({one.kind, MoneyCell(-one.amount), one.name});
  }
  table.rows.push_back({"net", MoneyCell(saving.net()),
                        saving.is_net_exact() ? "what spot saved" : "what spot saved at most"});
  return table;
}

ReportTable FlavorTable(const SpotSaving& saving) {
  ReportTable table{"spot_flavors",
                    "By instance type and zone: net is before declared cost; evictions of 1,000 "
                    "instance-hours with their 95 % interval",
                    {{"instance_type", "Instance type"},
                     {"zone", "Zone"},
                     {"nodes", "Nodes", ValueKind::kCount},
                     {"hours", "Hours", ValueKind::kHours},
                     {"cost", "Cost", ValueKind::kMoney},
                     {"gross", "Gross", ValueKind::kMoney},
                     {"lost", "Evictions cost", ValueKind::kMoney},
                     {"net", "Net", ValueKind::kMoney},
                     {"evictions", "Evictions", ValueKind::kCount},
                     {"rate", "In 1,000 h"}},
                    {},
                    {}};
  for (const SpotSums& flavor : saving.flavors) {
    if (table.rows.size() == kRowsMax) break;
    std::string rate;
    if (flavor.rate) {
      rate = PerThousand(flavor.rate->rate) + " (" + PerThousand(flavor.rate->low) + " to " +
             PerThousand(flavor.rate->high) + ")";
    }
    const bool is_known = flavor.list != Money();
    table.rows.push_back(
        {flavor.keys[0], flavor.keys[2], std::to_string(flavor.nodes), Hours(flavor.time),
         MoneyCell(flavor.effective), IfKnown(is_known, flavor.gross()),
         IfKnown(is_known && flavor.is_lost_known(), flavor.recomputation + flavor.restart),
         IfKnown(is_known, flavor.net()), std::to_string(flavor.evictions), rate});
  }
  return table;
}

ReportTable TeamTable(const SpotSaving& saving) {
  ReportTable table{"spot_teams",
                    "By team, each node's saving by who held its GPU time; net is before declared "
                    "cost",
                    {{"team", "Team"},
                     {"gpu_hours", "GPU-hours", ValueKind::kHours},
                     {"cost", "Cost", ValueKind::kMoney},
                     {"gross", "Gross", ValueKind::kMoney},
                     {"lost", "Evictions cost", ValueKind::kMoney},
                     {"net", "Net", ValueKind::kMoney}},
                    {},
                    {}};
  for (const SpotSums& team : saving.teams) {
    if (table.rows.size() == kRowsMax) break;
    const bool is_known = team.list != Money();
    table.rows.push_back(
        {team.keys[0].empty() ? "(held by no team)" : team.keys[0], HoursCell(team.gpu_time),
         MoneyCell(team.effective), IfKnown(is_known, team.gross()),
         IfKnown(is_known && team.is_lost_known(), team.recomputation + team.restart),
         IfKnown(is_known, team.net())});
  }
  return table;
}

}  // namespace

ReportSection SpotSection(const Ask& ask, const SpotSaving& saving) {
  ReportSection section;
  section.key = "spot";
  section.title = "Spot: what it saved, net";
  section.sentences = SpotSentences(saving);
  if (saving.is_gross_known() && saving.all.gross() > Money()) {
    section.sentences.push_back(
        PercentOf(saving.idle_gross.nanos(), saving.all.gross().nanos()).value_or("0.0") +
        " % of the gross saving is on time that nobody held. It is not deducted: on demand the "
        "nodes would have idled too.");
  }
  AddFacts(ask, saving, section);
  if (saving.is_gross_known()) section.tables.push_back(LineTable(saving));
  section.tables.push_back(FlavorTable(saving));
  section.tables.push_back(TeamTable(saving));
  if (saving.nodes_unknown > 0) {
    section.connect.push_back(
        "List costs of " + std::to_string(saving.nodes_unknown) +
        " spot nodes: a FOCUS bill with ListCost, or an on-demand price of their instance type.");
  }
  if (saving.evictions_unlogged > 0) {
    section.connect.push_back(
        "Run logs of work on spot (plimsoll ingest runs): what it repeats after an eviction is "
        "not known without them.");
  }
  return section;
}

std::vector<std::string> SpotSentences(const SpotSaving& saving) {
  if (!saving.is_gross_known()) {
    return {"What spot saved is not known: no spot node has a list cost or an on-demand price."};
  }
  std::vector<std::string> sentences;
  const std::string net = MoneyText(saving, saving.net());
  const std::string after = " after evictions and what spot needs beside its nodes, of " +
                            MoneyText(saving, saving.all.gross()) + " gross";
  if (saving.net() <= Money()) {
    sentences.push_back("Warning: spot saved nothing: " + net + after + ".");
  } else if (saving.evictions_unlogged > 0) {
    sentences.push_back("Spot saved between " + MoneyText(saving, saving.net_at_least()) + " and " +
                        net + after + ".");
  } else {
    sentences.push_back("Spot saved " + net + after + ".");
  }
  if (!saving.is_lost_known()) {
    sentences.push_back("Warning: what work repeated after " +
                        std::to_string(saving.all.evictions) +
                        (saving.all.evictions == 1 ? " eviction" : " evictions") +
                        " is not known, as no run log tells of it.");
  }
  return sentences;
}

}  // namespace plimsoll
