#include "cli/import_view.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/render.h"

namespace plimsoll {
namespace {

ImportReport Example() {
  ImportReport report;
  report.kind = "focus";
  report.accepted = 1'000;
  report.rejected = 2;
  Rejection rejection;
  rejection.file = "a.csv";
  rejection.line = 7;
  rejection.field = "BilledCost";
  rejection.reason = "'x' is not a decimal";
  rejection.cost = "x";
  report.first_rejections = {rejection};
  report.warnings = {"two\nlines"};
  report.ignored = {"Col1", "Col2"};
  ImportReport::Load load;
  load.scope = "AWS / 1 / USD / 2026-10";
  load.outcome = "restated";
  load.rows = 998;
  load.differences = {"rows 990 -> 998", "billed 1 -> 2"};
  report.loads = {load};
  ImportReport::Total total;
  total.provider = "AWS";
  total.currency = "USD";
  total.rows = 998;
  total.billed = "12.0000000072922557592391990000";
  total.effective = "11";
  report.totals = {total};
  return report;
}

TEST(ImportViewTest, JsonHoldsEveryNameAndExactTotals) {
  const auto json = nlohmann::json::parse(RenderJson(ImportAnswer(Example())));
  EXPECT_EQ(json["kind"], "focus");
  EXPECT_EQ(json["accepted"], 1'000);
  EXPECT_EQ(json["rejected"], 2);
  EXPECT_EQ(json["duplicates"], 0);
  EXPECT_EQ(json["loads"][0]["outcome"], "restated");
  EXPECT_EQ(json["loads"][0]["differences"].size(), 2u);
  EXPECT_EQ(json["totals"][0]["billed"], "12.0000000072922557592391990000");
  EXPECT_TRUE(json["totals"][0]["rejected_billed"].is_null());
  EXPECT_EQ(json["rejections"][0]["line"], 7);
  EXPECT_EQ(json["warnings"], nlohmann::json::array({"two lines"}));
  EXPECT_EQ(json["ignored"].size(), 2u);
}

TEST(ImportViewTest, TextSaysWhatToDoAboutRejections) {
  const std::string text = RenderText(ImportAnswer(Example()), {});
  EXPECT_NE(text.find("focus: 1,000 accepted, 2 rejected, 0 duplicates"), std::string::npos);
  EXPECT_NE(text.find("1 more rejections; plimsoll quarantine lists all of them"),
            std::string::npos);
  EXPECT_NE(text.find("rows 990 -> 998; billed 1 -> 2"), std::string::npos);
}

TEST(ImportViewTest, UnchangedIsSaidInWords) {
  ImportReport report;
  report.kind = "focus";
  ImportReport::Load load;
  load.outcome = "unchanged";
  report.loads = {load};
  EXPECT_NE(RenderText(ImportAnswer(report), {})
                .find("Nothing changed: the same content is loaded already."),
            std::string::npos);
  load.outcome = "loaded";
  report.loads.push_back(load);
  EXPECT_NE(RenderText(ImportAnswer(report), {}).find("1 of 2 are unchanged"), std::string::npos);
}

}  // namespace
}  // namespace plimsoll
