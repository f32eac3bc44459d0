// Replays against what was published with the simulator of "Can't Be Late" and its forerunner
// (../shared, not part of the repository).
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

#include "ingest/trace/trace_reader.h"
#include "purchase/spot/trace_optimum.h"
#include "purchase/spot/trace_replay.h"
#include "purchase/spot/trace_summary.h"

namespace plimsoll {
namespace {

std::filesystem::path SpotData() {
  std::filesystem::path shared;
  if (const char* named = std::getenv("PLIMSOLL_SHARED")) {
    shared = named;
  } else {
    const char* root = std::getenv("PLIMSOLL_ROOT");
    shared = std::filesystem::path(root == nullptr ? "." : root) / ".." / "shared";
  }
  return shared / "data" / "spot";
}

std::string ReadText(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

double Dollars(Money money) { return static_cast<double>(money.nanos()) / 1e9; }

TraceJob PublishedJob(Duration deadline) {
  TraceJob job;
  job.work = Hours(48);
  job.deadline = deadline;
  job.restart = Minutes(6);
  job.on_demand = *Money::Parse("3.06");
  job.spot = *Money::Parse("0.9731");
  return job;
}

std::vector<std::uint8_t> UpOf(const std::string& name) {
  const auto path =
      SpotData() / "skypilot-spot-traces/availability/1-node/aws-10-26-2022" / (name + ".json");
  const std::string text = ReadText(path);
  const Result<SpotHistory> history = ReadSpotHistory({path.string(), text});
  EXPECT_TRUE(history.has_value()) << history.error().message;
  std::vector<std::uint8_t> up;
  for (const std::int32_t n : history->traces.at(0).instances) up.push_back(n > 0 ? 1 : 0);
  EXPECT_EQ(history->traces[0].gap, Minutes(10));
  return up;
}

// Rows of a CSV file without its header.
std::vector<std::vector<std::string>> Rows(const std::filesystem::path& path) {
  std::istringstream in(ReadText(path));
  std::vector<std::vector<std::string>> rows;
  std::string line, field;
  std::getline(in, line);
  while (std::getline(in, line)) {
    std::istringstream fields(line);
    rows.emplace_back();
    while (std::getline(fields, field, ',')) rows.back().push_back(field);
  }
  return rows;
}

std::vector<std::int64_t> StartsOf(const std::string& name) {
  std::vector<std::int64_t> starts;
  for (const auto& row :
       Rows(SpotData() / "skypilot-spot-strategy" / ("random_starts_" + name + ".csv"))) {
    starts.push_back(std::stoll(row.at(1)));
  }
  return starts;
}

std::vector<double> PublishedCosts(const std::string& file) {
  const auto path = SpotData() / "skypilot-spot-strategy" / "published_costs" / file;
  const auto document = nlohmann::json::parse(ReadText(path));
  auto costs = document.at("costs").get<std::vector<double>>();
  std::sort(costs.begin(), costs.end());
  return costs;
}

TraceOutcome Outcome(TracePolicy policy, const TraceJob& job, const SpotSeries& series) {
  if (policy < TracePolicy::kOptimum) return ReplayTrace(policy, job, series);
  const OptimumOptions options{policy == TracePolicy::kOptimumPublished};
  const std::optional<TraceOutcome> best = TraceOptimum(job, series, options);
  EXPECT_TRUE(best.has_value());
  return best.value_or(TraceOutcome());
}

std::vector<TraceOutcome> Outcomes(TracePolicy policy, const TraceJob& job,
                                   const std::string& trace) {
  const std::vector<std::uint8_t> up = UpOf(trace);
  std::vector<TraceOutcome> outcomes;
  for (const std::int64_t start : StartsOf(trace)) {
    const SpotSeries series{Minutes(10), std::span(up).subspan(static_cast<std::size_t>(start))};
    outcomes.push_back(Outcome(policy, job, series));
  }
  return outcomes;
}

std::vector<double> Sorted(const std::vector<TraceOutcome>& outcomes) {
  std::vector<double> costs;
  for (const TraceOutcome& outcome : outcomes) costs.push_back(Dollars(outcome.cost));
  std::sort(costs.begin(), costs.end());
  return costs;
}

// `exceptions` starts may differ.
void ExpectSame(const std::vector<double>& ours, const std::vector<double>& published,
                std::size_t exceptions = 0) {
  ASSERT_EQ(ours.size(), published.size());
  std::size_t differ = 0;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    if (std::abs(ours[i] - published[i]) > 1e-9) ++differ;
  }
  EXPECT_LE(differ, exceptions);
}

class TracePublishedSharedTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(SpotData())) GTEST_SKIP() << "no shared data in " << SpotData();
  }
};

