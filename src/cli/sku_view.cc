#include "cli/sku_view.h"

#include <algorithm>
#include <set>

namespace plimsoll {
namespace {

Cell Count(std::int64_t count) { return std::to_string(count); }

Cell Flag(bool value) { return value ? "true" : "false"; }

Cell MoneyCell(const std::optional<Money>& money) {
  return money ? Cell(money->ToString()) : std::nullopt;
}

Cell TextCell(const std::string& text) { return text.empty() ? std::nullopt : Cell(text); }

// GiB with three decimals.
Cell GibCell(int128 bytes) {
  const int128 thousandths = DivideHalfEven(bytes * 1'000, kGib);
  const std::string nanos = Money::FromNanos(thousandths * 1'000'000).ToString();
  return nanos.substr(0, nanos.size() - 6);
}

Cell NanosCell(std::int64_t nanos) { return Money::FromNanos(nanos).ToString(); }

Cell RateCell(std::int64_t milli) { return Money::FromNanos(int128{milli} * 1'000'000).ToString(); }

std::string NameOf(const SkuChoice& choice) {
  return std::to_string(choice.layout.gpus()) + "x " + choice.gpu->name;
}

const std::string& AskedPrecision(const SkuView& view) {
  return view.request.demand.options.quantization;
}

Cell QualityCell(const SkuView& view, const SkuChoice& choice) {
  if (!choice.precision_differs) return std::nullopt;
  return "measured in " + choice.throughput->precision + ", not " + AskedPrecision(view) +
         ": other answers; compare their quality first";
}

void AddFacts(const SkuView& view, Answer& answer) {
  const MemoryDemand& demand = view.request.demand;
  const auto text = [&](const char* name, Cell value) {
    answer.facts.push_back({name, CellKind::kText, std::move(value)});
  };
  const auto number = [&](const char* name, Cell value) {
    answer.facts.push_back({name, CellKind::kNumber, std::move(value)});
  };
  text("model", view.model->name);
  text("quantization", AskedPrecision(view));
  number("parameters", Count(view.model->parameters));
  number("weights_bytes", Count(WeightBytes(*view.model, AskedPrecision(view))));
  number("kv_bytes_per_token", Count(KvBytesPerToken(*view.model, demand.options.kv_bits)));
  number("kv_bits", Count(demand.options.kv_bits));
  number("context", Count(demand.load.context));
  number("concurrency", Count(demand.load.concurrency));
  number("batched_tokens",
         Count(demand.load.batched_tokens > 0 ? demand.load.batched_tokens : demand.load.context));
  number("memory_utilization", NanosCell(demand.options.utilization_permille * 1'000'000));
  number("input_tokens", Count(view.request.input_tokens));
  number("output_tokens", Count(view.request.output_tokens));
  number("good_share", view.good_ppm ? NanosCell(*view.good_ppm * 1'000) : std::nullopt);
  text("currency", view.currency);
}

std::vector<TableColumn> FullColumns() {
  using enum CellKind;
  return {{"sku"},
          {"gpu"},
          {"gpus", kNumber},
          {"tensor_parallel", kNumber},
          {"pipeline_parallel", kNumber},
          {"feasible", kBoolean},
          {"reason"},
          {"memory_gib.weights", kNumber},
          {"memory_gib.kv", kNumber},
          {"memory_gib.overhead", kNumber},
          {"memory_gib.total", kNumber},
          {"memory_gib.available", kNumber},
          {"kv_tokens_max", kNumber},
          {"context_max", kNumber},
          {"concurrency_max", kNumber},
          {"provider"},
          {"region"},
          {"instance_type"},
          {"instances", kNumber},
          {"replicas_per_instance", kNumber},
          {"price_per_hour", kMoney},
          {"price_per_hour_reserved", kMoney},
          {"reserved_term"},
          {"price_per_hour_spot", kMoney},
          {"cost_per_million_output_tokens", kNumber},
          {"cost_per_million_output_tokens_reserved", kNumber},
          {"cost_per_million_output_tokens_spot", kNumber},
          {"cost_per_million_output_tokens_good", kNumber},
          {"latency_target"},
          {"quality"},
          {"throughput.output_tokens_per_second", kNumber},
          {"throughput.precision"},
          {"throughput.precision_differs", kBoolean},
          {"throughput.input_tokens", kNumber},
          {"throughput.output_tokens", kNumber},
          {"throughput.engine"},
          {"throughput.source"},
          {"throughput.as_of"}};
}

void AddMemory(const MemoryPlan& memory, Row& row) {
  row.push_back(Flag(memory.feasible));
  row.push_back(TextCell(memory.reason));
  for (const std::int64_t bytes :
       {memory.weights, memory.kv, memory.overhead(), memory.total(), memory.available}) {
    row.push_back(GibCell(bytes));
  }
  for (const std::int64_t limit :
       {memory.kv_tokens_max, memory.context_max, memory.concurrency_max}) {
    row.push_back(Count(limit));
  }
}

void AddPrice(const std::optional<SkuPrice>& price, Row& row) {
  if (!price) {
    row.insert(row.end(), 9, std::nullopt);
    return;
  }
  row.push_back(price->provider);
  row.push_back(TextCell(price->region));
  row.push_back(TextCell(price->instance_type));
  row.push_back(Count(price->instances));
  row.push_back(Count(price->replicas_per_instance));
  row.push_back(MoneyCell(price->on_demand));
  row.push_back(MoneyCell(price->reserved));
  row.push_back(TextCell(price->reserved_term));
  row.push_back(MoneyCell(price->spot));
}

void AddThroughput(const Throughput* measured, bool differs, Row& row) {
  if (measured == nullptr) {
    row.insert(row.end(), 8, std::nullopt);
    return;
  }
  row.push_back(RateCell(measured->milli_tokens_per_second));
  row.push_back(measured->precision);
  row.push_back(Flag(differs));
  row.push_back(Count(measured->input_tokens));
  row.push_back(Count(measured->output_tokens));
  row.push_back(TextCell(measured->engine));
  row.push_back(measured->source);
  row.push_back(measured->as_of);
}

Result<std::optional<Money>> GoodCost(const SkuView& view, const SkuChoice& choice) {
  if (!view.good_ppm || !choice.on_demand) return std::optional<Money>();
  PLIMSOLL_TRY(const Money cost,
               CostPerMillionTokens(*choice.price->on_demand,
                                    {choice.throughput->milli_tokens_per_second, *view.good_ppm}));
  return std::optional<Money>(cost);
}

Result<Table> FullTable(const SkuView& view) {
  Table table;
  table.name = "skus";
  table.columns = FullColumns();
  for (const SkuChoice& choice : view.choices) {
    Row row{NameOf(choice), choice.gpu->name, Count(choice.layout.gpus()),
            Count(choice.layout.tensor), Count(choice.layout.pipeline)};
    AddMemory(choice.memory, row);
    AddPrice(choice.price, row);
    row.push_back(MoneyCell(choice.on_demand));
    row.push_back(MoneyCell(choice.reserved));
    row.push_back(MoneyCell(choice.spot));
    PLIMSOLL_TRY(const std::optional<Money> good, GoodCost(view, choice));
    row.push_back(MoneyCell(good));
    row.push_back(choice.latency == LatencyVerdict::kNoTarget
                      ? std::nullopt
                      : Cell(kLatencyVerdictNames[static_cast<std::size_t>(choice.latency)]));
    row.push_back(QualityCell(view, choice));
    AddThroughput(choice.throughput, choice.precision_differs, row);
    table.rows.push_back(std::move(row));
  }
  return table;
}

Cell OfferCell(const SkuChoice& choice) {
  if (!choice.price) return "no price";
  const std::string& type = choice.price->instance_type;
  return choice.price->provider + (type.empty() ? "" : " " + type);
}

Cell RateCellOf(const SkuChoice& choice) {
  if (choice.throughput == nullptr) return "no data";
  return choice.throughput->precision + (choice.precision_differs ? " !" : "");
}

Result<Table> FitsTable(const SkuView& view) {
  using enum CellKind;
  const bool has_target = view.request.ttft_us > 0 || view.request.tpot_us > 0;
  Table table;
  table.name = "skus";
  table.title = "Fits, " + view.currency + " per million output tokens at full load";
  table.columns = {{"sku"}, {"GiB", kNumber, 0}, {"per_hour", kMoney, 2}, {"on_demand", kMoney, 3}};
  // Columns without any figure leave their room to the instance.
  const auto has = [&](std::optional<Money> SkuChoice::*cost) {
    return std::any_of(view.choices.begin(), view.choices.end(),
                       [cost](const SkuChoice& choice) { return choice.*cost; });
  };
  const bool has_reserved = has(&SkuChoice::reserved);
  const bool has_spot = has(&SkuChoice::spot);
  if (has_reserved) table.columns.push_back({"reserved", kMoney, 3});
  if (has_spot) table.columns.push_back({"spot", kMoney, 3});
  if (view.good_ppm) table.columns.push_back({"good", kMoney, 3});
  if (has_target) table.columns.push_back({"latency"});
  table.columns.push_back({"rate"});
  table.columns.push_back({"instance"});
  for (const SkuChoice& choice : view.choices) {
    if (!choice.memory.feasible) continue;
    Row row{NameOf(choice), GibCell(choice.memory.total()),
            choice.price ? MoneyCell(choice.price->on_demand) : std::nullopt,
            MoneyCell(choice.on_demand)};
    if (has_reserved) row.push_back(MoneyCell(choice.reserved));
    if (has_spot) row.push_back(MoneyCell(choice.spot));
    if (view.good_ppm) {
      PLIMSOLL_TRY(const std::optional<Money> good, GoodCost(view, choice));
      row.push_back(MoneyCell(good));
    }
    if (has_target) {
      row.push_back(kLatencyVerdictNames[static_cast<std::size_t>(choice.latency)]);
    }
    row.push_back(RateCellOf(choice));
    row.push_back(OfferCell(choice));
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table TooLargeTable(const SkuView& view) {
  Table table;
  table.name = "too_large";
  table.title = "Does not fit";
  table.columns = {{"sku"}, {"reason"}};
  for (const SkuChoice& choice : view.choices) {
    if (!choice.memory.feasible) table.rows.push_back({NameOf(choice), choice.memory.reason});
  }
  return table;
}

Table IndifferenceTable(const SkuView& view) {
  using enum CellKind;
  Table table;
  table.name = "indifference";
  table.title = "One GPU-hour of the first may cost so many of the second";
  table.columns = {{"gpu"},
                   {"against"},
                   {"break_even_price_ratio", kNumber, 3},
                   {"price_ratio", kNumber, 3},
                   {"cheaper_per_token"}};
  for (const Indifference& pair : Indifferences(view.choices)) {
    Cell cheaper;
    if (pair.price_nanos) {
      cheaper = *pair.price_nanos < pair.break_even_nanos   ? pair.dearer->gpu->name
                : *pair.price_nanos > pair.break_even_nanos ? pair.cheaper->gpu->name
                                                            : "equal";
    }
    table.rows.push_back(
        {pair.dearer->gpu->name, pair.cheaper->gpu->name, NanosCell(pair.break_even_nanos),
         pair.price_nanos ? NanosCell(*pair.price_nanos) : std::nullopt, std::move(cheaper)});
  }
  return table;
}

// "453.7".
std::string Tenths(int128 bytes) {
  const std::string text = *GibCell(DivideHalfEven(bytes * 10, kGib) * kGib / 10);
  return text.substr(0, text.size() - 2);
}

void AddCheapest(const SkuView& view, bool differs, Answer& answer) {
  const auto best =
      std::find_if(view.choices.begin(), view.choices.end(), [differs](const SkuChoice& choice) {
        return choice.on_demand && choice.precision_differs == differs &&
               choice.latency != LatencyVerdict::kMissed;
      });
  if (best == view.choices.end()) return;
  answer.lines.push_back("Cheapest measured in " + best->throughput->precision + ": " +
                         NameOf(*best) + ", " + best->on_demand->ToString() + " " + view.currency +
                         " per million output tokens on demand");
}

void AddLines(const SkuView& view, Answer& answer) {
  const MemoryDemand& demand = view.request.demand;
  const int128 kv = KvCacheBytes(*view.model, demand.load, demand.options.kv_bits);
  answer.lines.push_back(view.model->name + " in " + AskedPrecision(view) + ": weights " +
                         Tenths(WeightBytes(*view.model, AskedPrecision(view))) +
                         " GiB, KV cache " + Tenths(kv) + " GiB for " +
                         std::to_string(demand.load.concurrency) + " x " +
                         std::to_string(demand.load.context) + " tokens");
  AddCheapest(view, false, answer);
  AddCheapest(view, true, answer);
}

void AddLengthNote(const SkuView& view, Answer& answer) {
  std::string note = "Throughput is of requests of " + std::to_string(view.request.input_tokens) +
                     " input and " + std::to_string(view.request.output_tokens) + " output tokens" +
                     (view.lengths_told ? "" : " (say yours with --input and --output)") +
                     ", never of lengths between measured ones";
  if (!view.measured_lengths.empty()) {
    note += ". Measured with this model:";
    for (const std::string& lengths : view.measured_lengths) note += " " + lengths;
  }
  answer.notes.push_back(note);
}

void AddNotes(const SkuView& view, Answer& answer) {
  const auto any = [&](auto holds) {
    return std::any_of(view.choices.begin(), view.choices.end(), holds);
  };
  AddLengthNote(view, answer);
  answer.notes.push_back(
      "Cost is at full load, all the time: divide by the part of paid time that is used");
  if (any([](const SkuChoice& choice) { return choice.precision_differs; })) {
    answer.notes.push_back("! measured at another precision than " + AskedPrecision(view) +
                           ": its answers differ, compare their quality before the price "
                           "(--quality same leaves these out)");
  }
  if (any([](const SkuChoice& choice) { return choice.latency == LatencyVerdict::kNotKnown; })) {
    answer.notes.push_back(
        "Latency is not known where no measurement tells it: add your own with --throughput");
  }
  if (view.request.demand.load.batched_tokens == 0) {
    answer.notes.push_back(
        "Activations are those of a whole context in one step; an engine that chunks its prefill "
        "needs less: say --batched-tokens 8192");
  }
  for (const WeightFormat& format : view.model->formats) {
    if (format.quantization == AskedPrecision(view) && !format.note.empty()) {
      answer.notes.push_back("Weights: " + format.note);
    }
  }
  if (!view.model->note.empty()) answer.notes.push_back("Model: " + view.model->note);
}

}  // namespace

Result<Answer> SkuAnswer(const SkuView& view, bool for_people) {
  Answer answer;
  AddFacts(view, answer);
  AddLines(view, answer);
  if (for_people) {
    PLIMSOLL_TRY(Table fits, FitsTable(view));
    answer.tables.push_back(std::move(fits));
    answer.tables.push_back(TooLargeTable(view));
  } else {
    PLIMSOLL_TRY(Table full, FullTable(view));
    answer.tables.push_back(std::move(full));
  }
  answer.tables.push_back(IndifferenceTable(view));
  AddNotes(view, answer);
  return answer;
}

}  // namespace plimsoll
