// What three weeks of a Helios virtual cluster say of its fourth, and how often that was right.
//
//   helios_bench [DIR [REPLICATIONS]]
//
// DIR holds HeliosData's sequences of May 2020 (Earth_*_sequence_2020-05.csv[.gz]); without it they
// are looked for below $PLIMSOLL_SHARED or ../shared, and there is nothing to do if not. Each is
// cut after 21 days; what is said of days 22 to 28 is an interval of 90 % for each measure, and the
// table shows beside it what came. At the end the same of the third week from the first two: the
// fourth was seen while the method was made. Exit code 1 if a file cannot be read.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "capacity/workload/occupancy_forecast.h"
#include "ingest/cluster/occupancy_csv.h"
#include "ingest/whole_file.h"

namespace plimsoll {
namespace {

constexpr std::size_t kWeekSteps = 7 * 24 * 60;

std::vector<std::string> SequencesIn(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (entry.path().filename().string().find("_sequence_") != std::string::npos) {
      files.push_back(entry.path().string());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

struct Tally {
  int covered = 0, all = 0;
  int moving_covered = 0, moving = 0;  // of measures that were not 0 throughout
};

bool IsCovered(std::size_t m, const OccupancyForecast& forecast, const OccupancyFigures& came) {
  const Interval& said = forecast.interval[m];
  return came[m] >= said.low - 1e-12 && came[m] <= said.high + 1e-12;
}

// One measure: what was said, what came, and whether it was within.
void PrintMeasure(std::size_t m, const OccupancyForecast& forecast, const OccupancyFigures& came,
                  Tally& tally) {
  const Interval& said = forecast.interval[m];
  const bool covered = IsCovered(m, forecast, came);
  const bool moves = came[m] > 0 || said.high > 0;
  tally.all += 1;
  tally.covered += covered ? 1 : 0;
  tally.moving += moves ? 1 : 0;
  tally.moving_covered += moves && covered ? 1 : 0;
  fmt::print("  {:<20}{:>9.3f}{:>9.3f}{:>9.3f}{:>10.3f}  {}\n", OccupancyMeasureName(m), said.low,
             forecast.median[m], said.high, came[m], covered ? "yes" : "NO");
}

// The same question asked a week earlier.
void AddEarlier(const OccupancySeries& series, ForecastOptions options, Tally& tally) {
  options.fit_steps -= kWeekSteps;
  const OccupancyForecast forecast = ForecastOccupancy(series, options);
  const std::size_t from = options.fit_steps, until = from + options.forecast_steps;
  const OccupancyFigures came = FiguresOf(PathOf(series, from, until));
  for (std::size_t m = 0; m < kOccupancyMeasures; ++m) {
    tally.all += 1;
    tally.covered += IsCovered(m, forecast, came) ? 1 : 0;
  }
}

// GPU-time of the estimated jobs against what ran.
double LoadRatio(const OccupancySeries& series, const OccupancyJobs& past, std::size_t steps) {
  double seen = 0, ran = 0;
  for (std::size_t t = 0; t < steps; ++t) seen += series.running(t);
  for (const EstimatedJob& job : past.jobs) {
    if (job.cancelled || (job.submitted && !job.started)) continue;
    const Instant begin = job.started.value_or(past.window.begin);
    const Instant end = job.ended.value_or(past.window.until);
    ran += job.gpus * static_cast<double>(Between(begin, end).base());
  }
  return seen > 0 ? ran / (seen * static_cast<double>(series.step.base())) : 1;
}

Tally PrintForecast(const OccupancySeries& series, const ForecastOptions& options) {
  const OccupancyForecast forecast = ForecastOccupancy(series, options);
  const std::size_t from = options.fit_steps, until = from + options.forecast_steps;
  const OccupancyFigures came = FiguresOf(PathOf(series, from, until));
  const auto at = [](const OccupancyFigures& figures, OccupancyMeasure measure) {
    return figures[static_cast<std::size_t>(measure)];
  };
  fmt::print(
      "{}: {} GPUs, {} jobs estimated ({} of {} steps by one job, load {:.3f} of what was seen), "
      "policy {}\n",
      series.name, series.gpus, forecast.jobs, forecast.past.steps_of_one,
      forecast.past.steps_of_one + forecast.past.steps_of_more,
      LoadRatio(series, forecast.past, options.fit_steps), GangPolicyName(forecast.policy));
  fmt::print(
      "  replay of the past: pending {:.2f} ({:.2f} seen), share {:.3f} ({:.3f}), "
      "with idle {:.3f} ({:.3f})\n",
      at(forecast.fit_replayed, OccupancyMeasure::kPendingMean),
      at(forecast.fit_observed, OccupancyMeasure::kPendingMean),
      at(forecast.fit_replayed, OccupancyMeasure::kSharePending),
      at(forecast.fit_observed, OccupancyMeasure::kSharePending),
      at(forecast.fit_replayed, OccupancyMeasure::kSharePendingIdle),
      at(forecast.fit_observed, OccupancyMeasure::kSharePendingIdle));
  fmt::print("  {:<20}{:>9}{:>9}{:>9}{:>10}  covered\n", "measure", "low", "median", "high",
             "came");
  Tally tally;
  for (std::size_t m = 0; m < kOccupancyMeasures; ++m) PrintMeasure(m, forecast, came, tally);
  return tally;
}

std::string DefaultFolder() {
  const char* const shared = std::getenv("PLIMSOLL_SHARED");
  return std::string(shared == nullptr ? "../shared" : shared) + "/data/traces/helios";
}

int Main(int argc, char** argv) {
  if (argc > 3) {
    std::fputs("usage: helios_bench [DIR [REPLICATIONS]]\n", stderr);
    return 2;
  }
  const std::string folder = argc > 1 ? argv[1] : DefaultFolder();
  const std::vector<std::string> files = SequencesIn(folder);
  if (files.empty()) {
    fmt::print(stderr, "{}: no file *_sequence_*.csv or .csv.gz\n", folder);
    return argc > 1 ? 1 : 0;
  }
  ForecastOptions options;
  options.fit_steps = 3 * kWeekSteps;
  options.forecast_steps = kWeekSteps;
  if (argc == 3) options.replications = std::max(std::atoll(argv[2]), 20LL);
  const auto begin = std::chrono::steady_clock::now();
  Tally all, earlier;
  std::vector<std::string> lines;
  for (const std::string& file : files) {
    const Result<std::string> text = ReadWholeOrGzip(file);
    const Result<OccupancySeries> series =
        text ? ReadOccupancyCsv(file, *text) : Result<OccupancySeries>(text.error());
    if (!series || series->size() < 4 * kWeekSteps || series->step != Minutes(1)) {
      fmt::print(stderr, "{}\n",
                 series ? file + ": no four weeks of minutes" : series.error().message);
      return 1;
    }
    const Tally tally = PrintForecast(*series, options);
    AddEarlier(*series, options, earlier);
    lines.push_back(fmt::format("{:<8}{:>3} of {}", series->name, tally.covered, tally.all));
    all.covered += tally.covered, all.all += tally.all;
    all.moving += tally.moving, all.moving_covered += tally.moving_covered;
  }
  fmt::print("\ncovered by VC (intervals of {:.0f} %)\n", options.confidence * 100);
  for (const std::string& line : lines) fmt::print("  {}\n", line);
  fmt::print("all: {} of {} ({:.1f} %); of measures not 0 on both sides {} of {} ({:.1f} %)\n",
             all.covered, all.all, 100.0 * all.covered / std::max(all.all, 1), all.moving_covered,
             all.moving, 100.0 * all.moving_covered / std::max(all.moving, 1));
  fmt::print("the third week from the first two: {} of {} ({:.1f} %)\n", earlier.covered,
             earlier.all, 100.0 * earlier.covered / std::max(earlier.all, 1));
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  fmt::print("{} replications a VC, {:.1f} s\n", options.replications, took.count());
  return 0;
}

}  // namespace
}  // namespace plimsoll

int main(int argc, char** argv) { return plimsoll::Main(argc, argv); }
