#include "ingest/runs/lightning.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "ingest/runs/run_files.h"
#include "ingest/runs/test_runs.h"

namespace plimsoll {
namespace {

using Texts = std::vector<std::string>;

Result<RunFacts> Read(const std::string& text, const std::string& hparams = "",
                      std::optional<Instant> began = AtSeconds(1'796'068'800)) {
  RunFacts facts;
  std::size_t at = 0;
  const ReadBytes read = [&](char* to, std::size_t size) -> Result<std::size_t> {
    const std::size_t count = std::min(size, text.size() - at);
    std::copy_n(text.data() + at, count, to);
    at += count;
    return count;
  };
  PLIMSOLL_RETURN_IF_ERROR(
      ReadLightningMetrics(read, hparams, {"metrics.csv", "r", "a/version_0", began}, facts));
  return facts;
}

TEST(LightningTest, ARowsCellsAreMetricsOfItsStep) {
  const Result<RunFacts> facts = Read(
      "epoch,step,train_loss,val_acc\n"
      "0,49,2.5,\n"
      "0,99,,0.75\n");
  ASSERT_TRUE(facts.has_value());
  EXPECT_TRUE(facts->rejections.empty());
  EXPECT_EQ(EventTexts(facts->events),
            (Texts{"r#0 2026-11-30T20:00:00Z start", "r#0 2026-11-30T20:00:00Z metric 49 epoch=0",
                   "r#0 2026-11-30T20:00:00Z metric 49 train_loss=2.5",
                   "r#0 2026-11-30T20:00:00Z metric 99 epoch=0",
                   "r#0 2026-11-30T20:00:00Z metric 99 val_acc=0.75"}));
}

TEST(LightningTest, HyperparametersAreLabels) {
  const Result<RunFacts> facts = Read("step,loss\n1,1\n",
                                      "lr: 0.001\nplimsoll.job: '12'\nlayers: [1, 2]\n"
                                      "net: !!python/object:x.Net {}\n",
                                      std::nullopt);
  ASSERT_TRUE(facts.has_value());
  EXPECT_EQ(facts->runs.job[0], "12");
  const auto labels = RunLabelsOf(facts->runs.labels[0]);
  EXPECT_EQ(labels.at("lr"), "0.001");
  EXPECT_FALSE(labels.contains("layers"));
  EXPECT_EQ(labels.at(kRunTimesLabel), kRunTimesNone);
  const Result<RunFacts> broken = Read("step,loss\n1,1\n", "a: [");
  ASSERT_TRUE(broken.has_value());
  EXPECT_EQ(broken->warnings.size(), 1U);
}

TEST(LightningTest, BrokenRowsAreRefusedWithTheirLine) {
  const Result<RunFacts> facts = Read(
      "step,loss\n"
      "1,2.5,7\n"
      "x,1\n"
      "3\n"
      "4,tensor(1.)\n"
      "5,2\n");
  ASSERT_TRUE(facts.has_value());
  std::vector<std::pair<std::int64_t, std::string>> refused;
  for (const Rejection& rejection : facts->rejections) {
    refused.emplace_back(rejection.line, rejection.field);
  }
  EXPECT_EQ(refused, (std::vector<std::pair<std::int64_t, std::string>>{
                         {2, ""}, {3, "step"}, {4, ""}, {5, "loss"}}));
  EXPECT_EQ(RowsOf(facts->events), 2U);
}

TEST(LightningTest, ALastRowThatBreaksOffIsANote) {
  const Result<RunFacts> facts = Read("step,loss,acc\n1,2.5,0\n2,2");
  ASSERT_TRUE(facts.has_value());
  EXPECT_TRUE(facts->rejections.empty());
  EXPECT_EQ(facts->ignored.size(), 1U);
}

TEST(LightningTest, AHeaderWithoutStepIsNoMetricsFile) {
  for (const char* text : {"", "epoch,loss\n1,2\n"}) {
    const Result<RunFacts> facts = Read(text);
    ASSERT_FALSE(facts.has_value()) << text;
    EXPECT_EQ(facts.error().code, ErrorCode::kBadData);
  }
  EXPECT_TRUE(IsLightningMetrics("epoch,step,loss\r\n0,1,2", true));
  EXPECT_TRUE(IsLightningMetrics("step,loss\n", false));
  EXPECT_FALSE(IsLightningMetrics("step,loss\n", true));
  EXPECT_FALSE(IsLightningMetrics("step\n", false));
  EXPECT_FALSE(IsLightningMetrics("steps,epoch\n", false));
}

}  // namespace
}  // namespace plimsoll
