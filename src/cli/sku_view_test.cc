#include "cli/sku_view.h"

#include <gtest/gtest.h>

#include "cli/render.h"

namespace plimsoll {
namespace {

class SkuViewTest : public ::testing::Test {
 protected:
  SkuViewTest() : catalog_(*Catalog::Load(BuiltinCatalogFiles())) {
    view_.model = catalog_.FindModel("llama-3.1-8b");
    view_.currency = "USD";
    view_.request.demand.options.quantization = "fp8";
    view_.request.demand.load.context = 2'000;
    for (const char* gpu : {"L4", "T4"}) {
      SkuChoice choice;
      choice.gpu = catalog_.FindGpu(gpu);
      choice.memory = PlanMemory(*view_.model, *choice.gpu, {1, 1}, view_.request.demand);
      view_.choices.push_back(choice);
    }
  }

  Answer Of(bool for_people) const {
    Result<Answer> answer = SkuAnswer(view_, for_people);
    EXPECT_TRUE(answer.has_value());
    return *std::move(answer);
  }

  Catalog catalog_;
  SkuView view_;
};

TEST_F(SkuViewTest, EveryRowHasACellForEveryColumn) {
  for (const bool for_people : {false, true}) {
    for (const Table& table : Of(for_people).tables) {
      for (const Row& row : table.rows) EXPECT_EQ(row.size(), table.columns.size()) << table.name;
    }
  }
}

TEST_F(SkuViewTest, WhatIsNotKnownIsNullAndNeverZero) {
  const std::string json = RenderJson(Of(false));
  EXPECT_NE(json.find("\"cost_per_million_output_tokens\": null"), std::string::npos) << json;
  EXPECT_NE(json.find("\"output_tokens_per_second\": null"), std::string::npos) << json;
  EXPECT_NE(json.find("\"feasible\": true"), std::string::npos) << json;
}

TEST_F(SkuViewTest, TextFitsAnOrdinaryTerminal) {
  const std::string text = RenderText(Of(true), {80, false});
  EXPECT_NE(text.find("no data"), std::string::npos) << text;
  // Tables fit; sentences are broken by the terminal.
  const std::string tables =
      text.substr(text.find("Fits"), text.find("\n\n", text.find("Fits")) - text.find("Fits"));
  for (std::size_t from = 0; from < tables.size();) {
    const std::size_t end = std::min(tables.find('\n', from), tables.size());
    EXPECT_LE(end - from, 84U) << tables.substr(from, end - from);  // a cut sign takes 3 bytes
    from = end + 1;
  }
}

TEST_F(SkuViewTest, LengthsThatWereMeasuredAreNamed) {
  view_.measured_lengths = {"128/128", "1000/2000"};
  const Answer answer = Of(true);
  EXPECT_NE(answer.notes[0].find("Measured with this model: 128/128 1000/2000"), std::string::npos)
      << answer.notes[0];
}

}  // namespace
}  // namespace plimsoll
