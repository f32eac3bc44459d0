#include <algorithm>
#include <memory>

#include "cli/commit_options.h"
#include "cli/commit_view.h"
#include "cli/context.h"
#include "cli/files.h"
#include "cli/ledger_usage.h"
#include "cli/plan_commands.h"
#include "cli/plan_input.h"
#include "config/duration.h"
#include "config/window.h"
#include "ingest/trace/commit_offers.h"
#include "ingest/trace/offer_rows.h"
#include "purchase/commit/term_cost.h"

namespace plimsoll {
namespace {

struct Args {
  std::string usage, flavor, window, by, filter;
  std::vector<std::string> on_demand, committed;
  std::string term, offers, existing, capital, step, start;
  std::string recent = "30d", missing = "leave-out", target_utilization, target_coverage;
  bool cautious = false;
  ScenarioTexts scenarios;
  std::string ladder;
  std::string block_begin, block_days, block_instances, block_price, job_begin, job_length;
  bool ultra_server = false;
};

Error Wrong(const std::string& what) { return {ErrorCode::kInvalidArgument, what}; }

Result<std::int64_t> WholeOf(const std::string& option, const std::string& text,
                             std::int64_t most) {
  const Result<Money> value = Money::Parse(text);
  if (!value || value->nanos() % Money::kNanosPerUnit != 0 || *value < Money::Units(1) ||
      *value > Money::Units(most)) {
    return Wrong(option + ": '" + text + "' is not a whole number from 1 to " +
                 std::to_string(most));
  }
  return static_cast<std::int64_t>(value->nanos() / Money::kNanosPerUnit);
}

// What is offered, asked and in force.
struct Inputs {
  UsageReading usage;
  std::vector<FlavorPrice> on_demand;
  std::vector<CommitmentOffer> offers;
  std::vector<ExistingCommitment> existing;
  CommitOptions options;
};

Result<UsageReading> ReadUsage(Context& context, const Args& args, bool with_existing) {
  if (args.usage.empty()) {
    if (args.window.empty()) {
      return Wrong("give --usage FILE, or --window for the hours of the database");
    }
    if (!args.filter.empty()) {
      return UsageOfLedger(context, args.window, args.by, args.filter);
    }
    context.Say(with_existing
                    ? "Note: spot and owned GPUs are left out; --filter decides otherwise"
                    : "Note: spot, owned GPUs and those that a commitment covers already are left "
                      "out; --existing or --filter counts them");
    return UsageOfLedger(context, args.window, args.by, with_existing ? kCoverable : kUncovered);
  }
  if (!args.window.empty() || !args.by.empty() || !args.filter.empty()) {
    return Wrong("--window, --by and --filter are for the hours of the database, not --usage");
  }
  PLIMSOLL_TRY(const std::string text, ReadWholeFile(args.usage));
  PLIMSOLL_TRY(UsageReading usage, ReadUsageCsv(args.usage, text));
  for (HourlyUsage& flavor : usage.flavors) {
    if (flavor.flavor.empty()) flavor.flavor = args.flavor;
  }
  return usage;
}

// A plan of money is used by all flavors in the same hour; units count each flavor's own hours.
Status CheckSameHours(const UsageReading& usage, const std::vector<CommitmentOffer>& offers) {
  const bool of_money = std::any_of(offers.begin(), offers.end(), [](const CommitmentOffer& offer) {
    return IsOfMoney(offer.kind);
  });
  for (const HourlyUsage& flavor : usage.flavors) {
    const HourlyUsage& first = usage.flavors.front();
    if (!of_money || flavor.hour == first.hour) continue;
    return Wrong("--usage: " + first.flavor + " and " + flavor.flavor +
                 " are told for other hours, so that offers of money and of units cannot be "
                 "compared: give both for the same hours, or --missing zero for those without use");
  }
  return Ok();
}

// Hours of the file's window that a flavor lacks, as hours without use.
Status FillMissing(UsageReading& usage) {
  if (usage.window.length() > Days(5 * 366)) {
    return Wrong("--missing zero: the file spans more than five years; correct its hours");
  }
  for (HourlyUsage& flavor : usage.flavors) {
    HourlyUsage filled{flavor.flavor, {}, {}};
    std::size_t next = 0;
    for (Instant at = usage.window.begin; at < usage.window.until; at = at + Hours(1)) {
      const bool known = next < flavor.hour.size() && flavor.hour[next] == at;
      filled.hour.push_back(at);
      filled.used.push_back(known ? flavor.used[next++] : 0);
    }
    flavor = std::move(filled);
  }
  return Ok();
}

Status ReadOffers(const Args& args, Inputs& inputs) {
  PLIMSOLL_TRY(inputs.on_demand, ParsePrices("--on-demand", args.on_demand));
  if (!args.committed.empty()) {
    CommitmentOffer offer;
    offer.name = "committed";
    PLIMSOLL_TRY(offer.prices, ParsePrices("--committed", args.committed));
    const auto months = ParseTerm(args.term.empty() ? "1y" : args.term);
    if (!months) return Wrong("--term: '" + args.term + "' is not a term such as 1y or 3y");
    offer.term_months = *months;
    inputs.offers.push_back(std::move(offer));
  } else if (!args.term.empty()) {
    return Wrong("--term is that of --committed; offers of a file have their own");
  }
  for (const std::string* path : {&args.offers, &args.existing}) {
    if (path->empty()) continue;
    PLIMSOLL_TRY(const std::string text, ReadWholeFile(*path));
    PLIMSOLL_TRY(const OfferFile file, ReadOfferFile(*path, text));
    inputs.offers.insert(inputs.offers.end(), file.offers.begin(), file.offers.end());
    inputs.existing.insert(inputs.existing.end(), file.existing.begin(), file.existing.end());
    inputs.on_demand.insert(inputs.on_demand.end(), file.on_demand.begin(), file.on_demand.end());
  }
  for (const CommitmentOffer& offer : inputs.offers) PLIMSOLL_RETURN_IF_ERROR(CheckOffer(offer));
  if (!inputs.offers.empty() || !inputs.existing.empty()) return Ok();
  return Wrong("nothing is offered: give --committed PRICE or --offers FILE");
}

Status ReadOptions(Context& context, const Args& args, Inputs& inputs) {
  CommitOptions& options = inputs.options;
  options.start = CeilTo(context.now(), Hours(1));
  if (!args.start.empty()) {
    const Result<Instant> start = ParseInstant(args.start);
    if (!start) return Wrong("--start: '" + args.start + "' is not a date such as 2027-01-01");
    options.start = *start;
  }
  if (!args.step.empty()) {
    PLIMSOLL_TRY(options.step, WholeOf("--step", args.step, 1'000));
  }
  if (!args.capital.empty()) {
    PLIMSOLL_TRY(options.cost_of_capital, ShareOption("--cost-of-capital", args.capital));
  }
  PLIMSOLL_TRY(options.recent, ParseDuration(args.recent));
  options.cautious = args.cautious;
  if (!args.target_utilization.empty() && !args.target_coverage.empty()) {
    return Wrong("--target-utilization and --target-coverage exclude each other");
  }
  if (!args.target_utilization.empty()) {
    PLIMSOLL_TRY(options.target_utilization,
                 ShareOption("--target-utilization", args.target_utilization));
  }
  if (!args.target_coverage.empty()) {
    PLIMSOLL_TRY(options.target_coverage, ShareOption("--target-coverage", args.target_coverage));
  }
  PLIMSOLL_TRY(options.scenarios, ParseScenarios(args.scenarios, options.start));
  if (args.ladder.empty()) return Ok();
  PLIMSOLL_TRY(options.ladder, WholeOf("--ladder", args.ladder, 24));
  return Ok();
}

Result<Money> OnDemandOf(const Inputs& inputs, const std::string& flavor) {
  const FlavorPrice* any = nullptr;
  for (const FlavorPrice& price : inputs.on_demand) {
    if (price.flavor == flavor && price.price > Money()) return price.price;
    if (price.flavor == "*" && any == nullptr) any = &price;
  }
  if (any != nullptr && any->price > Money()) return any->price;
  return Wrong("no on-demand price" + (flavor.empty() ? "" : " of " + flavor) +
               ": give --on-demand " + (flavor.empty() ? "10" : flavor + "=10"));
}

// Every offer of money, by itself and for what the units leave; the best of all is chosen.
Status AddSpends(const Inputs& inputs, bool missing_is_zero, CommitView& view) {
  std::vector<Money> prices;
  std::vector<std::int64_t> before, after;
  Money best, saved_before, saved_after;
  for (const CommitAdvice& flavor : view.flavors) {
    prices.push_back(flavor.on_demand);
    before.push_back(flavor.existing_units);
    after.push_back(flavor.existing_units + flavor.units);
    saved_before += flavor.before.saving;
    saved_after += flavor.after.saving;
  }
  best = saved_after;
  for (const bool after_units : {false, true}) {
    if (after_units && before == after) continue;
    const SpendNeed need =
        SpendNeedOf(inputs.usage.flavors, prices, after_units ? after : before, missing_is_zero);
    for (const CommitmentOffer& offer : inputs.offers) {
      if (!IsOfMoney(offer.kind)) continue;
      SpendChoice choice;
      choice.after_units = after_units;
      PLIMSOLL_TRY(choice.advice, AdviseSpend(need, offer, inputs.options.cost_of_capital,
                                              inputs.options.scenarios));
      const bool covers_none = choice.advice.flavors.empty();
      if (covers_none || (after_units && choice.advice.commitment == Money())) continue;
      const SpendOutcome& outcome = choice.advice.outcome;
      choice.saving =
          (after_units ? saved_after : saved_before) + outcome.cost_on_demand - outcome.cost;
      view.spends.push_back(std::move(choice));
      if (view.spends.back().saving <= best) continue;
      best = view.spends.back().saving;
      view.chosen = view.spends.size() - 1;
    }
  }
  return Ok();
}

Result<ExitCode> RunBlock(Context& context, const Args& args) {
  CapacityBlock block;
  const Result<Instant> begin = ParseInstant(args.block_begin);
  if (!begin) return Wrong("--block-begin: '" + args.block_begin + "' is not a time");
  block.begin = args.block_begin.size() == 10 ? *begin + Minutes(11 * 60 + 30) : *begin;
  PLIMSOLL_TRY(block.days,
               WholeOf("--block-days", args.block_days.empty() ? "1" : args.block_days, 182));
  PLIMSOLL_TRY(
      block.instances,
      WholeOf("--block-instances", args.block_instances.empty() ? "1" : args.block_instances, 64));
  const Result<Money> price = Money::Parse(args.block_price);
  if (!price) return Wrong("--block-price: give the price of an instance-hour, such as 39.33");
  block.price = *price;
  block.ultra_server = args.ultra_server;
  PLIMSOLL_TRY(const CapacityBlockTerms terms, TermsOf(block, context.now()));
  Status fits = Ok();
  if (!args.job_length.empty()) {
    PLIMSOLL_TRY(const Duration length, ParseDuration(args.job_length));
    const Result<Instant> job =
        args.job_begin.empty() ? Result<Instant>(block.begin) : ParseInstant(args.job_begin);
    if (!job) return Wrong("--job-begin: '" + args.job_begin + "' is not a time");
    fits = CheckJobFits(block, terms, *job, length);
  } else if (!args.job_begin.empty()) {
    return Wrong("--job-begin needs --job-length");
  }
  PLIMSOLL_TRY(const Config* const config, context.config());
  context.Print(BlockAnswer(block, terms, config->currency));
  if (fits) return ExitCode::kDone;
  context.Warn(fits.error().message);
  return ExitCode::kCheckFailed;
}

Result<ExitCode> RunCommit(Context& context, const Args& args) {
  if (!args.block_begin.empty()) return RunBlock(context, args);
  Inputs inputs;
  PLIMSOLL_RETURN_IF_ERROR(ReadOffers(args, inputs));
  PLIMSOLL_RETURN_IF_ERROR(ReadOptions(context, args, inputs));
  PLIMSOLL_TRY(inputs.usage, ReadUsage(context, args, !inputs.existing.empty()));
  CommitView view;
  view.missing_is_zero = args.missing == "zero";
  if (view.missing_is_zero) PLIMSOLL_RETURN_IF_ERROR(FillMissing(inputs.usage));
  PLIMSOLL_RETURN_IF_ERROR(CheckSameHours(inputs.usage, inputs.offers));
  for (const HourlyUsage& usage : inputs.usage.flavors) {
    PLIMSOLL_TRY(const Money price, OnDemandOf(inputs, usage.flavor));
    PLIMSOLL_TRY(CommitAdvice advice,
                 Advise(usage, price, inputs.offers, inputs.existing, inputs.options));
    view.flavors.push_back(std::move(advice));
  }
  PLIMSOLL_RETURN_IF_ERROR(AddSpends(inputs, view.missing_is_zero, view));
  PLIMSOLL_TRY(const Config* const config, context.config());
  view.usage = std::move(inputs.usage);
  view.scenarios = inputs.options.scenarios;
  view.existing = std::move(inputs.existing);
  view.start = inputs.options.start;
  view.currency = config->currency;
  view.cautious = args.cautious;
  view.for_people = context.options().format == "table";
  context.Print(CommitAnswer(view));
  return ExitCode::kDone;
}

std::vector<CommandOption> UsageOptions(Args& args) {
  return {
      CommandOption::Text("--usage,-u", "FILE",
                          "CSV of units in use by the hour: hour,usage and maybe flavor",
                          &args.usage)
          .File(),
      CommandOption::Text("--flavor", "NAME", "The flavor of a file that names none", &args.flavor),
      CommandOption::Text("--window,-w", "WINDOW",
                          std::string("Hours of the database in place of a file: ") + kWindowForms,
                          &args.window),
      CommandOption::Text("--by,-b", "FIELD",
                          "What is a flavor in the database; gpu_model if not given", &args.by),
      CommandOption::Text("--filter", "FILTER", "Which cost lines of the database", &args.filter),
      CommandOption::Text("--missing", "HOW",
                          "Hours without a row: left out of everything, or no use", &args.missing)
          .OneOf({"leave-out", "zero"}),
      CommandOption::List("--on-demand", "PRICE", "Of a unit-hour: 10, or H100=10 for each flavor",
                          &args.on_demand),
      CommandOption::List("--committed", "PRICE",
                          "One offer: what a committed unit costs an hour, 5.5 or H100=5.5",
                          &args.committed),
      CommandOption::Text("--term", "TERM", "Of --committed: 1y if not given, 3y, 6m", &args.term),
      CommandOption::Text("--offers", "FILE",
                          "Offers in YAML or CSV: kind, term, payment, rate, upfront", &args.offers)
          .File(),
      CommandOption::Text("--existing", "FILE",
                          "Commitments already made, in YAML or CSV; used first", &args.existing)
          .File()};
}

std::vector<CommandOption> DecisionOptions(Args& args) {
  return {
      CommandOption::Text("--step", "N", "Units are sold by so many: 8 for an 8-GPU node",
                          &args.step),
      CommandOption::Text("--cost-of-capital", "PERCENT",
                          "A year; weighs what is paid upfront. 0 % if not given", &args.capital),
      CommandOption::Text("--start", "DATE", "When the purchase is made; now if not given",
                          &args.start),
      CommandOption::Text("--recent", "LENGTH", "The shorter horizon that is looked at too",
                          &args.recent),
      CommandOption::Flag("--cautious", "Take the lower of the recent and the whole horizon",
                          &args.cautious),
      CommandOption::Text("--target-utilization", "PERCENT",
                          "The most units that are used so much, in place of the optimum",
                          &args.target_utilization),
      CommandOption::Text("--target-coverage", "PERCENT",
                          "The fewest units that cover so much, in place of the optimum",
                          &args.target_coverage),
      CommandOption::Text("--growth", "PERCENT", "Scenario: use grows so much a year",
                          &args.scenarios.growth),
      CommandOption::Text("--decline", "PERCENT", "Scenario: use falls so much a year",
                          &args.scenarios.decline),
      CommandOption::List("--migrate", "MONTH:FLAVOR:SHARE",
                          "Scenario: a share of use moves to another flavor, "
                          "2027-06:H200:0.5",
                          &args.scenarios.migrations),
      CommandOption::List("--price-cut", "PERCENT[:MONTH]",
                          "Scenario: on-demand prices fall, 44% or 44%:2027-06",
                          &args.scenarios.price_cuts),
      CommandOption::Text("--ladder", "MONTHS", "Split the purchase over so many months",
                          &args.ladder)};
}

std::vector<CommandOption> BlockOptions(Args& args) {
  return {
      CommandOption::Text("--block-begin", "DATE",
                          "Terms of an AWS capacity block from 11:30 UTC of this day, in place "
                          "of a plan",
                          &args.block_begin),
      CommandOption::Text("--block-days", "N", "Its days: 1 to 14, or weeks up to 182",
                          &args.block_days),
      CommandOption::Text("--block-instances", "N", "Its instances: 1 to 64",
                          &args.block_instances),
      CommandOption::Text("--block-price", "PRICE", "Of one of its instance-hours",
                          &args.block_price),
      CommandOption::Flag("--ultra-server", "It is of UltraServers, which end an hour before",
                          &args.ultra_server),
      CommandOption::Text("--job-begin", "TIME", "Check a job that begins then", &args.job_begin),
      CommandOption::Text("--job-length", "LENGTH", "Check a job that runs so long",
                          &args.job_length)};
}

}  // namespace

Command PlanCommitCommand() {
  auto args = std::make_shared<Args>();
  Command command;
  command.name = "commit";
  command.summary = "Decide how much to commit to, on which terms, and what that saves and risks";
  command.about =
      "Buys a unit more as long as it is used more of the hours than its break-even, committed "
      "price / on-demand price. That is the exact optimum over the hours measured; ties go to the "
      "smaller quantity. Daily averages and maxima, by which others decide, buy what loses.\n\n"
      "Commitments of money (savings plans, flexible CUDs) are found over all flavors they have "
      "prices for, in the plan's own prices. Units, money, and money for what units leave are "
      "compared, and the one that saves most is advised.\n\n"
      "Reads CSV of hour,usage and maybe flavor (docs/formats/usage-csv.md), or with --window the "
      "GPUs that the database's cost lines paid for. What is missing is counted and never read as "
      "0. Scenarios say what is stranded, and how much dearer the purchase is than that of one who "
      "knew (regret).\n\n"
      "With --block-begin it prices an AWS capacity block by the hours that can be used of it.";
  command.example =
      "plimsoll plan commit --usage hourly.csv --on-demand 10 --committed 5.5\n"
      "plimsoll plan commit --usage hourly.csv --on-demand 10 --offers offers.yaml --growth 10% "
      "--price-cut 44% --ladder 3\n"
      "plimsoll plan commit --window 2026-11 --on-demand 4 --committed 2.2 --term 3y\n"
      "plimsoll plan commit --block-begin 2026-12-08 --block-days 1 --block-price 39.33";
  command.common = CommonSet::kFacts;
  command.options = UsageOptions(*args);
  for (CommandOption& option : DecisionOptions(*args)) command.options.push_back(option);
  for (CommandOption& option : BlockOptions(*args)) command.options.push_back(option);
  command.run = [args](Context& context) { return RunCommit(context, *args); };
  return command;
}

}  // namespace plimsoll
