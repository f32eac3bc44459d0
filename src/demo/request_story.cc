#include "demo/request_story.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "demo/builder.h"
#include "demo/layout.h"
#include "demo/random.h"

namespace plimsoll {
namespace {

constexpr std::size_t kSlots = 6;                      // sequences that fit a replica's memory
constexpr Duration kSlotStep = Millis(5'000);          // grid of arrivals
constexpr std::int64_t kArrivalsPerMillion = 105'000;  // of a place at full traffic, per grid step
constexpr std::int64_t kClientPatience = 60'000;       // ms to the first token
constexpr std::int64_t kGatewayLimit = 900'000;        // ms to the last
constexpr Duration kDrain = Minutes(5);                // no new requests before a replica ends

struct Tenant {
  const char *name, *priority;
  std::int64_t weight;  // of 100
};
constexpr Tenant kTenants[] = {{"web-app", "online", 46},
                               {"support", "online", 25},
                               {"analyst", "online", 17},
                               {"reports", "batch", 12}};

// A pod of the service: it takes requests from `ready` to `drained` and lives until `end`.
struct Replica {
  Instant ready, drained, end;
  bool is_new = false;  // of the rollout
  std::array<Instant, kSlots> free{};

  std::size_t FirstFree() const {
    return static_cast<std::size_t>(std::min_element(free.begin(), free.end()) - free.begin());
  }
  std::int64_t RunningAt(Instant t) const {
    return std::count_if(free.begin(), free.end(), [&](Instant until) { return until > t; });
  }
};

std::vector<Replica> ReplicasOf(const DemoFleet& fleet) {
  const Instant rollout = fleet.window.begin + Days(2) + Hours(11);
  std::vector<Replica> replicas;
  for (const DemoPod& pod : fleet.pods) {
    const auto name = pod.labels.find("app.kubernetes.io/name");
    if (!pod.hold || name == pod.labels.end() || name->second != kDemoService) continue;
    const DemoHold& hold = fleet.holds[*pod.hold];
    Replica replica;
    replica.ready = hold.ready;
    replica.is_new = fleet.owners[pod.owner].created >= rollout;
    replica.end = hold.end.value_or(fleet.window.until + Days(1));
    // The rollout's preStop hook waits too short for answers of minutes.
    const bool is_rolled = hold.end && Window{rollout, rollout + Hours(1)}.contains(*hold.end);
    replica.drained = replica.end - (is_rolled ? Minutes(1) : kDrain);
    replicas.push_back(replica);
  }
  std::stable_sort(replicas.begin(), replicas.end(),
                   [](const Replica& a, const Replica& b) { return a.ready < b.ready; });
  return replicas;
}

class ServiceTeller {
 public:
  explicit ServiceTeller(const DemoFleet& fleet)
      : window_(fleet.window),
        places_(2 * NodesOf(fleet, "serve").size()),
        replicas_(ReplicasOf(fleet)),
        random_(fleet.seed, "requests/chat-70b") {}

  DemoService Tell() {
    service_.name = kDemoService;
    for (Instant t = window_.begin; t < window_.until; t = t + kSlotStep) {
      for (const Instant arrival : ArrivalsIn(t)) Serve(Ask(arrival));
    }
    std::stable_sort(service_.requests.begin(), service_.requests.end(),
                     [](const DemoRequest& a, const DemoRequest& b) { return a.end() < b.end(); });
    return std::move(service_);
  }

 private:
  std::vector<Instant> ArrivalsIn(Instant t) {
    std::vector<Instant> arrivals;
    const std::int64_t chance = kArrivalsPerMillion * TrafficAt(t) / 100;
    for (std::size_t place = 0; place < places_; ++place) {
      if (random_.Between(0, 999'999) >= chance) continue;
      arrivals.push_back(t + Millis(random_.Between(0, kSlotStep.base() - 1)));
    }
    std::sort(arrivals.begin(), arrivals.end());
    return arrivals;
  }

  // Long tails by products of two even draws.
  DemoRequest Ask(Instant arrival) {
    DemoRequest request;
    request.arrival = arrival;
    // Odd times the count, modulo 2^32: no id comes twice.
    request.id = fmt::format("{:08x}", ++asked_ * 2'654'435'761U & 0xffff'ffffU);
    std::int64_t draw = random_.Between(0, 99);
    for (const Tenant& tenant : kTenants) {
      request.tenant = tenant.name;
      request.priority = tenant.priority;
      if ((draw -= tenant.weight) < 0) break;
    }
    request.input = 400 + 3 * random_.Between(1, 100) * random_.Between(1, 100) / 2;
    const bool goes_on = random_.Chance(60);  // a conversation, whose beginning is cached
    if (goes_on) request.cached = request.input * random_.Between(30, 90) / 100 / 16 * 16;
    request.output = 700 + 7 * random_.Between(1, 100) * random_.Between(1, 100) / 2;
    request.reasoning = request.output * random_.Between(35, 80) / 100;
    return request;
  }

  // The replica on which it starts first, of these the emptiest; null if none takes requests.
  Replica* Route(Instant arrival) {
    for (; next_ < replicas_.size() && replicas_[next_].ready <= arrival; ++next_) {
      active_.push_back(next_);
    }
    std::erase_if(active_, [&](std::size_t i) { return replicas_[i].drained <= arrival; });
    Replica* best = nullptr;
    std::pair<Instant, std::int64_t> best_key;
    for (const std::size_t i : active_) {
      Replica& replica = replicas_[i];
      const Instant start = std::max(arrival, replica.free[replica.FirstFree()]);
      const std::pair key(start, replica.RunningAt(start));
      if (start >= replica.drained || (best != nullptr && best_key <= key)) continue;
      best = &replica;
      best_key = key;
    }
    return best;
  }

  void Serve(DemoRequest request) {
    Replica* const replica = Route(request.arrival);
    const std::int64_t work = random_.Between(0, 60), sway = random_.Between(0, 1'500);
    const bool leaves = random_.Chance(1);  // the client, halfway
    if (replica == nullptr) return Break(std::move(request), "error", std::nullopt, 4);
    Instant& slot = replica->free[replica->FirstFree()];
    const std::int64_t wait = std::max<std::int64_t>(0, Between(request.arrival, slot).base());
    request.version = replica->is_new ? "2.1" : "2.0";
    if (wait > kClientPatience) {
      return Break(std::move(request), "timeout", std::nullopt, kClientPatience);
    }
    const std::int64_t running = replica->RunningAt(request.arrival + Millis(wait));
    // Microseconds a token: the more sequences, the slower; the new version is a tenth faster.
    const std::int64_t pace = (19'000 + 700 * running + sway) * (replica->is_new ? 90 : 100) / 100;
    const std::int64_t first = wait + 110 + (request.input - request.cached) / 14 + work;
    const std::int64_t full = first + pace * (request.output - 1) / 1'000;
    const std::int64_t alive = Between(request.arrival, replica->end).base();
    const std::int64_t left = first + (full - first) / 2;
    if (full > alive && alive < kGatewayLimit) {
      Break(request, "error", first < alive ? std::optional(first) : std::nullopt, alive, pace);
    } else if (full > kGatewayLimit) {
      Break(request, "timeout", first, kGatewayLimit, pace);
    } else if (leaves) {
      Break(request, "cancelled", first, left, pace);
    } else {
      request.ttft_ms = first;
      request.e2e_ms = full;
      Log(request);
    }
    slot = request.arrival + Millis(std::min({full, alive, kGatewayLimit, leaves ? left : full}));
  }

  // Ends the request after `ms`, with the tokens that it had got by then.
  void Break(DemoRequest request, const char* status, std::optional<std::int64_t> first,
             std::int64_t ms, std::int64_t pace = 1) {
    request.status = status;
    request.ttft_ms = first;
    request.e2e_ms = ms;
    const std::int64_t got = first ? 1 + (ms - *first) * 1'000 / pace : 0;
    request.reasoning = std::min(request.reasoning, got);
    request.output = got;
    if (!first) request.cached = 0;
    Log(std::move(request));
  }

  // A request that is not over when the window ends is in no log yet.
  void Log(DemoRequest request) {
    if (request.end() >= window_.until) return;
    DemoServiceTruth& truth = service_.truth;
    ++truth.requests;
    truth.input_tokens += request.input;
    truth.cached_tokens += request.cached;
    truth.tokens += request.output;
    const bool is_good =
        std::string_view(request.status) == "ok" && *request.ttft_ms <= kDemoTtftMillis &&
        request.e2e_ms - *request.ttft_ms <= kDemoTpotMillis * (request.output - 1);
    if (is_good) {
      ++truth.good;
      truth.tokens_good += request.output;
    }
    service_.requests.push_back(std::move(request));
  }

  const Window window_;
  const std::size_t places_;
  std::vector<Replica> replicas_;
  std::vector<std::size_t> active_;
  std::size_t next_ = 0;
  std::uint64_t asked_ = 0;
  DemoRandom random_;
  DemoService service_;
};

}  // namespace

void TellRequests(DemoFleet& fleet) {
  if (!NodesOf(fleet, "serve").empty()) fleet.service = ServiceTeller(fleet).Tell();
}

}  // namespace plimsoll
