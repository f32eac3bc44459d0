#include "ingest/prometheus/prometheus_import.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <utility>

#include "ingest/fleet_load.h"
#include "ingest/prometheus/exposition_file.h"
#include "ingest/prometheus/http_client.h"
#include "ingest/prometheus/prom_json.h"
#include "ingest/prometheus/telemetry.h"
#include "ingest/usage_load.h"
#include "store/snapshot.h"

namespace plimsoll {
namespace {

constexpr Window kAllTime{AtMillis(-62'135'596'800'000), AtMillis(253'402'300'800'000)};
constexpr Duration kShortestChunk = Minutes(1);

struct Destination {
  Store* store;
  std::string cluster;
  std::vector<std::string>* kinds;  // of the scopes opened, in order
};

// Bindings and fleet facts of what was gathered so far, into `load`. Adds the kinds stored.
Status StoreFleetFacts(const Destination& to, SnapshotLoad& load, BindingBatch bindings,
                       const TelemetryFleet& fleet) {
  if (RowsOf(bindings) > 0) {
    FleetFacts facts;
    facts.bindings = std::move(bindings);
    to.kinds->emplace_back("bindings");
    PLIMSOLL_RETURN_IF_ERROR(
        StoreFleet(*to.store, load, {"bindings", to.cluster, {}}, std::move(facts)));
  }
  const FleetFacts& facts = fleet.facts;
  if (RowsOf(facts.nodes) + RowsOf(facts.holdings) + RowsOf(facts.pending) == 0) return Ok();
  to.kinds->emplace_back("kube-state-metrics");
  return StoreFleet(*to.store, load, {"kube-state-metrics", to.cluster, {}}, facts);
}

// Commits, and says in the report which kind each scope is of: they come in order of kind,
// and usage is the last.
Status CommitNamed(SnapshotLoad& load, const std::vector<std::string>& kinds,
                   ImportReport& report) {
  const std::size_t before = report.loads.size();
  PLIMSOLL_RETURN_IF_ERROR(load.Commit(report));
  for (std::size_t i = before; i < report.loads.size(); ++i) {
    const std::size_t n = i - before;
    std::string& scope = report.loads[i].scope;
    scope = (n < kinds.size() ? kinds[n] : "usage") + " of " + scope;
  }
  return Ok();
}

void AppendAll(BindingBatch& to, const BindingBatch& from) {
  for (std::size_t row = 0; row < RowsOf(from); ++row) AppendRow(to, from, row);
}

// The companion's facts of `day`, into `load`. Adds the kind if there are any.
Status StoreCompanionDay(const Destination& to, SnapshotLoad& load, Companion* companion,
                         Window day) {
  if (companion == nullptr) return Ok();
  PLIMSOLL_TRY(const bool stored, companion->StoreDay(*to.store, load, day));
  if (stored) to.kinds->push_back(companion->kind());
  return Ok();
}

void FillReport(const Telemetry& telemetry, const TelemetryFleet& fleet, ImportReport& report) {
  const TelemetryCounts& counts = telemetry.counts();
  report.accepted = counts.accepted;
  report.rejected = counts.rejected;
  report.duplicates = counts.duplicates;
  report.first_rejections = telemetry.first_rejections();
  report.ignored.assign(telemetry.ignored().begin(), telemetry.ignored().end());
  if (counts.absent > 0) {
    report.warnings.push_back(std::to_string(counts.absent) +
                              " samples were NaN or a constant that stands for no value: their "
                              "time counts as not measured, never as 0");
  }
  const KsmDuplicates twice = telemetry.FleetDuplicates();
  if (twice.series > 0) {
    report.warnings.push_back("duplicate series: " + std::to_string(twice.series) +
                              " series of kube-state-metrics were scraped more than once at the "
                              "same time (" +
                              twice.one_scrape + " and " + twice.another_scrape +
                              ", for example); each object counts once: scrape one of them");
  }
  if (fleet.pods_without_node > 0) {
    report.warnings.push_back(std::to_string(fleet.pods_without_node) +
                              " pods ran on an unknown node and are left out: let "
                              "kube-state-metrics export kube_pod_info");
  }
}

// One scope is committed many times, day after day: its last state is what counts.
void JoinLoads(ImportReport& report) {
  std::map<std::string, ImportReport::Load> by_scope;
  for (ImportReport::Load& load : report.loads) {
    const auto [at, added] = by_scope.try_emplace(load.scope, load);
    if (added) continue;
    at->second.rows = load.rows;
    if (load.outcome == "unchanged") continue;
    if (at->second.outcome == "unchanged") at->second.outcome = load.outcome;
    at->second.differences.insert(at->second.differences.end(), load.differences.begin(),
                                  load.differences.end());
  }
  report.loads.clear();
  for (auto& [scope, load] : by_scope) report.loads.push_back(std::move(load));
}

Status CheckCommon(const std::string& cluster, Duration hold, const std::optional<Window>& window) {
  if (cluster.empty()) {
    return Error{ErrorCode::kInvalidArgument,
                 "the cluster has no name: say which cluster the telemetry is of (--cluster)"};
  }
  if (hold < Seconds(1) || hold > Hours(24)) {
    return Error{ErrorCode::kInvalidArgument,
                 "the hold is not between 1 s and 24 h: it is at least the scrape interval, "
                 "usually 5 minutes"};
  }
  if (window && window->empty()) {
    return Error{ErrorCode::kInvalidArgument, "the window is empty: begin must be before until"};
  }
  return Ok();
}

// ---- from a server -----------------------------------------------------------------------

Result<std::string> ReadToken(const PrometheusOptions& options) {
  std::string token;
  if (!options.token_file.empty()) {
    std::ifstream file(options.token_file);
    if (!file || !std::getline(file, token)) {
      return Error{ErrorCode::kInvalidArgument,
                   options.token_file + ": no token can be read from the first line"};
    }
  } else if (!options.token_env.empty()) {
    const char* value = std::getenv(options.token_env.c_str());
    token = value == nullptr ? "" : value;
    if (token.empty()) {
      return Error{ErrorCode::kInvalidArgument,
                   "the environment variable " + options.token_env + " holds no token"};
    }
  }
  while (!token.empty() && (token.back() == '\r' || token.back() == ' ')) token.pop_back();
  const bool printable =
      std::all_of(token.begin(), token.end(), [](char c) { return c > 0x20 && c < 0x7f; });
  if (printable) return token;
  return Error{ErrorCode::kInvalidArgument,
               "the bearer token has spaces or control characters: it must be one word"};
}

std::string SecondsText(std::int64_t ms) {
  const std::string rest = std::to_string(1'000 + ms % 1'000);
  return std::to_string(ms / 1'000) + "." + rest.substr(1);
}

class ServerReader {
 public:
  ServerReader(HttpClient client, Telemetry& telemetry, const PrometheusOptions& options)
      : client_(std::move(client)),
        telemetry_(&telemetry),
        match_(options.match),
        companion_(options.companion) {}

  Status Check() {
    PLIMSOLL_TRY(const PromAnswer answer, Ask("/api/v1/query", {{"query", "1"}}));
    (void)answer;
    return Ok();
  }

  // All samples of [window) of every metric that is read.
  Status Read(Window window) {
    for (const SignalQuery& query : SignalQueries()) {
      PLIMSOLL_RETURN_IF_ERROR(ReadNames(query, window));
    }
    for (const KsmMetricName& metric : kKsmMetrics) {
      PLIMSOLL_RETURN_IF_ERROR(ReadMetric(metric.name, metric.matcher, window));
    }
    PLIMSOLL_RETURN_IF_ERROR(ReadForCompanion(window));
    if (companion_ != nullptr) companion_->Settle(window.until);
    return Ok();
  }

  // Which of the companion's names the server has in [window): most have none, and are asked
  // for nothing more.
  Status AskNames(Window window) {
    companion_names_.clear();
    if (companion_ == nullptr) return Ok();
    const std::string selector =
        "{" + Joined("__name__=~\"" + companion_->NamePattern() + "\"", match_) + "}";
    const Result<HttpAnswer> http =
        client_.Get("/api/v1/label/__name__/values", {{"match[]", selector},
                                                      {"start", SecondsText(window.begin.base())},
                                                      {"end", SecondsText(window.until.base())}});
    if (!http && http.error().code != ErrorCode::kInvalidArgument) return http.error();
    if (http && http->outcome == HttpOutcome::kOk) {
      const Result<std::vector<std::string>> names = ReadPromNames(http->body);
      if (names) {
        companion_names_ = companion_->NamesToRead(*names);
        return Ok();
      }
    }
    // A server that lists no names is asked for all that could be there.
    companion_names_ = companion_->NamesToRead(companion_->AllNames());
    return Ok();
  }

  // Counters of [window), which end what the time before has begun.
  Status ReadCounters(Window window) {
    PLIMSOLL_RETURN_IF_ERROR(ReadForCompanion(window));
    SignalQuery query;
    for (const SignalRow& row : SignalRows()) {
      if (row.signal == UsageSignal::kEnergy) query.names.emplace_back(row.name);
    }
    return ReadNames(query, window);
  }

  const std::set<std::string>& warnings() const { return warnings_; }

 private:
  Result<PromAnswer> Ask(const std::string& path, const HttpClient::Params& params) {
    PLIMSOLL_TRY(const HttpAnswer http, client_.Get(path, params));
    if (http.outcome == HttpOutcome::kTooMuch) {
      return Error{ErrorCode::kOutOfRange, http.reason};
    }
    PLIMSOLL_TRY(PromAnswer answer, ReadPromJson(http.body, *telemetry_));
    if (answer.status != "success") {
      return Error{ErrorCode::kUnavailable,
                   "the server says " + answer.error_type + ": " + answer.error};
    }
    warnings_.insert(answer.warnings.begin(), answer.warnings.end());
    return answer;
  }

  Status ReadForCompanion(Window window) {
    for (const std::vector<std::string>& names : companion_names_) {
      PLIMSOLL_RETURN_IF_ERROR(ReadNames({names, ""}, window));
    }
    return Ok();
  }

  // Several names are one query, unless the server will not have a query without a name.
  Status ReadNames(const SignalQuery& query, Window window) {
    if (query.names.size() > 1 && !by_name_) {
      std::string all;
      for (const std::string& name : query.names) all += (all.empty() ? "" : "|") + name;
      const Status read =
          ReadMetric("", Joined("__name__=~\"" + all + "\"", query.matcher), window);
      if (read || read.error().code != ErrorCode::kInvalidArgument) return read;
      by_name_ = true;
    }
    for (const std::string& name : query.names) {
      PLIMSOLL_RETURN_IF_ERROR(ReadMetric(name, query.matcher, window));
    }
    return Ok();
  }

  static std::string Joined(const std::string& a, const std::string& b) {
    return a + (a.empty() || b.empty() ? "" : ",") + b;
  }

  Status ReadMetric(const std::string& name, const std::string& matcher, Window window) {
    const std::string selector = name + "{" + Joined(matcher, match_) + "}";
    Instant from = window.begin;
    while (from < window.until) {
      const Window chunk{from, std::min(from + chunk_, window.until)};
      PLIMSOLL_TRY(const bool read, ReadChunk(selector, chunk));
      if (read) from = chunk.until;
    }
    return Ok();
  }

  // False if the chunk was too large; the next ones are then half as long. The server is
  // asked for a second more on either side, as servers differ in which ends they include.
  Result<bool> ReadChunk(const std::string& selector, Window chunk) {
    const std::int64_t seconds = (chunk.length().base() + 999) / 1'000 + 1;
    telemetry_->SetAccepted(chunk);
    const Result<PromAnswer> answer =
        Ask("/api/v1/query", {{"query", selector + "[" + std::to_string(seconds) + "s]"},
                              {"time", SecondsText(chunk.until.base())}});
    if (answer) return true;
    if (answer.error().code != ErrorCode::kOutOfRange) return answer.error();
    if (chunk.length() <= kShortestChunk) {
      return Error{ErrorCode::kUnavailable,
                   "even one minute of " + selector +
                       " is too much for the server: " + answer.error().message +
                       "; raise its query limits, or read less with a "
                       "label matcher"};
    }
    chunk_ = std::max(Millis(chunk.length().base() / 2), kShortestChunk);
    return false;
  }

  HttpClient client_;
  Telemetry* telemetry_;
  std::string match_;
  Companion* companion_;
  std::vector<std::vector<std::string>> companion_names_;
  Duration chunk_ = kTelemetryBlock;
  bool by_name_ = false;
  std::set<std::string> warnings_;
};

class ServerImport {
 public:
  ServerImport(Store& store, const PrometheusOptions& options)
      : store_(&store),
        options_(&options),
        telemetry_({options.cluster, options.window, options.hold, options.companion}) {}

  Result<ImportReport> Run() {
    PLIMSOLL_TRY(std::string token, ReadToken(*options_));
    HttpOptions http;
    http.url = options_->url;
    http.token = std::move(token);
    http.attempts = options_->attempts;
    http.sleep = options_->sleep;
    PLIMSOLL_TRY(HttpClient client, HttpClient::Open(std::move(http)));
    telemetry_.SetInput(WithoutCredentials(options_->url));
    reader_.emplace(std::move(client), telemetry_, *options_);
    PLIMSOLL_RETURN_IF_ERROR(reader_->Check());
    report_.kind = "prometheus";
    PLIMSOLL_RETURN_IF_ERROR(ReadDays());
    // Who still waits is known only at the end: a wait has no end of its own.
    const TelemetryFleet fleet = telemetry_.Fleet(true);
    PLIMSOLL_RETURN_IF_ERROR(Commit(nullptr, fleet));
    FillReport(telemetry_, fleet, report_);
    if (options_->companion != nullptr) options_->companion->Report(report_);
    JoinLoads(report_);
    for (const std::string& warning : reader_->warnings()) {
      report_.warnings.push_back("the server warns: " + warning);
    }
    return std::move(report_);
  }

 private:
  Status ReadDays() {
    const Window window = options_->window;
    for (Instant day = FloorTo(window.begin, Days(1)); day < window.until; day = day + Days(1)) {
      const Window whole{day, day + Days(1)};
      PLIMSOLL_TRY(const bool loaded, IsUsageDayLoaded(*store_, options_->cluster, whole));
      if (loaded && !options_->refresh) {
        ++skipped_;
        follows_ = false;
        continue;
      }
      PLIMSOLL_RETURN_IF_ERROR(ReadDay(whole));
    }
    if (skipped_ > 0) {
      report_.warnings.push_back(std::to_string(skipped_) +
                                 " days were loaded before and not read again");
    }
    return Ok();
  }

  Status ReadDay(Window day) {
    const Window wanted = Intersect(day, options_->window);
    PLIMSOLL_RETURN_IF_ERROR(
        reader_->AskNames({wanted.begin - options_->hold, wanted.until + options_->hold}));
    for (Instant from = FloorTo(wanted.begin, kTelemetryBlock); from < wanted.until;
         from = from + kTelemetryBlock) {
      Window block = Intersect({from, from + kTelemetryBlock}, wanted);
      // What was sampled just before may still hold; the block before has brought it along.
      if (!follows_) block.begin = block.begin - options_->hold;
      PLIMSOLL_RETURN_IF_ERROR(reader_->Read(block));
      follows_ = true;
      if (options_->progress) {
        const Duration done = Between(options_->window.begin, block.until);
        options_->progress("reading " + ToDateString(day.begin), done.base() / 1'000,
                           options_->window.length().base() / 1'000);
      }
    }
    telemetry_.SetTailOnly(true);
    PLIMSOLL_RETURN_IF_ERROR(reader_->ReadCounters({wanted.until, wanted.until + options_->hold}));
    telemetry_.SetTailOnly(false);
    TelemetryDay taken = telemetry_.TakeDay(day);
    taken.covered = wanted;
    if (options_->now) {
      taken.covered.until = std::max(wanted.begin, std::min(wanted.until, *options_->now));
    }
    return Commit(&taken, telemetry_.Fleet(false));
  }

  Status Commit(TelemetryDay* day, const TelemetryFleet& fleet) {
    PLIMSOLL_TRY(SnapshotLoad load, SnapshotLoad::Begin(*store_));
    BindingBatch bindings;
    std::vector<std::string> kinds;
    if (day != nullptr) {
      PLIMSOLL_RETURN_IF_ERROR(StoreUsageDay(
          *store_, load, {options_->cluster, day->day, day->covered}, std::move(day->usage)));
      bindings = std::move(day->bindings);
    }
    PLIMSOLL_RETURN_IF_ERROR(
        StoreFleetFacts({store_, options_->cluster, &kinds}, load, std::move(bindings), fleet));
    if (day != nullptr) {
      PLIMSOLL_RETURN_IF_ERROR(StoreCompanionDay({store_, options_->cluster, &kinds}, load,
                                                 options_->companion, day->day));
    }
    PLIMSOLL_RETURN_IF_ERROR(load.Reject(telemetry_.TakeRejections()));
    return CommitNamed(load, kinds, report_);
  }

  Store* store_;
  const PrometheusOptions* options_;
  Telemetry telemetry_;
  std::optional<ServerReader> reader_;
  ImportReport report_;
  std::int64_t skipped_ = 0;
  bool follows_ = false;  // the block before the next one was read
};

// ---- from files --------------------------------------------------------------------------

Status ReadFiles(const ExpositionOptions& options, Telemetry& telemetry) {
  for (const std::string& path : options.files) {
    const TelemetryCounts before = telemetry.counts();
    telemetry.SetInput(path);
    PLIMSOLL_RETURN_IF_ERROR(ReadSamplesFile(path, options.at, telemetry, [&](std::int64_t bytes) {
      if (options.progress) options.progress("reading " + path, bytes, 0);
    }));
    const TelemetryCounts& after = telemetry.counts();
    if (after.read == before.read && after.rejected > before.rejected) {
      const std::vector<Rejection>& shown = telemetry.first_rejections();
      const auto first = static_cast<std::size_t>(before.rejected);
      std::string why;
      if (first < shown.size()) {
        why = "; line " + std::to_string(shown[first].line) + ": " + shown[first].reason;
      }
      return Error{ErrorCode::kBadData, path + ": nothing in it can be read as samples" + why};
    }
  }
  return Ok();
}

}  // namespace

Result<ImportReport> ImportPrometheus(Store& store, const PrometheusOptions& options) {
  PLIMSOLL_RETURN_IF_ERROR(CheckCommon(options.cluster, options.hold, options.window));
  return ServerImport(store, options).Run();
}

Result<ImportReport> ImportExposition(Store& store, const ExpositionOptions& options) {
  PLIMSOLL_RETURN_IF_ERROR(CheckCommon(options.cluster, options.hold, options.window));
  if (options.files.empty()) {
    return Error{ErrorCode::kInvalidArgument, "no file is given"};
  }
  Telemetry telemetry(
      {options.cluster, options.window.value_or(kAllTime), options.hold, options.companion});
  PLIMSOLL_RETURN_IF_ERROR(ReadFiles(options, telemetry));

  ImportReport report;
  report.kind = "prometheus";
  PLIMSOLL_TRY(SnapshotLoad load, SnapshotLoad::Begin(store));
  BindingBatch bindings;
  std::vector<std::string> kinds;
  for (const Window day : telemetry.Days()) {
    TelemetryDay taken = telemetry.TakeDay(day);
    AppendAll(bindings, taken.bindings);
    if (RowsOf(taken.usage) == 0) continue;
    PLIMSOLL_RETURN_IF_ERROR(
        StoreUsageDay(store, load, {options.cluster, day, taken.covered}, std::move(taken.usage)));
  }
  const TelemetryFleet fleet = telemetry.Fleet(true);
  PLIMSOLL_RETURN_IF_ERROR(
      StoreFleetFacts({&store, options.cluster, &kinds}, load, std::move(bindings), fleet));
  if (options.companion != nullptr) {
    for (const Window day : options.companion->Days()) {
      PLIMSOLL_RETURN_IF_ERROR(
          StoreCompanionDay({&store, options.cluster, &kinds}, load, options.companion, day));
    }
    options.companion->Report(report);
  }
  PLIMSOLL_RETURN_IF_ERROR(load.Reject(telemetry.TakeRejections()));
  PLIMSOLL_RETURN_IF_ERROR(CommitNamed(load, kinds, report));
  FillReport(telemetry, fleet, report);
  return report;
}

}  // namespace plimsoll
