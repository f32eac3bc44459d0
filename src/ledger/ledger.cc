#include "ledger/ledger.h"

#include <algorithm>
#include <future>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "base/hash.h"
#include "ledger/facts.h"
#include "ledger/tables.h"
#include "model/row_hash.h"

namespace plimsoll {
namespace {

// Raised when the same facts would give other lines: a change in allocation's rules.
constexpr std::int64_t kRulesVersion = 4;

struct DayKey {
  std::vector<std::int64_t> day_id;
  std::vector<Instant> day;
  std::vector<std::string> input_hash;
  static constexpr std::tuple kColumns{
      MakeColumn("day_id", &DayKey::day_id),
      MakeColumn("day", &DayKey::day),
      MakeColumn("input_hash", &DayKey::input_hash),
  };
};

constexpr std::int64_t kDaysMax = 3'660;  // ten years

// One day that has to be computed, with its facts.
struct Job {
  Window day;
  std::string input_hash;
  std::string snapshot_ids;
  OccupancyFacts occupancy;
  ChargeBatch charges;
  UsageBatch usage;
  AllocationOptions options;
};

void AddTime(RowHasher& hasher, const std::optional<Instant>& time) {
  if (time) {
    hasher.Add(time->base());
  } else {
    hasher.AddNull();
  }
}

void AddRules(RowHasher& hasher, const AttributionRules& rules) {
  for (const DimensionRule& rule : rules.dimensions) {
    hasher.Add(static_cast<std::int64_t>(rule.keys.size()));
    for (const std::string& key : rule.keys) hasher.Add(std::string_view(key));
    hasher.Add(static_cast<std::int64_t>(rule.values.size()));
    for (const std::string& value : rule.values) hasher.Add(std::string_view(value));
  }
  for (const OwnerFallback& fallback : rules.fallbacks) {
    for (const std::string* text : {&fallback.ns, &fallback.account, &fallback.team,
                                    &fallback.cost_center, &fallback.user, &fallback.resource}) {
      hasher.Add(std::string_view(*text));
    }
    AddTime(hasher, fallback.time.since);
    AddTime(hasher, fallback.time.until);
  }
  for (const ValueMapping& mapping : rules.mappings) {
    hasher.Add(static_cast<std::int64_t>(mapping.dimension));
    hasher.Add(std::string_view(mapping.from));
    hasher.Add(std::string_view(mapping.to));
    AddTime(hasher, mapping.time.since);
    AddTime(hasher, mapping.time.until);
  }
}

void AddScope(RowHasher& hasher, const NodeScope& scope) {
  for (const std::string* text :
       {&scope.cluster, &scope.node, &scope.zone, &scope.region, &scope.gpu_model,
        &scope.capacity_type, &scope.label_key, &scope.label_value}) {
    hasher.Add(std::string_view(*text));
  }
}

void AddIdlePolicy(RowHasher& hasher, const IdlePolicy& idle) {
  hasher.Add(static_cast<std::int64_t>(idle.reserves.size()));
  for (const DeclaredReserve& reserve : idle.reserves) {
    for (const std::string* text :
         {&reserve.name, &reserve.kind, &reserve.owner, &reserve.reason}) {
      hasher.Add(std::string_view(*text));
    }
    AddScope(hasher, reserve.scope);
    hasher.Add(reserve.gpus);
    AddTime(hasher, reserve.from);
    AddTime(hasher, reserve.until);
  }
  for (const MaintenanceWindow& window : idle.maintenance) {
    AddScope(hasher, window.scope);
    hasher.Add(window.time.begin.base());
    hasher.Add(window.time.until.base());
  }
  for (const Duration length : {idle.scale_down_delay, idle.init_grace, idle.cordon_grace}) {
    hasher.Add(length.base());
  }
  for (const std::int64_t gpus : idle.typical_gpus) hasher.Add(gpus);
}

void AddDeclared(RowHasher& hasher, const AllocationOptions& options) {
  hasher.Add(static_cast<std::int64_t>(options.declared.size()));
  for (const DeclaredCost& cost : options.declared) {
    hasher.Add(std::string_view(cost.name));
    hasher.Add(std::string_view(cost.kind));
    hasher.Add(std::string_view(cost.amount.ToString()));
    hasher.Add(std::string_view(cost.team));
    AddTime(hasher, cost.from);
    AddTime(hasher, cost.until);
  }
  for (const VolumePrice& price : options.volume_prices) {
    hasher.Add(std::string_view(price.storage_class));
    hasher.Add(std::string_view(price.per_gib_month.ToString()));
  }
}

Hash128 HashOfOptions(const AllocationOptions& options, const PriceBatch& prices) {
  RowHasher hasher;
  hasher.Add(kRulesVersion);
  for (const std::int64_t number :
       {options.split.gpu, options.split.cpu, options.split.memory, options.busy_ppm_min,
        static_cast<std::int64_t>(options.unused_commitment), options.data_until.base(),
        options.data_begin.base()}) {
    hasher.Add(number);
  }
  hasher.Add(std::string_view(options.platform_team));
  hasher.Add(std::string_view(options.currency));
  for (const auto& [node, resource] : options.node_resources) {
    hasher.Add(std::string_view(node));
    hasher.Add(std::string_view(resource));
  }
  for (const BilledResource& billed : options.billed) {
    hasher.Add(std::string_view(billed.resource_id));
    hasher.Add(std::string_view(billed.resource_name));
    hasher.Add(billed.covered.begin.base());
    hasher.Add(billed.covered.until.base());
  }
  AddRules(hasher, options.attribution);
  AddIdlePolicy(hasher, options.idle);
  AddDeclared(hasher, options);
  Hash128 hash = hasher.Finish();
  hash += HashOfRows(prices);
  return hash;
}

struct Span {
  std::vector<std::optional<Instant>> begin, until;
  static constexpr std::tuple kColumns{
      MakeColumn("begin_at", &Span::begin),
      MakeColumn("until_at", &Span::until),
  };
};

Result<Span> ReadSpan(Store& store, const std::string& kinds) {
  return Query<Span>(store,
                     "SELECT min(data_begin), max(data_until) FROM snapshot WHERE active = 1 "
                     "AND kind IN (" +
                         kinds + ")");
}

constexpr char kFleetKinds[] = "'usage', 'kubernetes', 'kube-state-metrics', 'slurm', 'bindings'";

Result<AllocationOutput> Compute(const Job& job, const PriceBatch& prices, const Catalog& catalog) {
  const AllocationInput input{job.charges,
                              job.occupancy.nodes,
                              job.occupancy.holdings,
                              job.occupancy.bindings,
                              job.usage,
                              prices,
                              catalog,
                              &job.occupancy.conditions};
  return Allocate(input, job.options);
}

Status WriteDay(Store& store, const Job& job, const AllocationOutput& output) {
  // The day's number since the epoch is its id: the same day always replaces itself.
  const std::int64_t day_id = job.day.begin.base() / Days(1).base();
  PLIMSOLL_RETURN_IF_ERROR(store.Begin());
  const auto write = [&]() -> Status {
    PLIMSOLL_RETURN_IF_ERROR(DeleteLedgerDay(store, day_id));
    PLIMSOLL_RETURN_IF_ERROR(WriteLedgerDay(store, day_id, output));
    return store.Execute("INSERT INTO ledger_day VALUES (?, ?, ?, ?)",
                         {day_id, job.day.begin, job.input_hash, job.snapshot_ids});
  };
  Status written = write();
  if (!written) {
    (void)store.Rollback();
    return written;
  }
  return store.Commit();
}

// What one refresh works with.
class Refresher {
 public:
  Refresher(Store& store, const Catalog& catalog, const LedgerOptions& options)
      : store_(store), catalog_(catalog), options_(options) {}

