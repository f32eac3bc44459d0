#include "allocation/price_ladder.h"

#include <algorithm>
#include <array>

namespace plimsoll {
namespace {

std::string ProviderOf(const NodeFact& node) {
  if (node.provider_id.starts_with("aws://")) return "aws";
  if (node.provider_id.starts_with("gce://")) return "gcp";
  if (node.provider_id.starts_with("azure://")) return "azure";
  return "";
}

std::string PurchaseOf(const NodeFact& node) {
  if (node.capacity_type == "spot" || node.capacity_type.starts_with("reserved")) {
    return node.capacity_type;
  }
  return "on-demand";
}

PriceBook BookOf(const AllocationInput& input) {
  const std::array<const PriceBatch*, 2> batches = {&input.catalog.prices(), &input.prices};
  return PriceBook(batches);
}

std::string SourceOf(const PriceMatch& price) {
  std::string text(price.source);
  if (!price.as_of.empty()) text += (text.empty() ? "" : " ") + std::string(price.as_of);
  if (price.fallback) text += " (" + std::string(price.purchase) + " price)";
  return text;
}

}  // namespace

PriceLadder::PriceLadder(const AllocationInput& input, const AllocationOptions& options)
    : book_(BookOf(input)), window_(options.window), currency_(options.currency) {}

const std::vector<PriceLadder::Step>& PriceLadder::StepsOf(std::int32_t node,
                                                           const NodeFact& fact) {
  const std::vector<Step>*& known = of_node_[node];
  if (known != nullptr) return *known;
  const Key key{ProviderOf(fact), fact.region, fact.instance_type,
                PurchaseOf(fact), fact.zone,   fact.node};
  const auto [entry, is_new] = steps_.try_emplace(key);
  known = &entry->second;
  if (!is_new) return *known;
  const PriceQuery query{.provider = std::get<0>(key),
                         .region = std::get<1>(key),
                         .instance_type = std::get<2>(key),
                         .purchase = std::get<3>(key),
                         .currency = currency_,
                         .zone = std::get<4>(key),
                         .node = std::get<5>(key)};
  for (const PriceSpan& span : book_.Spans(query, window_)) {
    if (!span.price || span.price->per_seconds <= 0) continue;
    entry->second.push_back({span.window,
                             {span.price->amount, GpuSeconds(span.price->per_seconds)},
                             std::string(span.price->rung),
                             SourceOf(*span.price),
                             span.price->fallback,
                             span.price->purchase == "owned"});
  }
  return *known;
}

Result<NodePrice> PriceLadder::CostOfTime(std::int32_t node, const NodeFact& fact,
                                          const Window& provisioned) {
  for (const Step& step : StepsOf(node, fact)) {
    if (!step.window.contains(provisioned.begin)) continue;
    PLIMSOLL_TRY(const Money cost,
                 CostOf(GpuMillis(provisioned.length().base()), step.price, Rounding::kHalfEven));
    return NodePrice{cost, step.rung, step.source, step.is_stand_in, step.is_owned};
  }
  return NodePrice{Money(), kRungNone, "", false, false};
}

}  // namespace plimsoll
