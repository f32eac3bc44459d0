#include <gtest/gtest.h>

#include "report/render.h"
#include "report/test_document.h"

namespace plimsoll {
namespace {

std::string Rendered() { return RenderMarkdown(TestDocument()); }

bool Has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(RenderMarkdownTest, SameDocumentSameBytes) { EXPECT_EQ(Rendered(), Rendered()); }

TEST(RenderMarkdownTest, NumbersAreRightAlignedAndMissingIsNoData) {
  const std::string text = Rendered();
  EXPECT_TRUE(Has(text, "| Class | GPU-hours | Share | Cost, USD |\n|---|---:|---:|---:|\n"));
  EXPECT_TRUE(Has(text, "| usage_unknown | *no data* | *no data* | *no data* |\n"));
  EXPECT_TRUE(Has(text, "| Cost of the week | 31,204.55 USD | +4.1 % against the week before |\n"));
}

TEST(RenderMarkdownTest, TextOfTheDataIsNoMarkup) {
  const std::string text = Rendered();
  EXPECT_FALSE(Has(text, "<script"));
  EXPECT_TRUE(Has(text,
                  "&lt;!-- a\\|b \"quoted\" 'single' &amp; \\*bold\\* \\`tick\\` \\$x\\$ "
                  "&#64;all"));
}

TEST(RenderMarkdownTest, ASentenceIsNeverAListItem) {
  ReportDocument document;
  document.summary.sentences = {"- no item", "1. no number", "2026 was fine"};
  const std::string text = RenderMarkdown(document);
  EXPECT_TRUE(Has(text, "\n\\- no item\n"));
  EXPECT_TRUE(Has(text, "\n1\\. no number\n"));
  EXPECT_TRUE(Has(text, "\n2026 was fine\n"));
}

TEST(RenderMarkdownTest, AChartWithoutATableBringsItsNumbers) {
  EXPECT_TRUE(Has(Rendered(), "**GPU time by class and day (GPU-hours)**"));
  EXPECT_TRUE(Has(Rendered(), "| 2026-11-18 | 902.0 |"));
  EXPECT_FALSE(Has(Rendered(), "**Cost by team (USD)**"));
}

TEST(RenderMarkdownTest, FiguresCanBeExplained) {
  EXPECT_TRUE(Has(Rendered(),
                  "- Summary: Cost of the week: `plimsoll explain "
                  "'@2026-11-16T00:00:00Z/2026-11-23T00:00:00Z'`\n"));
}

}  // namespace
}  // namespace plimsoll
