#include "cli/mix_view.h"

#include <gtest/gtest.h>

#include "model/commitment.h"

namespace plimsoll {
namespace {

MixQuestion Question() {
  MixQuestion question;
  MixFlavor flavor;
  flavor.name = "node";
  flavor.on_demand = Money::Units(3);
  question.flavors = {flavor};
  MixWorkload chat;
  chat.name = "chat";
  chat.flavor = "node";
  chat.kind = WorkloadKind::kInference;
  chat.latency = LatencyClass::kLatencyCritical;
  chat.demand = {kUnitHour};
  MixWorkload unpriced = chat;
  unpriced.name = "other";
  unpriced.flavor = "unknown";
  question.workloads = {chat, unpriced};
  question.existing = {{"old", "node", 2, Money::Units(2), AtSeconds(4'000'000'000)}};
  return question;
}

bool Says(const Answer& answer, const std::string& part) {
  std::string all;
  for (const std::string& note : answer.notes) all += note + "\n";
  return all.find(part) != std::string::npos;
}

TEST(MixViewTest, SaysWhatIsLeftOutAndWhatIsBilledUnused) {
  const MixQuestion question = Question();
  const auto plan = PlanMix(question);
  ASSERT_TRUE(plan);
  const Answer answer = MixAnswer({&question, &*plan, "USD", true});
  EXPECT_TRUE(Says(answer, "Left out: other on unknown"));
  EXPECT_TRUE(Says(answer, "billed unused for 1,460 a month"));
  EXPECT_TRUE(Says(answer, "joint optimum"));
  const Table& decisions = answer.tables.front();
  EXPECT_EQ(decisions.rows.back().front(), "commitments unused");
  EXPECT_EQ((*decisions.total)[4], "2920.000000000");
}

TEST(MixViewTest, JsonHasAllFieldsAndRejections) {
  const MixQuestion question = Question();
  const auto plan = PlanMix(question);
  ASSERT_TRUE(plan);
  const Answer answer = MixAnswer({&question, &*plan, "USD", false});
  for (const Table& table : answer.tables) {
    for (const Row& row : table.rows) EXPECT_EQ(row.size(), table.columns.size()) << table.name;
  }
  EXPECT_EQ(answer.tables.back().name, "rejected");
  EXPECT_EQ(answer.tables.back().rows.size(), 3u);
}

}  // namespace
}  // namespace plimsoll
