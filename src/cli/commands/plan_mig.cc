#include <memory>
#include <optional>

#include "cli/context.h"
#include "cli/files.h"
#include "cli/mig_view.h"
#include "cli/plan_commands.h"
#include "config/suggest.h"
#include "purchase/sku/sku_price.h"

namespace plimsoll {
namespace {

struct Args {
  std::string gpu, profiles, models, card_price, provider, region;
  std::int64_t cards = 1;
};

Error Wrong(const std::string& option, const std::string& what) {
  return {ErrorCode::kInvalidArgument, option + ": " + what};
}

Result<const GpuModel*> CardOf(const Catalog& catalog, const Args& args) {
  if (const GpuModel* const gpu = catalog.FindGpu(args.gpu)) return gpu;
  std::vector<std::string> names;
  for (const GpuModel& gpu : catalog.gpus()) {
    if (!gpu.profiles.empty()) names.push_back(gpu.name);
  }
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  return Wrong("--gpu", "'" + args.gpu + "' is no GPU of the catalog" +
                            DidYouMean(args.gpu, names) + " Cards with MIG: " + list);
}

// "3g,2g,1g,1g", "2x1g.10gb".
Result<MigCounts> CountsOf(const MigGeometry& geometry, const std::string& text) {
  MigCounts counts(geometry.profiles().size(), 0);
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t comma = std::min(text.find(',', from), text.size());
    std::string name = text.substr(from, comma - from);
    from = comma + 1;
    while (!name.empty() && name.front() == ' ') name.erase(0, 1);
    while (!name.empty() && name.back() == ' ') name.pop_back();
    std::int64_t count = 1;
    if (const std::size_t times = name.find('x'); times != std::string::npos && times > 0) {
      const Result<Money> number = Money::Parse(name.substr(0, times));
      if (!number || *number < Money::Units(1) || *number > Money::Units(1'000) ||
          number->nanos() % Money::kNanosPerUnit != 0) {
        return Wrong("--profiles", "'" + name + "' must be a profile, or as 2x1g");
      }
      count = static_cast<std::int64_t>(number->nanos() / Money::kNanosPerUnit);
      name.erase(0, times + 1);
    }
    const Result<std::size_t> profile = geometry.FindProfile(name);
    if (!profile) return Wrong("--profiles", profile.error().message);
    counts[*profile] += count;
  }
  return counts;
}

// The media extensions go with one 1g; the geometry knows them only where they are asked for.
Result<MigGeometry> GeometryOf(const GpuModel& gpu, const std::string& profiles) {
  if (profiles.find("+me") == std::string::npos) return MigGeometry::Of(gpu);
  std::vector<std::string> names;
  for (const MigProfile& profile : gpu.profiles) names.push_back(profile.name);
  return MigGeometry::Of(gpu, names);
}

Result<std::optional<CardPrice>> PriceOf(Context& context, const Catalog& catalog,
                                         const GpuModel& gpu, const Args& args) {
  if (!args.card_price.empty()) {
    const Result<Money> price = Money::Parse(args.card_price);
    if (!price || *price <= Money() || *price > Money::Units(1'000'000)) {
      return Wrong("--card-price", "'" + args.card_price +
                                       "' is not the price of a card for an hour, such as 1.80");
    }
    return std::optional(CardPrice{*price, "given by hand"});
  }
  PLIMSOLL_TRY(const Config* const config, context.config());
  SkuPriceOptions options;
  options.at = context.now();
  options.currency = config->currency;
  options.provider = args.provider;
  options.region = args.region;
  const SkuPrices prices(catalog, {&catalog.prices(), &config->prices}, options);
  const std::optional<SkuPrice> price = prices.Cheapest(gpu, {1, 1});
  if (!price) return std::optional<CardPrice>();
  return std::optional(CardPrice{*price->on_demand, "on demand, its part of " + price->provider +
                                                        " " + price->instance_type + " in " +
                                                        price->region});
}

Result<ExitCode> RunMig(Context& context, const Args& args) {
  if (!args.profiles.empty() && !args.models.empty()) {
    return Wrong("--profiles", "cannot stand with --models: ask for one of them");
  }
  PLIMSOLL_TRY(const Catalog* const catalog, context.catalog());
  PLIMSOLL_TRY(const Config* const config, context.config());
  PLIMSOLL_TRY(const GpuModel* const gpu, CardOf(*catalog, args));
  PLIMSOLL_TRY(const MigGeometry geometry, GeometryOf(*gpu, args.profiles));
  MigView view{&geometry, std::nullopt, config->currency, args.cards};
  PLIMSOLL_TRY(view.price, PriceOf(context, *catalog, *gpu, args));
  if (!args.models.empty()) {
    PLIMSOLL_TRY(const std::string text, ReadWholeFile(args.models));
    PLIMSOLL_TRY(const std::vector<SliceModel> models, ReadSliceModels(args.models, text));
    PLIMSOLL_TRY(const MigPlan plan, PlanMig(geometry, models));
    PLIMSOLL_TRY(const Answer answer,
                 MigPlanAnswer(view, plan, context.options().format == "table"));
    context.Print(answer);
  } else if (!args.profiles.empty()) {
    PLIMSOLL_TRY(const MigCounts counts, CountsOf(geometry, args.profiles));
    PLIMSOLL_TRY(const Answer answer, MigProfilesAnswer(view, counts));
    context.Print(answer);
  } else {
    context.Print(MigCardAnswer(view));
  }
  return ExitCode::kDone;
}

std::vector<CommandOption> Options(Args& args) {
  return {
      CommandOption::Text("--gpu", "NAME", "The card, as A100-80GB, H100-SXM-80GB or A30",
                          &args.gpu)
          .Required(),
      CommandOption::Text("--profiles", "LIST",
                          "Instances that one card should hold, as 3g,2g,1g,1g or "
                          "2x1g.10gb,4g",
                          &args.profiles),
      CommandOption::Text("--models", "FILE",
                          "Models to pack, YAML or CSV (docs/formats/mig-models.md)", &args.models)
          .File(),
      CommandOption::Number(
          "--cards", "N", "Cards that one has: what each profile alone makes of them", &args.cards)
          .Range(1, 1'000'000),
      CommandOption::Text("--card-price", "AMOUNT",
                          "Price of a card for an hour; the cheapest on demand of the catalog "
                          "if not given",
                          &args.card_price),
      CommandOption::Text("--provider", "NAME", "Only prices of this provider", &args.provider),
      CommandOption::Text("--region", "NAME", "Only prices of this region", &args.region)};
}

}  // namespace

Command PlanMigCommand() {
  auto args = std::make_shared<Args>();
  Command command;
  command.name = "mig";
  command.summary = "Cut cards into MIG instances: what is valid, the fewest cards for models";
  command.about =
      "With --profiles, says whether one card can hold the instances, where each must begin and "
      "what is stranded: slices that no further instance could use.\n\n"
      "With --models, gives each model the smallest instance that has its memory (what the "
      "driver reports, not the name), compute and bandwidth, and packs them on the fewest cards, "
      "then with the fewest stranded slices. The search is complete: the number of cards is "
      "proven, or the gap is said.\n\n"
      "With neither, what a card can be cut into; profiles are alternatives, not a sum.";
  command.example =
      "plimsoll plan mig --gpu A100-80GB --profiles 3g,2g,1g,1g\n"
      "plimsoll plan mig --gpu H100-SXM-80GB --models models.yaml --card-price 2.10 --format json\n"
      "plimsoll plan mig --gpu A100-40GB --cards 4";
  command.common = CommonSet::kStore;
  command.options = Options(*args);
  command.run = [args](Context& context) { return RunMig(context, *args); };
  return command;
}

}  // namespace plimsoll
