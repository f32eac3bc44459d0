#include <algorithm>
#include <memory>
#include <optional>

#include "cli/priced_requests.h"
#include "cli/serving_view.h"
#include "cli/unit_commands.h"
#include "config/window.h"
#include "store/select.h"

namespace plimsoll {
namespace {

struct Args {
  std::string service, model, slo, price, window;
  std::int64_t gpus = -1;  // -1: not given
  bool tokens_even = false;
};

Error Wrong(const std::string& option, const std::string& what) {
  return {ErrorCode::kInvalidArgument, option + ": " + what};
}

// The services to answer for: those of the configuration, or one that the options describe.
Result<std::vector<ServiceDeclaration>> ServicesOf(Context& context, const Args& args) {
  PLIMSOLL_TRY(const Config* const config, context.config());
  const bool describes = !args.model.empty() || !args.slo.empty() || !args.price.empty() ||
                         args.gpus >= 0 || config->services.empty();
  std::vector<ServiceDeclaration> services;
  for (const ServiceDeclaration& known : config->services) {
    if (args.service.empty() ? !describes : known.name == args.service) services.push_back(known);
  }
  if (services.empty() && !args.service.empty() && !describes) {
    return Error{ErrorCode::kNotFound, "plimsoll.yaml declares no service " + args.service};
  }
  if (services.empty()) {
    services.emplace_back().name = args.service.empty() ? "all" : args.service;
  }
  for (ServiceDeclaration& service : services) {
    if (!args.model.empty()) service.match_models = {args.model};
    if (!args.slo.empty()) {
      PLIMSOLL_TRY(service.slo, ParseSlo(args.slo));
    }
    if (args.gpus >= 0) service.gpus = args.gpus;
    if (!args.price.empty()) {
      const Result<Money> price = Money::Parse(args.price);
      if (!price || *price < Money()) {
        return Wrong("--gpu-price",
                     "'" + args.price + "' is not the price of one GPU for an hour, such as 2.00");
      }
      service.gpu_price = *price;
    }
    if (args.gpus >= 0 || !args.price.empty()) service.cost_filter.clear();
  }
  return services;
}

// The rows of the models that are the service's; engines do not name services.
ServingBatch RowsOfService(const ServingBatch& all, const ServiceDeclaration& service) {
  ServingBatch rows;
  for (std::size_t i = 0; i < RowsOf(all); ++i) {
    const auto is_match = [&](const std::string& glob) {
      return MatchesGlob(all.model[i].text(), glob);
    };
    const auto& globs = service.match_models;
    if (globs.empty() || std::any_of(globs.begin(), globs.end(), is_match)) AppendRow(rows, all, i);
  }
  return rows;
}

Result<ServingBatch> ReadServing(Context& context, const Window& window) {
  PLIMSOLL_TRY(Store* const store, context.existing_store());
  PLIMSOLL_TRY(ServingBatch rows,
               Query<ServingBatch>(*store,
                                   "SELECT " + ColumnsSql<ServingBatch>() +
                                       " FROM active_serving WHERE hour >= ? AND hour < ?",
                                   {FloorTo(window.begin, Hours(1)), window.until}));
  if (RowsOf(rows) > 0) return rows;
  return Error{ErrorCode::kNotFound, "the database holds no serving metrics in " +
                                         ToString(window) +
                                         "; load them with plimsoll ingest prometheus"};
}

Result<ExitCode> RunServing(Context& context, const Args& args) {
  PLIMSOLL_TRY(const Config* const config, context.config());
  PLIMSOLL_TRY(const Zone zone, context.zone());
  PLIMSOLL_TRY(const Window window,
               ParseWindow(args.window.empty() ? "7d" : args.window, zone, context.now()));
  const Window hours{FloorTo(window.begin, Hours(1)), CeilTo(window.until, Hours(1))};
  PLIMSOLL_TRY(const std::vector<ServiceDeclaration> services, ServicesOf(context, args));
  PLIMSOLL_TRY(const ServingBatch all, ReadServing(context, hours));
  std::vector<ServingService> answers;
  for (const ServiceDeclaration& service : services) {
    const std::int64_t window_ns = hours.length().base() * 1'000'000;
    PLIMSOLL_TRY(const std::optional<PaidCost> paid, PaidFor(context, service, hours, window_ns));
    ServingQuestion question;
    question.window = hours;
    question.slo = service.slo;
    question.tokens_even = args.tokens_even;
    if (paid) question.cost = paid->cost;
    answers.push_back(
        {service.name, question.cost, SummarizeServing(RowsOfService(all, service), question)});
  }
  context.Print(ServingAnswer(answers, config->currency));
  return ExitCode::kDone;
}

}  // namespace

Command UnitServingCommand() {
  auto args = std::make_shared<Args>();
  Command command;
  command.name = "serving";
  command.summary = "Show what inference engines' own metrics say of good requests, as bounds";
  command.about =
      "Answers from the metrics of vLLM, SGLang, TGI, Triton, TensorRT-LLM, Dynamo and the Gateway "
      "API Inference Extension that plimsoll ingest prometheus loaded. Histograms know how many "
      "requests lie below their edges: where a limit lies between two edges, good requests and "
      "their cost are bounds, not one figure. What an engine does not export is null.\n\n"
      "Request logs tell more: see plimsoll unit inference.";
  command.example =
      "plimsoll unit serving --window lastweek\n"
      "plimsoll unit serving --model 'llama*' --slo ttft=500ms,e2e=10s --gpus 8 --gpu-price 2.10 "
      "--window 24h";
  command.common = CommonSet::kStore;
  command.options = {
      CommandOption::Text("--service", "NAME", "Only this service", &args->service),
      CommandOption::Text("--model", "GLOB", "Models that are the service's, as engines name them",
                          &args->model),
      CommandOption::Text("--slo", "LIMITS",
                          "What a good request keeps: ttft=20s,tpot=40ms,e2e=60s, any of them",
                          &args->slo),
      CommandOption::Number("--gpus", "N", "GPUs held all the time", &args->gpus),
      CommandOption::Text("--gpu-price", "AMOUNT", "Price of one GPU for an hour", &args->price),
      CommandOption::Text(
          "--window,-w", "WINDOW",
          std::string("What time, in whole hours; 7d if not given: ") + kWindowForms,
          &args->window),
      CommandOption::Flag("--tokens-even",
                          "Good requests have as many output tokens as others: gives good tokens, "
                          "which metrics do not tell",
                          &args->tokens_even)};
  command.run = [args](Context& context) { return RunServing(context, *args); };
  return command;
}

}  // namespace plimsoll
