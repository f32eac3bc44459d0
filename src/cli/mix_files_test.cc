#include "cli/mix_files.h"

#include <gtest/gtest.h>

#include "model/commitment.h"

namespace plimsoll {
namespace {

MixFile Read(const std::string& text) {
  const auto file = ReadMixFile("w.yaml", text);
  EXPECT_TRUE(file) << file.error().message;
  return file ? *file : MixFile();
}

std::string Problems(const std::string& text) {
  const auto file = ReadMixFile("w.yaml", text);
  return file ? "" : file.error().message;
}

bool Holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(MixFilesTest, ReadsRunsServicesAndFlavors) {
  const MixFile file = Read(
      "flavors:\n"
      "  - {name: p4d, on_demand: 32.77, spot: 11.47, mtbf: 168h, wait: 30m}\n"
      "  - {name: new, spot: 2}\n"
      "workloads:\n"
      "  - {name: llm, kind: training, flavor: p4d, work: 504h, nodes: 4, deadline: 600h,\n"
      "     checkpoint_write: 5m, restart: 10m, penalty: 5000, spot_flavors: [p4d, new]}\n"
      "  - {name: chat, kind: inference, flavor: p4d, demand: 2.5}\n");
  ASSERT_EQ(file.workloads.size(), 2u);
  const MixWorkload& llm = file.workloads[0];
  EXPECT_EQ(llm.run->nodes, 4);
  EXPECT_EQ(llm.run->every, Hours(672));
  EXPECT_EQ(llm.save, Minutes(5));
  EXPECT_TRUE(llm.interruptible);
  EXPECT_EQ(llm.spot_flavors.size(), 2u);
  const MixWorkload& chat = file.workloads[1];
  EXPECT_EQ(chat.latency, LatencyClass::kLatencyCritical);
  EXPECT_FALSE(chat.interruptible);
  EXPECT_EQ(chat.demand, (std::vector<std::int64_t>{5 * kUnitHour / 2}));
  EXPECT_FALSE(file.flavors[1].on_demand);
  EXPECT_FALSE(file.flavors[1].lifetime);
}

TEST(MixFilesTest, PeaksAreADayOrAWeek) {
  const MixFile file = Read(
      "workloads:\n"
      "  - {name: a, kind: inference, flavor: x, trough: 1, peak: 3, peak_hours: 22-2}\n"
      "  - {name: b, kind: development, flavor: x, trough: 0, peak: 5, peak_hours: 9-18,\n"
      "     peak_days: mon-fri}\n");
  const auto& day = file.workloads[0].demand;
  ASSERT_EQ(day.size(), 24u);
  EXPECT_EQ(day[23], 3 * kUnitHour);
  EXPECT_EQ(day[1], 3 * kUnitHour);
  EXPECT_EQ(day[2], kUnitHour);
  const auto& week = file.workloads[1].demand;
  ASSERT_EQ(week.size(), 168u);
  EXPECT_EQ(week[4 * 24 + 9], 5 * kUnitHour);
  EXPECT_EQ(week[5 * 24 + 9], 0);
}

TEST(MixFilesTest, CsvSaysTheSame) {
  const MixFile file = Read(
      "name,kind,flavor,demand,work,spot_flavors\n"
      "queue,batch,g5,4,,g5;g6\ntrain,training,p4d,,48h,\n");
  ASSERT_EQ(file.workloads.size(), 2u);
  EXPECT_EQ(file.workloads[0].spot_flavors, (std::vector<std::string>{"g5", "g6"}));
  EXPECT_EQ(file.workloads[1].run->work, Hours(48));
  EXPECT_EQ(Read("name,on_demand,spot,mtbf\ng5,1.006,,\n").flavors[0].spot, std::nullopt);
}

TEST(MixFilesTest, SaysAllThatIsWrongWithItsLine) {
  const std::string wrong = Problems(
      "workloads:\n"
      "  - {name: a, kind: dream, flavor: x, demand: 3, work: 3h}\n"
      "  - {name: a, kind: batch, flavor: x, demand: many, typo: 1}\n"
      "  - {name: c, kind: inference, flavor: x, work: 3h}\n"
      "  - {name: d, kind: batch, flavor: x, demand: 1, deadline: 3h}\n");
  EXPECT_TRUE(Holds(wrong, "w.yaml:2")) << wrong;
  EXPECT_TRUE(Holds(wrong, "training, inference, batch, development")) << wrong;
  EXPECT_TRUE(Holds(wrong, "give one of them")) << wrong;
  EXPECT_TRUE(Holds(wrong, "two workloads")) << wrong;
  EXPECT_TRUE(Holds(wrong, "typo")) << wrong;
  EXPECT_TRUE(Holds(wrong, "a service has demand")) << wrong;
  EXPECT_TRUE(Holds(wrong, "is of a run")) << wrong;
  EXPECT_TRUE(Holds(Problems("flavors:\n  - {name: x, spot: 0}\n"), "leave it out"));
  EXPECT_TRUE(Holds(Problems("workloads: []\n"), "docs/formats/workloads.md"));
}

TEST(MixFilesTest, AProfileBeginsOnMondayAndHasNoHoles) {
  std::string text = "hour,usage\n";
  for (int h = 0; h < 24; ++h) {  // from 06:00 on a Tuesday
    text += "2026-11-0" + std::to_string(3 + (h + 6) / 24) + "T" + ((h + 6) % 24 < 10 ? "0" : "") +
            std::to_string((h + 6) % 24) + ":00:00Z," + std::to_string((h + 6) % 24) + "\n";
  }
  const auto used = ReadMixProfile("p.csv", text, "x");
  ASSERT_TRUE(used) << used.error().message;
  for (std::size_t h = 0; h < 24; ++h) {
    EXPECT_EQ((*used)[h], static_cast<std::int64_t>(h) * kUnitHour);
  }
  const auto holes =
      ReadMixProfile("p.csv", "hour,usage\n2026-11-03T00:00:00Z,1\n2026-11-03T05:00:00Z,1\n", "x");
  ASSERT_FALSE(holes);
  EXPECT_TRUE(Holds(holes.error().message, "lacks 4 hours"));
}

}  // namespace
}  // namespace plimsoll
