#include <charconv>
#include <memory>
#include <optional>

#include "cli/commands.h"
#include "cli/context.h"
#include "cli/import_view.h"
#include "cli/load_sources.h"
#include "config/duration.h"
#include "config/window.h"

namespace plimsoll {
namespace {

struct Args {
  std::vector<std::string> sources, defaults, maps;
  std::string cluster, window, at, hold, match, token_file, token_env;
  std::string time_zone, provider, currency, as_of;
  std::string kubeconfig, context, watch, service, dynamo_prefix;
  std::string run, experiment, model, gpus, samples_per_step, tokens_per_step;
  bool api = false;
  bool in_cluster = false;
  bool partial = false;
  bool strict = false;
  bool refresh = false;
};

bool IsUrl(const std::string& text) {
  return text.starts_with("http://") || text.starts_with("https://");
}

// The options of the live API.
Status ReadApi(const Args& args, SourceConfig& source) {
  if (!source.api) {
    return Error{ErrorCode::kInvalidArgument,
                 "--kubeconfig, --context, --in-cluster and --watch are of the live API: give "
                 "--api too"};
  }
  if (!args.sources.empty()) {
    return Error{ErrorCode::kInvalidArgument, "give files or --api, not both"};
  }
  source.kubeconfig = args.kubeconfig;
  source.context = args.context;
  source.in_cluster = args.in_cluster;
  if (args.in_cluster && (!args.kubeconfig.empty() || !args.context.empty())) {
    return Error{ErrorCode::kInvalidArgument,
                 "--in-cluster cannot stand beside --kubeconfig or --context"};
  }
  if (!args.watch.empty()) {
    PLIMSOLL_TRY(source.watch, ParseDuration(args.watch));
  }
  return Ok();
}

// A count of the options; null if it was not given.
Result<std::optional<std::int64_t>> CountOf(const char* option, const std::string& text) {
  if (text.empty()) return std::optional<std::int64_t>();
  std::int64_t value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_whole = failure == std::errc() && end == text.data() + text.size();
  if (is_whole && value > 0 && value <= 1'000'000'000'000) return std::optional(value);
  return Error{ErrorCode::kInvalidArgument,
               std::string(option) + " '" + text + "': give a whole number from 1 up"};
}

Status ReadRuns(const Args& args, RunSource& runs) {
  runs.run = args.run;
  runs.experiment = args.experiment;
  runs.model = args.model;
  PLIMSOLL_TRY(runs.gpus, CountOf("--gpus", args.gpus));
  PLIMSOLL_TRY(runs.samples_per_step, CountOf("--samples-per-step", args.samples_per_step));
  PLIMSOLL_TRY(runs.tokens_per_step, CountOf("--tokens-per-step", args.tokens_per_step));
  return Ok();
}

Result<SourceConfig> SourceOf(const std::string& kind, const Args& args) {
  SourceConfig source;
  source.kind = source.name = kind;
  source.cluster = args.cluster;
  source.match = args.match;
  source.token_file = args.token_file;
  source.token_env = args.token_env;
  source.service = args.service;
  source.maps = args.maps;
  PLIMSOLL_RETURN_IF_ERROR(ReadRuns(args, source.runs));
  for (const std::string& text : args.defaults) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
      return Error{ErrorCode::kInvalidArgument,
                   "--default '" + text + "': write COLUMN=VALUE, as in InvoiceIssuerName=Acme"};
    }
    source.defaults[text.substr(0, equals)] = text.substr(equals + 1);
  }
  if (!args.hold.empty()) {
    PLIMSOLL_TRY(source.hold, ParseDuration(args.hold));
  }
  source.api = args.api;
  if (source.api || args.in_cluster || !args.kubeconfig.empty() || !args.context.empty() ||
      !args.watch.empty()) {
    PLIMSOLL_RETURN_IF_ERROR(ReadApi(args, source));
    return source;
  }
  if (args.sources.empty()) {
    return Error{ErrorCode::kInvalidArgument,
                 "give files, or --api to read the cluster's API itself"};
  }
  if (kind == "prometheus" && IsUrl(args.sources.front())) {
    if (args.sources.size() > 1) {
      return Error{ErrorCode::kInvalidArgument, "give one URL at a time, and no files beside it"};
    }
    source.url = args.sources.front();
  } else {
    source.files = args.sources;
  }
  return source;
}

