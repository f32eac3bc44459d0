#include <algorithm>
#include <memory>
#include <optional>
#include <set>

#include "catalog/language_model_file.h"
#include "catalog/provider.h"
#include "cli/context.h"
#include "cli/files.h"
#include "cli/plan_commands.h"
#include "cli/sku_view.h"
#include "config/suggest.h"
#include "model/service.h"
#include "units/decimal.h"

namespace plimsoll {
namespace {

constexpr std::int64_t kTokensMax = 1'000'000'000;
constexpr std::int64_t kUsualTokens = 1'000;  // of a request whose lengths nobody told

struct Args {
  std::string model, quantization, kv, context, concurrency, batched, utilization, runtime;
  std::string input, output, target, good, tensor, pipeline, provider, region, quality = "any";
  std::string parameters, layers, hidden, heads, kv_heads, head_dim, ffn, vocabulary;
  std::vector<std::string> gpus, gpu_prices, throughput, model_files;
  bool all = false;
};

Error Wrong(const std::string& option, const std::string& what) {
  return {ErrorCode::kInvalidArgument, option + ": " + what};
}

// A whole number from 1; "8.03e9" is one. `fallback` if `text` is "".
Result<std::int64_t> WholeOf(const std::string& option, const std::string& text,
                             std::int64_t fallback, std::int64_t most) {
  if (text.empty()) return fallback;
  const Result<ExactDecimal> value = ExactDecimal::Parse(text);
  const bool whole = value && value->is_nano_exact() &&
                     value->floor().nanos() % Money::kNanosPerUnit == 0 &&
                     value->floor() >= Money::Units(1) && value->floor() <= Money::Units(most);
  if (!whole) {
    return Wrong(option, "'" + text + "' must be a whole number from 1 to " + std::to_string(most));
  }
  return static_cast<std::int64_t>(value->floor().nanos() / Money::kNanosPerUnit);
}

// A decimal of at most `places` digits as a whole number of 1/10^places, over 0 up to `most`.
Result<std::int64_t> ScaledOf(const std::string& option, const std::string& text, int places,
                              std::int64_t most) {
  const Result<Money> value = Money::Parse(text);
  std::int64_t unit = Money::kNanosPerUnit;
  for (int i = 0; i < places; ++i) unit /= 10;
  if (!value || value->nanos() % unit != 0 || *value <= Money() || *value > Money::Units(most)) {
    return Wrong(option, "'" + text + "' must be a number over 0, at most " + std::to_string(most) +
                             ", with up to " + std::to_string(places) + " decimals");
  }
  return static_cast<std::int64_t>(value->nanos() / unit);
}

Result<std::string> PrecisionOf(const std::string& option, const std::string& text) {
  const std::string precision = CanonicalPrecision(text);
  if (!precision.empty()) return precision;
  return Wrong(option, "'" + text + "' must be bf16, fp8, int8, fp4 or int4");
}

// The built-in catalog, the configuration's files and those of the command line.
Result<Catalog> CatalogOf(Context& context, const Args& args) {
  PLIMSOLL_TRY(const Config* const config, context.config());
  std::vector<CatalogFile> files = BuiltinCatalogFiles();
  for (const std::vector<std::string>* const patterns :
       {&config->catalog_files, &args.model_files, &args.throughput}) {
    PLIMSOLL_TRY(const std::vector<std::string> paths, ExpandFiles(*patterns));
    for (const std::string& path : paths) {
      PLIMSOLL_TRY(std::string text, ReadWholeFile(path));
      files.push_back({path, std::move(text)});
    }
  }
  return Catalog::Load(files);
}

// A model that only the command line describes.
Result<LanguageModel> OwnModel(const Args& args) {
  LanguageModel model;
  model.name = LowerCase(args.model);
  const struct {
    const char* option;
    const std::string& text;
    std::int64_t& value;
  } needed[] = {{"--parameters", args.parameters, model.parameters},
                {"--layers", args.layers, model.layers},
                {"--hidden", args.hidden, model.hidden},
                {"--heads", args.heads, model.heads},
                {"--kv-heads", args.kv_heads, model.kv_heads}};
  for (const auto& field : needed) {
    if (field.text.empty()) {
      return Wrong(field.option,
                   "is missing: a model of your own needs --parameters, --layers, --hidden, "
                   "--heads and --kv-heads, as its config.json says");
    }
    PLIMSOLL_TRY(field.value, WholeOf(field.option, field.text, 0, 1'000'000 * kTokensMax));
  }
  PLIMSOLL_TRY(model.head_dim,
               WholeOf("--head-dim", args.head_dim,
                       std::max<std::int64_t>(model.hidden / model.heads, 1), 100'000));
  PLIMSOLL_TRY(model.ffn, WholeOf("--ffn", args.ffn, 4 * model.hidden, kTokensMax));
  PLIMSOLL_TRY(model.vocabulary, WholeOf("--vocabulary", args.vocabulary, 0, kTokensMax));
  model.context = kTokensMax;
  if (model.layers > 100'000 || model.hidden > 10'000'000 || model.heads > 100'000 ||
      model.kv_heads > model.heads || model.vocabulary * model.hidden * 2 > model.parameters) {
    return Wrong("--parameters", "these numbers are of no one model: check them with config.json");
  }
  model.source = "command line";
  return model;
}

Result<LanguageModel> ModelOf(const Catalog& catalog, const Args& args) {
  if (!args.parameters.empty() || !args.layers.empty()) return OwnModel(args);
  if (const LanguageModel* const known = catalog.FindModel(args.model)) return *known;
  std::vector<std::string> names;
  std::string list;
  for (const LanguageModel& model : catalog.models()) {
    names.push_back(model.name);
    list += (list.empty() ? "" : ", ") + model.name;
  }
  return Error{ErrorCode::kNotFound,
               "no model '" + args.model + "' is in the catalog" + DidYouMean(args.model, names) +
                   "." + " Known: " + list +
                   ". Describe your own with --parameters, --layers, --hidden, --heads and "
                   "--kv-heads, or in a file of --model-file"};
}

// GPUs that --gpu names, or all cards of makers whose engines the memory model is of.
Result<std::vector<const GpuModel*>> GpusOf(const Catalog& catalog, const Args& args) {
  std::vector<const GpuModel*> gpus;
  for (const std::string& name : args.gpus) {
    const GpuModel* const gpu = catalog.FindGpu(name);
    if (gpu == nullptr) {
      std::vector<std::string> names;
      for (const GpuModel& known : catalog.gpus()) names.push_back(known.name);
      return Wrong("--gpu", "'" + name + "' is no GPU of the catalog" + DidYouMean(name, names));
    }
    gpus.push_back(gpu);
  }
  if (!gpus.empty()) return gpus;
  for (const GpuModel& gpu : catalog.gpus()) {
    if (gpu.vendor == "nvidia" || gpu.vendor == "amd") gpus.push_back(&gpu);
  }
  return gpus;
}

Status ReadLoad(const Args& args, const LanguageModel& model, SkuRequest& request) {
  ServingLoad& load = request.demand.load;
  PLIMSOLL_TRY(request.input_tokens, WholeOf("--input", args.input, kUsualTokens, kTokensMax));
  PLIMSOLL_TRY(request.output_tokens, WholeOf("--output", args.output, kUsualTokens, kTokensMax));
  PLIMSOLL_TRY(load.context, WholeOf("--context", args.context,
                                     request.input_tokens + request.output_tokens, kTokensMax));
  PLIMSOLL_TRY(load.concurrency, WholeOf("--concurrency", args.concurrency, 1, 1'000'000));
  PLIMSOLL_TRY(load.batched_tokens, WholeOf("--batched-tokens", args.batched, 0, kTokensMax));
  if (load.context > model.context) {
    return Wrong("--context", std::to_string(load.context) + " tokens are more than " + model.name +
                                  " takes (" + std::to_string(model.context) + ")");
  }
  if (load.context < request.input_tokens + request.output_tokens &&
      (!args.input.empty() || !args.output.empty())) {
    return Wrong("--context", "is shorter than --input and --output together");
  }
  return Ok();
}

Status ReadMemory(const Args& args, const LanguageModel& model, MemoryOptions& options) {
  options.quantization = model.native;
  if (!args.quantization.empty()) {
    PLIMSOLL_TRY(options.quantization, PrecisionOf("--quantization", args.quantization));
  }
  if (!args.kv.empty()) {
    PLIMSOLL_TRY(const std::string kv, PrecisionOf("--kv", args.kv));
    if (kv != "bf16" && kv != "fp8") return Wrong("--kv", "must be bf16 or fp8");
    options.kv_bits = kv == "fp8" ? 8 : 16;
  }
  if (!args.utilization.empty()) {
    PLIMSOLL_TRY(options.utilization_permille,
                 ScaledOf("--memory-utilization", args.utilization, 3, 1));
  }
  if (!args.runtime.empty()) {
    PLIMSOLL_TRY(const std::int64_t milli, ScaledOf("--runtime-gib", args.runtime, 3, 1'000));
    options.runtime_bytes = milli * kGib / 1'000;
  }
  return Ok();
}

Status ReadTarget(const Args& args, SkuRequest& request) {
  if (args.target.empty()) return Ok();
  PLIMSOLL_TRY(const Slo slo, ParseSlo(args.target));
  if (slo.e2e_ns) return Wrong("--target", "can be of ttft and tpot, as in ttft=500ms,tpot=40ms");
  request.ttft_us = slo.ttft_ns.value_or(0) / 1'000;
  request.tpot_us = slo.tpot_ns.value_or(0) / 1'000;
  return Ok();
}

Result<SkuRequest> RequestOf(const Catalog& catalog, const Args& args, const LanguageModel& model) {
  SkuRequest request;
  PLIMSOLL_TRY(request.gpus, GpusOf(catalog, args));
  PLIMSOLL_RETURN_IF_ERROR(ReadLoad(args, model, request));
  PLIMSOLL_RETURN_IF_ERROR(ReadMemory(args, model, request.demand.options));
  PLIMSOLL_RETURN_IF_ERROR(ReadTarget(args, request));
  PLIMSOLL_TRY(request.tensor, WholeOf("--tensor-parallel", args.tensor, 0, 64));
  PLIMSOLL_TRY(request.pipeline, WholeOf("--pipeline", args.pipeline, 1, 64));
  request.same_precision = args.quality == "same";
  request.all = args.all;
  return request;
}

Result<SkuPriceOptions> PricesOf(Context& context, const Catalog& catalog, const Args& args) {
  PLIMSOLL_TRY(const Config* const config, context.config());
  SkuPriceOptions options;
  options.at = context.now();
  options.currency = config->currency;
  options.provider = args.provider;
  options.region = args.region;
  for (const std::string& text : args.gpu_prices) {
    const std::size_t equals = std::min(text.find('='), text.size());
    const GpuModel* const gpu = catalog.FindGpu(text.substr(0, equals));
    const Result<Money> price =
        equals < text.size() ? Money::Parse(text.substr(equals + 1)) : Money::Parse("");
    if (gpu == nullptr || !price || *price <= Money() || *price > Money::Units(1'000'000)) {
      return Wrong("--gpu-price",
                   "'" + text + "' must be a GPU and its price an hour, as in H100-SXM=2.10");
    }
    options.gpu_price[gpu->name] = *price;
  }
  return options;
}

// Lengths that somebody measured, if nobody measured those that are asked for.
std::vector<std::string> MeasuredLengths(const Catalog& catalog, const SkuRequest& request,
                                         const std::string& model) {
  std::set<std::pair<std::int64_t, std::int64_t>> lengths;
  for (const Throughput& row : catalog.throughputs()) {
    if (row.model == model) lengths.emplace(row.input_tokens, row.output_tokens);
  }
  if (lengths.contains({request.input_tokens, request.output_tokens})) return {};
  std::vector<std::string> texts;
  for (const auto& [input, output] : lengths) {
    texts.push_back(std::to_string(input) + "/" + std::to_string(output));
  }
  return texts;
}

Result<ExitCode> RunSku(Context& context, const Args& args) {
  PLIMSOLL_TRY(const Config* const config, context.config());
  PLIMSOLL_TRY(const Catalog catalog, CatalogOf(context, args));
  PLIMSOLL_TRY(const LanguageModel model, ModelOf(catalog, args));
  SkuView view;
  view.model = &model;
  PLIMSOLL_TRY(view.request, RequestOf(catalog, args, model));
  PLIMSOLL_TRY(const SkuPriceOptions price_options, PricesOf(context, catalog, args));
  const SkuPrices prices(catalog, {&catalog.prices(), &config->prices}, price_options);
  PLIMSOLL_TRY(view.choices, ChooseSkus(model, view.request, catalog, prices));
  if (args.gpus.empty() && !args.all) {
    std::erase_if(view.choices, [](const SkuChoice& choice) {
      return !choice.price && choice.throughput == nullptr;
    });
  }
  view.currency = config->currency;
  view.lengths_told = !args.input.empty() || !args.output.empty();
  view.measured_lengths = MeasuredLengths(catalog, view.request, model.name);
  if (!args.good.empty()) {
    PLIMSOLL_TRY(view.good_ppm, ScaledOf("--good-share", args.good, 6, 1));
  }
  PLIMSOLL_TRY(const Answer answer, SkuAnswer(view, context.options().format == "table"));
  context.Print(answer);
  return ExitCode::kDone;
}

void AddModelOptions(Args& args, std::vector<CommandOption>& options) {
  const auto add = [&](const char* name, const char* help, std::string* target) {
    options.push_back(CommandOption::Text(name, "N", help, target));
  };
  options.push_back(CommandOption::List("--model-file", "FILE",
                                        "YAML with a list of models of your own "
                                        "(docs/formats/catalog.md); may be given again",
                                        &args.model_files)
                        .File());
  add("--parameters", "Parameters of a model of your own, as in 8.03e9", &args.parameters);
  add("--layers", "Its layers", &args.layers);
  add("--hidden", "Its hidden size", &args.hidden);
  add("--heads", "Its attention heads", &args.heads);
  add("--kv-heads", "Its KV heads", &args.kv_heads);
  add("--head-dim", "Width of a head; hidden / heads if not given", &args.head_dim);
  add("--ffn", "Width of its feed-forward layers; 4 x hidden if not given", &args.ffn);
  add("--vocabulary", "Its vocabulary: embedding and head stay at 16 bits", &args.vocabulary);
}

std::vector<CommandOption> Options(Args& args) {
  std::vector<CommandOption> options{
      CommandOption::Text("--model,-m", "NAME",
                          "Model of the catalog, as llama-3.1-70b or its Hugging Face name",
                          &args.model)
          .Required(),
      CommandOption::Text("--quantization", "NAME",
                          "Weights in bf16, fp8, int8, fp4 or int4; as published if not given",
                          &args.quantization),
      CommandOption::Text("--context", "TOKENS",
                          "Longest sequence, prompt and answer; --input and --output together "
                          "if not given",
                          &args.context),
      CommandOption::Text("--concurrency", "N", "Sequences of that length at once; 1 if not given",
                          &args.concurrency),
      CommandOption::Text("--input", "TOKENS", "Prompt of a usual request; 1000 if not given",
                          &args.input),
      CommandOption::Text("--output", "TOKENS", "Answer of a usual request; 1000 if not given",
                          &args.output),
      CommandOption::Text("--batched-tokens", "TOKENS",
                          "Tokens of one engine step (chunked prefill); a whole context if not "
                          "given",
                          &args.batched),
      CommandOption::Text("--kv", "NAME", "KV cache in bf16 or fp8; bf16 if not given", &args.kv),
      CommandOption::Text("--memory-utilization", "SHARE",
                          "Part of GPU memory that the engine may take; 0.9 if not given",
                          &args.utilization),
      CommandOption::Text("--runtime-gib", "GIB",
                          "A GPU's memory for context, communication and graphs; 1 if not given",
                          &args.runtime),
      CommandOption::Text("--tensor-parallel", "N",
                          "GPUs that share each layer; tries 1, 2, 4 and 8 if not given",
                          &args.tensor),
      CommandOption::Text("--pipeline", "N", "Nodes that share the layers; 1 if not given",
                          &args.pipeline),
      CommandOption::List("--gpu", "NAME", "Only this GPU; may be given again", &args.gpus),
      CommandOption::List("--gpu-price", "GPU=AMOUNT",
                          "Own price of one GPU for an hour, as H100-SXM-80GB=2.10; may be given "
                          "again",
                          &args.gpu_prices),
      CommandOption::Text("--provider", "NAME", "Only prices of this provider", &args.provider),
      CommandOption::Text("--region", "NAME", "Only prices of this region", &args.region),
      CommandOption::List("--throughput", "FILE",
                          "CSV of your own measurements (docs/formats/catalog.md); may be given "
                          "again",
                          &args.throughput)
          .File(),
      CommandOption::Text("--target", "LIMITS",
                          "Latency that must be kept, as in ttft=500ms,tpot=40ms; known from "
                          "measurements alone",
                          &args.target),
      CommandOption::Text("--good-share", "SHARE",
                          "Part of output tokens within the SLO, as plimsoll unit inference "
                          "tells: adds the cost of good ones",
                          &args.good),
      CommandOption::Text("--quality", "RULE",
                          "any: take measurements of another precision and mark them; same: "
                          "leave them out",
                          &args.quality)
          .OneOf({"any", "same"}),
      CommandOption::Flag(
          "--all", "Every GPU and every number of them, not only those worth a look", &args.all)};
  AddModelOptions(args, options);
  return options;
}

}  // namespace

Command PlanSkuCommand() {
  auto args = std::make_shared<Args>();
  Command command;
  command.name = "sku";
  command.summary = "Choose GPUs for a language model: does it fit, what do its tokens cost";
  command.about =
      "A replica fits if on each GPU weights, KV cache, activations and runtime take no more than "
      "0.9 of its memory. GiB are 2^30 bytes.\n\n"
      "Cost comes from a measured rate of the same model, GPUs and request lengths, by the price "
      "of the cheapest instance that carries them. Without a measurement there is no cost: "
      "nothing is estimated. Rates of the catalog are NVIDIA's; your own go before "
      "(--throughput).\n\n"
      "For each GPU: the fewest that fit, those that were measured, or why the most do not fit. "
      "GPUs without a price and a measurement are left out, unless --gpu names them or --all is "
      "given.";
  command.example =
      "plimsoll plan sku --model llama-3.1-405b --quantization fp8 --context 131072\n"
      "plimsoll plan sku --model llama-3.3-70b --quantization fp8 --input 1000 --output 1000 "
      "--gpu-price H100-SXM-80GB=2.10 --format json\n"
      "plimsoll plan sku --model own --parameters 8.03e9 --layers 32 --hidden 4096 --heads 32 "
      "--kv-heads 8 --context 8192 --concurrency 16 --gpu L4 --gpu A10G";
  command.common = CommonSet::kStore;
  command.options = Options(*args);
  command.run = [args](Context& context) { return RunSku(context, *args); };
  return command;
}

}  // namespace plimsoll
