#include "economics/inference_fold.h"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

#include "economics/inference_fold_state.h"

namespace plimsoll {
namespace {

// Arrivals before 2001 come from a clock that counts from the start of a machine.
constexpr Instant kFirstDate = AtSeconds(978'307'200);
constexpr std::int64_t kArrivalMsMax = std::numeric_limits<std::int64_t>::max() / kNsPerMs - 1;
constexpr std::size_t kServicesMax = 512;
constexpr std::size_t kPrefetchRows = 12;

constexpr const char* kPeakNames[] = {"off-peak", "peak", "unknown"};
constexpr const char* kCacheNames[] = {"miss", "hit", "unknown"};

std::int64_t AddCapped(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? std::numeric_limits<std::int64_t>::max() : sum;
}

Error TooMany(const std::string& what) {
  return {ErrorCode::kOutOfRange,
          "more than " + std::to_string(kGroupsMax) + " " + what + "; leave a key out of --by"};
}

std::size_t CacheOf(const std::optional<std::int64_t>& cached) {
  if (!cached) return 2;
  return *cached > 0 ? 1 : 0;
}

std::size_t PeakNumberOf(ServiceState& service, Instant arrival) {
  if (!service.peak_of || arrival < kFirstDate) return 2;
  if (!service.span.window.contains(arrival)) service.span = service.peak_of(arrival);
  return service.span.peak ? 1 : 0;
}

void AddRow(const RequestBatch& requests, std::size_t row, Outcome outcome, RequestSums& sums) {
  ++sums.requests;
  const auto& input = requests.input_tokens[row];
  const auto& output = requests.output_tokens[row];
  sums.input += input.value_or(0);
  sums.cached += requests.cached_tokens[row].value_or(0);
  sums.output += output.value_or(0);
  sums.reasoning += requests.reasoning_tokens[row].value_or(0);
  const bool succeeded = Succeeded(outcome);
  if (succeeded && (!input || !output)) ++sums.tokens_unknown;
  const auto& prefill = requests.prefill_ns[row];
  const auto& decode = requests.decode_ns[row];
  if (succeeded && (!prefill || !decode)) ++sums.phases_unknown;
  sums.prefill_ns += prefill.value_or(0);
  sums.decode_ns += decode.value_or(0);
}

}  // namespace

RequestSums& RequestSums::operator+=(const RequestSums& other) {
  requests += other.requests;
  input += other.input;
  cached += other.cached;
  output += other.output;
  reasoning += other.reasoning;
  tokens_unknown += other.tokens_unknown;
  phases_unknown += other.phases_unknown;
  prefill_ns += other.prefill_ns;
  decode_ns += other.decode_ns;
  return *this;
}

Result<std::vector<RequestKey>> ParseRequestKeys(const std::string& text) {
  std::vector<RequestKey> keys;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t comma = std::min(text.find(',', from), text.size());
    const std::string name = text.substr(from, comma - from);
    from = comma + 1;
    const auto* const known =
        std::find(std::begin(kRequestKeyNames), std::end(kRequestKeyNames), name);
    if (known == std::end(kRequestKeyNames)) {
      std::string names;
      for (const char* each : kRequestKeyNames)
        names += (names.empty() ? "" : ", ") + std::string(each);
      return Error{ErrorCode::kInvalidArgument,
                   "--by: '" + name + "' is not a key of requests; keys are " + names};
    }
    const auto key = static_cast<RequestKey>(known - std::begin(kRequestKeyNames));
    if (std::find(keys.begin(), keys.end(), key) != keys.end()) {
      return Error{ErrorCode::kInvalidArgument, "--by: '" + name + "' is given twice"};
    }
    keys.push_back(key);
  }
  return keys;
}

Result<std::size_t> InferenceFold::State::NewRoute(Symbol service, Symbol model) {
  const auto key = std::pair(&service.text(), &model.text());
  if (const auto found = routes.find(key); found != routes.end()) return found->second;
  std::size_t route = 0;
  while (route < options.services.size() && !Matches(options.services[route], service, model)) {
    ++route;
  }
  std::string name = service.empty() ? "default" : service.text();
  // A declaration that does not match by its patterns does not by its name either.
  for (const ServiceDeclaration& declared : options.services) {
    if (declared.name == name) name += " (no match)";
  }
  if (route == options.services.size()) {
    const auto [found, is_new] = fallbacks.try_emplace(name, services.size());
    route = found->second;
    if (is_new) {
      if (services.size() == kServicesMax) {
        return Error{ErrorCode::kOutOfRange,
                     "more than " + std::to_string(kServicesMax) +
                         " services; declare services in plimsoll.yaml whose patterns match them"};
      }
      ServiceDeclaration declared = options.fallback;
      declared.name = name;
      AddService(declared);
    }
  }
  routes.emplace(key, route);
  return route;
}