  Status Prepare(Window window, Instant data_begin, Instant data_as_of) {
    data_begin_ = data_begin;
    data_as_of_ = data_as_of;
    PLIMSOLL_TRY(OccupancyFacts occupancy, ReadOccupancy(store_, Reach(window)));
    occupancy_ = OccupancyIndex(std::move(occupancy));
    PLIMSOLL_TRY(billed_, ReadBilled(store_));
    PLIMSOLL_TRY(prices_, ReadPrices(store_));
    AppendAll(prices_, options_.prices);  // after the stored ones: the configuration wins
    catalog_hash_ = catalog_.content_hash();
    PLIMSOLL_TRY(const DayKey present,
                 Query<DayKey>(store_, "SELECT day_id, day, input_hash FROM ledger_day"));
    for (std::size_t row = 0; row < RowsOf(present); ++row) {
      present_[present.day[row]] = present.input_hash[row];
    }
    return Ok();
  }

  // The day's job, or nothing if its lines are current.
  Result<std::optional<Job>> JobFor(Window day) {
    PLIMSOLL_TRY(Provenance provenance, ReadProvenance(store_, day));
    Job job;
    job.day = day;
    job.options = options_.allocation;
    job.options.window = day;
    // A day more than the day itself: what began just before midnight is found by the evidence
    // of the hours after it. Older days do not change when data grows.
    job.options.data_until = std::min(data_as_of_, day.until + Days(1));
    job.options.data_begin = std::clamp(data_begin_, day.begin, day.until);
    for (const BilledResource& billed : billed_) {
      const Window part = Intersect(billed.covered, day);
      if (!part.empty()) {
        job.options.billed.push_back({billed.resource_id, billed.resource_name, part});
      }
    }
    job.occupancy = occupancy_.Touching(Reach(day));
    Hash128 hash = HashOf(provenance.hashes);
    hash += HashOf(job.occupancy);
    hash += catalog_hash_;
    hash += HashOfOptions(job.options, prices_);
    job.input_hash = hash.ToHex();
    job.snapshot_ids = provenance.snapshot_ids;
    const auto present = present_.find(day.begin);
    if (present != present_.end() && present->second == job.input_hash) {
      return std::optional<Job>();
    }
    PLIMSOLL_TRY(job.charges, ReadCharges(store_, day));
    PLIMSOLL_TRY(job.usage, ReadUsage(store_, day));
    return std::optional<Job>(std::move(job));
  }