Result<LoadOptions> LoadOptionsOf(Context& context, const Args& args) {
  PLIMSOLL_TRY(const Zone zone, context.zone());
  PLIMSOLL_TRY(LoadOptions load, context.load_options());
  load.partial = args.partial;
  load.strict = args.strict;
  load.refresh = args.refresh;
  load.provider = args.provider;
  load.as_of = args.as_of;
  load.dynamo_prefix = args.dynamo_prefix;
  if (!args.currency.empty()) load.currency = args.currency;
  if (!args.time_zone.empty()) load.time_zone = args.time_zone;
  if (!args.window.empty()) {
    PLIMSOLL_TRY(load.window, ParseWindow(args.window, zone, context.now()));
  }
  if (!args.at.empty()) {
    Result<Instant> at = ParseInstant(args.at);
    if (!at) return Error{ErrorCode::kInvalidArgument, "--at: " + at.error().message};
    load.at = *at;
  }
  return load;
}

Result<ExitCode> RunIngest(Context& context, const std::string& kind, const Args& args) {
  PLIMSOLL_TRY(const SourceConfig source, SourceOf(kind, args));
  PLIMSOLL_TRY(const LoadOptions load, LoadOptionsOf(context, args));
  std::optional<KubeGathering> gathering;  // before the store is held
  if (source.api) {
    PLIMSOLL_TRY(gathering, GatherSource(source, load));
  }
  PLIMSOLL_TRY(Store* const store, context.store());
  PLIMSOLL_TRY(const ImportReport report,
               gathering ? gathering->StoreIn(*store) : LoadSource(*store, source, load));
  context.Print(ImportAnswer(report));
  return report.accepted == 0 && report.rejected > 0 ? ExitCode::kBadData : ExitCode::kDone;
}

Command KindCommand(const std::string& kind, std::string summary, std::string example,
                    const std::shared_ptr<Args>& args) {
  Command command;
  command.name = kind;
  command.summary = std::move(summary);
  command.example = std::move(example);
  command.common = CommonSet::kStore;
  command.options.push_back(
      CommandOption::Arguments("SOURCE", "Files or patterns", &args->sources).Required().File());
  command.run = [kind, args](Context& context) { return RunIngest(context, kind, *args); };
  return command;
}

CommandOption ClusterOption(Args& args) {
  return CommandOption::Text("--cluster", "NAME",
                             "The cluster that the facts belong to; one name for all its sources",
                             &args.cluster);
}

Command FocusCommand() {
  auto args = std::make_shared<Args>();
  Command command = KindCommand("focus", "Load a bill in FOCUS format: CSV, gzip of CSV or Parquet",
                                "plimsoll ingest focus bill-2026-10.csv.gz\n"
                                "plimsoll ingest focus 'exports/2026-11/*.csv' --partial",
                                args);
  command.about =
      "The same bill again changes nothing; another content of the same bill restates it, and "
      "the difference is printed. A row that cannot be read goes to the quarantine.";
  command.options.push_back(CommandOption::Flag(
      "--partial", "The files hold only some days of the bill: keep its other days",
      &args->partial));
  command.options.push_back(CommandOption::List(
      "--default", "COLUMN=VALUE", "Value of a column that the files lack; may be given again",
      &args->defaults));
  command.options.push_back(
      CommandOption::Flag("--strict", "Load nothing if any row is refused", &args->strict));
  return command;
}

