#include "ingest/slurm/billing.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

constexpr const char* kWeights = "CPU=1.0,Mem=0.25G,GRES/gpu=2.0,license/licA=1.5";
constexpr BillingRule kSum = BillingRule::kSum;

TEST(BillingTest, WeightsAreAddedAndTruncated) {
  EXPECT_EQ(*BillingOf("cpu=1,mem=8G", kWeights, kSum), 3);
  EXPECT_EQ(*BillingOf("cpu=1,mem=8G,license/licA=1", kWeights, kSum), 4) << "4.5";
  EXPECT_EQ(*BillingOf("billing=7,cpu=4,gres/gpu=2,mem=10G,node=1", kWeights, kSum), 10) << "10.5";
}

TEST(BillingTest, SuffixIsTheUnitOfMemory) {
  EXPECT_EQ(*BillingOf("mem=8192M", "mem=0.25", kSum), 2048) << "0.25 a MiB";
  EXPECT_EQ(*BillingOf("mem=8192M", "mem=0.25G", kSum), 2);
  EXPECT_EQ(*BillingOf("mem=2T", "mem=1T", kSum), 2);
  EXPECT_EQ(*BillingOf("mem=3M", "mem=1K", kSum), 3072);
}

TEST(BillingTest, MaxTresTakesTheGreatestOfANodeAndAddsWhatIsGlobal) {
  EXPECT_EQ(*BillingOf("cpu=1,mem=8G,gres/gpu=1", kWeights, BillingRule::kMaxTres), 2);
  EXPECT_EQ(*BillingOf("cpu=9,mem=8G,license/licA=2", kWeights, BillingRule::kMaxTres), 12);
}

TEST(BillingTest, MaxTresGresAddsGpusBesideTheGreatestOfTheRest) {
  EXPECT_EQ(*BillingOf("cpu=1,mem=8G", kWeights, BillingRule::kMaxTresGres), 2);
  EXPECT_EQ(*BillingOf("cpu=1,mem=8G,gres/gpu=1", kWeights, BillingRule::kMaxTresGres), 4);
}

TEST(BillingTest, RuleIsReadFromPriorityFlags) {
  EXPECT_EQ(BillingRuleOf("(null)"), kSum);
  EXPECT_EQ(BillingRuleOf("CALCULATE_RUNNING,MAX_TRES"), BillingRule::kMaxTres);
  EXPECT_EQ(BillingRuleOf("MAX_TRES_GRES,MAX_TRES"), BillingRule::kMaxTresGres);
}

TEST(BillingTest, BrokenWeightsAndAmountsAreRefused) {
  for (const char* weights : {"CPU", "CPU=", "CPU=x", "=1", "CPU=-1", "CPU=1G", "CPU=1e30"}) {
    EXPECT_EQ(BillingOf("cpu=1", weights, kSum).error().code, ErrorCode::kBadData) << weights;
  }
  EXPECT_EQ(BillingOf("cpu=many", "CPU=1", kSum).error().code, ErrorCode::kBadData);
  EXPECT_EQ(*BillingOf("gres/nic=many", "CPU=1", kSum), 0) << "has no weight";
}

TEST(BillingTest, FiguresBeyondSixtyFourBitsAreRefused) {
  EXPECT_EQ(BillingOf("mem=1000000P", "mem=1000000000K", kSum).has_value(), false);
  EXPECT_EQ(BillingOf("cpu=1000000000000", "CPU=1000000000", kSum).error().code,
            ErrorCode::kOutOfRange);
}

TEST(PartitionNoteTest, WeightsAreShownAndGpusWithoutWeightAreWarnedAbout) {
  const auto weighed =
      NoteOfPartition({{"PartitionName", "gpu"}, {"TRESBillingWeights", kWeights}});
  EXPECT_NE(weighed->note.find(kWeights), std::string::npos);
  EXPECT_EQ(weighed->warning, "");
  for (const char* weights : {"CPU=1.0,Mem=0.25G", "CPU=1,GRES/gpu=0", "\"CPU=1\""}) {
    const auto note = NoteOfPartition({{"partitionname", "gpu"}, {"tresbillingweights", weights}});
    EXPECT_NE(note->warning.find("partition gpu"), std::string::npos) << weights;
  }
  EXPECT_EQ(NoteOfPartition({{"PartitionName", "gpu"}, {"TRESBillingWeights", "GRES/gpu:h100=1"}})
                ->warning,
            "");
}

TEST(PartitionNoteTest, WithoutWeightsOnlyPartitionsThatHaveGpusAreWarnedAbout) {
  EXPECT_NE(NoteOfPartition({{"PartitionName", "gpu"}, {"TRES", "cpu=64,gres/gpu=8"}})->warning,
            "");
  EXPECT_EQ(NoteOfPartition({{"PartitionName", "cpu"}, {"TRES", "cpu=64"}})->warning, "");
  EXPECT_FALSE(NoteOfPartition({{"PartitionName", "x"}, {"TRESBillingWeights", "CPU=?"}}));
}

}  // namespace
}  // namespace plimsoll