  // Computes the jobs at the same time and writes them in order.
  Status Run(const std::vector<Job>& jobs) {
    std::vector<std::future<Result<AllocationOutput>>> running;
    for (const Job& job : jobs) {
      running.push_back(
          std::async(std::launch::async, [this, &job] { return Compute(job, prices_, catalog_); }));
    }
    Status status = Ok();
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      Result<AllocationOutput> output = running[i].get();
      if (!status) continue;
      status = output ? WriteDay(store_, jobs[i], *output) : Status(std::move(output).error());
    }
    return status;
  }

 private:
  // What was held shortly before explains the idle time after it.
  Window Reach(Window window) const {
    return {window.begin - options_.allocation.idle.scale_down_delay, window.until};
  }

  static void AppendAll(PriceBatch& to, const PriceBatch& from) {
    for (std::size_t row = 0; row < RowsOf(from); ++row) AppendRow(to, from, row);
  }

  Store& store_;
  const Catalog& catalog_;
  const LedgerOptions& options_;
  Instant data_begin_, data_as_of_;
  OccupancyIndex occupancy_;
  std::vector<BilledResource> billed_;
  PriceBatch prices_;
  Hash128 catalog_hash_;
  std::map<Instant, std::string> present_;  // day -> input hash of its stored lines
};

}  // namespace

