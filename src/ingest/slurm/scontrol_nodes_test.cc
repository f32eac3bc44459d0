#include "ingest/slurm/scontrol_nodes.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

constexpr const char* kNode =
    "NodeName=g01 Arch=x86_64 CoresPerSocket=32\n"
    "   CPUAlloc=0 CPUEfctv=128 CPUTot=128 CPULoad=0.10\n"
    "   AvailableFeatures=h100,ib ActiveFeatures=h100,ib\n"
    "   Gres=gpu:h100:8(S:0-1)\n"
    "   NodeAddr=g01 NodeHostName=g01 Version=23.11.4\n"
    "   OS=Linux 5.14.0 #1 SMP PREEMPT Tue Jan 2 11:00:00 UTC 2024\n"
    "   RealMemory=1031000 AllocMem=0 Sockets=2 Boards=1\n"
    "   State=IDLE+DRAIN ThreadsPerCore=1 TmpDisk=0 Owner=N/A MCS_label=N/A\n"
    "   Partitions=gpu,long\n"
    "   CfgTRES=cpu=128,mem=1031000M,billing=128,gres/gpu=8,gres/gpu:h100=8\n"
    "   AllocTRES=\n"
    "   Reason=bad fan State=IDLE [root@2026-01-05T08:00:00]\n";

TEST(ScontrolNodesTest, LongRecordIsOneNode) {
  ScontrolNodes all;
  ASSERT_FALSE(AppendScontrolNode(ParseScontrolRecord(kNode), {"hpc"}, all));
  const NodeBatch& nodes = all.rows;
  ASSERT_EQ(RowsOf(nodes), 1U);
  EXPECT_EQ(nodes.node[0], "g01");
  EXPECT_EQ(nodes.gpu_count[0], 8);
  EXPECT_EQ(nodes.gpu_model[0], "h100");
  EXPECT_EQ(nodes.cpu_milli[0], 128'000);
  EXPECT_EQ(nodes.memory_bytes[0], 1031000LL << 20);
  EXPECT_EQ(nodes.labels[0], R"({"slurm/features":"h100,ib","slurm/partitions":"gpu,long",)"
                             R"("slurm/reason":"bad fan","slurm/state":"IDLE+DRAIN"})");
}

TEST(ScontrolNodesTest, OneLineAndParagraphGiveTheSameFields) {
  std::string line = kNode;
  for (char& c : line) c = c == '\n' ? ' ' : c;
  EXPECT_EQ(ParseScontrolRecord(line), ParseScontrolRecord(kNode));
}

TEST(ScontrolNodesTest, ValuesKeepTheirSpacesAndNoReasonOverwritesAField) {
  const auto record = ParseScontrolRecord(kNode);
  EXPECT_EQ(record.at("OS"), "Linux 5.14.0 #1 SMP PREEMPT Tue Jan 2 11:00:00 UTC 2024");
  EXPECT_EQ(record.at("State"), "IDLE+DRAIN");
}

TEST(ScontrolNodesTest, GresCountsWhereTresDoesNotTrackGpus) {
  ScontrolNodes all;
  const NodeBatch& nodes = all.rows;
  AppendScontrolNode({{"NodeName", "g02"}, {"Gres", "gpu:a100_1g.5gb:14(S:0)"}}, {"hpc"}, all);
  EXPECT_EQ(nodes.gpu_count[0], 2);
  EXPECT_EQ(nodes.gpu_model[0], "a100");
}

TEST(ScontrolNodesTest, NodeWithoutGpusHasNoModel) {
  ScontrolNodes all;
  const NodeBatch& nodes = all.rows;
  AppendScontrolNode({{"NodeName", "c01"}, {"Gres", "(null)"}, {"CfgTRES", "cpu=4,mem=1G"}},
                     {"hpc"}, all);
  EXPECT_EQ(nodes.gpu_count[0], 0);
  EXPECT_EQ(nodes.gpu_model[0], "");
  EXPECT_EQ(nodes.cpu_milli[0], 4'000);
}

TEST(ScontrolNodesTest, BrokenRecordsNameTheirField) {
  ScontrolNodes all;
  const NodeBatch& nodes = all.rows;
  EXPECT_EQ(AppendScontrolNode({}, {"hpc"}, all)->field, "NodeName");
  EXPECT_EQ(AppendScontrolNode({{"NodeName", "g"}, {"CfgTRES", "gres/gpu=x"}}, {"hpc"}, all)->field,
            "CfgTRES");
  EXPECT_EQ(AppendScontrolNode({{"NodeName", "g"}, {"Gres", "gpu:h100:x"}}, {"hpc"}, all)->field,
            "Gres");
  EXPECT_EQ(AppendScontrolNode({{"NodeName", "g[01-08]"}}, {"hpc"}, all)->field, "NodeName");
  EXPECT_EQ(RowsOf(nodes), 0U);
  EXPECT_TRUE(all.sightings.empty());
}

TEST(ScontrolNodesTest, StateIsSeenWithItsReasonAndTheReasonsTime) {
  ScontrolNodes all;
  AppendScontrolNode(ParseScontrolRecord(kNode), {"hpc"}, all);
  ASSERT_EQ(all.sightings.size(), 1U);
  const NodeSighting& seen = all.sightings[0];
  EXPECT_EQ(seen.node, "g01");
  EXPECT_EQ(seen.state, (SlurmNodeState{"ok", false, false}));
  EXPECT_EQ(seen.reason, "bad fan");
  EXPECT_EQ(seen.reason_at, *ParseInstant("2026-01-05T08:00:00Z"));
  EXPECT_EQ(seen.latest, seen.reason_at);
}

TEST(ScontrolNodesTest, TimesOfARecordAreInTheGivenZone) {
  const auto clock = SlurmClock::Open("Europe/Berlin");
  ScontrolNodes all;
  AppendScontrolNode(
      ParseScontrolRecord("NodeName=g01 State=DOWN* LastBusyTime=2026-01-05T09:30:00 "
                          "Reason=Not responding [slurm@2026-01-05T09:00:00] Comment=a [b]"),
      {.cluster = "hpc", .clock = &*clock}, all);
  ASSERT_EQ(all.sightings.size(), 1U);
  EXPECT_EQ(all.sightings[0].reason, "Not responding");
  EXPECT_EQ(all.sightings[0].latest, *ParseInstant("2026-01-05T08:30:00Z"));
}

TEST(ScontrolNodesTest, NodeWithoutAStateIsNoSighting) {
  ScontrolNodes all;
  AppendScontrolNode({{"NodeName", "g01"}}, {"hpc"}, all);
  AppendScontrolNode({{"NodeName", "g02"}, {"State", "DANCING"}}, {"hpc"}, all);
  EXPECT_EQ(RowsOf(all.rows), 2U);
  EXPECT_TRUE(all.sightings.empty());
}

}  // namespace
}  // namespace plimsoll
