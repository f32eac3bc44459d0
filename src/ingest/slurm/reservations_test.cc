#include "ingest/slurm/reservations.h"

#include <gtest/gtest.h>

#include "ingest/slurm/scontrol_nodes.h"

namespace plimsoll {
namespace {

// As Slurm 22.05 prints it.
constexpr const char* kWhole =
    "ReservationName=r1 StartTime=2026-01-05T08:00:00 EndTime=2026-01-05T18:00:00 "
    "Duration=10:00:00\n"
    "   Nodes=g[01-02] NodeCnt=2 CoreCnt=128 Features=(null) PartitionName=(null) "
    "Flags=IGNORE_JOBS,SPEC_NODES\n"
    "   TRES=cpu=128\n"
    "   Users=root,alice Groups=(null) Accounts=nlp,-dev,vision Licenses=(null) State=ACTIVE\n"
    "   MaxStartDelay=(null)\n";

class ReservationTest : public testing::Test {
 protected:
  void AddNode(const std::string& name, std::int64_t gpus) {
    ScontrolNodes all;
    AppendScontrolNode({{"NodeName", name},
                        {"CPUTot", "64"},
                        {"CfgTRES", "cpu=64,gres/gpu=" + std::to_string(gpus)}},
                       {"hpc"}, all);
    AppendRow(nodes_, all.rows, 0);
  }
  // "g01=8 g02=8", or the error.
  std::string SetAside(const std::string& text) {
    const auto reservation = ReadReservation(ParseScontrolRecord(text), *SlurmClock::Open(""));
    if (!reservation) return reservation.error().message;
    rows_ = {};
    const Status status = AppendSetAside(*reservation, nodes_, "hpc", kSeen, rows_);
    if (!status) return status.error().message;
    std::string out;
    for (std::size_t i = 0; i < RowsOf(rows_); ++i) {
      out += (i == 0 ? "" : " ") + std::string(rows_.node[i]) + "=" + std::to_string(rows_.gpus[i]);
    }
    return out;
  }
  static std::string With(const std::string& from, const std::string& to) {
    std::string text = kWhole;
    text.replace(text.find(from), from.size(), to);
    return text;
  }

  const Instant kSeen = *ParseInstant("2026-01-05T09:00:00Z");
  NodeBatch nodes_;
  SetAsideBatch rows_;
};

TEST_F(ReservationTest, WholeNodesSetAsideAllTheirGpusForTheirAccounts) {
  AddNode("g01", 8);
  AddNode("g02", 4);
  EXPECT_EQ(SetAside(kWhole), "g01=8 g02=4");
  EXPECT_EQ(rows_.kind[0], "slurm-reservation");
  EXPECT_EQ(rows_.source[0], "slurm");
  EXPECT_EQ(rows_.name[0], "r1");
  EXPECT_EQ(rows_.owner[0], "nlp,vision");
  EXPECT_EQ(rows_.since[0], *ParseInstant("2026-01-05T08:00:00Z"));
  EXPECT_EQ(*rows_.until[0], *ParseInstant("2026-01-05T18:00:00Z"));
  EXPECT_EQ(rows_.seen, (std::vector<Instant>{kSeen, kSeen}));
  EXPECT_EQ(SetAside(With("TRES=cpu=128", "TRES=cpu=128,gres/gpu=12")), "g01=8 g02=4");
}

TEST_F(ReservationTest, GpusOfItsTresAreDividedOverItsNodes) {
  AddNode("g01", 8);
  AddNode("g02", 8);
  EXPECT_EQ(SetAside(With("TRES=cpu=128", "TRES=cpu=12,gres/gpu=5")), "g01=3 g02=2");
  nodes_ = {};
  EXPECT_EQ(SetAside(With("TRES=cpu=128", "TRES=cpu=12,gres/gpu=5")), "g01=3 g02=2");
  EXPECT_EQ(SetAside(With("TRES=cpu=128", "TRES=cpu=12,gres/gpu=1")), "g01=1");
}

TEST_F(ReservationTest, CoresAloneSetAsideNoGpu) {
  AddNode("g01", 8);
  AddNode("g02", 8);
  EXPECT_EQ(SetAside(With("TRES=cpu=128", "TRES=cpu=4")), "");
}

TEST_F(ReservationTest, NodesThatAreNotKnownAreRefusedWithTheRemedy) {
  AddNode("g01", 8);
  EXPECT_NE(SetAside(kWhole).find("scontrol show node"), std::string::npos);
}

TEST_F(ReservationTest, GpusWithoutNodesAreSetAsideSomewhere) {
  EXPECT_EQ(SetAside("ReservationName=r StartTime=1767600000 EndTime=1767603600 Nodes=(null) "
                     "TRES=gres/gpu=4"),
            "=4");
}

TEST_F(ReservationTest, MaintenanceIsItsOwnKindAndUsersStandInForAccounts) {
  AddNode("g01", 8);
  AddNode("g02", 8);
  std::string text = With("Flags=IGNORE_JOBS", "Flags=MAINT,IGNORE_JOBS");
  text.replace(text.find("nlp,-dev,vision"), 15, "(null)");
  EXPECT_EQ(SetAside(text), "g01=8 g02=8");
  EXPECT_EQ(rows_.kind[0], "slurm-maintenance");
  EXPECT_EQ(rows_.owner[0], "user:root,user:alice");
  EXPECT_EQ(rows_.reason[0], "MAINT,IGNORE_JOBS,SPEC_NODES");
}

TEST_F(ReservationTest, BrokenRecordsNameTheirField) {
  EXPECT_EQ(SetAside("StartTime=1").substr(0, 16), "ReservationName:");
  EXPECT_EQ(SetAside(With("StartTime=2026-01-05T08:00:00", "StartTime=soon")).substr(0, 10),
            "StartTime:");
  EXPECT_EQ(SetAside(With("EndTime=2026-01-05T18:00:00", "")).substr(0, 8), "EndTime:");
  EXPECT_EQ(SetAside(With("EndTime=2026-01-05T18", "EndTime=2026-01-05T07")).substr(0, 8),
            "EndTime:");
  EXPECT_EQ(SetAside(With("g[01-02]", "g[01-")).substr(0, 6), "Nodes:");
  EXPECT_EQ(SetAside(With("TRES=cpu=128", "TRES=cpu=x")).substr(0, 5), "TRES:");
}

}  // namespace
}  // namespace plimsoll
