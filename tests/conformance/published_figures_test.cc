#include "published_figures.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

namespace plimsoll {
namespace {

constexpr const char* kBegin = "<!-- table: made by the program published_figures -->\n";
constexpr const char* kEnd = "<!-- end of table -->\n";

TEST(PublishedFiguresTest, EveryRowHasItsVerdict) {
  const char* const kVerdicts[] = {
      "follows",
      "follows",
      "cost: follows; hours: does not follow",
      "cost: follows; hours: does not follow",
      "does not follow",
      "does not follow",
      "follows",
      "does not follow",
      "follows",
      "does not follow",
      "follows",
      "follows",
      "follows",
      "follows",
      "does not follow",
      "does not follow",
      "price: follows; throughput, value: does not follow",
      "follows",
      "follows",
      "follows",
      "follows",
      "follows",
      "follows",
      "a month, a year: follows; part: does not follow",
      "does not follow",
      "stated, not derivable",
      "follows",
      "does not follow",
      "follows",
      "follows",
  };
  const std::vector<PublishedFigure> figures = PublishedFigures();
  ASSERT_EQ(figures.size(), std::size(kVerdicts));
  for (std::size_t i = 0; i < figures.size(); ++i) {
    EXPECT_EQ(figures[i].number, static_cast<int>(i) + 1);
    EXPECT_EQ(figures[i].Verdict(), kVerdicts[i]) << figures[i].claim;
  }
}

TEST(PublishedFiguresTest, RecomputedFiguresAreTheKnownOnes) {
  const std::pair<int, const char*> known[] = {{1, "16,516.08"},
                                               {2, "5,780.88"},
                                               {3, "5,975.87; 512"},
                                               {5, "7,157.28"},
                                               {6, "77"},
                                               {8, "7,982.40"},
                                               {10, "23,922.10; 1,148,260.80"},
                                               {13, "1.2963"},
                                               {14, "0.6624"},
                                               {15, "0.5367"},
                                               {16, "4.6199"},
                                               {17, "1.44; 75.5 %; 1.91"},
                                               {23, "5,940; 7,187.40"},
                                               {25, "58.35 %"},
                                               {27, "56"},
                                               {28, "211.20"},
                                               {30, "237.24"}};
  const std::vector<PublishedFigure> figures = PublishedFigures();
  for (const auto& [number, text] : known) {
    EXPECT_EQ(figures[static_cast<std::size_t>(number) - 1].Recomputed(), text) << number;
  }
  const std::string table = PublishedFiguresTable();
  for (const char* part : {"takes 39 evictions", "$3.1049", "$1.5803", "$10.7310", "1.957 x",
                           "$5,872.64", "$9,358.80", "$29.33", "$553.56", "514.3 h"}) {
    EXPECT_NE(table.find(part), std::string::npos) << part;
  }
}

TEST(PublishedFiguresTest, ACheckTellsRightFromWrong) {
  const auto follows = [](const char* printed, const char* computed) {
    return FigureCheck{"x", *Money::Parse(printed), *Money::Parse(computed), Money::Units(1), ""}
        .follows();
  };
  EXPECT_TRUE(follows("5", "5.49"));
  EXPECT_TRUE(follows("6", "5.51"));
  EXPECT_TRUE(follows("5", "5.99"));  // cut
  EXPECT_FALSE(follows("6", "5.49"));
  EXPECT_FALSE(follows("4", "5.01"));
}

TEST(PublishedFiguresTest, TheDocumentHoldsWhatIsComputed) {
  const char* const root = std::getenv("PLIMSOLL_ROOT");
  ASSERT_NE(root, nullptr);
  const std::string path = std::string(root) + "/docs/published-figures.md";
  std::ifstream in(path);
  const std::string text(std::istreambuf_iterator<char>(in), {});
  const std::size_t begin = text.find(kBegin);
  const std::size_t end = text.find(kEnd);
  ASSERT_TRUE(begin != std::string::npos && end != std::string::npos) << path;
  const std::size_t from = begin + std::string(kBegin).size();
  EXPECT_EQ(text.substr(from, end - from), PublishedFiguresTable())
      << "put the output of the program published_figures between the marks of " << path;
}

}  // namespace
}  // namespace plimsoll
