#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "report/render.h"
#include "report/test_document.h"

namespace plimsoll {
namespace {

using Json = nlohmann::ordered_json;

Json Rendered() { return Json::parse(RenderJson(TestDocument())); }

TEST(RenderJsonTest, KeysStandInTheDocumentsOrder) {
  std::vector<std::string> keys;
  const Json rendered = Rendered();
  for (const auto& [key, value] : rendered.items()) keys.push_back(key);
  EXPECT_EQ(keys, (std::vector<std::string>{"title", "subtitle", "header", "summary", "dimensions",
                                            "appendix"}));
  EXPECT_EQ(rendered["dimensions"].begin().key(), "tenant");
}

TEST(RenderJsonTest, DecimalsAreTheExactTextAndCountsAreNumbers) {
  const Json facts = Rendered()["summary"]["facts"];
  EXPECT_EQ(facts["cost"]["value"], "31204.545000001");
  EXPECT_EQ(facts["cost"]["unit"], "USD");
  EXPECT_EQ(facts["cost"]["figure"], kWeek);
  EXPECT_EQ(facts["gpus"]["value"], 1064);
}

TEST(RenderJsonTest, MissingIsNull) {
  const Json fact = Rendered()["summary"]["facts"]["tokens"];
  EXPECT_TRUE(fact["value"].is_null());
  EXPECT_TRUE(fact["figure"].is_null());
  EXPECT_EQ(fact["note"], "connect a request log: plimsoll ingest requests FILE");
  EXPECT_TRUE(Rendered()["summary"]["tables"]["class"][4]["cost"].is_null());
}

TEST(RenderJsonTest, ATableIsAnArrayOfObjectsWithTheirFigures) {
  const Json rows = Rendered()["dimensions"]["tenant"]["tables"]["team"];
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[0]["cost"], "20000.5");
  EXPECT_EQ(rows[0]["figure"], WeekFigure("team:\"research-foundation-models\""));
  EXPECT_EQ(rows[2]["team"], kHostile);
  EXPECT_TRUE(Rendered()["appendix"]["findings"]["tables"]["rejected"].empty());
}

TEST(RenderJsonTest, TextThatIsNotUtf8IsShownNotRefused) {
  ReportDocument document;
  document.title = "bad \xff byte";
  EXPECT_NE(RenderJson(document).find("bad \xef\xbf\xbd byte"), std::string::npos);
}

TEST(RenderJsonTest, ACountPastFifteenDigitsStaysText) {
  ReportDocument document;
  document.header = {{"n", "N", ValueKind::kCount, "1234567890123456", "", "", ""}};
  EXPECT_EQ(Json::parse(RenderJson(document))["header"]["n"]["value"], "1234567890123456");
}

}  // namespace
}  // namespace plimsoll
