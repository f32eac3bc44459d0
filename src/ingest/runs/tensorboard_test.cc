#include "ingest/runs/tensorboard.h"

#include <gtest/gtest.h>

#include <sstream>

#include "ingest/runs/test_runs.h"

namespace plimsoll {
namespace {

using Texts = std::vector<std::string>;

RunFacts Read(const std::string& bytes, const EventFilePlace& place = {"f", "r", "a/r", "", true}) {
  std::istringstream in(bytes);
  RunFacts facts;
  ReadEventFile(in, place, facts);
  return facts;
}

std::string Session(double wall_time, std::int64_t step, std::uint64_t status) {
  return Record(Fixed64(1, std::bit_cast<std::uint64_t>(wall_time)) +
                Field(2, static_cast<std::uint64_t>(step)) + Field(7, Field(1, status)));
}

TEST(TensorboardTest, AFileIsAStartAndItsScalarsAreMetrics) {
  const RunFacts facts =
      Read(TfHeader(1796068800) + TfSimple(1796068801.5, 10, "train/loss", 0.1F));
  EXPECT_EQ(EventTexts(facts.events),
            (Texts{"r#0 2026-11-30T20:00:00Z start",
                   "r#0 2026-11-30T20:00:01.500Z metric 10 train/loss=0.1"}));
  ASSERT_EQ(RowsOf(facts.runs), 1U);
  EXPECT_EQ(facts.runs.name[0], "a/r");
}

TEST(TensorboardTest, ASideWriterIsNoStartAndItsTagsHaveItsName) {
  const RunFacts facts = Read(TfHeader(1796068800) + TfSimple(1796068801, 1, "loss", 1),
                              {"f", "r", "a/r", "validation/", false});
  EXPECT_EQ(EventTexts(facts.events), Texts{"r#0 2026-11-30T20:00:01Z metric 1 validation/loss=1"});
}

TEST(TensorboardTest, SessionsTellCheckpointsAndWhereWorkGoesOn) {
  const RunFacts facts =
      Read(TfHeader(1796068800) + Session(1796068801, 51, 1) + Session(1796068802, 60, 3));
  EXPECT_EQ(EventTexts(facts.events),
            (Texts{"r#0 2026-11-30T20:00:00Z start", "r#0 2026-11-30T20:00:01Z resume 50",
                   "r#0 2026-11-30T20:00:02Z checkpoint_end 60"}));
}

TEST(TensorboardTest, ATornTailIsANoteAndADamagedRecordARefusal) {
  const std::string good = TfHeader(1796068800) + TfSimple(1796068801, 1, "loss", 1);
  const std::string last = TfSimple(1796068802, 2, "loss", 2);
  const RunFacts torn = Read(good + last.substr(0, last.size() - 1));
  EXPECT_TRUE(torn.rejections.empty());
  EXPECT_EQ(torn.ignored.size(), 1U);
  EXPECT_EQ(RowsOf(torn.events), 2U);
  std::string damaged = good + last + last;
  damaged[good.size() + 20] ^= 1;
  const RunFacts read = Read(damaged);
  ASSERT_EQ(read.rejections.size(), 1U);
  EXPECT_EQ(read.rejections[0].field, "byte " + std::to_string(good.size()));
  EXPECT_EQ(RowsOf(read.events), 3U);
  const RunFacts none = Read(good + Record("\x0B") + TfSimple(1e300, 3, "loss", 1) + last);
  EXPECT_EQ(none.rejections.size(), 2U);
  EXPECT_EQ(RowsOf(none.events), 3U);
}

TEST(TensorboardTest, TheFoldersOfKerasAndOfHyperparametersBelongToTheRunAround) {
  const EventFilePlace own = EventFilePlaceOf("/logs/a/version_0");
  EXPECT_EQ(own.run, "/logs/a/version_0");
  EXPECT_EQ(own.name, "a/version_0");
  EXPECT_TRUE(own.begins_attempt);
  const EventFilePlace train = EventFilePlaceOf("/logs/a/train");
  EXPECT_EQ(train.run, "/logs/a");
  EXPECT_EQ(train.prefix, "");
  EXPECT_TRUE(train.begins_attempt);
  const EventFilePlace validation = EventFilePlaceOf("/logs/a/validation");
  EXPECT_EQ(validation.run, "/logs/a");
  EXPECT_EQ(validation.prefix, "validation/");
  EXPECT_FALSE(validation.begins_attempt);
  const EventFilePlace hparams = EventFilePlaceOf("/logs/a/1796068800.123");
  EXPECT_EQ(hparams.run, "/logs/a");
  EXPECT_FALSE(hparams.begins_attempt);
  EXPECT_EQ(EventFilePlaceOf("/train").run, "/train");
}

}  // namespace
}  // namespace plimsoll
