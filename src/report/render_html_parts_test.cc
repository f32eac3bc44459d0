#include "report/render_html_parts.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "report/test_document.h"

namespace plimsoll {
namespace {

bool Has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(RenderHtmlPartsTest, AFactShowsItsRoundedValueAndKeepsTheExactOne) {
  const std::string html = HtmlFacts(TestSummary().facts, "cards");
  EXPECT_TRUE(Has(html,
                  "<data value=\"31204.545000001\">31,204.55</data> "
                  "<span class=\"unit\">USD</span>"));
  EXPECT_TRUE(Has(html, "54.3 %</dd>"));
}

TEST(RenderHtmlPartsTest, AMissingValueIsMutedAndSaysWhatToConnect) {
  EXPECT_TRUE(Has(HtmlFacts(TestSummary().facts, "cards"),
                  "<span class=\"none\">no data</span></dd><dd class=\"note\">connect a request "
                  "log: plimsoll ingest requests FILE</dd>"));
}

TEST(RenderHtmlPartsTest, AFigureCarriesItsCommand) {
  const std::string html = HtmlTable(TestTenant().tables[0]);
  EXPECT_TRUE(Has(html, "<tr data-figure=\"team:&quot;search-and-ranking&quot;" +
                            std::string(kWeek) + "\" title=\"plimsoll explain &#39;team:"));
  EXPECT_TRUE(Has(html, "o&#39;\\&#39;&#39;brien &lt;/script&gt;"));
}

TEST(RenderHtmlPartsTest, ATableHasACaptionScopesAndRightAlignedNumbers) {
  const std::string html = HtmlTable(TestSummary().tables[0]);
  EXPECT_TRUE(Has(html, "<caption>GPU time by class</caption>"));
  EXPECT_TRUE(Has(html, "<th scope=\"col\" class=\"n\">GPU-hours</th>"));
  EXPECT_TRUE(Has(html,
                  "<th scope=\"row\"><span class=\"swatch c-waste\" "
                  "aria-hidden=\"true\"></span>waste</th>"));
  EXPECT_TRUE(Has(html, "<td class=\"n share\" style=\"--share:54.3%\">54.3 %</td>"));
}

TEST(RenderHtmlPartsTest, OnlyAColumnOfSharesHasBars) {
  const auto column = [](const std::vector<std::vector<Value>>& rows) {
    return HtmlTable({"t", "T", {{"p", "P", ValueKind::kPercent}}, rows, {}});
  };
  EXPECT_TRUE(Has(column({{"0.0"}, {"100.0"}, {std::nullopt}}), "--share:100.0%"));
  for (const char* other : {"-17.3", "111.1", "1;x:y", ""}) {
    EXPECT_FALSE(Has(column({{"50.0"}, {other}}), "--share:")) << other;
  }
}

TEST(RenderHtmlPartsTest, AnEmptyTableSaysSo) {
  EXPECT_TRUE(Has(HtmlTable(TestFindings().tables[1]), "colspan=\"2\">No rows.</td>"));
}

TEST(RenderHtmlPartsTest, ChartDataIsJsonThatEndsNoScript) {
  ReportChart chart = TestTenant().charts[0];
  chart.categories[0] = "line\xe2\x80\xa8separator";
  ChartData data;
  EXPECT_EQ(data.Add(chart), "chart-1");
  const std::string json = data.ToScriptJson();
  EXPECT_EQ(json.find_first_of("<>&"), std::string::npos);
  EXPECT_EQ(json.find("\xe2\x80\xa8"), std::string::npos);
  const auto parsed = nlohmann::json::parse(json);
  EXPECT_EQ(parsed[0]["categories"][2], kHostile);
  EXPECT_EQ(parsed[0]["series"][0]["shown"][0], "18,000.50 USD");
}

TEST(RenderHtmlPartsTest, AClassHasItsColourInEveryChart) {
  EXPECT_TRUE(Has(HtmlChart(ClassChart(), "chart-1"), "c-usage_unknown"));
  const std::string plain = HtmlChart(TestTenant().charts[0], "chart-2");
  EXPECT_TRUE(Has(plain, "c-1") && Has(plain, "c-2") && Has(plain, "c-3"));
}

TEST(RenderHtmlPartsTest, AHeatMapNamesItsRowsAndHasNoLegend) {
  ReportChart chart;
  chart.caption = "GPU time held";
  chart.unit = "%";
  chart.categories = {"1", "2"};
  chart.series = {{"rack-a", {"61.5", ""}}};
  EXPECT_TRUE(Has(HtmlChart(chart, "x"), "<li>"));
  chart.kind = ChartKind::kHeat;
  EXPECT_FALSE(Has(HtmlChart(chart, "x"), "<li>"));
  ChartData data;
  data.Add(chart);
  const auto parsed = nlohmann::json::parse(data.ToScriptJson());
  EXPECT_EQ(parsed[0]["kind"], "heat");
  EXPECT_EQ(parsed[0]["series"][0]["values"][1], "");
}

}  // namespace
}  // namespace plimsoll
