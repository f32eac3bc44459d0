#include <algorithm>
#include <istream>
#include <memory>
#include <ostream>

#include "cli/commands.h"
#include "cli/context.h"
#include "cli/discover.h"
#include "cli/files.h"
#include "config/config_prices.h"
#include "config/default_config.h"
#include "ingest/prometheus/http_client.h"

namespace plimsoll {
namespace {

struct Args {
  bool force = false;
  bool yes = false;
  std::string cluster;
};

bool PrometheusAnswers(const std::string& url) {
  HttpOptions options;
  options.url = url;
  options.attempts = 1;
  options.timeout = Seconds(2);
  Result<HttpClient> client = HttpClient::Open(options);
  return client && client->Get("/api/v1/query", {{"query", "1"}}).has_value();
}

// Asks on the terminal until the answer is good; an empty answer is `usual`.
std::string Ask(const Io& io, const std::string& question, const std::string& usual,
                const std::function<std::string(const std::string&)>& wrong) {
  while (true) {
    *io.err << question << (usual.empty() ? "" : " [" + usual + "]") << ": " << std::flush;
    std::string line;
    if (!std::getline(*io.in, line)) return usual;
    line.erase(line.find_last_not_of(" \t\r") + 1);
    if (line.empty()) return usual;
    const std::string reason = wrong(line);
    if (reason.empty()) return line;
    *io.err << "  " << reason << "\n";
  }
}

std::string WrongZone(const std::string& text) {
  const Result<Zone> zone = Zone::Find(text);
  return zone ? "" : zone.error().message;
}
std::string WrongCurrency(const std::string& text) {
  return IsCurrencyCode(text) ? "" : "write an ISO 4217 code such as USD or EUR";
}
std::string WrongUrl(const std::string& text) {
  if (!text.starts_with("http://") && !text.starts_with("https://")) {
    return "write it as in http://prometheus:9090, or nothing";
  }
  return PrometheusAnswers(text) ? "" : "nothing answers there; leave it empty to go on";
}
std::string NothingWrong(const std::string&) { return ""; }

bool HasKind(const ConfigDraft& draft, const std::string& kind) {
  return std::any_of(draft.sources.begin(), draft.sources.end(),
                     [&](const SourceConfig& source) { return source.kind == kind; });
}

void AskForTheRest(const Io& io, ConfigDraft& draft, std::string& cluster) {
  draft.time_zone = Ask(io, "Time zone of your reports", draft.time_zone, WrongZone);
  draft.currency = Ask(io, "Currency of prices that no bill gives", draft.currency, WrongCurrency);
  if (!HasKind(draft, "prometheus")) {
    const std::string url = Ask(io, "URL of Prometheus (empty if there is none)", "", WrongUrl);
    if (!url.empty()) {
      SourceConfig source;
      source.kind = source.name = "prometheus";
      source.url = url;
      draft.sources.push_back(std::move(source));
    }
  }
  const bool fleet = HasKind(draft, "prometheus") || HasKind(draft, "kubernetes");
  if (fleet && cluster.empty()) cluster = Ask(io, "Name of the cluster", "default", NothingWrong);
}

Result<ExitCode> RunInit(Context& context, const Args& args) {
  const Io& io = context.io();
  const std::string path =
      context.options().config.empty() ? "plimsoll.yaml" : context.options().config;
  if (FileExists(path) && !args.force) {
    return Error{ErrorCode::kFailedPrecondition,
                 path + " is there already; --force writes it anew, --config names another"};
  }
  DiscoverOptions options;
  options.io = &io;
  options.answers = PrometheusAnswers;
  const Discovered discovered = Discover(options);
  for (const std::string& sentence : discovered.found) context.Say("found " + sentence);
  ConfigDraft draft;
  if (!discovered.time_zone.empty()) draft.time_zone = discovered.time_zone;
  draft.sources = discovered.sources;
  std::string cluster = args.cluster;
  // A pipe cannot answer: questions are for people.
  if (io.in_is_terminal && io.err_is_terminal && !args.yes) AskForTheRest(io, draft, cluster);
  for (SourceConfig& source : draft.sources) {
    if (source.kind == "kubernetes" || source.kind == "prometheus") source.cluster = cluster;
  }
  const std::string text = ConfigText(draft);
  // What is written must load; a name that a file system allows and YAML does not is our bug.
  PLIMSOLL_TRY(const Config loaded, LoadConfig(path, text));
  PLIMSOLL_RETURN_IF_ERROR(WriteWholeFile(path, text));
  context.Say("wrote " + path + " with " + std::to_string(loaded.sources.size()) + " sources");
  for (const std::string& sentence : discovered.to_do) context.Say("next: " + sentence);
  context.Say(loaded.sources.empty() ? "next: add sources to " + path + ", then plimsoll sync"
                                     : "next: plimsoll sync");
  return ExitCode::kDone;
}

}  // namespace

Command InitCommand() {
  auto args = std::make_shared<Args>();
  Command command;
  command.name = "init";
  command.summary = "Look around and write a commented plimsoll.yaml";
  command.about =
      "Looks for bill, Slurm, Kubernetes and metrics files in this folder and in bills/, for "
      "Prometheus at PROMETHEUS_URL and localhost:9090, for a kubeconfig and for Slurm's sacct. "
      "On a terminal it asks for what it cannot see. It only reads, and writes one file.";
  command.example = "plimsoll init\nplimsoll init --yes --config /etc/plimsoll/plimsoll.yaml";
  command.common = CommonSet::kStore;
  command.options = {
      CommandOption::Flag("--force", "Write over a file that is there", &args->force),
      CommandOption::Flag("--yes,-y", "Ask nothing", &args->yes),
      CommandOption::Text("--cluster", "NAME", "Name of the cluster", &args->cluster)};
  command.run = [args](Context& context) { return RunInit(context, *args); };
  return command;
}

}  // namespace plimsoll
