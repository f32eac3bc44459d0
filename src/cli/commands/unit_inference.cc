#include <algorithm>
#include <memory>
#include <optional>

#include "cli/files.h"
#include "cli/fold_requests.h"
#include "cli/inference_view.h"
#include "cli/load_sources.h"
#include "cli/priced_requests.h"
#include "cli/unit_commands.h"
#include "config/slo_config.h"
#include "config/window.h"
#include "economics/inference_cost.h"
#include "ingest/requests/request_reader.h"

namespace plimsoll {
namespace {

struct Args {
  std::vector<std::string> requests, maps;
  std::string service, slo, price, reserve, release, safe, weights, quantization, peak;
  std::string window, by;
  std::string gpus, api_price;
  bool percentiles = false;
};

Error Wrong(const std::string& option, const std::string& what) {
  return {ErrorCode::kInvalidArgument, option + ": " + what};
}

Result<std::int64_t> WholeOf(const std::string& option, const std::string& text,
                             std::int64_t least) {
  const Result<Money> value = Money::Parse(text);
  const bool is_whole = value && value->nanos() % Money::kNanosPerUnit == 0;
  if (!is_whole || *value < Money::Units(least) || *value > Money::Units(1'000'000'000'000)) {
    return Wrong(option, "'" + text + "' must be a whole number from " + std::to_string(least));
  }
  return static_cast<std::int64_t>(value->nanos() / Money::kNanosPerUnit);
}

Status ReadWeights(const std::string& text, ServiceDeclaration& declared) {
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t comma = std::min(text.find(',', from), text.size());
    const std::string item = text.substr(from, comma - from);
    from = comma + 1;
    const std::size_t equals = std::min(item.find('='), item.size());
    const std::string name = item.substr(0, equals);
    std::int64_t* const weight = name == "input"          ? &declared.weights.input
                                 : name == "cached_input" ? &declared.weights.cached_input
                                 : name == "output"       ? &declared.weights.output
                                                          : nullptr;
    if (weight == nullptr || equals == item.size()) {
      return Wrong("--token-weights", "write input=1,cached_input=0.1,output=4");
    }
    PLIMSOLL_TRY(*weight, ParseTokenWeight(item.substr(equals + 1)));
  }
  declared.weights_declared = true;
  return Ok();
}

// True if the command line says anything of the service itself.
bool Declares(const Args& args) {
  for (const std::string* text : {&args.gpus, &args.slo, &args.price, &args.reserve, &args.release,
                                  &args.safe, &args.weights, &args.quantization, &args.peak}) {
    if (!text->empty()) return true;
  }
  return false;
}

Status ReadCost(const Args& args, ServiceDeclaration& declared) {
  if (!args.gpus.empty()) {
    PLIMSOLL_TRY(declared.gpus, WholeOf("--gpus", args.gpus, 1));
    declared.cost_filter.clear();
  }
  if (!args.price.empty()) {
    const Result<Money> price = Money::Parse(args.price);
    if (!price || *price < Money()) {
      return Wrong("--gpu-price",
                   "'" + args.price + "' is not the price of one GPU for an hour, such as 2.00");
    }
    declared.gpu_price = *price;
    declared.cost_filter.clear();
  }
  if (!args.reserve.empty()) {
    PLIMSOLL_TRY(declared.reserve_gpus, WholeOf("--reserve-gpus", args.reserve, 0));
  }
  if (!args.safe.empty()) {
    PLIMSOLL_TRY(declared.safe_tokens_per_second,
                 WholeOf("--safe-tokens-per-second", args.safe, 1));
  }
  if (args.release.empty()) return Ok();
  const Result<Money> hours = Money::Parse(args.release);
  if (!hours || *hours < Money() || *hours > Money::Units(1'000'000'000)) {
    return Wrong("--release-gpu-hours", "'" + args.release + "' is not a number of hours");
  }
  declared.release_time = GpuMillis(
      static_cast<std::int64_t>(DivideHalfEven(hours->nanos() * 3'600'000, Money::kNanosPerUnit)));
  return Ok();
}

Result<ServiceDeclaration> DeclarationOf(Context& context, const Args& args) {
  PLIMSOLL_TRY(const Config* const config, context.config());
  ServiceDeclaration declared;
  declared.name = args.service.empty() ? "all" : args.service;
  if (!args.service.empty()) declared.match_services = {args.service};
  for (const ServiceDeclaration& known : config->services) {
    if (known.name == args.service) declared = known;
  }
  if (!args.slo.empty()) {
    PLIMSOLL_TRY(declared.slo, ParseSlo(args.slo));
  }
  PLIMSOLL_RETURN_IF_ERROR(ReadCost(args, declared));
  if (!args.weights.empty()) PLIMSOLL_RETURN_IF_ERROR(ReadWeights(args.weights, declared));
  if (!args.quantization.empty()) declared.quantization = args.quantization;
  if (!args.peak.empty()) {
    PeakHours peak;
    peak.time_zone = config->time_zone;
    if (!ParseHours(args.peak, peak)) {
      return Wrong("--peak", "'" + args.peak + "' must be hours of a day, as in 09:00-18:00");
    }
    declared.peak = peak;
  }
  return declared;
}

Result<InferenceFoldOptions> FoldOptionsOf(Context& context, const Args& args) {
  PLIMSOLL_TRY(const Config* const config, context.config());
  InferenceFoldOptions options;
  PLIMSOLL_TRY(options.by, ParseRequestKeys(args.by));
  if (Declares(args)) {
    PLIMSOLL_TRY(const ServiceDeclaration declared, DeclarationOf(context, args));
    options.services = {declared};
  } else {
    options.services = config->services;
  }
  PLIMSOLL_RETURN_IF_ERROR(CheckZones(options.services));
  options.peak_of = CalendarOf;
  options.latencies = args.percentiles;
  const bool by_ledger = std::any_of(options.services.begin(), options.services.end(),
                                     [](const auto& s) { return !s.cost_filter.empty(); });
  if (args.window.empty()) {
    if (!by_ledger) return options;
    return Wrong("--window",
                 "is needed where the cost of a service is that of ledger lines: "
                 "lines are of whole hours");
  }
  PLIMSOLL_TRY(const Zone zone, context.zone());
  PLIMSOLL_TRY(Window window, ParseWindow(args.window, zone, context.now()));
  if (by_ledger) window = {FloorTo(window.begin, Hours(1)), CeilTo(window.until, Hours(1))};
  options.window = window;
  return options;
}

struct Reading {
  FoldedRequests folded;
  std::int64_t rejected = 0;
};

Result<RequestReaderOptions> ReaderOptionsOf(Context& context, const Args& args) {
  RequestReaderOptions reader;
  PLIMSOLL_TRY(reader.files, ExpandFiles(args.requests));
  for (const std::string& map : args.maps) {
    PLIMSOLL_TRY(const RequestFieldSpec spec, ParseRequestMap(map));
    reader.maps.push_back(spec);
  }
  reader.service = args.service;
  reader.parquet = ParquetOfStore();
  reader.progress = context.progress();
  return reader;
}

// Load tests that tell no arrivals have the length that they tell.
void UseToldLength(std::int64_t untimed_ns, FoldedRequests& folded) {
  if (untimed_ns == 0) return;
  for (FoldedService& service : folded.services) {
    service.until_ns = service.begin_ns + untimed_ns;
    service.busy_ns = 0;
  }
}

Result<Reading> Read(Context& context, const Args& args, const InferenceFoldOptions& options) {
  Reading out;
  if (args.requests.empty()) {
    InferenceFold fold(options);
    PLIMSOLL_RETURN_IF_ERROR(FoldStored(context, options, fold));
    out.folded = fold.Finish();
    return out;
  }
  PLIMSOLL_TRY(const RequestReaderOptions reader, ReaderOptionsOf(context, args));
  PLIMSOLL_TRY(const RequestReading reading, FoldRequests(reader, options, out.folded));
  out.rejected = reading.rejected;
  if (!options.window) UseToldLength(reading.untimed_ns, out.folded);
  for (const Rejection& rejection : reading.rejections) {
    if (&rejection - reading.rejections.data() == 5) break;
    context.Warn(rejection.file + ":" + std::to_string(rejection.line) +
                 (rejection.field.empty() ? "" : ": " + rejection.field) + ": " + rejection.reason);
  }
  for (const auto& [what, count] : reading.ignored) {
    context.Say("Note: " + std::to_string(count) + " " + what + " are left out");
  }
  if (reading.accepted > 0) return out;
  return Error{ErrorCode::kBadData, reading.rejected == 0
                                        ? "the files hold no request"
                                        : "no request could be read; plimsoll ingest requests "
                                          "lists every row with its reason"};
}

Result<ExitCode> RunInference(Context& context, const Args& args) {
  PLIMSOLL_TRY(const InferenceFoldOptions options, FoldOptionsOf(context, args));
  PLIMSOLL_TRY(Reading reading, Read(context, args, options));
  PLIMSOLL_TRY(const auto paid, PaidOf(context, options, reading.folded));
  InferenceView view;
  PLIMSOLL_TRY(view.services, PriceRequests(reading.folded, paid));
  if (!args.service.empty()) {
    std::erase_if(view.services, [&](const ServiceFigures& service) {
      return service.service.declared.name != args.service;
    });
    if (view.services.empty()) {
      return Error{ErrorCode::kNotFound, "no request is of service " + args.service};
    }
  }
  PLIMSOLL_TRY(const Config* const config, context.config());
  view.by = options.by;
  view.currency = config->currency;
  view.rejected = reading.rejected;
  view.percentiles = args.percentiles;
  if (!args.api_price.empty()) {
    const Result<Money> price = Money::Parse(args.api_price);
    if (!price || *price <= Money()) {
      return Wrong(
          "--api-price",
          "'" + args.api_price + "' is not the price of a million output tokens, such as 2.00");
    }
    view.api_price = *price;
  }
  context.Print(InferenceAnswer(std::move(view)));
  return ExitCode::kDone;
}

std::vector<CommandOption> Options(Args& args) {
  return {
      CommandOption::List("--requests,-r", "FILE",
                          "Request logs to read in place of the database; may be given again",
                          &args.requests)
          .File(),
      CommandOption::List("--map", "FIELD=COLUMN[:UNIT]",
                          "What a column or JSON path of the files means, as in ttft=first_ms:ms",
                          &args.maps),
      CommandOption::Text("--service", "NAME", "Only this service; also of requests that name none",
                          &args.service),
      CommandOption::Text("--gpus", "N", "GPUs held all the time, those in reserve too",
                          &args.gpus),
      CommandOption::Text("--gpu-price", "AMOUNT", "Price of one GPU for an hour", &args.price),
      CommandOption::Text("--slo", "LIMITS",
                          "What a good request keeps: ttft=20s,tpot=40ms,e2e=60s, any of them",
                          &args.slo),
      CommandOption::Text("--window,-w", "WINDOW",
                          std::string("What time is paid for and counted; from the first arrival "
                                      "to the last end if not given: ") +
                              kWindowForms,
                          &args.window),
      CommandOption::Text("--by,-b", "KEYS",
                          "Break down by service, model, version, quantization, tenant, "
                          "priority, input, output, peak, cache, outcome, joined by commas",
                          &args.by),
      CommandOption::Text("--token-weights", "WEIGHTS",
                          "Relative cost of tokens, input=1,cached_input=0.1,output=4 if not "
                          "given; phase times that were measured go before",
                          &args.weights),
      CommandOption::Text("--peak", "HOURS",
                          "Peak hours in the configuration's time zone, as in 09:00-18:00",
                          &args.peak),
      CommandOption::Text("--quantization", "NAME", "Of requests that name none",
                          &args.quantization),
      CommandOption::Text("--reserve-gpus", "N", "GPUs of --gpus that only stand by",
                          &args.reserve),
      CommandOption::Text("--release-gpu-hours", "HOURS",
                          "GPU time of surge and warm-up of releases, on top of --gpus",
                          &args.release),
      CommandOption::Text("--safe-tokens-per-second", "N",
                          "Output tokens a second at which the SLO held in a load test",
                          &args.safe),
      CommandOption::Text("--api-price", "AMOUNT",
                          "What an API asks for a million output tokens: tells from what use on "
                          "own GPUs are cheaper",
                          &args.api_price),
      CommandOption::Flag("--percentiles", "Add exact percentiles of the latencies",
                          &args.percentiles)};
}

}  // namespace

Command UnitInferenceCommand() {
  auto args = std::make_shared<Args>();
  Command command;
  command.name = "inference";
  command.summary = "Show what a million tokens of good requests cost, and why";
  command.about =
      "A request is good if it succeeded and met every limit of the SLO. All paid time is in the "
      "cost: idle, warm-up and reserve too. Cost per million good output tokens stands beside "
      "that of all tokens; it is null where nothing was good.\n\n"
      "Reads request logs as vLLM, SGLang, LiteLLM, Envoy AI Gateway, OpenTelemetry, AIPerf and "
      "GenAI-Perf write them, or plain JSON lines, CSV and Parquet (docs/formats/requests.md); "
      "without --requests, what plimsoll ingest requests loaded.\n\n"
      "What a service promises and costs is declared under services in plimsoll.yaml, or by "
      "these options for all requests as one service. The parts of a breakdown add up to the "
      "service's cost.";
  command.example =
      "plimsoll unit inference --requests requests.jsonl --gpus 1 --gpu-price 2.00 --slo "
      "ttft=20s,tpot=40ms,e2e=60s\n"
      "plimsoll unit inference --requests 'logs/*.csv.gz' --gpus 8 --gpu-price 2.10 --slo "
      "ttft=800ms --by model,tenant --format json\n"
      "plimsoll unit inference --window lastweek --by service,outcome";
  command.common = CommonSet::kStore;
  command.options = Options(*args);
  command.run = [args](Context& context) { return RunInference(context, *args); };
  return command;
}

}  // namespace plimsoll