Result<std::size_t> InferenceFold::State::RouteOf(Symbol service, Symbol model) {
  RecentRoute& recent = recent_routes[(service.Hash() * 31 + model.Hash() / 16) % kRecentRoutes];
  if (recent.service != &service.text() || recent.model != &model.text()) {
    PLIMSOLL_TRY(recent.route, NewRoute(service, model));
    recent.service = &service.text();
    recent.model = &model.text();
  }
  return recent.route;
}

void InferenceFold::State::HashIds(const RequestBatch& requests) {
  ids.resize(RowsOf(requests));
  for (std::size_t row = 0; row < ids.size(); ++row) {
    const std::string& id = requests.request[row];
    ids[row] = id.empty() ? Hash128{} : HashOf(id);
  }
}

// One id may serve two services: a gateway in front of another.
bool InferenceFold::State::CountsOnce(const RequestBatch& requests, std::size_t row,
                                      std::size_t service) {
  if (row + kPrefetchRows < ids.size()) seen.Prefetch(ids[row + kPrefetchRows]);
  if (requests.request[row].empty()) return true;
  Hash128 id = ids[row];
  id.high ^= service * 0x9E3779B97F4A7C15ULL;
  return seen.Insert(id);
}

std::uint64_t InferenceFold::State::TextNumber(RequestKey key, Symbol text, std::size_t service) {
  const bool is_told = key != RequestKey::kQuantization || !text.empty();
  return texts[TextIndex(key)].NumberOf(is_told ? text : services[service].quantization);
}

Status InferenceFold::State::AddRequest(const RequestBatch& requests, std::size_t row,
                                        std::int64_t rest_ns) {
  PLIMSOLL_TRY(const std::size_t number, RouteOf(requests.service[row], requests.model[row]));
  ServiceState& service = services[number];
  const Instant arrival = requests.arrival[row];
  if (arrival.base() > kArrivalMsMax || arrival.base() < -kArrivalMsMax) {
    return Error{ErrorCode::kOutOfRange, "a request's arrival is not between 1678 and 2261"};
  }
  if (options.window && !options.window->contains(arrival)) {
    ++service.folded.outside;
    return Ok();
  }
  if (!CountsOnce(requests, row, number)) {
    ++service.folded.duplicates;
    return Ok();
  }
  const std::int64_t begin = arrival.base() * kNsPerMs + rest_ns;
  const std::int64_t until = AddCapped(begin, requests.e2e_ns[row].value_or(0));
  FoldedService& folded = service.folded;
  ++folded.requests;
  if (arrival < kFirstDate) ++folded.undated;
  service.AddSpan(begin, until);
  const Outcome outcome = service.judge.Judge(requests, row);
  if (options.latencies) folded.latencies.Add(requests, row);
  const uint128 key = KeyOf(requests, {row, number, outcome}, [&](RequestKey of) {
    if (of == RequestKey::kPeak) return PeakNumberOf(service, arrival);
    if (of == RequestKey::kCache) return CacheOf(requests.cached_tokens[row]);
    return LengthBucketOf(of == RequestKey::kInput ? requests.input_tokens[row]
                                                   : requests.output_tokens[row]);
  });
  numbers.Prefetch(key);
  counted.push_back({key, row, 0, outcome});
  return Ok();
}

// Groups outgrow the processor's caches: their places are asked for ahead of their use.
void InferenceFold::State::AddCounted(const RequestBatch& requests) {
  for (Counted& each : counted) {
    each.group = numbers.NumberOf(each.key);
    if (each.group == sums.size()) sums.emplace_back();
  }
  constexpr std::size_t kAhead = 12;
  for (std::size_t i = 0; i < counted.size(); ++i) {
    if (i + kAhead < counted.size()) {
      const RequestSums& next = sums[counted[i + kAhead].group];
      __builtin_prefetch(&next.requests, 1);
      __builtin_prefetch(&next.decode_ns, 1);
    }
    AddRow(requests, counted[i].row, counted[i].outcome, sums[counted[i].group]);
  }
  counted.clear();
}

