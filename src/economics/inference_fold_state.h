// The insides of InferenceFold, for the two ways in: rows, and groups of rows.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "base/seen_hashes.h"
#include "economics/inference_fold.h"
#include "economics/inference_keys.h"

namespace plimsoll {

inline constexpr std::int64_t kNsPerMs = 1'000'000;
inline constexpr std::size_t kRecentRoutes = 64;

// Places of the keys in a packed key, lowest bit first.
inline constexpr int kOutcomeBits = 3;
inline constexpr int kSmallKeyBits = 4;
inline bool IsText(RequestKey key) {
  return key >= RequestKey::kModel && key <= RequestKey::kPriority;
}
inline std::size_t TextIndex(RequestKey key) {
  return static_cast<std::size_t>(key) - static_cast<std::size_t>(RequestKey::kModel);
}

inline int BitsOf(RequestKey key) {
  if (IsText(key)) return kTextKeyBits;
  return key == RequestKey::kService || key == RequestKey::kOutcome ? 0 : kSmallKeyBits;
}

struct ServiceState {
  explicit ServiceState(ServiceDeclaration declaration)
      : judge(declaration.slo), quantization(declaration.quantization) {
    folded.declared = std::move(declaration);
  }
  void AddSpan(std::int64_t begin, std::int64_t until) {
    if (!has_span) folded.begin_ns = begin;
    if (!has_span) folded.until_ns = until;
    has_span = true;
    folded.begin_ns = std::min(folded.begin_ns, begin);
    folded.until_ns = std::max(folded.until_ns, until);
    busy.Add(begin, until);
  }

  FoldedService folded;
  bool has_span = false;
  SloJudge judge;
  Symbol quantization;
  BusyTime busy;
  PeakOf peak_of;
  PeakSpan span;  // the stretch of the arrival before
};

struct InferenceFold::State {
  explicit State(InferenceFoldOptions o) : options(std::move(o)) {
    for (const ServiceDeclaration& declared : options.services) AddService(declared);
  }

  std::size_t AddService(const ServiceDeclaration& declared) {
    services.emplace_back(declared);
    if (options.peak_of) services.back().peak_of = options.peak_of(declared);
    return services.size() - 1;
  }
  Result<std::size_t> RouteOf(Symbol service, Symbol model);
  Result<std::size_t> NewRoute(Symbol service, Symbol model);
  void HashIds(const RequestBatch& requests);
  // Of a row of requests or of groups; number_of(key) gives what is no text: buckets, peak, cache.
  struct KeyRow {
    std::size_t row, service;
    Outcome outcome;
  };
  template <class Batch, class NumberOf>
  uint128 KeyOf(const Batch& batch, const KeyRow& of, const NumberOf& number_of);
  std::uint64_t TextNumber(RequestKey key, Symbol text, std::size_t service);
  Status AddGroup(const RequestGroupBatch& groups, std::size_t row);
  Status CheckLimits() const;
  bool CountsOnce(const RequestBatch& requests, std::size_t row, std::size_t service);
  Status AddRequest(const RequestBatch& requests, std::size_t row, std::int64_t rest_ns);
  void AddCounted(const RequestBatch& requests);
  RequestGroup GroupOf(std::uint32_t number) const;
  std::string TextOf(RequestKey key, std::size_t number, std::size_t service) const;

  InferenceFoldOptions options;
  std::vector<ServiceState> services;
  std::map<std::pair<const std::string*, const std::string*>, std::size_t> routes;
  std::map<std::string, std::size_t> fallbacks;
  struct RecentRoute {
    const std::string* service = nullptr;
    const std::string* model = nullptr;
    std::size_t route = 0;
  };
  std::array<RecentRoute, kRecentRoutes> recent_routes;
  std::array<SymbolNumbers, 5> texts;
  GroupNumbers numbers;
  std::vector<RequestSums> sums;
  SeenHashes seen;
  std::vector<Hash128> ids;  // of the batch
  struct Counted {
    uint128 key;
    std::size_t row;
    std::uint32_t group;
    Outcome outcome;
  };
  std::vector<Counted> counted;  // rows of the batch that are not yet in `sums`
};

template <class Batch, class NumberOf>
uint128 InferenceFold::State::KeyOf(const Batch& batch, const KeyRow& of,
                                    const NumberOf& number_of) {
  uint128 packed = of.service;
  const std::vector<Symbol>* const columns[] = {&batch.model, &batch.version, &batch.quantization,
                                                &batch.tenant, &batch.priority};
  for (const RequestKey key : options.by) {
    // Service and outcome are always in the packed key.
    if (key == RequestKey::kService || key == RequestKey::kOutcome) continue;
    const std::uint64_t number =
        IsText(key) ? TextNumber(key, (*columns[TextIndex(key)])[of.row], of.service)
                    : static_cast<std::uint64_t>(number_of(key));
    packed = (packed << BitsOf(key)) | number;
  }
  return (packed << kOutcomeBits) | static_cast<unsigned>(of.outcome);
}

}  // namespace plimsoll
