// Groups of requests into the sums of a fold.
#include <algorithm>

#include "economics/inference_fold_state.h"

namespace plimsoll {

std::optional<RequestGrouping> InferenceFold::Grouping() const {
  const InferenceFoldOptions& options = state_->options;
  const auto by = [&](RequestKey key) {
    return std::find(options.by.begin(), options.by.end(), key) != options.by.end();
  };
  if (options.latencies || by(RequestKey::kPeak)) return std::nullopt;
  RequestGrouping grouping;
  // A declaration may be of some models alone.
  grouping.model = by(RequestKey::kModel) || !options.services.empty();
  grouping.span_model = !options.services.empty();
  grouping.version = by(RequestKey::kVersion);
  grouping.quantization = by(RequestKey::kQuantization);
  grouping.tenant = by(RequestKey::kTenant);
  grouping.priority = by(RequestKey::kPriority);
  grouping.input = by(RequestKey::kInput);
  grouping.output = by(RequestKey::kOutput);
  grouping.cache = by(RequestKey::kCache);
  grouping.length_edges = LengthBucketEdges();
  grouping.window = options.window;
  grouping.slo = options.fallback.slo;
  const bool is_one_slo =
      std::all_of(options.services.begin(), options.services.end(),
                  [&](const ServiceDeclaration& each) { return each.slo == grouping.slo; });
  if (is_one_slo) return grouping;
  grouping.slo_of = [services = options.services, slo = grouping.slo](Symbol service,
                                                                      Symbol model) {
    for (const ServiceDeclaration& each : services) {
      if (Matches(each, service, model)) return each.slo;
    }
    return slo;
  };
  return grouping;
}

Status InferenceFold::State::AddGroup(const RequestGroupBatch& groups, std::size_t row) {
  PLIMSOLL_TRY(const std::size_t number, RouteOf(groups.service[row], groups.model[row]));
  FoldedService& folded = services[number].folded;
  const std::int64_t requests = groups.requests[row];
  if (groups.inside[row] == 0) {
    folded.outside += requests;
    return Ok();
  }
  folded.requests += requests;
  folded.undated += groups.undated[row];
  const Outcome outcome = services[number].judge.OutcomeOf(
      groups.status[row], static_cast<SloVerdict>(groups.verdict[row]));
  RequestSums added;
  added.requests = requests;
  added.input = groups.input[row];
  added.cached = groups.cached[row];
  added.output = groups.output[row];
  added.reasoning = groups.reasoning[row];
  if (Succeeded(outcome)) {
    added.tokens_unknown = groups.tokens_unknown[row];
    added.phases_unknown = groups.phases_unknown[row];
  }
  added.prefill_ns = groups.prefill_ns[row];
  added.decode_ns = groups.decode_ns[row];
  // Grouping() gives none with kPeak.
  const uint128 key = KeyOf(groups, {row, number, outcome}, [&](RequestKey of) {
    if (of == RequestKey::kCache) return groups.cache[row];
    return of == RequestKey::kInput ? groups.input_bucket[row] : groups.output_bucket[row];
  });
  const std::uint32_t group = numbers.NumberOf(key);
  if (group == sums.size()) sums.emplace_back();
  sums[group] += added;
  return Ok();
}

Status InferenceFold::AddGroups(const RequestGroupBatch& groups) {
  for (std::size_t row = 0; row < RowsOf(groups); ++row) {
    PLIMSOLL_RETURN_IF_ERROR(state_->AddGroup(groups, row));
  }
  return state_->CheckLimits();
}

Status InferenceFold::AddSpans(const RequestSpanBatch& spans) {
  const std::size_t rows = RowsOf(spans);
  for (std::size_t row = 0; row < rows;) {
    // Neighbours are of one service, more often than not.
    const Symbol name = spans.service[row], model = spans.model[row];
    PLIMSOLL_TRY(const std::size_t number, state_->RouteOf(name, model));
    state_->services[number].AddSpan(spans.begin_ns[row], spans.until_ns[row]);
    ++row;
    ServiceState& service = state_->services[number];
    for (; row < rows && spans.service[row] == name && spans.model[row] == model; ++row) {
      service.AddSpan(spans.begin_ns[row], spans.until_ns[row]);
    }
  }
  return Ok();
}

}  // namespace plimsoll