Result<LedgerOptions> LedgerOptionsOf(const Config& config) {
  LedgerOptions options;
  AllocationOptions& allocation = options.allocation;
  allocation.split = {config.split_gpu, config.split_cpu, config.split_memory};
  allocation.attribution = config.attribution;
  allocation.platform_team = config.platform_team;
  allocation.node_resources = config.node_resources;
  allocation.currency = config.currency;
  allocation.idle = config.idle;
  allocation.declared = config.declared;
  allocation.volume_prices = config.volume_prices;
  if (config.unused_commitment == "owner") {
    allocation.unused_commitment = UnusedCommitment::kOwner;
  } else if (config.unused_commitment == "platform") {
    allocation.unused_commitment = UnusedCommitment::kPlatform;
  } else if (config.unused_commitment == "proportional") {
    allocation.unused_commitment = UnusedCommitment::kProportional;
  } else {
    return Error{ErrorCode::kBadData, "unused_commitment '" + config.unused_commitment +
                                          "' is not owner, platform or proportional"};
  }
  options.prices = config.prices;
  return options;
}

Result<Ledger> Ledger::Open(Store& store, const Catalog& catalog, LedgerOptions options) {
  PLIMSOLL_RETURN_IF_ERROR(PrepareLedgerTables(store));
  return Ledger(store, catalog, std::move(options));
}

Status Ledger::Refresh(Window window) {
  if (window.empty()) return Ok();
  const Window days{FloorTo(window.begin, Days(1)), CeilTo(window.until, Days(1))};
  const std::int64_t total = days.length().base() / Days(1).base();
  if (total > kDaysMax) {
    return Error{ErrorCode::kInvalidArgument,
                 "window " + ToString(window) + " is " + std::to_string(total) +
                     " days long; at most " + std::to_string(kDaysMax) + " are computed at once"};
  }
  PLIMSOLL_TRY(const Instant data_as_of, DataAsOf());
  Refresher refresher(*store_, *catalog_, options_);
  PLIMSOLL_TRY(const Span fleet, ReadSpan(*store_, kFleetKinds));
  const Instant data_begin = fleet.begin.at(0).value_or(days.begin);
  PLIMSOLL_RETURN_IF_ERROR(refresher.Prepare(days, data_begin, data_as_of));

  std::vector<Job> jobs;
  std::int64_t done = 0;
  for (Instant day = days.begin; day < days.until; day = day + Days(1)) {
    PLIMSOLL_TRY(std::optional<Job> job, refresher.JobFor({day, day + Days(1)}));
    ++done;
    if (job) jobs.push_back(*std::move(job));
    const bool last = day + Days(1) == days.until;
    if (jobs.size() == static_cast<std::size_t>(std::max(options_.threads, 1)) || last) {
      PLIMSOLL_RETURN_IF_ERROR(refresher.Run(jobs));
      jobs.clear();
    }
    if (options_.progress) options_.progress("allocating days", done, total);
  }
  return Ok();
}

Result<Window> Ledger::Extent() {
  // Pods and nodes are older than what is known of them: they count only where nothing else is.
  PLIMSOLL_TRY(Span span, ReadSpan(*store_, "'charge', 'usage'"));
  if (!span.begin.at(0)) {
    PLIMSOLL_TRY(span, ReadSpan(*store_, kFleetKinds));
  }
  // A charge may last longer than the days that have charges; not beyond its billing period.
  PLIMSOLL_TRY(const Span charges,
               Query<Span>(*store_,
                           "SELECT min(greatest(charge_begin, billing_begin)), "
                           "max(least(charge_until, billing_until)) FROM active_charge"));
  if (charges.begin.at(0) && span.begin[0]) {
    span.begin[0] = std::min(*span.begin[0], *charges.begin[0]);
    span.until[0] = std::max(*span.until[0], *charges.until[0]);
  }
  if (!span.begin.at(0) || !span.until.at(0)) return Window{};
  return Window{FloorTo(*span.begin[0], Days(1)), CeilTo(*span.until[0], Days(1))};
}

Result<Instant> Ledger::DataAsOf() {
  PLIMSOLL_TRY(const Span span, ReadSpan(*store_, kFleetKinds));
  return RowsOf(span) == 0 ? Instant() : span.until[0].value_or(Instant());
}

}  // namespace plimsoll
