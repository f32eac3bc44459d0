#include "cli/inference_view.h"

#include <algorithm>
#include <optional>

#include "units/time.h"

namespace plimsoll {
namespace {

constexpr std::int64_t kNsPerMs = 1'000'000;
constexpr int kRatioPlaces = 9;

Cell MoneyCell(const std::optional<Money>& money) {
  return money ? Cell(money->ToString()) : std::nullopt;
}

Cell Count(std::int64_t count) { return std::to_string(count); }

Instant InstantOf(std::int64_t ns, bool up) {
  const std::int64_t ms = ns / kNsPerMs;
  const std::int64_t rest = ns % kNsPerMs;
  if (rest == 0) return AtMillis(ms);
  if (up) return AtMillis(rest > 0 ? ms + 1 : ms);
  return AtMillis(rest > 0 ? ms : ms - 1);
}

// Seconds with nine decimals, exactly.
std::string SecondsOf(std::int64_t ns) { return Money::FromNanos(ns).ToString(); }

Cell Share(std::int64_t part, std::int64_t whole) {
  if (whole <= 0) return std::nullopt;
  return Money::FromNanos(DivideHalfEven(int128{part} * Money::kNanosPerUnit, whole)).ToString();
}

// Everything of all services as one; rates and times only if there is one.
struct Total {
  RequestFigures sums;
  std::array<std::int64_t, kOutcomeCount> outcomes{};
  std::int64_t duplicates = 0, outside = 0;
  bool any_cost = false;
};

void AddCost(std::optional<Money>& to, const std::optional<Money>& cost) {
  if (cost) to = to.value_or(Money()) + *cost;
}

Total TotalOf(const std::vector<ServiceFigures>& services) {
  Total total;
  bool all_priced = true;
  for (const ServiceFigures& service : services) {
    total.sums.all += service.sums.all;
    total.sums.good += service.sums.good;
    AddCost(total.sums.cost, service.sums.cost);
    AddCost(total.sums.cost_missed, service.sums.cost_missed);
    all_priced = all_priced && service.sums.cost.has_value();
    for (std::size_t i = 0; i < kOutcomeCount; ++i) total.outcomes[i] += service.outcomes[i];
    total.duplicates += service.service.duplicates;
    total.outside += service.service.outside;
  }
  // A sum that lacks a service would make tokens look cheap.
  if (!all_priced) total.sums.cost = total.sums.cost_missed = std::nullopt;
  return total;
}

void AddWindow(const ServiceFigures* one, std::vector<Fact>& facts) {
  const auto add = [&](const char* name, CellKind kind, Cell value) {
    facts.push_back({name, kind, std::move(value)});
  };
  if (one == nullptr || one->service.requests == 0) {
    for (const char* name : {"window_begin", "window_until"}) add(name, CellKind::kText, {});
    add("window_seconds", CellKind::kNumber, {});
  } else {
    add("window_begin", CellKind::kText, ToString(InstantOf(one->service.begin_ns, false)));
    add("window_until", CellKind::kText, ToString(InstantOf(one->service.until_ns, true)));
    add("window_seconds", CellKind::kNumber, SecondsOf(one->window_ns()));
  }
}

Cell RateOf(const ServiceFigures* one, std::int64_t count) {
  if (one == nullptr) return std::nullopt;
  const std::optional<std::string> rate = PerSecond(count, one->window_ns());
  return rate ? Cell(*rate) : std::nullopt;
}

void AddFacts(const InferenceView& view, Answer& answer) {
  const ServiceFigures* const one = view.services.size() == 1 ? &view.services.front() : nullptr;
  const Total total = TotalOf(view.services);
  const RequestFigures& sums = total.sums;
  const auto number = [&](const std::string& name, Cell value) {
    answer.facts.push_back({name, CellKind::kNumber, std::move(value)});
  };
  const auto text = [&](const char* name, Cell value) {
    answer.facts.push_back({name, CellKind::kText, std::move(value)});
  };
  text("service", one != nullptr ? Cell(one->service.declared.name) : std::nullopt);
  text("slo", one != nullptr && !one->service.declared.slo.empty()
                  ? Cell(FormatSlo(one->service.declared.slo))
                  : std::nullopt);
  AddWindow(one, answer.facts);
  number("requests_total", Count(sums.all.requests));
  for (std::size_t i = 0; i < kOutcomeCount; ++i) {
    number(std::string("requests_") + kOutcomeNames[i], Count(total.outcomes[i]));
  }
  number("requests_rejected", Count(view.rejected));
  number("requests_duplicate", Count(total.duplicates));
  number("requests_outside_window", Count(total.outside));
  number("good_share", Share(sums.good.requests, sums.all.requests));
  number("tokens_input", Count(sums.all.input));
  number("tokens_cached_input", Count(sums.all.cached));
  number("tokens_output", Count(sums.all.output));
  number("tokens_reasoning", Count(sums.all.reasoning));
  number("tokens_input_good", Count(sums.good.input));
  number("tokens_output_good", Count(sums.good.output));
  text("currency", view.currency);
  answer.facts.push_back({"cost", CellKind::kMoney, MoneyCell(sums.cost)});
  answer.facts.push_back({"cost_missed", CellKind::kMoney, MoneyCell(sums.cost_missed)});
  number("cost_per_million_output_tokens", MoneyCell(sums.PerMillionOutput()));
  number("cost_per_million_output_tokens_good", MoneyCell(sums.PerMillionGoodOutput()));
  number("cost_per_million_tokens",
         MoneyCell(PerMillion(sums.cost, sums.all.input + sums.all.output)));
  number("throughput_rps", RateOf(one, sums.all.requests));
  number("goodput_rps", RateOf(one, sums.good.requests));
}

// Own GPUs or an API: used all the time, own tokens cost the base; at the break-even part of
// that use they cost what the API asks.
void AddBuildOrBuy(const InferenceView& view, Answer& answer) {
  if (!view.api_price) return;
  const ServiceFigures* const one = view.services.size() == 1 ? &view.services.front() : nullptr;
  Cell utilisation, break_even;
  if (one != nullptr && one->factors) {
    const CostFactors& factors = *one->factors;
    utilisation =
        (factors.idle * factors.reserve * factors.release).Inverse().ToDecimal(kRatioPlaces);
    break_even = (factors.base * Ratio({Money::kNanosPerUnit}, {view.api_price->nanos()}))
                     .ToDecimal(kRatioPlaces);
  }
  answer.facts.push_back({"api_price", CellKind::kMoney, MoneyCell(view.api_price)});
  answer.facts.push_back({"utilisation", CellKind::kNumber, utilisation});
  answer.facts.push_back({"break_even_utilisation", CellKind::kNumber, break_even});
  answer.notes.push_back(
      utilisation ? "the paid GPU time is used by " + utilisation->substr(0, 6) +
                        "; own GPUs are cheaper than the API from a use of " +
                        break_even->substr(0, 6) + " on"
                  : "own GPUs and the API cannot be compared: there is no cost, no output or "
                    "more than one service");
}

Table ServiceTable(const InferenceView& view) {
  Table table;
  table.name = "services";
  table.title = "Services";
  table.columns = {{"service"},
                   {"slo"},
                   {"requests", CellKind::kNumber},
                   {"good", CellKind::kNumber},
                   {"missed", CellKind::kNumber},
                   {"timeout", CellKind::kNumber},
                   {"error", CellKind::kNumber},
                   {"cancelled", CellKind::kNumber},
                   {"unmeasured", CellKind::kNumber},
                   {"tokens_output", CellKind::kNumber},
                   {"tokens_output_good", CellKind::kNumber},
                   {"gpu_hours", CellKind::kDecimal, 2},
                   {"cost", CellKind::kMoney, 2},
                   {"cost_missed", CellKind::kMoney, 2},
                   {"cost_per_million_output_tokens", CellKind::kNumber, 5},
                   {"cost_per_million_output_tokens_good", CellKind::kNumber, 5},
                   {"cost_weight"}};
  for (const ServiceFigures& service : view.services) {
    const Slo& slo = service.service.declared.slo;
    Row row{service.service.declared.name, slo.empty() ? std::nullopt : Cell(FormatSlo(slo)),
            Count(service.sums.all.requests)};
    for (const std::int64_t count : service.outcomes) row.push_back(Count(count));
    row.push_back(Count(service.sums.all.output));
    row.push_back(Count(service.sums.good.output));
    row.push_back(service.paid && service.paid->gpu_ns > 0
                      ? Cell(ToDecimalHours(GpuMillis(static_cast<std::int64_t>(
                            DivideHalfEven(service.paid->gpu_ns, kNsPerMs)))))
                      : std::nullopt);
    row.push_back(MoneyCell(service.sums.cost));
    row.push_back(MoneyCell(service.sums.cost_missed));
    row.push_back(MoneyCell(service.sums.PerMillionOutput()));
    row.push_back(MoneyCell(service.sums.PerMillionGoodOutput()));
    row.push_back(kCostWeightNames[static_cast<std::size_t>(service.weight)]);
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table TokenTable(const InferenceView& view) {
  Table table;
  table.name = "tokens";
  table.title = "Tokens priced apart";
  table.columns = {{"service"},
                   {"kind"},
                   {"tokens", CellKind::kNumber},
                   {"cost", CellKind::kMoney, 2},
                   {"cost_per_million", CellKind::kNumber, 5}};
  for (const ServiceFigures& service : view.services) {
    const auto add = [&](const char* kind, const TokenCost& cost) {
      table.rows.push_back({service.service.declared.name, kind, Count(cost.tokens),
                            MoneyCell(cost.cost), MoneyCell(cost.per_million)});
    };
    add("input", service.input);
    add("cached_input", service.cached_input);
    add("output", service.output);
  }
  return table;
}

Table FactorTable(const InferenceView& view) {
  Table table;
  table.name = "factors";
  table.title = "Cost per million good output tokens = base x idle x slo x reserve x release";
  table.columns = {{"service"},
                   {"base", CellKind::kNumber, 5},
                   {"base_is"},
                   {"idle", CellKind::kNumber, 4},
                   {"slo", CellKind::kNumber, 4},
                   {"reserve", CellKind::kNumber, 4},
                   {"release", CellKind::kNumber, 4},
                   {"total", CellKind::kNumber, 5}};
  for (const ServiceFigures& service : view.services) {
    if (!service.factors) continue;
    const CostFactors& factors = *service.factors;
    const auto cell = [](const Ratio& ratio) { return Cell(ratio.ToDecimal(kRatioPlaces)); };
    table.rows.push_back({service.service.declared.name, cell(factors.base),
                          factors.safe_declared ? "safe_rate" : "while_busy", cell(factors.idle),
                          cell(factors.slo), cell(factors.reserve), cell(factors.release),
                          cell(factors.total)});
  }
  return table;
}

Table GroupTable(const InferenceView& view) {
  Table table;
  table.name = "groups";
  table.title = "Requests by";
  const bool has_service =
      std::find(view.by.begin(), view.by.end(), RequestKey::kService) != view.by.end();
  const bool add_service = !has_service && view.services.size() > 1;
  if (add_service) table.columns.push_back({"service"});
  for (const RequestKey key : view.by) {
    const std::string name = kRequestKeyNames[static_cast<std::size_t>(key)];
    table.title += (table.title.ends_with("by") ? " " : ", ") + name;
    table.columns.push_back({name});
  }
  for (const char* name : {"requests", "good", "tokens_input", "tokens_cached_input",
                           "tokens_output", "tokens_output_good"}) {
    table.columns.push_back({name, CellKind::kNumber});
  }
  table.columns.push_back({"cost", CellKind::kMoney, 2});
  table.columns.push_back({"cost_missed", CellKind::kMoney, 2});
  table.columns.push_back({"cost_per_million_output_tokens", CellKind::kNumber, 5});
  table.columns.push_back({"cost_per_million_output_tokens_good", CellKind::kNumber, 5});
  for (const ServiceFigures& service : view.services) {
    for (const RequestFigures& group : service.groups) {
      Row row;
      if (add_service) row.push_back(service.service.declared.name);
      row.insert(row.end(), group.keys.begin(), group.keys.end());
      for (const std::int64_t count : {group.all.requests, group.good.requests, group.all.input,
                                       group.all.cached, group.all.output, group.good.output}) {
        row.push_back(Count(count));
      }
      row.push_back(MoneyCell(group.cost));
      row.push_back(MoneyCell(group.cost_missed));
      row.push_back(MoneyCell(group.PerMillionOutput()));
      row.push_back(MoneyCell(group.PerMillionGoodOutput()));
      table.rows.push_back(std::move(row));
    }
  }
  return table;
}

Table LatencyTable(InferenceView& view) {
  Table table;
  table.name = "latencies";
  table.title = "Latency of requests that succeeded, seconds";
  table.columns = {{"service"}, {"latency"}, {"requests", CellKind::kNumber}};
  constexpr std::pair<const char*, std::int64_t> kPercentiles[] = {
      {"p50", 50'000}, {"p90", 90'000}, {"p95", 95'000}, {"p99", 99'000}};
  for (const auto& [name, thousandths] : kPercentiles) {
    table.columns.push_back({name, CellKind::kNumber, 4});
  }
  for (ServiceFigures& service : view.services) {
    RequestLatencies& latencies = service.service.latencies;
    const auto add = [&](const char* name, LatencySet& set) {
      Row row{service.service.declared.name, name, Count(static_cast<std::int64_t>(set.size()))};
      for (const auto& [label, thousandths] : kPercentiles) {
        const std::optional<std::int64_t> ns = set.Percentile(thousandths);
        row.push_back(ns ? Cell(SecondsOf(*ns)) : std::nullopt);
      }
      table.rows.push_back(std::move(row));
    };
    add("ttft", latencies.ttft);
    add("tpot", latencies.tpot);
    add("e2e", latencies.e2e);
  }
  return table;
}

std::string OfService(const ServiceFigures& service, const InferenceView& view) {
  return view.services.size() > 1 ? service.service.declared.name + ": " : "";
}

void AddLines(const InferenceView& view, Answer& answer) {
  for (const ServiceFigures& service : view.services) {
    const RequestFigures& sums = service.sums;
    std::string line = OfService(service, view) + std::to_string(sums.good.requests) + " of " +
                       std::to_string(sums.all.requests) + " requests were good";
    const Slo& slo = service.service.declared.slo;
    line += slo.empty() ? " (no SLO is declared: every request that succeeded)"
                        : " (" + FormatSlo(slo) + ")";
    if (const std::optional<Money> good = sums.PerMillionGoodOutput()) {
      line += "; " + good->ToString() + " " + view.currency + " per million good output tokens, " +
              sums.PerMillionOutput()->ToString() + " of all";
    }
    answer.lines.push_back(line);
  }
}

void AddNotes(const InferenceView& view, Answer& answer) {
  const auto note = [&](const ServiceFigures& service, const std::string& text) {
    answer.notes.push_back(OfService(service, view) + text);
  };
  for (const ServiceFigures& service : view.services) {
    const RequestSums& all = service.sums.all;
    if (!service.paid) {
      note(service,
           "no cost: give --gpus and --gpu-price, or declare them or `cost` for the "
           "service in plimsoll.yaml");
    }
    if (all.tokens_unknown > 0) {
      note(service, std::to_string(all.tokens_unknown) +
                        " requests that succeeded tell no count of their tokens: cost per token "
                        "is too high by what they hold");
    }
    if (service.paid && service.weight == CostWeight::kTokens &&
        !service.service.declared.weights_declared) {
      note(service,
           "cost is divided by tokens with the default weights 1 : 0.1 : 4 (input, cached input, "
           "output), as not every request tells its prefill and decode time");
    }
    const std::int64_t unmeasured =
        service.outcomes[static_cast<std::size_t>(Outcome::kUnmeasured)];
    if (unmeasured > 0) {
      note(service, std::to_string(unmeasured) +
                        " requests lack a time that the SLO needs and count as not good");
    }
    if (service.service.undated > 0) {
      note(service, std::to_string(service.service.undated) +
                        " requests are of a clock that tells no date: lengths of time hold, the "
                        "time of day does not");
    }
    if (service.service.duplicates > 0) {
      note(service, std::to_string(service.service.duplicates) +
                        " requests came again under the same id and count once");
    }
    if (service.service.outside > 0) {
      note(service, std::to_string(service.service.outside) +
                        " requests arrived outside the window and are left out");
    }
  }
  if (view.rejected > 0) {
    answer.notes.push_back(std::to_string(view.rejected) + " rows could not be read");
  }
}

}  // namespace

Answer InferenceAnswer(InferenceView view) {
  Answer answer;
  AddFacts(view, answer);
  AddLines(view, answer);
  // CSV gives the first table: what was asked for.
  if (!view.by.empty()) answer.tables.push_back(GroupTable(view));
  answer.tables.push_back(ServiceTable(view));
  answer.tables.push_back(TokenTable(view));
  answer.tables.push_back(FactorTable(view));
  if (view.percentiles) answer.tables.push_back(LatencyTable(view));
  AddBuildOrBuy(view, answer);
  AddNotes(view, answer);
  return answer;
}

}  // namespace plimsoll
