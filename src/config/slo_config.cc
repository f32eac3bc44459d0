#include "config/slo_config.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <set>

#include "units/human_text.h"

namespace plimsoll {
namespace {

constexpr std::int64_t kGpusMax = 10'000'000;
constexpr std::int64_t kRateMax = 1'000'000'000'000;
constexpr const char* kDayNames[] = {"mon", "tue", "wed", "thu", "fri", "sat", "sun"};

void ReadSlo(YamlMap& service, Slo& slo) {
  service.Map("slo", [&](YamlMap& map) {
    const auto read = [&](const char* key, std::optional<std::int64_t>* limit) {
      std::string text;
      map.Text(key, &text);
      if (text.empty()) return;
      const Result<std::int64_t> ns = ParseLatency(text);
      if (!ns) return map.Fail(key, ns.error().message);
      *limit = *ns;
    };
    read("ttft", &slo.ttft_ns);
    read("tpot", &slo.tpot_ns);
    read("e2e", &slo.e2e_ns);
  });
}

void ReadWeights(YamlMap& service, ServiceDeclaration& declared) {
  service.Map("token_weights", [&](YamlMap& map) {
    declared.weights_declared = true;
    const auto read = [&](const char* key, std::int64_t* weight) {
      std::string text;
      map.Text(key, &text);
      if (text.empty()) return;
      const Result<std::int64_t> thousandths = ParseTokenWeight(text);
      if (!thousandths) return map.Fail(key, thousandths.error().message);
      *weight = *thousandths;
    };
    read("input", &declared.weights.input);
    read("cached_input", &declared.weights.cached_input);
    read("output", &declared.weights.output);
    if (declared.weights.input == 0 && declared.weights.output == 0) {
      map.Fail("output", "input and output cannot both weigh nothing");
    }
  });
}

void ReadPeak(YamlMap& service, const std::string& time_zone, ServiceDeclaration& declared) {
  service.Map("peak", [&](YamlMap& map) {
    PeakHours peak;
    peak.time_zone = time_zone;
    std::string hours;
    map.Require("hours", "hours: 09:00-18:00");
    map.Text("hours", &hours);
    if (!hours.empty() && !ParseHours(hours, peak)) {
      map.Fail("hours", "'" + hours.substr(0, 40) +
                            "' must be two times of a day, the first before the second, as in "
                            "09:00-18:00; the day ends at 24:00");
    }
    std::vector<std::string> days;
    map.Texts("days", &days);
    if (!days.empty()) peak.days.fill(false);
    for (const std::string& day : days) {
      const auto* const known = std::find(std::begin(kDayNames), std::end(kDayNames), day);
      if (known == std::end(kDayNames)) {
        map.Fail("days",
                 "'" + day.substr(0, 40) + "' is not one of mon, tue, wed, thu, fri, sat, sun");
        continue;
      }
      peak.days[static_cast<std::size_t>(known - std::begin(kDayNames))] = true;
    }
    map.Text("time_zone", &peak.time_zone);
    if (map.Has("time_zone")) {
      const Result<Zone> zone = Zone::Find(peak.time_zone);
      if (!zone) map.Fail("time_zone", zone.error().message);
    }
    declared.peak = peak;
  });
}

void ReadCost(YamlMap& map, ServiceDeclaration& declared) {
  std::optional<std::int64_t> reserve;
  map.Whole("gpus", 1, kGpusMax, &declared.gpus);
  map.Whole("reserve_gpus", 0, kGpusMax, &reserve);
  map.Whole("safe_tokens_per_second", 1, kRateMax, &declared.safe_tokens_per_second);
  declared.reserve_gpus = reserve.value_or(0);
  std::string price;
  map.Text("gpu_price", &price);
  if (!price.empty()) {
    const Result<Money> money = Money::Parse(price);
    if (money && *money >= Money() && *money <= Money::Units(1'000'000)) {
      declared.gpu_price = *money;
    } else {
      map.Fail("gpu_price",
               "'" + price.substr(0, 40) + "' is not a price of one GPU for an hour, such as 2.00");
    }
  }
  std::string release;
  map.Text("release_gpu_hours", &release);
  if (!release.empty()) {
    const Result<Money> hours = Money::Parse(release);
    if (hours && *hours >= Money() && *hours <= Money::Units(1'000'000'000)) {
      constexpr std::int64_t kNanosPerMs = Money::kNanosPerUnit;
      declared.release_time = GpuMillis(
          static_cast<std::int64_t>(DivideHalfEven(hours->nanos() * 3'600'000, kNanosPerMs)));
    } else {
      map.Fail("release_gpu_hours",
               "'" + release.substr(0, 40) + "' is not a number of GPU-hours, such as 2.5");
    }
  }
  map.Text("cost", &declared.cost_filter);
  if (!declared.cost_filter.empty() && declared.gpu_price) {
    map.Fail("cost", "cannot stand beside gpu_price: the cost is the ledger's lines or a price");
  }
  if (declared.gpus && declared.reserve_gpus >= *declared.gpus) {
    map.Fail("reserve_gpus", "is part of gpus and must leave at least one to serve");
  }
}

}  // namespace

void ReadServices(YamlMap& top, const std::string& time_zone,
                  std::vector<ServiceDeclaration>& services) {
  std::set<std::string> names;
  top.Maps("services", [&](YamlMap& map) {
    ServiceDeclaration declared;
    map.Require("name", "name: a name of its own, which reports show");
    map.Text("name", &declared.name);
    if (!declared.name.empty() && !names.insert(declared.name).second) {
      map.Fail("name", "'" + declared.name + "' is taken by an earlier service");
    }
    map.Map("match", [&](YamlMap& match) {
      match.Texts("service", &declared.match_services);
      match.Texts("model", &declared.match_models);
    });
    // A service matches the requests that bear its name, if nothing else is said.
    if (!map.Has("match")) declared.match_services = {declared.name};
    map.Text("quantization", &declared.quantization);
    ReadSlo(map, declared.slo);
    ReadWeights(map, declared);
    ReadPeak(map, time_zone, declared);
    ReadCost(map, declared);
    services.push_back(std::move(declared));
  });
}

bool ParseHours(const std::string& text, PeakHours& hours) {
  const auto minute_of = [](std::string_view time) -> std::optional<std::int64_t> {
    if (time.size() != 5 || time[2] != ':') return std::nullopt;
    const std::optional<std::int64_t> hour = ParseWhole(time.substr(0, 2), 0, 24);
    const std::optional<std::int64_t> minute = ParseWhole(time.substr(3), 0, 59);
    if (!hour || !minute || *hour * 60 + *minute > 24 * 60) return std::nullopt;
    return *hour * 60 + *minute;
  };
  if (text.size() != 11 || text[5] != '-') return false;
  const std::optional<std::int64_t> begin = minute_of(std::string_view(text).substr(0, 5));
  const std::optional<std::int64_t> until = minute_of(std::string_view(text).substr(6));
  if (!begin || !until || *begin >= *until) return false;
  hours.begin_minute = *begin;
  hours.until_minute = *until;
  return true;
}

PeakSpan PeakSpanAt(const PeakHours& hours, const Zone& zone, Instant t) {
  const std::int64_t day_ms = Days(1).base();
  const std::int64_t wall = zone.WallOf(t).base();
  const std::int64_t midnight = FloorTo(AtMillis(wall), Days(1)).base();
  // Days since Thursday, 1970-01-01; the week begins on Monday.
  const std::int64_t days = midnight / day_ms;
  const auto weekday = static_cast<std::size_t>(((days + 3) % 7 + 7) % 7);
  const std::int64_t minutes[] = {0, hours.begin_minute, hours.until_minute, 24 * 60};
  std::array<Instant, 4> cuts;
  for (std::size_t i = 0; i < cuts.size(); ++i) {
    cuts[i] = zone.FirstAt(WallTime::FromBase(midnight + minutes[i] * 60'000));
  }
  for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
    const Window window{cuts[i], cuts[i + 1]};
    if (window.contains(t)) return {window, i == 1 && hours.days[weekday]};
  }
  // An hour that the clock shows twice at a border of the day: this instant alone.
  return {{t, t + Millis(1)}, false};
}

}  // namespace plimsoll