Command PrometheusCommand() {
  auto args = std::make_shared<Args>();
  Command command = KindCommand(
      "prometheus", "Load GPU usage, Kubernetes state and serving metrics from Prometheus or files",
      "plimsoll ingest prometheus http://prometheus:9090 --cluster prod --window 7d\n"
      "plimsoll ingest prometheus metrics.txt --at 2026-11-16T10:00:00Z",
      args);
  command.about =
      "SOURCE is the URL of a server (Prometheus, Thanos, Mimir, VictoriaMetrics), or files in "
      "the exposition format. Without --window a server is read from where the last load "
      "ended.\n\n"
      "What inference engines (vLLM, SGLang, TGI, Triton, TensorRT-LLM, Dynamo, the Gateway API "
      "endpoint picker) count of themselves is read with it, where it is there: requests, "
      "tokens, latencies. A metric of theirs that no known version has is refused, not read as 0.";
  command.options.push_back(ClusterOption(*args));
  const auto add = [&](CommandOption option) { command.options.push_back(std::move(option)); };
  add(CommandOption::Text("--window,-w", "WINDOW", "What to read: " + std::string(kWindowForms),
                          &args->window));
  add(CommandOption::Text("--at", "TIME", "The time of samples that carry none", &args->at));
  add(CommandOption::Text("--hold", "DURATION", "How long one sample speaks (5m if not given)",
                          &args->hold));
  add(CommandOption::Text("--match", "MATCHERS", "Label matchers of every query, as job=\"dcgm\"",
                          &args->match));
  add(CommandOption::Text("--token-file", "PATH", "A file with a bearer token", &args->token_file)
          .File());
  add(CommandOption::Text("--token-env", "NAME", "An environment variable with a bearer token",
                          &args->token_env));
  add(CommandOption::Text("--dynamo-prefix", "PREFIX",
                          "What Dynamo's metrics begin with, if DYN_METRICS_PREFIX is set",
                          &args->dynamo_prefix));
  add(CommandOption::Flag("--refresh", "Read days again that are already loaded whole",
                          &args->refresh));
  return command;
}

Command KubernetesCommand() {
  auto args = std::make_shared<Args>();
  Command command = KindCommand(
      "kubernetes", "Load a cluster's objects from its API, or as kubectl prints them in JSON",
      "kubectl get nodes,pods,namespaces -A -o json > kube.json\n"
      "plimsoll ingest kubernetes kube.json --cluster prod\n"
      "plimsoll ingest kubernetes --api --context prod --watch 55m --cluster prod",
      args);
  command.about =
      "Load it again and again, from cron say: pods that end between two loads keep the times "
      "that were seen. - is standard input.\n\n"
      "--api reads the server itself, with get, list and watch alone: all that cost needs, and "
      "what is not there any more has ended. With --watch no change in that time is missed; the "
      "database is held only at its end.";
  command.options.front() =
      CommandOption::Arguments("SOURCE", "Files or patterns", &args->sources).File();
  const auto add = [&](CommandOption option) { command.options.push_back(std::move(option)); };
  add(ClusterOption(*args));
  add(CommandOption::Text("--at", "TIME", "When the objects were read, if not last written",
                          &args->at));
  add(CommandOption::Flag("--api", "Read the cluster's API instead of files", &args->api));
  add(CommandOption::Text("--kubeconfig", "PATH", "Of the API ($KUBECONFIG, ~/.kube/config)",
                          &args->kubeconfig)
          .File());
  add(CommandOption::Text("--context", "NAME", "Of the kubeconfig, if not its current one",
                          &args->context));
  add(CommandOption::Flag("--in-cluster", "Use the service account of this pod",
                          &args->in_cluster));
  add(CommandOption::Text("--watch", "DURATION", "How long to watch the API after the list",
                          &args->watch));
  return command;
}

Command SlurmCommand() {
  auto args = std::make_shared<Args>();
  Command command =
      KindCommand("slurm", "Load jobs and nodes as sacct and scontrol print them",
                  "TZ=UTC sacct --allusers --duplicates --json --starttime=now-7days > jobs.json\n"
                  "scontrol show node > nodes.txt\n"
                  "plimsoll ingest slurm jobs.json nodes.txt --cluster hpc",
                  args);
  command.options.push_back(ClusterOption(*args));
  command.options.push_back(CommandOption::Text(
      "--time-zone", "ZONE", "IANA zone of the files' times, if not the configuration's",
      &args->time_zone));
  command.options.push_back(CommandOption::Text(
      "--at", "TIME", "When the files were printed, if not at the latest time in them", &args->at));
  return command;
}

