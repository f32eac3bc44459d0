#include "cli/inference_view.h"

#include <gtest/gtest.h>

#include "cli/render.h"

namespace plimsoll {
namespace {

ServiceFigures Figures(const std::string& name, std::int64_t good, std::optional<Money> cost) {
  ServiceFigures figures;
  figures.service.declared.name = name;
  figures.service.declared.slo = *ParseSlo("ttft=1s");
  figures.service.requests = 10;
  figures.service.begin_ns = 1'764'547'200'000'000'001;
  figures.service.until_ns = 1'764'547'210'000'000'001;
  figures.sums.all.requests = 10;
  figures.sums.all.output = 1'000;
  figures.sums.good.requests = good;
  figures.sums.good.output = good * 100;
  figures.outcomes = {good, 10 - good, 0, 0, 0, 0};
  figures.sums.cost = cost;
  figures.sums.cost_missed = cost;
  if (cost) figures.paid = PaidCost{*cost, int128{3'600} * 1'000'000'000, 0, 0};
  return figures;
}

std::string Json(std::vector<ServiceFigures> services) {
  InferenceView view;
  view.services = std::move(services);
  view.currency = "USD";
  return RenderJson(InferenceAnswer(std::move(view)));
}

bool Holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(InferenceViewTest, OneServiceTellsWindowAndRates) {
  const std::string json = Json({Figures("chat", 4, Money::Units(1))});
  EXPECT_TRUE(Holds(json, "\"service\": \"chat\"")) << json;
  EXPECT_TRUE(Holds(json, "\"window_begin\": \"2025-12-01T00:00:00Z\"")) << json;
  EXPECT_TRUE(Holds(json, "\"window_until\": \"2025-12-01T00:00:10.001Z\"")) << json;
  EXPECT_TRUE(Holds(json, "\"requests_good\": 4")) << json;
  EXPECT_TRUE(Holds(json, "\"good_share\": 0.4")) << json;
  EXPECT_TRUE(Holds(json, "\"cost\": \"1.000000000\"")) << json;
  EXPECT_TRUE(Holds(json, "\"cost_per_million_output_tokens\": 1000.000000000")) << json;
  EXPECT_TRUE(Holds(json, "\"cost_per_million_output_tokens_good\": 2500.000000000")) << json;
  EXPECT_TRUE(Holds(json, "\"goodput_rps\": 0.400000000")) << json;
}

TEST(InferenceViewTest, NothingGoodIsNull) {
  const std::string json = Json({Figures("chat", 0, Money::Units(1))});
  EXPECT_TRUE(Holds(json, "\"cost_per_million_output_tokens_good\": null")) << json;
  EXPECT_TRUE(Holds(json, "\"goodput_rps\": 0.000000000")) << json;
}

TEST(InferenceViewTest, ServicesAddUpOnlyIfEveryCostIsKnown) {
  const std::string both =
      Json({Figures("a", 4, Money::Units(1)), Figures("b", 6, Money::Units(2))});
  EXPECT_TRUE(Holds(both, "\"requests_total\": 20")) << both;
  EXPECT_TRUE(Holds(both, "\"cost\": \"3.000000000\"")) << both;
  EXPECT_TRUE(Holds(both, "\"goodput_rps\": null")) << both;
  const std::string one = Json({Figures("a", 4, Money::Units(1)), Figures("b", 6, std::nullopt)});
  EXPECT_TRUE(Holds(one, "\"cost\": null,\n")) << one;
}

TEST(InferenceViewTest, PeopleReadASentenceAndWhatIsLacking) {
  InferenceView view;
  view.services = {Figures("chat", 4, std::nullopt)};
  view.currency = "USD";
  view.rejected = 3;
  const std::string text = RenderText(InferenceAnswer(std::move(view)), {});
  EXPECT_TRUE(Holds(text, "4 of 10 requests were good (ttft=1s)")) << text;
  EXPECT_TRUE(Holds(text, "give --gpus and --gpu-price")) << text;
  EXPECT_TRUE(Holds(text, "3 rows could not be read")) << text;
}

}  // namespace
}  // namespace plimsoll
