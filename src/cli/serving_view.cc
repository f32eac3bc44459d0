#include "cli/serving_view.h"

namespace plimsoll {
namespace {

Cell CountCell(const std::optional<std::int64_t>& count) {
  return count ? Cell(std::to_string(*count)) : std::nullopt;
}

Cell MoneyCell(const std::optional<Money>& money) {
  return money ? Cell(money->ToString()) : std::nullopt;
}

Cell LatencyCell(const std::optional<std::int64_t>& ns) {
  return ns ? Cell(LatencyText(*ns)) : std::nullopt;
}

Cell LowOf(const std::optional<CountBounds>& bounds) {
  return bounds ? Cell(std::to_string(bounds->low)) : std::nullopt;
}
Cell HighOf(const std::optional<CountBounds>& bounds) {
  return bounds ? Cell(std::to_string(bounds->high)) : std::nullopt;
}

Table ServiceTable(const std::vector<ServingService>& services) {
  Table table;
  table.name = "services";
  table.title = "Services, by their engines' metrics: low and high are bounds";
  table.columns = {{"service"},
                   {"requests_ok", CellKind::kNumber},
                   {"requests_failed", CellKind::kNumber},
                   {"requests_good_low", CellKind::kNumber},
                   {"requests_good_high", CellKind::kNumber},
                   {"tokens_input", CellKind::kNumber},
                   {"tokens_cached", CellKind::kNumber},
                   {"tokens_output", CellKind::kNumber},
                   {"tokens_good_low", CellKind::kNumber},
                   {"tokens_good_high", CellKind::kNumber},
                   {"cost", CellKind::kMoney, 2},
                   {"cost_per_million_output_tokens", CellKind::kNumber, 5},
                   {"cost_per_million_output_tokens_good_low", CellKind::kNumber, 5},
                   {"cost_per_million_output_tokens_good_high", CellKind::kNumber, 5}};
  for (const ServingService& service : services) {
    const ServingSummary& s = service.summary;
    table.rows.push_back({service.name, CountCell(s.requests_ok), CountCell(s.requests_failed),
                          LowOf(s.requests_good), HighOf(s.requests_good),
                          CountCell(s.tokens_input), CountCell(s.tokens_cached),
                          CountCell(s.tokens_output), LowOf(s.tokens_good), HighOf(s.tokens_good),
                          MoneyCell(service.cost), MoneyCell(s.cost_per_million_output_tokens),
                          MoneyCell(s.cost_per_million_good_low),
                          MoneyCell(s.cost_per_million_good_high)});
  }
  return table;
}

Table LimitTable(const std::vector<ServingService>& services) {
  Table table;
  table.name = "limits";
  table.title = "Requests within each limit; the histogram knows only its edges";
  table.columns = {{"service"},
                   {"latency"},
                   {"limit"},
                   {"measured", CellKind::kNumber},
                   {"within_low", CellKind::kNumber},
                   {"within_high", CellKind::kNumber},
                   {"edge_below"},
                   {"edge_above"}};
  for (const ServingService& service : services) {
    for (const SloBounds& limit : service.summary.slo) {
      table.rows.push_back({service.name, limit.quantity, LatencyText(limit.limit_ns),
                            std::to_string(limit.measured), LowOf(limit.within),
                            HighOf(limit.within), LatencyCell(limit.edges.below_ns),
                            LatencyCell(limit.edges.above_ns)});
    }
  }
  return table;
}

// A quantile lies above one edge and at most at the next; beyond the last one only that is known.
std::string BracketText(const std::optional<LatencyHistogram::Bracket>& bracket) {
  if (!bracket) return "";
  if (!bracket->at_most_ns) return "> " + LatencyText(bracket->above_ns);
  return LatencyText(bracket->above_ns) + " to " + LatencyText(*bracket->at_most_ns);
}

Cell BracketCell(const std::optional<LatencyHistogram::Bracket>& bracket) {
  return bracket ? Cell(BracketText(bracket)) : std::nullopt;
}

Table LatencyTable(const std::vector<ServingService>& services) {
  Table table;
  table.name = "latencies";
  table.title = "Latencies: the bucket that holds each percentile";
  table.columns = {{"service"}, {"latency"}, {"count", CellKind::kNumber}, {"mean"}, {"p50"},
                   {"p90"},     {"p99"}};
  for (const ServingService& service : services) {
    for (const LatencySummary& latency : service.summary.latencies) {
      table.rows.push_back({service.name, latency.quantity, std::to_string(latency.count),
                            LatencyCell(latency.mean_ns), BracketCell(latency.p50),
                            BracketCell(latency.p90), BracketCell(latency.p99)});
    }
  }
  return table;
}

}  // namespace

Answer ServingAnswer(const std::vector<ServingService>& services, const std::string& currency) {
  Answer answer;
  answer.facts.push_back({"currency", CellKind::kText, currency});
  answer.tables = {ServiceTable(services), LimitTable(services), LatencyTable(services)};
  for (const ServingService& service : services) {
    for (const std::string& note : service.summary.notes) {
      answer.notes.push_back(service.name + ": " + note);
    }
  }
  return answer;
}

}  // namespace plimsoll