Command PricesCommand() {
  auto args = std::make_shared<Args>();
  Command command =
      KindCommand("prices", "Load price lists: own files, spot history, cloud catalogs",
                  "plimsoll ingest prices onprem.yaml\n"
                  "plimsoll ingest prices spot.json --provider aws",
                  args);
  command.options.push_back(CommandOption::Text(
      "--provider", "NAME", "Provider of rows that name none", &args->provider));
  command.options.push_back(CommandOption::Text(
      "--currency", "CODE", "Currency of rows that name none", &args->currency));
  command.options.push_back(CommandOption::Text(
      "--as-of", "DATE", "The date on which the prices were read", &args->as_of));
  return command;
}

Command RunsCommand() {
  auto args = std::make_shared<Args>();
  Command command = KindCommand(
      "runs", "Load what training runs did: event logs, MLflow, TensorBoard, trainer states",
      "plimsoll ingest runs runs/ mlruns/ --cluster prod\n"
      "plimsoll ingest runs mlflow.db --gpus 8 --samples-per-step 512\n"
      "plimsoll ingest runs output/ --run llama-3 --experiment baseline --gpus 64",
      args);
  command.about =
      "SOURCE is a file or a folder that is read through; each file is recognised by its content. "
      "The options fill what a source does not say and never change what it says.";
  command.options.push_back(CommandOption::Text(
      "--cluster", "NAME", "The cluster that the runs' jobs and pods belong to", &args->cluster));
  const auto add = [&](CommandOption option) { command.options.push_back(std::move(option)); };
  add(CommandOption::Text("--run", "ID", "The run, if the files hold one that they do not name",
                          &args->run));
  add(CommandOption::Text("--experiment", "NAME", "What the runs are compared in",
                          &args->experiment));
  add(CommandOption::Text("--model", "NAME", "What is trained", &args->model));
  add(CommandOption::Text("--gpus", "N", "GPUs that a run holds", &args->gpus));
  add(CommandOption::Text("--samples-per-step", "N",
                          "Samples that a step takes, over all GPUs: of trackers without a "
                          "counter of them",
                          &args->samples_per_step));
  add(CommandOption::Text("--tokens-per-step", "N", "Tokens, likewise", &args->tokens_per_step));
  add(CommandOption::Text("--at", "TIME", "When the run began, of sources that tell no times",
                          &args->at));
  return command;
}

Command RequestsCommand() {
  auto args = std::make_shared<Args>();
  Command command = KindCommand(
      "requests", "Load what inference services were asked and how they answered",
      "plimsoll ingest requests 'logs/*.jsonl.gz' --service chat\n"
      "plimsoll ingest requests requests.csv --map arrival=ts:ms --map ttft=first_ms:ms",
      args);
  command.about =
      "Reads JSON lines, CSV, gzip of either and Parquet, with our names for columns or as vLLM, "
      "SGLang, LiteLLM, Envoy AI Gateway, OpenTelemetry, AIPerf and GenAI-Perf write them "
      "(docs/formats/requests.md). Failed requests are kept: they cost too.";
  command.options.push_back(CommandOption::Text(
      "--service", "NAME", "The service of requests that name none", &args->service));
  command.options.push_back(CommandOption::List(
      "--map", "FIELD=COLUMN[:UNIT]",
      "What a column or JSON path means, as in ttft=first_ms:ms; may be given again", &args->maps));
  return command;
}

}  // namespace

Command IngestCommand() {
  Command command;
  command.name = "ingest";
  command.summary =
      "Load one source: a bill, a cluster's state, usage, jobs, prices, training runs, requests";
  command.about = "Loading the same content twice changes nothing.";
  command.example =
      "plimsoll ingest focus bill.csv.gz\n"
      "plimsoll ingest prometheus http://prometheus:9090 --cluster prod --window 7d";
  command.commands = {FocusCommand(),  KubernetesCommand(), PrometheusCommand(), SlurmCommand(),
                      PricesCommand(), RunsCommand(),       RequestsCommand()};
  return command;
}

}  // namespace plimsoll
