#include "catalog/price_book.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

Instant Day(const char* text) { return *ParseInstant(text); }
Money Usd(const char* text) { return *Money::Parse(text); }

struct PriceRow {
  std::string provider = "aws";
  std::string region = "";
  std::string type = "p5.48xlarge";
  std::string purchase = "on-demand";
  std::string rung = kRungList;
  std::string currency = "USD";
  std::string amount = "";
  const char* from = "1970-01-01";
  const char* until = "";
};

void Push(PriceBatch& batch, const PriceRow& row) {
  batch.snapshot_id.push_back(0);
  batch.provider.push_back(row.provider);
  batch.region.push_back(row.region);
  batch.instance_type.push_back(row.type);
  batch.purchase.push_back(row.purchase);
  batch.rung.push_back(row.rung);
  batch.currency.push_back(row.currency);
  batch.amount.push_back(Usd(row.amount.c_str()));
  batch.per_seconds.push_back(3600);
  batch.valid_from.push_back(Day(row.from));
  batch.valid_until.push_back(*row.until == '\0' ? std::nullopt
                                                 : std::optional<Instant>(Day(row.until)));
  batch.source.push_back("test");
  batch.as_of.push_back("2026-07-20");
}

PriceBatch BatchOf(std::initializer_list<PriceRow> rows) {
  PriceBatch batch;
  for (const PriceRow& row : rows) Push(batch, row);
  return batch;
}

// The amount found, or "none"; with "!" if it is a fallback.
std::string Found(const PriceBook& book, const PriceQuery& query, const char* at = "2026-01-01") {
  const std::optional<PriceMatch> match = book.Find(query, Day(at));
  if (!match) return "none";
  std::string text = match->amount.ToString();
  text.erase(text.find_last_not_of('0') + 1);
  return text + (match->fallback ? "!" : "");
}

constexpr PriceQuery kP5{"aws", "us-east-1", "p5.48xlarge", "on-demand", ""};

PriceQuery With(PriceQuery query, std::string_view purchase) {
  query.purchase = purchase;
  return query;
}

TEST(PriceBookTest, UsageIsPricedAtItsOwnTimeNotTheReports) {
  const PriceBook book(BatchOf({{.region = "us-east-1", .amount = "98.32", .until = "2025-06-23"},
                                {.region = "us-east-1", .amount = "55.04", .from = "2025-06-23"}}));
  EXPECT_EQ(Found(book, kP5, "2025-06-22T23:59:59Z"), "98.32");
  EXPECT_EQ(Found(book, kP5, "2025-06-23T00:00:00Z"), "55.04");
}

TEST(PriceBookTest, RungsRankContractedThenSpotHistoryThenList) {
  PriceBatch batch = BatchOf({{.purchase = "spot", .amount = "3"},
                              {.purchase = "spot", .rung = kRungSpotHistory, .amount = "2"}});
  EXPECT_EQ(Found(PriceBook(batch), With(kP5, "spot")), "2.");
  Push(batch, {.purchase = "spot", .rung = kRungContracted, .amount = "1"});
  EXPECT_EQ(Found(PriceBook(batch), With(kP5, "spot")), "1.");
}

TEST(PriceBookTest, RegionPriceBeatsAnyRegionPriceOfTheSameRung) {
  const PriceBook book(BatchOf({{.amount = "10"}, {.region = "us-east-1", .amount = "20"}}));
  EXPECT_EQ(Found(book, kP5), "20.");
  PriceQuery elsewhere = kP5;
  elsewhere.region = "eu-west-1";
  EXPECT_EQ(Found(book, elsewhere), "10.");
}

TEST(PriceBookTest, ZonePriceBeatsRegionPriceOfTheSameRungOnly) {
  const PriceBook book(
      BatchOf({{.region = "us-east-1a", .amount = "30"}, {.region = "us-east-1", .amount = "20"}}));
  PriceQuery in_zone = kP5;
  in_zone.zone = "us-east-1a";
  EXPECT_EQ(Found(book, in_zone), "30.");
  EXPECT_EQ(Found(book, kP5), "20.");
  in_zone.zone = "us-east-1b";
  EXPECT_EQ(Found(book, in_zone), "20.");
}

TEST(PriceBookTest, ContractedAnyRegionBeatsListOfTheRegion) {
  const PriceBook book(BatchOf(
      {{.rung = kRungContracted, .amount = "10"}, {.region = "us-east-1", .amount = "20"}}));
  EXPECT_EQ(Found(book, kP5), "10.");
}

TEST(PriceBookTest, SpotWithoutAPriceFallsBackToOnDemandWithAFlag) {
  const PriceBook book(BatchOf({{.amount = "55.04"}}));
  EXPECT_EQ(Found(book, With(kP5, "spot")), "55.04!");
  EXPECT_EQ(Found(book, With(kP5, "")), "55.04");
  EXPECT_EQ(Found(book, With(kP5, "unknown")), "55.04");
}

TEST(PriceBookTest, ReservedWithoutTermTakesOnlyTheUsersOwnRate) {
  PriceBatch batch = BatchOf({{.amount = "55.04"}, {.purchase = "reserved-3y", .amount = "20"}});
  EXPECT_EQ(Found(PriceBook(batch), With(kP5, "reserved")), "55.04!");
  EXPECT_EQ(Found(PriceBook(batch), With(kP5, "reserved-3y")), "20.");
  Push(batch, {.purchase = "reserved-3y", .rung = kRungContracted, .amount = "19"});
  EXPECT_EQ(Found(PriceBook(batch), With(kP5, "reserved")), "19.");
}

