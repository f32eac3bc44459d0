#include "cli/mig_view.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "purchase/mig/slice_cost.h"

namespace plimsoll {
namespace {

constexpr std::int64_t kHoursOfMonth = 730;
constexpr std::int64_t kMpsClientsMax = 48;  // of one card (NVIDIA MPS documentation)
constexpr std::int64_t kMibPerGib = 1'024;

Cell Count(std::int64_t count) { return std::to_string(count); }

Cell Flag(bool value) { return value ? "true" : "false"; }

Cell MoneyCell(const std::optional<Money>& money) {
  return money ? Cell(money->ToString()) : std::nullopt;
}

// GiB with two decimals; null if the memory is not published.
Cell GibCell(std::int64_t mib) {
  if (mib == 0) return std::nullopt;
  const int128 hundredths = DivideHalfEven(int128{mib} * 100, kMibPerGib);
  const std::string nanos = Money::FromNanos(hundredths * 10'000'000).ToString();
  return nanos.substr(0, nanos.size() - 7);
}

const MigProfile& ProfileOf(const MigView& view, std::size_t profile) {
  return *view.geometry->profiles()[profile];
}

std::string ListOf(const MigView& view, const std::vector<std::size_t>& profiles) {
  std::string list;
  for (const std::size_t profile : profiles) {
    list += (list.empty() ? "" : "\n") + ProfileOf(view, profile).name;
  }
  return list;
}

void AddCardFacts(const MigView& view, Answer& answer) {
  const GpuModel& gpu = view.geometry->gpu();
  answer.facts.push_back({"gpu", CellKind::kText, gpu.name});
  answer.facts.push_back({"compute_slices", CellKind::kNumber, Count(gpu.compute_slices)});
  answer.facts.push_back({"memory_slices", CellKind::kNumber, Count(gpu.memory_slices)});
  answer.facts.push_back({"currency", CellKind::kText, view.currency});
  answer.facts.push_back({"card_price_per_hour", CellKind::kMoney,
                          view.price ? MoneyCell(view.price->per_hour) : std::nullopt});
}

void AddPriceNote(const MigView& view, Answer& answer) {
  answer.notes.push_back(view.price ? "A card costs " + view.price->per_hour.ToString() + " " +
                                          view.currency + " an hour (" + view.price->source + ")"
                                    : "No price of this card is known: give --card-price");
}

// As nvidia-smi takes it: every instance with its start, the largest first.
std::string CreateCommand(const MigView& view, MigPlacement placement) {
  std::stable_sort(placement.begin(), placement.end(),
                   [](const auto& a, const auto& b) { return a.profile > b.profile; });
  std::string list;
  for (const MigInstance& instance : placement) {
    list += (list.empty() ? "" : ",") + ProfileOf(view, instance.profile).name + ":" +
            std::to_string(instance.start);
  }
  return "nvidia-smi mig -cgi " + list + " -C";
}

Table AlternativesTable(const MigView& view) {
  Table table;
  table.name = "alternatives";
  table.title = "On " + std::to_string(view.cards) + (view.cards == 1 ? " card" : " cards") +
                ", one of these and never two together";
  table.columns = {{"profile"},
                   {"per_card", CellKind::kNumber},
                   {"instances", CellKind::kNumber},
                   {"memory_gib", CellKind::kNumber},
                   {"sm_count", CellKind::kNumber},
                   {"compute_slices", CellKind::kNumber},
                   {"memory_slices", CellKind::kNumber}};
  for (std::size_t i = 0; i < view.geometry->profiles().size(); ++i) {
    const MigProfile& profile = ProfileOf(view, i);
    std::int64_t most = 0;
    for (const MigPartition& partition : view.geometry->partitions()) {
      most = std::max(most, partition.counts[i]);
    }
    table.rows.push_back({profile.name, Count(most), Count(most * view.cards),
                          GibCell(profile.memory_mib),
                          profile.sm_count == 0 ? std::nullopt : Count(profile.sm_count),
                          Count(profile.compute_slices), Count(profile.memory_slices)});
  }
  return table;
}

Table PlacementTable(const MigView& view, const MigPartition* partition,
                     const std::optional<SliceCosts>& costs) {
  Table table;
  table.name = "placements";
  table.title = "Placement";
  table.columns = {{"profile"},
                   {"start", CellKind::kNumber},
                   {"size", CellKind::kNumber},
                   {"compute_slices", CellKind::kNumber},
                   {"memory_gib", CellKind::kNumber},
                   {"sm_count", CellKind::kNumber},
                   {"cost_per_hour", CellKind::kMoney, 4}};
  if (partition == nullptr) return table;
  for (std::size_t i = 0; i < partition->placement.size(); ++i) {
    const MigInstance& instance = partition->placement[i];
    const MigProfile& profile = ProfileOf(view, instance.profile);
    table.rows.push_back({profile.name, Count(instance.start), Count(profile.memory_slices),
                          Count(profile.compute_slices), GibCell(profile.memory_mib),
                          profile.sm_count == 0 ? std::nullopt : Count(profile.sm_count),
                          costs ? MoneyCell(costs->instances[i]) : std::nullopt});
  }
  return table;
}

void AddOrderNotes(const MigView& view, const MigPartition& partition, Answer& answer) {
  const std::vector<std::size_t> addable = view.geometry->Addable(partition.placement);
  answer.notes.push_back("Create with: " + CreateCommand(view, partition.placement));
  answer.notes.push_back(
      "Starts decide what else fits: a 1g at slot 0 leaves no room for a 4g. Without starts, "
      "create the largest first; changing a card needs it idle");
  std::string more;
  for (const std::size_t profile : addable) {
    more += (more.empty() ? "" : ", ") + ProfileOf(view, profile).name;
  }
  if (!more.empty()) answer.notes.push_back("Beside it still fits one of: " + more);
  if (partition.stranded.compute > 0 || partition.stranded.memory > 0) {
    std::string note = "Stranded: " + std::to_string(partition.stranded.compute) + " of " +
                       std::to_string(view.geometry->gpu().compute_slices) +
                       " compute slices and " + std::to_string(partition.stranded.memory) + " of " +
                       std::to_string(view.geometry->gpu().memory_slices) +
                       " memory slices, which no further instance can use";
    if (const auto upgrade = FindFreeUpgrade(*view.geometry, partition)) {
      note += "; a " + ProfileOf(view, upgrade->to).name + " in place of a " +
              ProfileOf(view, upgrade->from).name + " would use more of it for nothing";
    }
    answer.notes.push_back(note);
  }
}

std::string InstanceText(const MigView& view, const PackedInstance& placed) {
  return ProfileOf(view, placed.instance.profile).name + " " + placed.model->name;
}

// Cards that are cut alike and carry the same models are one row.
Table CardsTable(const MigView& view, const MigPlan& plan) {
  std::vector<std::pair<std::string, std::int64_t>> rows;
  for (std::size_t i = 0; i < plan.instances.size();) {
    std::map<std::string, std::int64_t> of_card;
    const std::int64_t card = plan.instances[i].card;
    for (; i < plan.instances.size() && plan.instances[i].card == card; ++i) {
      ++of_card[InstanceText(view, plan.instances[i])];
    }
    std::string text;
    for (auto entry = of_card.rbegin(); entry != of_card.rend(); ++entry) {
      text += (text.empty() ? "" : " + ") +
              (entry->second > 1 ? std::to_string(entry->second) + "x " : "") + entry->first;
    }
    const auto same =
        std::find_if(rows.begin(), rows.end(), [&](const auto& row) { return row.first == text; });
    if (same == rows.end()) {
      rows.emplace_back(text, 1);
    } else {
      ++same->second;
    }
  }
  Table table;
  table.name = "cards";
  table.title = "Cards in MIG mode";
  table.columns = {{"cards", CellKind::kNumber}, {"instances"}};
  for (const auto& [text, count] : rows) table.rows.push_back({Count(count), text});
  return table;
}

Result<Table> InstancesTable(const MigView& view, const MigPlan& plan) {
  Table table;
  table.name = "instances";
  table.columns = {{"card", CellKind::kNumber},
                   {"profile"},
                   {"start", CellKind::kNumber},
                   {"size", CellKind::kNumber},
                   {"model"},
                   {"memory_gib", CellKind::kNumber},
                   {"memory_gib_needed", CellKind::kNumber},
                   {"cost_per_hour", CellKind::kMoney}};
  std::size_t next = 0;
  for (const MigPartition* const partition : plan.packing.cards) {
    std::optional<SliceCosts> costs;
    if (view.price) {
      PLIMSOLL_TRY(costs, CostSlices(*view.geometry, *partition, view.price->per_hour));
    }
    for (std::size_t i = 0; i < partition->placement.size(); ++i, ++next) {
      const PackedInstance& placed = plan.instances[next];
      const MigProfile& profile = ProfileOf(view, placed.instance.profile);
      table.rows.push_back({Count(placed.card), profile.name, Count(placed.instance.start),
                            Count(profile.memory_slices), placed.model->name,
                            GibCell(profile.memory_mib), GibCell(placed.model->memory_mib),
                            costs ? MoneyCell(costs->instances[i]) : std::nullopt});
    }
  }
  return table;
}

// What is left of each card beside its instances: with them it makes the card's price.
Result<Table> CardCostsTable(const MigView& view, const MigPlan& plan) {
  Table table;
  table.name = "card_costs";
  table.columns = {{"card", CellKind::kNumber},
                   {"stranded_compute_slices", CellKind::kNumber},
                   {"stranded_memory_slices", CellKind::kNumber},
                   {"cost_per_hour", CellKind::kMoney},
                   {"cost_per_hour_stranded", CellKind::kMoney},
                   {"cost_per_hour_free", CellKind::kMoney}};
  std::int64_t card = 0;
  for (const MigPartition* const partition : plan.packing.cards) {
    Row row{Count(++card),
            Count(partition->stranded.compute),
            Count(partition->stranded.memory),
            std::nullopt,
            std::nullopt,
            std::nullopt};
    if (view.price) {
      PLIMSOLL_TRY(const SliceCosts costs,
                   CostSlices(*view.geometry, *partition, view.price->per_hour));
      row[3] = MoneyCell(view.price->per_hour);
      row[4] = MoneyCell(costs.stranded);
      row[5] = MoneyCell(costs.free);
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table ModelsTable(const MigView& view, const MigPlan& plan) {
  Table table;
  table.name = "models";
  table.title = "Models";
  table.columns = {{"model"},   {"needs_gib", CellKind::kNumber}, {"instances", CellKind::kNumber},
                   {"profile"}, {"has_gib", CellKind::kNumber},   {"reason"}};
  for (const SliceAssignment& assignment : plan.assignments) {
    const bool sliced = assignment.profile.has_value();
    table.rows.push_back(
        {assignment.model->name, GibCell(assignment.model->memory_mib), Count(assignment.instances),
         sliced ? Cell(ProfileOf(view, *assignment.profile).name) : Cell("whole card"),
         sliced ? GibCell(ProfileOf(view, *assignment.profile).memory_mib) : std::nullopt,
         assignment.reason.empty() ? std::nullopt : Cell(assignment.reason)});
  }
  return table;
}

// The same models with other ways to share a card. Those ways are bounded from below only:
// memory and clients; whether compute suffices is measured, not known.
Table WaysTable(const MigView& view, const MigPlan& plan) {
  std::int64_t mib = 0;
  std::int64_t clients = 0;
  for (const SliceAssignment& assignment : plan.assignments) {
    if (!assignment.profile) continue;
    mib += assignment.model->memory_mib * assignment.instances;
    clients += assignment.instances;
  }
  const GpuModel& gpu = view.geometry->gpu();
  const std::int64_t card = gpu.usable_mib > 0 ? gpu.usable_mib : gpu.memory_mib;
  const std::int64_t by_memory = (mib + card - 1) / card;
  const std::int64_t by_clients = (clients + kMpsClientsMax - 1) / kMpsClientsMax;
  Table table;
  table.name = "ways_to_share";
  table.title = "Other ways to share (cards: at least, by memory alone)";
  table.columns = {{"way"},     {"cards", CellKind::kNumber}, {"memory"}, {"faults"},
                   {"compute"}, {"cost_attribution"}};
  const std::int64_t sliced = plan.cards_without_mig - plan.whole_cards;
  const auto packed = static_cast<std::int64_t>(plan.packing.cards.size());
  table.rows = {{"card each", Count(sliced), "own", "own", "own", "card"},
                {"MIG", Count(packed), "own slice", "own slice", "own slice", "instance"},
                {"MPS", Count(std::max(by_memory, by_clients)), "one pool", "shared", "at once",
                 "not per container"},
                {"time-slicing", Count(by_memory), "one pool", "shared", "in turns", "time held"}};
  return table;
}

void AddPlanFacts(const MigView& view, const MigPlan& plan, Answer& answer) {
  const auto number = [&](const char* name, std::int64_t value) {
    answer.facts.push_back({name, CellKind::kNumber, Count(value)});
  };
  const auto money = [&](const char* name, std::int64_t cards, std::int64_t hours) {
    answer.facts.push_back(
        {name, CellKind::kMoney,
         view.price ? MoneyCell(Money::FromNanos(view.price->per_hour.nanos() * cards * hours))
                    : std::nullopt});
  };
  number("cards", plan.cards());
  number("cards_in_mig_mode", static_cast<std::int64_t>(plan.packing.cards.size()));
  number("cards_whole", plan.whole_cards);
  number("cards_lower_bound", plan.packing.lower_bound + plan.whole_cards);
  answer.facts.push_back({"cards_proven", CellKind::kBoolean, Flag(plan.packing.cards_proven)});
  number("stranded", plan.packing.stranded.compute);
  number("stranded_memory_slices", plan.packing.stranded.memory);
  answer.facts.push_back(
      {"stranded_proven", CellKind::kBoolean, Flag(plan.packing.stranded_proven)});
  number("cards_without_mig", plan.cards_without_mig);
  money("cost_per_hour", plan.cards(), 1);
  money("cost_per_hour_without_mig", plan.cards_without_mig, 1);
  money("saving_per_month", plan.cards_without_mig - plan.cards(), kHoursOfMonth);
}

void AddPlanLines(const MigView& view, const MigPlan& plan, Answer& answer) {
  const MigPacking& packing = plan.packing;
  std::string line = std::to_string(plan.cards()) + " x " + view.geometry->gpu().name;
  if (plan.whole_cards > 0) {
    line += " (" + std::to_string(packing.cards.size()) + " cut, " +
            std::to_string(plan.whole_cards) + " whole)";
  }
  line += ", one card a replica would take " + std::to_string(plan.cards_without_mig);
  answer.lines.push_back(line);
  const auto cards = static_cast<std::int64_t>(packing.cards.size());
  answer.lines.push_back(
      packing.cards_proven
          ? "No packing has fewer cards (lower bound " + std::to_string(packing.lower_bound) +
                "); stranded: " + std::to_string(packing.stranded.compute) + " compute slices, " +
                std::to_string(packing.stranded.memory) + " memory slices" +
                (packing.stranded_proven ? ", the least on as many cards" : ", not proven least")
          : "The search was cut: " + std::to_string(cards) + " cards found, at least " +
                std::to_string(packing.lower_bound) + " needed (gap " +
                std::to_string(cards - packing.lower_bound) + ")");
}

void AddPlanNotes(const MigView& view, const MigPlan& plan, Answer& answer) {
  AddPriceNote(view, answer);
  const std::int64_t saved = plan.cards_without_mig - plan.cards();
  if (saved == 0) {
    answer.notes.push_back("Cutting cards saves none of them here: leave them whole");
  } else if (view.price) {
    answer.notes.push_back(
        "Saves " + std::to_string(saved) + " cards, " +
        Money::FromNanos(view.price->per_hour.nanos() * saved * kHoursOfMonth).ToString() + " " +
        view.currency + " a month of 730 h, if they are really given up or used by others");
  }
  answer.notes.push_back(
      "Leave a model on a whole card if it is bound by memory bandwidth (a slice has its part of "
      "it: give bandwidth_percent), if it is tensor parallel, or if its latency was never "
      "measured in a slice; cutting needs an idle card");
  answer.notes.push_back(
      "MPS: 48 clients a card at most, limits of memory and SMs are optional, a fault of one ends "
      "all. Time-slicing: no limit of memory, one that runs out of it hits all");
  const bool unknown = std::any_of(
      plan.assignments.begin(), plan.assignments.end(), [](const SliceAssignment& assignment) {
        return assignment.profile && assignment.model->bandwidth_percent == 0;
      });
  if (unknown) {
    answer.notes.push_back(
        "Bandwidth of some models is not given: that they keep their speed in "
        "a slice is not checked");
  }
  for (const MigPartition* const partition : plan.packing.cards) {
    const auto upgrade = FindFreeUpgrade(*view.geometry, *partition);
    if (!upgrade) continue;
    answer.notes.push_back("A card strands a slice: a " + ProfileOf(view, upgrade->to).name +
                           " in place of its " + ProfileOf(view, upgrade->from).name +
                           " costs nothing");
    break;
  }
  for (const std::string& warning : plan.warnings) answer.notes.push_back("Warning: " + warning);
}

}  // namespace

Answer MigCardAnswer(const MigView& view) {
  Answer answer;
  AddCardFacts(view, answer);
  const auto maximal = static_cast<std::int64_t>(view.geometry->MaximalPlacements().size());
  const auto partitions = static_cast<std::int64_t>(view.geometry->partitions().size());
  answer.facts.push_back({"cards", CellKind::kNumber, Count(view.cards)});
  answer.facts.push_back({"maximal_placements", CellKind::kNumber, Count(maximal)});
  answer.facts.push_back({"partitions", CellKind::kNumber, Count(partitions)});
  answer.lines.push_back(view.geometry->gpu().name + ": " + std::to_string(partitions) +
                         " partitions, " + std::to_string(maximal) + " full placements");
  answer.tables.push_back(AlternativesTable(view));
  answer.notes.push_back(
      "Ask for a partition with --profiles 3g,2g,1g,1g, or pack models with --models FILE");
  return answer;
}

Result<Answer> MigProfilesAnswer(const MigView& view, const MigCounts& counts) {
  Answer answer;
  AddCardFacts(view, answer);
  const MigPartition* const partition = view.geometry->Find(counts);
  const bool valid = partition != nullptr;
  const std::string reason = valid ? "" : view.geometry->WhyNot(counts);
  answer.facts.push_back({"valid", CellKind::kBoolean, Flag(valid)});
  answer.facts.push_back({"reason", CellKind::kText, valid ? std::nullopt : Cell(reason)});
  answer.facts.push_back(
      {"stranded", CellKind::kNumber, valid ? Count(partition->stranded.compute) : std::nullopt});
  answer.facts.push_back({"stranded_memory_slices", CellKind::kNumber,
                          valid ? Count(partition->stranded.memory) : std::nullopt});
  answer.facts.push_back(
      {"addable", CellKind::kList,
       valid ? Cell(ListOf(view, view.geometry->Addable(partition->placement))) : std::nullopt});
  answer.facts.push_back({"create", CellKind::kText,
                          valid ? Cell(CreateCommand(view, partition->placement)) : std::nullopt});
  answer.lines.push_back(valid
                             ? "Valid on one " + view.geometry->gpu().name
                             : "Not possible on one " + view.geometry->gpu().name + ": " + reason);
  std::optional<SliceCosts> costs;
  if (valid && view.price) {
    PLIMSOLL_TRY(costs, CostSlices(*view.geometry, *partition, view.price->per_hour));
  }
  answer.facts.push_back({"cost_per_hour_stranded", CellKind::kMoney,
                          costs ? MoneyCell(costs->stranded) : std::nullopt});
  answer.facts.push_back(
      {"cost_per_hour_free", CellKind::kMoney, costs ? MoneyCell(costs->free) : std::nullopt});
  answer.tables.push_back(PlacementTable(view, partition, costs));
  if (valid) {
    AddOrderNotes(view, *partition, answer);
  } else {
    answer.notes.push_back("Cards needed for them: at least " +
                           std::to_string(MigCardsAtLeast(*view.geometry, counts)));
  }
  AddPriceNote(view, answer);
  return answer;
}

Result<Answer> MigPlanAnswer(const MigView& view, const MigPlan& plan, bool for_people) {
  Answer answer;
  AddCardFacts(view, answer);
  AddPlanFacts(view, plan, answer);
  AddPlanLines(view, plan, answer);
  if (for_people) {
    answer.tables.push_back(CardsTable(view, plan));
  } else {
    PLIMSOLL_TRY(Table instances, InstancesTable(view, plan));
    answer.tables.push_back(std::move(instances));
    PLIMSOLL_TRY(Table card_costs, CardCostsTable(view, plan));
    answer.tables.push_back(std::move(card_costs));
  }
  answer.tables.push_back(ModelsTable(view, plan));
  answer.tables.push_back(WaysTable(view, plan));
  AddPlanNotes(view, plan, answer);
  return answer;
}

}  // namespace plimsoll