struct Published {
  TracePolicy policy;
  const char* file;  // before "-trace-"
  std::int64_t deadline_hours;
};
constexpr Published kPublished[] = {
    {TracePolicy::kOnDemand, "on_demand", 1000},
    {TracePolicy::kSpotOnly, "only_spot", 1000},
    {TracePolicy::kGreedy, "strawman", 52},
    {TracePolicy::kPairAmortize, "pair_amortize_avg_8.0h", 52},
    {TracePolicy::kOptimumPublished, "ideal_ilp_overhead", 52},
};

std::string FileOf(const Published& published, const std::string& trace) {
  return std::string(published.file) + "-trace-" + trace +
         "-ddl=" + std::to_string(published.deadline_hours) + ".0-dur=48.0-over=0.1";
}

TEST_F(TracePublishedSharedTest, CostsOfEveryStartAreThePublishedOnes) {
  const std::string trace = "us-west-2a_v100_1";
  for (const Published& published : kPublished) {
    SCOPED_TRACE(published.file);
    const TraceJob job = PublishedJob(Hours(published.deadline_hours));
    ExpectSame(Sorted(Outcomes(published.policy, job, trace)),
               PublishedCosts(FileOf(published, trace)));
  }
}

// CPython's random.seed(n) and random.random().
class PythonRandom {
 public:
  explicit PythonRandom(std::uint32_t seed) {
    Fill(19650218);
    std::size_t i = 1;
    for (std::size_t k = kSize; k > 0; --k) {
      state_[i] = (state_[i] ^ ((state_[i - 1] ^ (state_[i - 1] >> 30)) * 1664525U)) + seed;
      if (++i == kSize) Wrap(i);
    }
    for (std::size_t k = kSize - 1; k > 0; --k) {
      state_[i] = (state_[i] ^ ((state_[i - 1] ^ (state_[i - 1] >> 30)) * 1566083941U)) -
                  static_cast<std::uint32_t>(i);
      if (++i == kSize) Wrap(i);
    }
    state_[0] = 0x80000000U;
  }
  double Next() {
    const std::uint32_t high = Word() >> 5, low = Word() >> 6;
    return (static_cast<double>(high) * 67108864.0 + static_cast<double>(low)) / 9007199254740992.0;
  }

 private:
  static constexpr std::size_t kSize = 624;
  void Fill(std::uint32_t seed) {
    state_[0] = seed;
    for (std::size_t i = 1; i < kSize; ++i) {
      state_[i] =
          1812433253U * (state_[i - 1] ^ (state_[i - 1] >> 30)) + static_cast<std::uint32_t>(i);
    }
  }
  void Wrap(std::size_t& i) {
    state_[0] = state_[kSize - 1];
    i = 1;
  }
  void Twist() {
    for (std::size_t i = 0; i < kSize; ++i) {
      const std::uint32_t y = (state_[i] & 0x80000000U) | (state_[(i + 1) % kSize] & 0x7FFFFFFFU);
      state_[i] = state_[(i + 397) % kSize] ^ (y >> 1) ^ ((y & 1U) != 0 ? 0x9908B0DFU : 0U);
    }
    at_ = 0;
  }
  std::uint32_t Word() {
    if (at_ == kSize) Twist();
    std::uint32_t y = state_[at_++];
    y ^= y >> 11;
    y ^= (y << 7) & 0x9D2C5680U;
    y ^= (y << 15) & 0xEFC60000U;
    return y ^ (y >> 18);
  }
  std::array<std::uint32_t, kSize> state_ = {};
  std::size_t at_ = kSize;
};

// The generator: a tick is up unless a draw is below the chance of a preemption within it.
std::vector<std::uint8_t> PoissonTrace(std::uint32_t seed, double hourly) {
  const double chance = 1 - std::exp(std::log(1 - hourly) * 600 / 3600);
  PythonRandom random(seed);
  std::vector<std::uint8_t> up(1000 * 6);
  for (std::uint8_t& tick : up) tick = random.Next() < chance ? 0 : 1;
  return up;
}

TEST_F(TracePublishedSharedTest, PoissonTracesGiveThePublishedCosts) {
  for (const char* rate : {"0.1", "0.3", "0.5"}) {
    for (const Published& published : kPublished) {
      SCOPED_TRACE(std::string(published.file) + " at " + rate);
      const TraceJob job = PublishedJob(Hours(published.deadline_hours));
      std::vector<TraceOutcome> outcomes;
      for (std::uint32_t seed = 0; seed < 1000; ++seed) {
        const std::vector<std::uint8_t> up = PoissonTrace(seed, std::stod(rate));
        outcomes.push_back(Outcome(published.policy, job, {Minutes(10), up}));
      }
      // The published solver stopped one tick above the optimum once, at the lowest rate.
      const bool solver = published.policy == TracePolicy::kOptimumPublished;
      ExpectSame(Sorted(outcomes),
                 PublishedCosts(FileOf(published, std::string("gap_600-hourly_rate_") + rate)),
                 solver && std::string(rate) == "0.1" ? 1 : 0);
    }
  }
}

