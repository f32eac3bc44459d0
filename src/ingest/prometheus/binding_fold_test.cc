#include "ingest/prometheus/binding_fold.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <tuple>

namespace plimsoll {
namespace {

constexpr std::int64_t kMinute = 60'000;

struct Seen {
  std::int64_t minute;
  std::string name;
};

class BindingFoldTest : public ::testing::Test {
 protected:
  // "name [begin, until)" in minutes, one a row.
  std::vector<std::string> Fold(const std::vector<Seen>& seen, Window window = {{}, Minutes30()},
                                const std::string& excluded = "") {
    BindingFolder folder(devices_, holders_, window, Minutes(5));
    for (const Seen& s : seen) {
      folder.Add(devices_.Intern("GPU-a", ""), holders_.Intern({"ns", s.name, "node"}),
                 s.minute * kMinute);
    }
    if (!excluded.empty()) folder.Exclude("ns", excluded);
    BindingBatch rows;
    folder.Fold("c", rows);
    std::vector<std::string> text;
    for (std::size_t i = 0; i < RowsOf(rows); ++i) {
      text.push_back(rows.name[i] + " " + std::to_string(rows.begin[i].base() / kMinute) + "-" +
                     std::to_string(rows.until[i].base() / kMinute));
    }
    std::sort(text.begin(), text.end());
    return text;
  }
  static Instant Minutes30() { return AtMillis(30 * kMinute); }

  DeviceTable devices_;
  HolderTable holders_;
};

using Texts = std::vector<std::string>;

TEST_F(BindingFoldTest, ARunEndsAHoldAfterItsLastSample) {
  EXPECT_EQ(Fold({{0, "a"}, {5, "a"}, {10, "a"}}), Texts{"a 0-15"});
}

TEST_F(BindingFoldTest, AGapLongerThanTheHoldIsTwoRuns) {
  EXPECT_EQ(Fold({{0, "a"}, {6, "a"}}), (Texts{"a 0-5", "a 6-11"}));
}

TEST_F(BindingFoldTest, TheNextHoldersSampleCutsTheRun) {
  EXPECT_EQ(Fold({{0, "a"}, {2, "a"}, {4, "b"}}), (Texts{"a 0-4", "b 4-9"}));
}

TEST_F(BindingFoldTest, HoldersOfOneInstantShareTheDevice) {
  EXPECT_EQ(Fold({{0, "a"}, {0, "b"}, {5, "a"}, {5, "b"}, {10, "b"}}), (Texts{"a 0-10", "b 0-15"}));
}

TEST_F(BindingFoldTest, ANodeThatOneSpellingLeavesOutIsStillOneRun) {
  const std::int32_t device = devices_.Intern("GPU-a", "");
  const std::int32_t with = holders_.Intern({"ns", "a", "node"});
  const std::int32_t without = holders_.Intern({"ns", "a", ""});
  BindingFolder folder(devices_, holders_, {{}, Minutes30()}, Minutes(5));
  for (const std::int64_t minute : {0, 4, 8}) {
    folder.Add(device, minute == 4 ? without : with, minute * kMinute);
  }
  folder.Add(device, without, 8 * kMinute);
  BindingBatch rows;
  int shared = 0;
  folder.Fold("c", rows, [&](std::int32_t, std::int64_t) { ++shared; });
  ASSERT_EQ(RowsOf(rows), 1u);
  EXPECT_EQ(rows.node[0], "node");
  EXPECT_EQ(rows.until[0], AtMillis(13 * kMinute));
  EXPECT_EQ(shared, 0) << "one pod under two spellings shares with nobody";
}

TEST_F(BindingFoldTest, SharingIsHeardOfWhereSeveralAreThereAtOnce) {
  const std::int32_t device = devices_.Intern("GPU-a", "");
  BindingFolder folder(devices_, holders_, {{}, Minutes30()}, Minutes(5));
  folder.Add(device, holders_.Intern({"ns", "b", "node"}), 0);
  folder.Add(device, holders_.Intern({"ns", "a", "node"}), 0);
  folder.Add(device, holders_.Intern({"ns", "a", "node"}), 2 * kMinute);
  folder.Add(device, holders_.Intern({"ns", "b", "node"}), 3 * kMinute);
  folder.Add(device, holders_.Intern({"ns", "exporter", "node"}), 3 * kMinute);
  folder.Exclude("ns", "exporter");
  BindingBatch rows;
  std::vector<std::int64_t> at;
  folder.Fold("c", rows, [&](std::int32_t, std::int64_t ms) { at.push_back(ms); });
  EXPECT_EQ(at, std::vector<std::int64_t>{0});
  EXPECT_EQ(rows.name, (std::vector<std::string>{"a", "b", "b"})) << "in order of begin and name";
}

TEST_F(BindingFoldTest, RunsAreCutToTheWindowAndGoOnFromBeforeIt) {
  const Window window{AtMillis(10 * kMinute), AtMillis(20 * kMinute)};
  EXPECT_EQ(Fold({{8, "a"}, {12, "a"}, {17, "a"}, {25, "a"}}, window), Texts{"a 10-20"});
  EXPECT_EQ(Fold({{8, "a"}, {11, "b"}}, window), (Texts{"a 10-11", "b 11-16"}));
}

TEST_F(BindingFoldTest, TheExportersPodHoldsNothingAndCutsNothing) {
  EXPECT_EQ(Fold({{0, "a"}, {2, "exporter"}, {4, "a"}}, {{}, Minutes30()}, "exporter"),
            Texts{"a 0-9"});
}

TEST_F(BindingFoldTest, BlocksJoinToTheRunsOfTheWhole) {
  std::mt19937_64 random(306);
  for (int round = 0; round < 100; ++round) {
    std::vector<Seen> seen;
    for (std::int64_t minute = 0; minute < 60;
         minute += 1 + static_cast<std::int64_t>(random() % 8)) {
      seen.push_back({minute, std::string(1, static_cast<char>('a' + random() % 3))});
      if (random() % 4 == 0) seen.push_back({minute, "b"});
    }
    const auto minutes = [&](const Texts& rows) {  // every (holder, minute) that is bound
      Texts all;
      for (const std::string& row : rows) {
        const std::size_t dash = row.find('-');
        for (int m = std::stoi(row.substr(2, dash - 2)); m < std::stoi(row.substr(dash + 1)); ++m) {
          all.push_back(row.substr(0, 2) + std::to_string(m));
        }
      }
      std::sort(all.begin(), all.end());
      return all;
    };
    const Texts whole = Fold(seen, {{}, AtMillis(60 * kMinute)});
    std::vector<Seen> shuffled = seen;
    shuffled.insert(shuffled.end(), seen.begin(), seen.end());
    std::shuffle(shuffled.begin(), shuffled.end(), random);
    EXPECT_EQ(Fold(shuffled, {{}, AtMillis(60 * kMinute)}), whole);
    Texts parts = Fold(seen, {{}, Minutes30()});
    for (const std::string& row : Fold(seen, {Minutes30(), AtMillis(60 * kMinute)})) {
      parts.push_back(row);
    }
    EXPECT_EQ(minutes(parts), minutes(whole)) << "round " << round;
  }
}

}  // namespace
}  // namespace plimsoll
