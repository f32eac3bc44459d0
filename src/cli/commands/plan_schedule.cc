#include <memory>

#include "cli/commit_options.h"
#include "cli/context.h"
#include "cli/files.h"
#include "cli/ledger_usage.h"
#include "cli/plan_commands.h"
#include "cli/plan_input.h"
#include "cli/schedule_options.h"
#include "cli/schedule_view.h"
#include "config/duration.h"
#include "config/window.h"

namespace plimsoll {
namespace {

struct Args {
  std::string activity, window, filter, time_zone;
  std::int64_t instances = 0;
  std::string price, people_cost;
  std::string controls = "weekend,business-hours,idle";
  std::string business = "09:00-18:00", weekend = "sat-sun", holidays;
  std::string idle_below = "5%", idle_after = "1h", idle_share, wake_up = "2m";
  std::string since;
};

Error Wrong(const std::string& what) { return {ErrorCode::kInvalidArgument, what}; }

Result<Money> PriceOf(const std::string& option, const std::string& text) {
  const Result<Money> price = Money::Parse(text);
  if (price && *price >= Money() && *price <= Money::Units(10'000)) return *price;
  return Wrong(option + ": '" + text + "' is not a price of an hour, such as 1.21");
}

Result<ScheduleRules> RulesOf(const Args& args) {
  ScheduleRules rules;
  if (args.price.empty()) return Wrong("give --price, what an instance costs an hour");
  PLIMSOLL_TRY(rules.price, PriceOf("--price", args.price));
  PLIMSOLL_TRY(rules.business, ParseDailyHours(args.business));
  PLIMSOLL_TRY(rules.weekend, ParseWeeklyHours(args.weekend));
  PLIMSOLL_TRY(rules.holidays, ParseHolidays(args.holidays));
  PLIMSOLL_TRY(const std::int64_t below, ShareOption("--idle-below", args.idle_below));
  rules.idle_below = below / 1'000;
  if (rules.idle_below == 0) {
    return Wrong("--idle-below: 0 would call every hour worked in; give a little, such as 1%");
  }
  PLIMSOLL_TRY(const Duration after, ParseDuration(args.idle_after));
  if (after < Minutes(1) || after.base() % Minutes(1).base() != 0) {
    return Wrong("--idle-after: give whole minutes from 1m, such as 30m");
  }
  rules.idle_after = after.base() / Minutes(1).base();
  PLIMSOLL_TRY(rules.wake_up, ParseDuration(args.wake_up));
  if (rules.wake_up > Days(1)) return Wrong("--wake-up: a day at most, such as 10m");
  if (!args.idle_share.empty()) {
    PLIMSOLL_TRY(rules.idle_share, ShareOption("--idle-share", args.idle_share));
  }
  if (!args.people_cost.empty()) {
    PLIMSOLL_TRY(rules.people_cost, PriceOf("--people-cost", args.people_cost));
  }
  return rules;
}

struct Activity {
  ActivityReading reading;
  std::int64_t unknown_hours = 0;
  std::int64_t copies = 1;
};

// A fleet that is only counted: on all the time, of no known activity.
Result<Activity> Declared(const Args& args, Window window, ScheduleRules& rules) {
  if (args.instances < 1 || args.instances > 1'000'000) {
    return Wrong("--instances must be a whole number from 1 to 1000000");
  }
  if (window.length() > Days(5 * 366)) return Wrong("--window: at most five years");
  Activity out;
  out.copies = args.instances;
  InstanceActivity instance{"declared", {}, {}};
  for (Instant at = window.begin; at < window.until; at = at + Hours(1)) {
    instance.hour.push_back(at);
    instance.active.push_back(0);
  }
  out.reading.window = window;
  out.reading.instances.push_back(std::move(instance));
  if (!rules.idle_share) rules.idle_share = 0;
  return out;
}

Result<Activity> ReadActivity(Context& context, const Args& args, const Zone& zone,
                              ScheduleRules& rules) {
  Activity out;
  if (args.instances != 0) {
    if (!args.activity.empty()) return Wrong("--instances is in place of --activity");
    PLIMSOLL_TRY(const Window window,
                 ParseWindow(args.window.empty() ? "month" : args.window, zone, context.now()));
    return Declared(args, window, rules);
  }
  if (!args.idle_share.empty()) {
    return Wrong("--idle-share is for --instances; files and the database tell what is idle");
  }
  if (args.activity.empty()) {
    if (args.window.empty()) {
      return Wrong(
          "give --activity FILE, --window for the nodes of the database, or --instances N");
    }
    PLIMSOLL_TRY(out.reading,
                 ActivityOfLedger(context, args.window, args.filter, &out.unknown_hours));
    return out;
  }
  if (!args.window.empty() || !args.filter.empty()) {
    return Wrong("--window and --filter are for the database, not --activity");
  }
  PLIMSOLL_TRY(const std::string text, ReadWholeFile(args.activity));
  PLIMSOLL_TRY(out.reading, ReadActivityCsv(args.activity, text));
  return out;
}

FleetHours HoursOf(const Activity& activity, const Zone& zone) {
  FleetHours fleet;
  fleet.copies = activity.copies;
  fleet.instances = activity.reading.instances;
  for (const InstanceActivity& instance : fleet.instances) {
    std::vector<std::int64_t>& wall = fleet.wall_ms.emplace_back();
    wall.reserve(instance.hour.size());
    for (const Instant at : instance.hour) wall.push_back(zone.WallOf(at).base());
  }
  return fleet;
}

FleetHours After(const FleetHours& fleet, std::int64_t since) {
  FleetHours after;
  after.copies = fleet.copies;
  for (std::size_t i = 0; i < fleet.instances.size(); ++i) {
    InstanceActivity& instance = after.instances.emplace_back();
    std::vector<std::int64_t>& wall = after.wall_ms.emplace_back();
    for (std::size_t h = 0; h < fleet.wall_ms[i].size(); ++h) {
      if (LocalDay(fleet.wall_ms[i][h]) < since) continue;
      instance.hour.push_back(fleet.instances[i].hour[h]);
      instance.active.push_back(fleet.instances[i].active[h]);
      wall.push_back(fleet.wall_ms[i][h]);
    }
  }
  return after;
}

Status Measure(const Args& args, const FleetHours& fleet, const Zone& zone, ScheduleView& view) {
  if (args.since.empty()) return Ok();
  const Result<Instant> since = ParseInstant(args.since);
  if (!since || args.since.size() != 10) {
    return Wrong("--since: '" + args.since + "' is not a date such as 2026-11-15");
  }
  // Only whole local days are compared.
  const std::int64_t day_ms = kMinutesPerDay * 60'000;
  const std::int64_t begin = zone.WallOf(view.window.begin).base();
  const std::int64_t until = zone.WallOf(view.window.until).base();
  const std::int64_t first = LocalDay(begin + day_ms - 1), last = LocalDay(until) - 1;
  view.since = args.since;
  view.measured = MeasureSince(fleet, first, LocalDay(since->base()), last, view.rules.price);
  view.expected_after =
      RunSchedule(After(fleet, LocalDay(since->base())), view.controls, view.rules).saving;
  return Ok();
}

Result<Zone> ZoneOf(Context& context, const Args& args) {
  return args.time_zone.empty() ? context.zone() : Zone::Find(args.time_zone);
}

Result<ExitCode> RunSchedulePlan(Context& context, const Args& args) {
  PLIMSOLL_TRY(const Zone zone, ZoneOf(context, args));
  ScheduleView view;
  PLIMSOLL_TRY(view.rules, RulesOf(args));
  PLIMSOLL_TRY(view.controls, ParseControls(args.controls));
  PLIMSOLL_TRY(const Activity activity, ReadActivity(context, args, zone, view.rules));
  const FleetHours fleet = HoursOf(activity, zone);
  view.window = activity.reading.window;
  view.instances = activity.copies * static_cast<std::int64_t>(fleet.instances.size());
  view.as_it_ran = RunSchedule(fleet, {}, view.rules);
  for (std::size_t i = 0; i < view.controls.size(); ++i) {
    view.alone.push_back(RunSchedule(fleet, std::span(view.controls).subspan(i, 1), view.rules));
    view.compounded.push_back(
        RunSchedule(fleet, std::span(view.controls).first(i + 1), view.rules));
  }
  PLIMSOLL_RETURN_IF_ERROR(Measure(args, fleet, zone, view));
  PLIMSOLL_TRY(const Config* const config, context.config());
  view.time_zone = zone.name();
  view.currency = config->currency;
  view.days = view.window.length().base() / Days(1).base();
  view.without_offset = activity.reading.notes.without_offset;
  view.duplicates = activity.reading.duplicates;
  view.unknown_hours = activity.unknown_hours;
  view.for_people = context.options().format == "table";
  context.Print(ScheduleAnswer(view));
  return ExitCode::kDone;
}

std::vector<CommandOption> Options(Args& args) {
  return {
      CommandOption::Text("--activity,-a", "FILE",
                          "CSV of instance,hour,activity: the hours that instances ran",
                          &args.activity)
          .File(),
      CommandOption::Text("--window,-w", "WINDOW",
                          std::string("Nodes of the database in place of a file; with "
                                      "--instances the time that is planned: ") +
                              kWindowForms,
                          &args.window),
      CommandOption::Text("--filter", "FILTER", "Which cost lines of the database", &args.filter),
      CommandOption::Number("--instances", "N",
                            "A fleet that is only counted: so many, on all the time",
                            &args.instances),
      CommandOption::Text("--price", "AMOUNT", "What an instance costs an hour", &args.price),
      CommandOption::Text("--controls", "LIST", "Which, in the order in which they are applied",
                          &args.controls),
      CommandOption::Text("--business-hours", "HOURS", "On only in these hours of each day",
                          &args.business),
      CommandOption::Text("--weekend", "DAYS", "Off in these, sat-sun or 'fri 18:00 - mon 09:00'",
                          &args.weekend),
      CommandOption::Text("--holidays", "DATES",
                          "Off on these days under both, 2026-12-25,2026-12-26", &args.holidays),
      CommandOption::Text("--time-zone", "ZONE",
                          "IANA zone of the people; that of plimsoll.yaml if not given",
                          &args.time_zone),
      CommandOption::Text("--idle-below", "SHARE", "An hour used less than this is idle",
                          &args.idle_below),
      CommandOption::Text("--idle-after", "LENGTH", "Idle so long, it is turned off",
                          &args.idle_after),
      CommandOption::Text("--idle-share", "SHARE",
                          "Of --instances: the part of what is on that is idle", &args.idle_share),
      CommandOption::Text("--wake-up", "LENGTH", "From the wish to work until it can be worked",
                          &args.wake_up),
      CommandOption::Text("--people-cost", "AMOUNT", "What an hour of somebody waiting costs",
                          &args.people_cost),
      CommandOption::Text("--since", "DATE",
                          "Measure what has really run since that day, against before",
                          &args.since)};
}

}  // namespace

Command PlanScheduleCommand() {
  auto args = std::make_shared<Args>();
  Command command;
  command.name = "schedule";
  command.summary = "Show what turning a fleet off at night, at weekends and when idle saves net";
  command.about =
      "Runs the controls over the hours that each instance really ran: every one by itself, and "
      "one after another in the order given, each taking from what the ones before leave on.\n\n"
      "A saving never stands without its cost: hours that were worked in and would have been "
      "turned off are counted, paid again in the net saving, and somebody waits for each wake-up. "
      "An hour without a row is one in which the instance did not run.\n\n"
      "--since measures what a schedule has brought: hours since that day against the same "
      "weekdays before.";
  command.example =
      "plimsoll plan schedule --activity activity.csv --price 1.21 --people-cost 90\n"
      "plimsoll plan schedule --window lastweek --price 12 --controls idle,weekend\n"
      "plimsoll plan schedule --instances 50 --window 2026-06 --price 1.21 --idle-share 40%";
  command.common = CommonSet::kFacts;
  command.options = Options(*args);
  command.run = [args](Context& context) { return RunSchedulePlan(context, *args); };
  return command;
}

}  // namespace plimsoll