TEST_F(TracePublishedSharedTest, EveryStartOfTheGoldenFileIsTheSame) {
  const std::string trace = "us-west-2a_v100_1";
  const auto rows =
      Rows(SpotData() / "skypilot-spot-strategy" / ("golden_" + trace + "_dur48_ddl52_ov0.1.csv"));
  constexpr std::pair<TracePolicy, std::size_t> kColumns[] = {{TracePolicy::kGreedy, 2},
                                                              {TracePolicy::kUniformProgress, 4},
                                                              {TracePolicy::kUniformHysteresis, 6},
                                                              {TracePolicy::kOptimumPublished, 8},
                                                              {TracePolicy::kOptimum, 9}};
  const TraceJob job = PublishedJob(Hours(52));
  for (const auto& [policy, column] : kColumns) {
    SCOPED_TRACE(kTracePolicyNames[static_cast<std::size_t>(policy)]);
    const std::vector<TraceOutcome> outcomes = Outcomes(policy, job, trace);
    ASSERT_EQ(outcomes.size(), rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      EXPECT_NEAR(Dollars(outcomes[i].cost), std::stod(rows[i][column]), 1e-8) << "row " << i;
      if (column >= 8) continue;
      const std::int64_t done_ticks =
          (outcomes[i].finished.base() + Minutes(10).base() - 1) / Minutes(10).base();
      EXPECT_EQ(done_ticks, std::stoll(rows[i][column + 1])) << "row " << i;
    }
  }
}

TEST_F(TracePublishedSharedTest, MeansOfTheSummaryAreTheSameAndNoJobIsLate) {
  constexpr std::pair<TracePolicy, std::size_t> kColumns[] = {{TracePolicy::kGreedy, 3},
                                                              {TracePolicy::kUniformProgress, 4},
                                                              {TracePolicy::kUniformHysteresis, 5},
                                                              {TracePolicy::kOptimumPublished, 6},
                                                              {TracePolicy::kOptimum, 7}};
  for (const auto& row : Rows(SpotData() / "skypilot-spot-strategy" / "golden_summary.csv")) {
    SCOPED_TRACE(row[0] + " " + row[1]);
    const TraceJob job = PublishedJob(Hours(std::stoll(row[1])));
    for (const auto& [policy, column] : kColumns) {
      const TraceSummary summary = SummarizeOutcomes(Outcomes(policy, job, row[0]), job);
      EXPECT_NEAR(Dollars(summary.mean), std::stod(row[column]), 0.5001e-4) << column;
      EXPECT_EQ(summary.late, 0) << column;
    }
  }
}

TEST_F(TracePublishedSharedTest, SummaryIsThePublishedOne) {
  const TraceJob job = PublishedJob(Hours(52));
  const TraceSummary greedy =
      SummarizeOutcomes(Outcomes(TracePolicy::kGreedy, job, "us-west-2a_v100_1"), job);
  EXPECT_NEAR(Dollars(greedy.mean), 109.611, 5e-4);
  EXPECT_NEAR(Dollars(greedy.sd), 34.395, 5e-4);
  EXPECT_NEAR(Dollars(greedy.p90), 146.671, 5e-4);
  EXPECT_NEAR(Dollars(greedy.p99), 148.062, 5e-4);
  const TraceSummary best =
      SummarizeOutcomes(Outcomes(TracePolicy::kOptimumPublished, job, "us-west-2a_v100_1"), job);
  EXPECT_NEAR(Dollars(best.mean), 67.927, 5e-4);
  EXPECT_NEAR(Dollars(best.p90), 92.341, 5e-4);
  EXPECT_NEAR(Dollars(best.p99), 101.523, 5e-4);
}

// Of the first published start.
TEST_F(TracePublishedSharedTest, CheckValueOfUniformProgress) {
  const std::string trace = "us-west-2a_k80_1";
  const std::vector<std::uint8_t> up = UpOf(trace);
  TraceJob job = PublishedJob(Hours(52));
  job.restart = Minutes(12);
  const auto start = static_cast<std::size_t>(StartsOf(trace).at(0));
  const SpotSeries series{Minutes(10), std::span(up).subspan(start)};
  EXPECT_NEAR(Dollars(ReplayTrace(TracePolicy::kUniformProgress, job, series).cost), 47.6819, 1e-9);
  EXPECT_NEAR(Dollars(ReplayTrace(TracePolicy::kGreedy, job, series).cost), 47.8441, 5e-5);
}

}  // namespace
}  // namespace plimsoll