std::string InferenceFold::State::TextOf(RequestKey key, std::size_t number,
                                         std::size_t service) const {
  switch (key) {
    case RequestKey::kService:
      return services[service].folded.declared.name;
    case RequestKey::kInput:
    case RequestKey::kOutput:
      return LengthBucketName(number);
    case RequestKey::kPeak:
      return kPeakNames[number];
    case RequestKey::kCache:
      return kCacheNames[number];
    case RequestKey::kOutcome:
      return kOutcomeNames[number];
    default:
      return texts[TextIndex(key)].SymbolOf(static_cast<std::uint32_t>(number)).text();
  }
}

RequestGroup InferenceFold::State::GroupOf(std::uint32_t number) const {
  RequestGroup group;
  group.sums = sums[number];
  uint128 packed = numbers.KeyOf(number);
  const auto take = [&](int bits) {
    const auto value = static_cast<std::size_t>(packed & ((uint128{1} << bits) - 1));
    packed >>= bits;
    return value;
  };
  group.outcome = static_cast<Outcome>(take(kOutcomeBits));
  std::vector<std::size_t> values(options.by.size(), 0);
  for (std::size_t i = options.by.size(); i-- > 0;) values[i] = take(BitsOf(options.by[i]));
  group.service = static_cast<std::size_t>(packed);
  for (std::size_t i = 0; i < options.by.size(); ++i) {
    const bool is_outcome = options.by[i] == RequestKey::kOutcome;
    group.keys.push_back(TextOf(options.by[i],
                                is_outcome ? static_cast<std::size_t>(group.outcome) : values[i],
                                group.service));
  }
  return group;
}

InferenceFold::InferenceFold(InferenceFoldOptions options)
    : state_(std::make_unique<State>(std::move(options))) {}
InferenceFold::InferenceFold(InferenceFold&&) noexcept = default;
InferenceFold::~InferenceFold() = default;

Status InferenceFold::State::CheckLimits() const {
  if (numbers.size() > kGroupsMax) return TooMany("groups of requests");
  for (const SymbolNumbers& text : texts) {
    if (text.size() > kGroupsMax) return TooMany("values of one key");
  }
  return Ok();
}

Status InferenceFold::Add(const RequestBatch& requests, std::span<const std::int32_t> rest_ns) {
  const std::size_t rows = RowsOf(requests);
  state_->HashIds(requests);
  for (std::size_t row = 0; row < rows; ++row) {
    PLIMSOLL_RETURN_IF_ERROR(state_->AddRequest(requests, row, rest_ns.empty() ? 0 : rest_ns[row]));
  }
  state_->AddCounted(requests);
  return state_->CheckLimits();
}

FoldedRequests InferenceFold::Finish() {
  std::vector<std::size_t> order(state_->services.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  const auto& services = state_->services;
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::tie(services[a].folded.declared.name, a) <
           std::tie(services[b].folded.declared.name, b);
  });
  FoldedRequests folded;
  for (std::uint32_t i = 0; i < state_->sums.size(); ++i) {
    folded.groups.push_back(state_->GroupOf(i));
  }
  std::vector<std::size_t> place(order.size());
  for (const std::size_t i : order) {
    place[i] = folded.services.size();
    ServiceState& service = state_->services[i];
    if (state_->options.window) {
      service.folded.begin_ns = state_->options.window->begin.base() * kNsPerMs;
      service.folded.until_ns = state_->options.window->until.base() * kNsPerMs;
    }
    service.folded.busy_ns = service.busy.Within(service.folded.begin_ns, service.folded.until_ns);
    folded.services.push_back(std::move(service.folded));
  }
  for (RequestGroup& group : folded.groups) group.service = place[group.service];
  std::sort(
      folded.groups.begin(), folded.groups.end(), [](const RequestGroup& a, const RequestGroup& b) {
        return std::tie(a.service, a.keys, a.outcome) < std::tie(b.service, b.keys, b.outcome);
      });
  return folded;
}

}  // namespace plimsoll
