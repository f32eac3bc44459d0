#include "ledger/declarations.h"

#include <gtest/gtest.h>

#include "ledger/test_facts.h"

namespace plimsoll {
namespace {

class DeclarationsTest : public LedgerFixture {
 protected:
  // "subject: detail" of what the options declare, over the fixture's first two hours.
  std::vector<std::string> Notes(const AllocationOptions& options) {
    Ledger ledger = OpenLedger();
    const Window window{kFactsDay, kFactsDay + Hours(2)};
    EXPECT_TRUE(ledger.Refresh(window));
    const auto notes = UnansweredDeclarations(*store_, options, window);
    EXPECT_TRUE(notes) << notes.error().message;
    std::vector<std::string> texts;
    for (const DeclarationNote& note : *notes) texts.push_back(note.subject + ": " + note.detail);
    return texts;
  }

  void LoadClaim(const std::string& storage_class) {
    auto load = SnapshotLoad::Begin(*store_);
    ASSERT_TRUE(load);
    const auto id = load->Open({"kubernetes", "d", {}});
    ASSERT_TRUE(id);
    VolumeBatch volumes;
    const std::size_t v = AddBlankRow(volumes);
    volumes.snapshot_id[v] = *id;
    volumes.cluster[v] = "d";
    volumes.claim[v] = "data";
    volumes.storage_class[v] = storage_class;
    volumes.labels[v] = "{}";
    volumes.begin[v] = kFactsDay;
    ASSERT_TRUE(load->Append("volume", volumes));
    ImportReport report;
    ASSERT_TRUE(load->Commit(report));
  }
};

TEST_F(DeclarationsTest, ReservesAndMaintenanceOfNoNodeAreNamed) {
  AllocationOptions options;
  NodeScope here;
  here.cluster = "c";
  here.node = "gpu-*";
  NodeScope gone;
  gone.zone = "us-east-1z";
  options.idle.reserves = {{"good", "warm-pool", here, 1, "ops", "", {}, {}},
                           {"bad", "warm-pool", gone, 1, "ops", "", {}, {}},
                           {"over", "warm-pool", gone, 1, "ops", "", {}, kFactsDay}};
  const Window now{kFactsDay, kFactsDay + Hours(1)};
  options.idle.maintenance = {{here, now, ""}, {gone, now, ""}};
  EXPECT_EQ(Notes(options),
            (std::vector<std::string>{
                "reserves 'bad': no node of this time is in its scope (zone us-east-1z), so it "
                "keeps nothing",
                "maintenance of 2026-05-04T00:00:00Z/2026-05-04T01:00:00Z: no node of this time is "
                "in its scope (zone us-east-1z), so it explains nothing"}));
}

TEST_F(DeclarationsTest, AVolumePriceOfNoVolumeIsNamed) {
  AllocationOptions options;
  options.volume_prices = {{"gp3", Money::Units(1)}, {"gp*", Money::Units(1)}};
  const auto none = Notes(options);
  ASSERT_EQ(none.size(), 2u);
  EXPECT_NE(none[0].find("no volume is known at all"), std::string::npos) << none[0];
  LoadClaim("gp3");
  const auto one = Notes(options);
  ASSERT_EQ(one.size(), 1u);
  EXPECT_TRUE(one[0].starts_with("volume_prices 'gp*': no volume of this time has")) << one[0];
}

TEST_F(DeclarationsTest, MappingsOfNoValueAndMappingsThatNeverGetTheirTurnAreNamed) {
  AllocationOptions options;
  options.attribution.mappings = {{Dimension::kTeam, "nl*", "language", {}},
                                  {Dimension::kTeam, "nlp", "nlp-research", {}},
                                  {Dimension::kTeam, "vision", "seeing", {}}};
  const auto notes = Notes(options);
  ASSERT_EQ(notes.size(), 2u);
  EXPECT_TRUE(
      notes[0].starts_with("attribution.mappings team 'nlp' to 'nlp-research': the earlier "
                           "mapping of 'nl*' to 'language' takes the same values"))
      << notes[0];
  EXPECT_TRUE(notes[1].starts_with("attribution.mappings team 'vision' to 'seeing': no workload"))
      << notes[1];
}

TEST_F(DeclarationsTest, AnExceptionBeforeItsRuleOrInAnotherTimeIsRight) {
  AllocationOptions options;
  options.attribution.mappings = {{Dimension::kTeam, "nlp", "nlp-research", {}},
                                  {Dimension::kTeam, "nl*", "language", {}},
                                  {Dimension::kModel, "nlp", "other", {{}, kFactsDay}},
                                  {Dimension::kTeam, "nlp", "nlp-research", {}}};
  EXPECT_TRUE(Notes(options).empty());
  options.attribution.mappings = {{Dimension::kTeam, "nlp", "before", {{}, kFactsDay + Hours(1)}},
                                  {Dimension::kTeam, "nlp", "after", {kFactsDay + Hours(1), {}}}};
  EXPECT_TRUE(Notes(options).empty());
}

}  // namespace
}  // namespace plimsoll
