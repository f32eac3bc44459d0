#include "cli/schedule_view.h"

#include "cli/commit_cells.h"

namespace plimsoll {
namespace {

constexpr std::int64_t kBillion = 1'000'000'000;

// Instance-minutes as hours with nine decimals.
std::string HoursOf(std::int64_t minutes) {
  return Money::FromNanos(DivideHalfEven(int128{minutes} * kBillion, 60)).ToString();
}

std::string HoursOf(Duration duration) { return ToDecimalHours(GpuMillis(duration.base())); }

std::optional<std::int64_t> ShareSaved(const ScheduleOutcome& outcome, const ScheduleView& view) {
  const int128 whole = view.as_it_ran.minutes_on;
  if (whole <= 0) return std::nullopt;
  return static_cast<std::int64_t>(DivideHalfEven((whole - outcome.minutes_on) * kBillion, whole));
}

const ScheduleOutcome& Last(const ScheduleView& view) { return view.compounded.back(); }

// Without activity nobody knows what a schedule takes from people, and so what it saves net.
Cell IfKnown(const ScheduleView& view, std::string value) {
  return view.rules.idle_share ? std::nullopt : Cell(std::move(value));
}

void AddFacts(const ScheduleView& view, Answer& answer) {
  const ScheduleOutcome& last = Last(view);
  const auto add = [&](const char* name, CellKind kind, Cell value) {
    answer.facts.push_back({name, kind, std::move(value)});
  };
  add("window_begin", CellKind::kText, ToString(view.window.begin));
  add("window_until", CellKind::kText, ToString(view.window.until));
  add("time_zone", CellKind::kText, view.time_zone);
  add("currency", CellKind::kText, view.currency);
  add("instances", CellKind::kNumber, std::to_string(view.instances));
  add("price", CellKind::kMoney, view.rules.price.ToString());
  add("hours", CellKind::kDecimal, HoursOf(view.as_it_ran.minutes_on));
  add("hours_on", CellKind::kDecimal, HoursOf(last.minutes_on));
  add("cost", CellKind::kMoney, view.as_it_ran.cost.ToString());
  add("cost_scheduled", CellKind::kMoney, last.cost.ToString());
  add("saving", CellKind::kMoney, last.saving.ToString());
  add("saving_share", CellKind::kNumber, ShareCell(ShareSaved(last, view)));
  add("active_hours_cut", CellKind::kDecimal, IfKnown(view, HoursOf(last.minutes_cut)));
  add("interruptions", CellKind::kNumber, IfKnown(view, std::to_string(last.interruptions)));
  add("wake_ups", CellKind::kNumber, IfKnown(view, std::to_string(last.wake_ups)));
  add("waiting_hours", CellKind::kDecimal, IfKnown(view, HoursOf(last.waiting)));
  add("waiting_cost", CellKind::kMoney,
      view.rules.people_cost ? IfKnown(view, last.cost_waiting.ToString()) : std::nullopt);
  add("saving_net", CellKind::kMoney, IfKnown(view, last.saving_net.ToString()));
  std::vector<std::int64_t> shares;
  for (const ScheduleOutcome& outcome : view.alone) {
    shares.push_back(ShareSaved(outcome, view).value_or(0));
  }
  add("share_if_independent", CellKind::kNumber, ShareCell(CompoundShares(shares)));
  const MeasuredSaving* const measured = view.measured ? &*view.measured : nullptr;
  add("since", CellKind::kText, measured ? Cell(view.since) : std::nullopt);
  add("measured_saving", CellKind::kMoney,
      measured && measured->saving ? Cell(measured->saving->ToString()) : std::nullopt);
}

Table ControlTable(const ScheduleView& view, bool compounded) {
  Table table;
  table.name = compounded ? "compounded" : "alone";
  table.title = compounded ? "One after another, in the order given" : "Each control by itself";
  table.columns = {{"control"},
                   {"hours_on", CellKind::kDecimal, 1},
                   {"cost", CellKind::kMoney, 2},
                   {"saving", CellKind::kMoney, 2},
                   {"saving_share", CellKind::kNumber, 4},
                   {"active_hours_cut", CellKind::kDecimal, 1},
                   {"interruptions", CellKind::kNumber},
                   {"wake_ups", CellKind::kNumber},
                   {"waiting_hours", CellKind::kDecimal, 1},
                   {"waiting_cost", CellKind::kMoney, 2},
                   {"saving_net", CellKind::kMoney, 2}};
  const auto add = [&](const std::string& name, const ScheduleOutcome& outcome) {
    table.rows.push_back(
        {name, HoursOf(outcome.minutes_on), outcome.cost.ToString(), outcome.saving.ToString(),
         ShareCell(ShareSaved(outcome, view)), IfKnown(view, HoursOf(outcome.minutes_cut)),
         IfKnown(view, std::to_string(outcome.interruptions)),
         IfKnown(view, std::to_string(outcome.wake_ups)), IfKnown(view, HoursOf(outcome.waiting)),
         view.rules.people_cost ? IfKnown(view, outcome.cost_waiting.ToString()) : std::nullopt,
         IfKnown(view, outcome.saving_net.ToString())});
  };
  if (compounded) add("as it ran", view.as_it_ran);
  for (std::size_t i = 0; i < view.controls.size(); ++i) {
    const std::string name = kControlNames[static_cast<std::size_t>(view.controls[i])];
    add(compounded && i > 0 ? "+ " + name : name, compounded ? view.compounded[i] : view.alone[i]);
  }
  if (view.for_people) {
    KeepColumns(table, {"control", "hours_on", "cost", "saving", "active_hours_cut", "wake_ups",
                        "saving_net"});
  }
  return table;
}

Table MeasuredTable(const ScheduleView& view) {
  Table table;
  table.name = "measured";
  table.title = "Measured since " + view.since + ", against the same weekdays before";
  table.columns = {{"since"},
                   {"days_before", CellKind::kNumber},
                   {"days_after", CellKind::kNumber},
                   {"instances_before", CellKind::kNumber},
                   {"instances_after", CellKind::kNumber},
                   {"hours_before", CellKind::kDecimal, 1},
                   {"hours_after", CellKind::kDecimal, 1},
                   {"hours_as_before", CellKind::kDecimal, 1},
                   {"saving", CellKind::kMoney, 2},
                   {"saving_left", CellKind::kMoney, 2}};
  if (!view.measured) return table;
  const MeasuredSaving& of = *view.measured;
  table.rows.push_back(
      {view.since, std::to_string(of.days_before), std::to_string(of.days_after),
       std::to_string(of.instances_before), std::to_string(of.instances_after),
       HoursOf(of.hours_before * 60), HoursOf(of.hours_after * 60),
       of.minutes_expected ? Cell(HoursOf(*of.minutes_expected)) : std::nullopt,
       of.saving ? Cell(of.saving->ToString()) : std::nullopt,
       view.expected_after ? Cell(view.expected_after->ToString()) : std::nullopt});
  if (view.for_people) {
    KeepColumns(table, {"days_before", "days_after", "hours_after", "hours_as_before", "saving",
                        "saving_left"});
  }
  return table;
}

void AddLines(const ScheduleView& view, Answer& answer) {
  const ScheduleOutcome& last = Last(view);
  const bool is_known = !view.rules.idle_share;
  const std::string what = "Turning off " + std::to_string(view.instances) + " instances saves ";
  const std::string of = " of " + Rounded(view.as_it_ran.cost, 2) + " " + view.currency + " in " +
                         std::to_string(view.days) + " days";
  const std::string share = " (" + PercentText(ShareSaved(last, view).value_or(0)) + ")";
  if (!is_known) {
    answer.lines.push_back(what + Rounded(last.saving, 2) + of + share +
                           " before what people lose by it");
    answer.lines.push_back("Net it is not known: it takes the hours that they work in, --activity");
    return;
  }
  answer.lines.push_back(what + Rounded(last.saving_net, 2) + of + " net of what it costs");
  answer.lines.push_back(
      "Gross " + Rounded(last.saving, 2) + share + ", less " +
      Rounded(*Money::Parse(HoursOf(last.minutes_cut)), 1) + " hours that were worked in (" +
      Rounded(last.cost_cut, 2) + ") and " + Rounded(*Money::Parse(HoursOf(last.waiting)), 1) +
      " hours of waiting" +
      (view.rules.people_cost ? " (" + Rounded(last.cost_waiting, 2) + ")" : ""));
}

void AddNotes(const ScheduleView& view, Answer& answer) {
  const auto note = [&](const std::string& text) { answer.notes.push_back(text); };
  const ScheduleOutcome& last = Last(view);
  if (!view.rules.people_cost && last.waiting > Duration()) {
    note("waiting has no price here: give --people-cost for what an hour of waiting costs");
  }
  if (last.saving > Money() && last.saving_net <= Money()) {
    note("net of what is worked in the hours that it turns off, this schedule saves nothing");
  }
  for (std::size_t i = 1; i < view.controls.size(); ++i) {
    const Money lost = view.compounded[i - 1].saving_net - view.compounded[i].saving_net;
    if (lost <= Money()) continue;
    note(std::string(kControlNames[static_cast<std::size_t>(view.controls[i])]) +
         " on top of the others costs more than it saves: leave it out and keep " +
         Rounded(lost, 2) + " " + view.currency);
  }
  if (view.controls.size() > 1) {
    note("controls overlap: each is taken from what the ones before leave on");
  }
  if (view.without_offset > 0) {
    note(std::to_string(view.without_offset) + " hours have no offset and are read as UTC");
  }
  if (view.duplicates > 0) {
    note(std::to_string(view.duplicates) + " rows repeat an hour and count once");
  }
  if (view.unknown_hours > 0) {
    note(
        std::to_string(view.unknown_hours) +
        " hours have no usage signal and count as worked in: nothing is turned off for idle there");
  }
  if (view.measured && !view.measured->saving) {
    note("no saving is measured: a weekday since " + view.since + " has no like before it");
  }
  if (view.measured && view.measured->instances_before != view.measured->instances_after) {
    note("the fleet had " + std::to_string(view.measured->instances_before) + " instances before " +
         view.since + " and " + std::to_string(view.measured->instances_after) +
         " since: its size is in the measured saving too");
  }
}

}  // namespace

Answer ScheduleAnswer(const ScheduleView& view) {
  Answer answer;
  AddFacts(view, answer);
  AddLines(view, answer);
  answer.tables.push_back(ControlTable(view, true));
  answer.tables.push_back(ControlTable(view, false));
  if (view.measured || !view.for_people) answer.tables.push_back(MeasuredTable(view));
  AddNotes(view, answer);
  return answer;
}

}  // namespace plimsoll
