#include <gtest/gtest.h>

#include "report/render.h"
#include "report/render_assets.h"
#include "report/test_document.h"

namespace plimsoll {
namespace {

// The page without what is embedded in it.
std::string Page() {
  std::string html = RenderHtml(TestDocument());
  for (const std::string_view asset : {ChartLibrary(), ChartScript(), StyleSheet()}) {
    const std::size_t at = html.find(asset);
    EXPECT_NE(at, std::string::npos);
    if (at != std::string::npos) html.erase(at, asset.size());
  }
  return html;
}

bool Has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(RenderHtmlTest, SameDocumentSameBytes) {
  EXPECT_EQ(RenderHtml(TestDocument()), RenderHtml(TestDocument()));
}

TEST(RenderHtmlTest, NothingIsFetched) {
  const std::string page = Page();
  for (const char* part : {"http:", "https:", "src=", "<link", "@import", "url("}) {
    EXPECT_FALSE(Has(page, part)) << part;
    EXPECT_FALSE(Has(std::string(StyleSheet()), part)) << part;
    EXPECT_FALSE(Has(std::string(ChartScript()), part)) << part;
  }
  EXPECT_TRUE(Has(page, "default-src 'none'"));
}

TEST(RenderHtmlTest, EmbeddedScriptsEndNoScriptElement) {
  EXPECT_FALSE(Has(std::string(ChartLibrary()), "</script"));
  EXPECT_FALSE(Has(std::string(ChartScript()), "</script"));
  EXPECT_GT(ChartLibrary().size(), 100'000u);
}

TEST(RenderHtmlTest, HostileTextIsOnlyText) {
  const std::string page = Page();
  EXPECT_FALSE(Has(page, "alert(1)</script>"));
  EXPECT_FALSE(Has(page, "<!-- a"));
  EXPECT_TRUE(Has(page, "&lt;/script&gt;&lt;script&gt;alert(1)"));
}

TEST(RenderHtmlTest, EveryChartHasItsTable) {
  const std::string page = Page();
  EXPECT_TRUE(Has(page, "id=\"chart-1\""));
  EXPECT_TRUE(Has(page, "<caption>GPU time by class and day (GPU-hours)</caption>"));
  EXPECT_TRUE(Has(page, "id=\"chart-2\""));
  EXPECT_FALSE(Has(page, "<caption>Cost by team (USD)</caption>"));
}

TEST(RenderHtmlTest, SectionsCanBeReached) {
  const std::string page = Page();
  EXPECT_TRUE(Has(page, "<html lang=\"en\">"));
  EXPECT_TRUE(Has(page, "href=\"#main\">Skip to the report</a>"));
  for (const char* id :
       {"section-summary", "section-tenant", "section-inference", "appendix", "explain"}) {
    EXPECT_TRUE(Has(page, std::string("href=\"#") + id + "\"")) << id;
    EXPECT_TRUE(Has(page, std::string("<section id=\"") + id + "\"")) << id;
  }
}

TEST(RenderHtmlTest, TheAppendixOpensForPrint) {
  EXPECT_TRUE(Has(Page(), "<details id=\"section-findings\" data-print=\"open\">"));
}

TEST(RenderHtmlTest, ASectionSaysWhatToConnect) {
  EXPECT_TRUE(Has(Page(), "<li>A load test per model: plimsoll ingest loadtest FILE</li>"));
}

TEST(RenderHtmlTest, AnEmptyDocumentIsAPage) {
  const std::string html = RenderHtml(ReportDocument());
  EXPECT_TRUE(html.ends_with("</html>\n"));
  EXPECT_FALSE(Has(html, "id=\"explain\""));
}

}  // namespace
}  // namespace plimsoll