TEST(PriceBookTest, OwnedHardwareIsNoFallback) {
  const PriceBook book(BatchOf({{.provider = "on-prem",
                                 .type = "dgx",
                                 .purchase = "owned",
                                 .rung = kRungContracted,
                                 .amount = "12.5"}}));
  EXPECT_EQ(Found(book, {"", "", "DGX", "on-demand", ""}), "12.5");
  EXPECT_EQ(Found(book, {"on-prem", "hall-1", "dgx", "spot", "USD"}), "12.5");
}

TEST(PriceBookTest, UnknownTypeOrTimeHasNoPriceRatherThanZero) {
  const PriceBook book(BatchOf({{.amount = "5", .from = "2025-01-01", .until = "2025-02-01"}}));
  EXPECT_EQ(Found(book, {"aws", "us-east-1", "p9.huge", "on-demand", ""}), "none");
  EXPECT_EQ(Found(book, kP5, "2024-12-31"), "none");
  EXPECT_EQ(Found(book, kP5, "2025-02-01"), "none");
}

TEST(PriceBookTest, OtherCurrenciesNeverMatchAnAskedOne) {
  const PriceBook book(BatchOf({{.region = "cn-north-1", .currency = "CNY", .amount = "36.078"}}));
  EXPECT_EQ(Found(book, {"aws", "cn-north-1", "p5.48xlarge", "on-demand", "USD"}), "none");
  EXPECT_EQ(Found(book, {"aws", "cn-north-1", "p5.48xlarge", "on-demand", ""}), "36.078");
}

TEST(PriceBookTest, LaterBatchWinsEvenOverAYoungerPrice) {
  const PriceBatch builtin = BatchOf({{.amount = "55.04", .from = "2025-06-23"}});
  const PriceBatch user = BatchOf({{.amount = "40"}});
  const PriceBatch* batches[] = {&builtin, &user};
  EXPECT_EQ(Found(PriceBook(batches), kP5), "40.");
}

TEST(PriceBookTest, RowOrderDoesNotMatter) {
  const PriceRow a{.region = "us-east-1", .amount = "1", .from = "2025-01-01"};
  const PriceRow b{.region = "us-east-1", .amount = "2", .from = "2025-06-01"};
  const PriceRow c{.amount = "3"};
  EXPECT_EQ(Found(PriceBook(BatchOf({a, b, c})), kP5), "2.");
  EXPECT_EQ(Found(PriceBook(BatchOf({c, b, a})), kP5), "2.");
}

TEST(PriceBookTest, ProviderIsFoundInAnySpellingAndUnknownOnlyIfUnique) {
  PriceBatch batch = BatchOf({{.amount = "55.04"}});
  EXPECT_EQ(Found(PriceBook(batch), {"Amazon Web Services", "", "P5.48XLARGE", "", ""}), "55.04");
  EXPECT_EQ(Found(PriceBook(batch), {"", "", "p5.48xlarge", "", ""}), "55.04");
  Push(batch, {.provider = "lambda", .amount = "1"});
  EXPECT_EQ(Found(PriceBook(batch), {"", "", "p5.48xlarge", "", ""}), "none");
}

TEST(PriceBookTest, OwnedNodesArePricedByNameOrPattern) {
  const auto owned = [](const char* name, const char* amount) {
    return PriceRow{.provider = "on-prem",
                    .type = name,
                    .purchase = "owned",
                    .rung = kRungContracted,
                    .amount = amount};
  };
  const PriceBook book(BatchOf({owned("*", "1"),
                                owned("dgx-*", "2"),
                                owned("dgx-0?", "3"),
                                owned("DGX-07", "4"),
                                owned("pool", "5"),
                                {.amount = "6"}}));
  const auto named = [&](const char* node, const char* type = "", const char* provider = "") {
    return Found(book, {.provider = provider, .instance_type = type, .node = node});
  };
  EXPECT_EQ(named("dgx-07"), "4.");
  EXPECT_EQ(named("dgx-08"), "3.");
  EXPECT_EQ(named("dgx-123"), "2.");
  EXPECT_EQ(named("gpu1"), "1.");
  EXPECT_EQ(named("dgx-08", "pool"), "5.");
  EXPECT_EQ(named("dgx-08", "p5.48xlarge"), "6.");
  EXPECT_EQ(named("dgx-08", "p9.huge", "aws"), "none");  // another provider's node
  EXPECT_EQ(named(""), "none");
}

TEST(PriceBookTest, SpansCutTheWindowAtEveryChangeWithoutGaps) {
  const PriceBook book(BatchOf({{.purchase = "spot",
                                 .rung = kRungSpotHistory,
                                 .amount = "2",
                                 .from = "2026-01-01T00:20:00Z",
                                 .until = "2026-01-01T00:40:00Z"},
                                {.amount = "5", .until = "2026-01-01T00:50:00Z"}}));
  const Window hour{Day("2026-01-01T00:00:00Z"), Day("2026-01-01T01:00:00Z")};
  const std::vector<PriceSpan> spans = book.Spans(With(kP5, "spot"), hour);
  ASSERT_EQ(spans.size(), 4U);
  EXPECT_EQ(spans[0].window.begin, hour.begin);
  for (std::size_t i = 1; i < spans.size(); ++i) {
    EXPECT_EQ(spans[i - 1].window.until, spans[i].window.begin);
  }
  EXPECT_EQ(spans[3].window.until, hour.until);
  EXPECT_TRUE(spans[0].price->fallback);
  EXPECT_EQ(spans[1].price->amount, Usd("2"));
  EXPECT_EQ(spans[2].price->amount, Usd("5"));
  EXPECT_FALSE(spans[3].price.has_value());
}

}  // namespace
}  // namespace plimsoll
