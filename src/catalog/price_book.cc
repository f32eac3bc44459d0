#include "catalog/price_book.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "catalog/provider.h"

namespace plimsoll {
namespace {

constexpr std::string_view kOnDemand = "on-demand";
constexpr std::string_view kOwned = "owned";

int RankOf(std::string_view rung) {
  if (rung == kRungContracted) return 0;
  if (rung == kRungSpotHistory) return 1;
  return 2;
}

// One step of the search: a purchase option, and how far down the ladder it may go.
struct Step {
  std::string_view purchase;
  bool contracted_only = false;
  bool fallback = false;
};

std::vector<Step> StepsFor(std::string_view purchase) {
  std::vector<Step> steps;
  const bool plain = purchase.empty() || purchase == "unknown" || purchase == kOnDemand;
  if (purchase == "reserved") {
    steps.push_back({"reserved", false, false});
    steps.push_back({"reserved-1y", true, false});
    steps.push_back({"reserved-3y", true, false});
  } else if (!plain && purchase != kOwned) {
    steps.push_back({purchase, false, false});
  }
  steps.push_back({kOwned, false, false});
  steps.push_back({kOnDemand, false, !plain && purchase != kOwned});
  return steps;
}

// How well a price's place fits the asked one: 0 the zone, 1 the region, 2 any place, 3 not.
int DistanceOf(std::string_view place, std::string_view zone, std::string_view region) {
  if (place.empty()) return 2;
  if (place == zone) return 0;
  return place == region ? 1 : 3;
}

// True if `name` fits `pattern`, in which '*' is any text and '?' one character.
bool Fits(std::string_view pattern, std::string_view name) {
  std::size_t p = 0;
  std::size_t n = 0;
  std::size_t star = std::string_view::npos;  // the last '*', to widen it when stuck
  std::size_t star_name = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      star_name = n;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) {
      ++p;
      ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++star_name;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

}  // namespace

PriceBook::PriceBook(std::span<const PriceBatch* const> batches) {
  for (std::size_t i = 0; i < batches.size(); ++i) Add(*batches[i], i);
  Sort();
}

PriceBook::PriceBook(const PriceBatch& batch) {
  Add(batch, 0);
  Sort();
}

void PriceBook::Add(const PriceBatch& batch, std::size_t index) {
  for (std::size_t i = 0; i < RowsOf(batch); ++i) {
    std::vector<Shelf>& shelves = shelves_[LowerCase(batch.instance_type[i])];
    const std::string provider = CanonicalProvider(batch.provider[i]);
    auto shelf = std::find_if(shelves.begin(), shelves.end(),
                              [&](const Shelf& s) { return s.provider == provider; });
    if (shelf == shelves.end()) shelf = shelves.insert(shelves.end(), Shelf{provider, {}});
    const std::string region = CanonicalRegion(batch.region[i]);
    auto series = std::find_if(shelf->series.begin(), shelf->series.end(), [&](const Series& s) {
      return s.batch == index && s.purchase == batch.purchase[i] && s.rung == batch.rung[i] &&
             s.region == region && s.currency == batch.currency[i];
    });
    if (series == shelf->series.end()) {
      series = shelf->series.insert(shelf->series.end(), Series{batch.purchase[i],
                                                                batch.rung[i],
                                                                region,
                                                                batch.currency[i],
                                                                RankOf(batch.rung[i]),
                                                                index,
                                                                {}});
    }
    series->rows.push_back({batch.valid_from[i], batch.valid_until[i], batch.amount[i],
                            batch.per_seconds[i], batch.source[i], batch.as_of[i]});
    ++size_;
  }
}

void PriceBook::Sort() {
  const auto by_time = [](const Row& a, const Row& b) {
    return std::tie(a.from, a.as_of, a.until, a.amount, a.per_seconds, a.source) <
           std::tie(b.from, b.as_of, b.until, b.amount, b.per_seconds, b.source);
  };
  const auto by_precedence = [](const Series& a, const Series& b) {
    const bool a_any = a.region.empty();
    const bool b_any = b.region.empty();
    // The later batch first, hence b before a there.
    return std::tie(a.rung_rank, a_any, b.batch, a.purchase, a.rung, a.region, a.currency) <
           std::tie(b.rung_rank, b_any, a.batch, b.purchase, b.rung, b.region, b.currency);
  };
  for (auto& [type, shelves] : shelves_) {
    if (type.find_first_of("*?") != std::string::npos) patterns_.push_back(type);
    for (Shelf& shelf : shelves) {
      std::sort(shelf.series.begin(), shelf.series.end(), by_precedence);
      for (Series& series : shelf.series) {
        std::sort(series.rows.begin(), series.rows.end(), by_time);
      }
    }
  }
  // The map gives them by text, which breaks the ties of length.
  std::stable_sort(patterns_.begin(), patterns_.end(),
                   [](const auto& a, const auto& b) { return a.size() > b.size(); });
}

const PriceBook::Shelf* PriceBook::FindShelf(std::string_view type,
                                             std::string_view provider) const {
  const auto found = shelves_.find(LowerCase(type));
  if (found == shelves_.end()) return nullptr;
  const std::vector<Shelf>& shelves = found->second;
  if (provider.empty()) return shelves.size() == 1 ? &shelves.front() : nullptr;
  const std::string canonical = CanonicalProvider(provider);
  for (const Shelf& shelf : shelves) {
    if (shelf.provider == canonical) return &shelf;
  }
  return nullptr;
}

std::vector<const PriceBook::Shelf*> PriceBook::ShelvesFor(const PriceQuery& query) const {
  std::vector<const Shelf*> shelves;
  const auto add = [&](std::string_view type) {
    const Shelf* shelf = type.empty() ? nullptr : FindShelf(type, query.provider);
    if (shelf != nullptr) shelves.push_back(shelf);
  };
  add(query.node);
  add(query.instance_type);
  const std::string node = LowerCase(query.node);
  for (const std::string& pattern : patterns_) {
    if (!node.empty() && Fits(pattern, node)) add(pattern);
  }
  return shelves;
}

const PriceBook::Row* PriceBook::InForce(const Series& series, Instant at) {
  const auto after = std::upper_bound(series.rows.begin(), series.rows.end(), at,
                                      [](Instant t, const Row& row) { return t < row.from; });
  for (auto row = after; row != series.rows.begin();) {
    --row;
    if (!row->until || at < *row->until) return &*row;
  }
  return nullptr;
}

bool PriceBook::Suits(const Series& series, const PriceQuery& query) {
  const int distance =
      DistanceOf(series.region, CanonicalRegion(query.zone), CanonicalRegion(query.region));
  return distance < 3 && (query.currency.empty() || series.currency == query.currency);
}

std::optional<PriceMatch> PriceBook::FindOn(const Shelf& shelf, const PriceQuery& query,
                                            Instant at) {
  const std::string region = CanonicalRegion(query.region);
  const std::string zone = CanonicalRegion(query.zone);
  for (const Step& step : StepsFor(query.purchase)) {
    std::optional<PriceMatch> best;
    std::pair<int, int> best_rank;
    // The series are in order of precedence, so the first of equal rank stays.
    for (const Series& series : shelf.series) {
      if (series.purchase != step.purchase || !Suits(series, query)) continue;
      if (step.contracted_only && series.rung_rank != 0) continue;
      const std::pair<int, int> rank{series.rung_rank, DistanceOf(series.region, zone, region)};
      if (best && best_rank <= rank) continue;
      const Row* row = InForce(series, at);
      if (row == nullptr) continue;
      best_rank = rank;
      best = PriceMatch{row->amount,     row->per_seconds, series.rung, series.purchase,
                        series.currency, row->source,      row->as_of,  step.fallback};
    }
    if (best) return best;
  }
  return std::nullopt;
}

std::optional<PriceMatch> PriceBook::FindOnAny(const std::vector<const Shelf*>& shelves,
                                               const PriceQuery& query, Instant at) {
  for (const Shelf* shelf : shelves) {
    if (std::optional<PriceMatch> price = FindOn(*shelf, query, at)) return price;
  }
  return std::nullopt;
}

std::optional<PriceMatch> PriceBook::Find(const PriceQuery& query, Instant at) const {
  return FindOnAny(ShelvesFor(query), query, at);
}

void PriceBook::AddCuts(const Series& series, const Window& window, std::vector<Instant>& cuts) {
  for (const Row& row : series.rows) {
    if (window.contains(row.from)) cuts.push_back(row.from);
    if (row.until && window.contains(*row.until)) cuts.push_back(*row.until);
  }
}

std::vector<PriceSpan> PriceBook::Spans(const PriceQuery& query, const Window& window) const {
  std::vector<PriceSpan> spans;
  if (window.empty()) return spans;
  const std::vector<const Shelf*> shelves = ShelvesFor(query);
  std::vector<Instant> cuts{window.begin};
  for (const Shelf* shelf : shelves) {
    for (const Series& series : shelf->series) {
      if (Suits(series, query)) AddCuts(series, window, cuts);
    }
  }
  std::sort(cuts.begin(), cuts.end());
  cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
  for (std::size_t i = 0; i < cuts.size(); ++i) {
    const Instant until = i + 1 < cuts.size() ? cuts[i + 1] : window.until;
    std::optional<PriceMatch> price = FindOnAny(shelves, query, cuts[i]);
    if (!spans.empty() && spans.back().price == price) {
      spans.back().window.until = until;
    } else {
      spans.push_back({{cuts[i], until}, price});
    }
  }
  return spans;
}

}  // namespace plimsoll
