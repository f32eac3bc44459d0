#include "ingest/requests/request_groups.h"

#include "ingest/requests/test_parquet.h"
#include "ingest/requests/test_read.h"

namespace plimsoll {
namespace {

constexpr const char* kRows =
    "SELECT make_timestamp(1764547200000000 + i * 1000000) AS arrival, 'm-' || i % 2 AS model, 'a' "
    "AS tenant, CASE i WHEN 3 THEN 'timeout' ELSE 'ok' END AS status, 100 * i AS ttft_ms, 900 AS "
    "e2e_ms, CASE i WHEN 2 THEN NULL ELSE 10 END AS input_tokens, 200 AS output_tokens, 'r' || i "
    "AS request FROM range(5) t(i)";

class RequestGroupsTest : public RequestFilesTest {
 protected:
  std::optional<RequestReading> Group(const std::string& select, const RequestGrouping& grouping) {
    groups = {};
    spans = {};
    RequestReaderOptions options;
    options.files = {(folder_ / "log.parquet").string()};
    EXPECT_TRUE(WriteParquet(options.files[0], select)) << select;
    options.parquet = TestParquet();
    options.service = "chat";
    const auto append = [](auto& to, const auto& from) {
      for (std::size_t i = 0; i < RowsOf(from); ++i) AppendRow(to, from, i);
      return Ok();
    };
    return GroupRequests(options, grouping,
                         {[&](const RequestGroupBatch& more) { return append(groups, more); },
                          [&](const RequestSpanBatch& more) { return append(spans, more); }});
  }

  RequestGroupBatch groups;
  RequestSpanBatch spans;
};

RequestGrouping ByModel() {
  RequestGrouping grouping;
  grouping.model = true;
  grouping.length_edges = {0, 1, 128};
  grouping.output = true;
  grouping.slo.ttft_ns = 350'000'000;
  return grouping;
}

TEST_F(RequestGroupsTest, SumsAreByKeysStatusAndVerdict) {
  const auto grouped = Group(kRows, ByModel());
  ASSERT_TRUE(grouped);
  EXPECT_EQ(grouped->accepted, 5);
  std::map<std::tuple<std::string, std::string, std::int64_t>, std::int64_t> requests, input;
  for (std::size_t i = 0; i < RowsOf(groups); ++i) {
    EXPECT_EQ(groups.service[i], "chat");
    EXPECT_EQ(groups.tenant[i], "");  // not asked for
    EXPECT_EQ(groups.inside[i], 1);
    EXPECT_EQ(groups.input_bucket[i], 0);   // not asked for
    EXPECT_EQ(groups.output_bucket[i], 2);  // from 128 up
    const auto key = std::tuple(groups.model[i].text(), groups.status[i].text(), groups.verdict[i]);
    requests[key] += groups.requests[i];
    input[key] += groups.input[i];
    EXPECT_EQ(groups.tokens_unknown[i], groups.model[i] == "m-0" && groups.verdict[i] == 0 ? 1 : 0);
    EXPECT_EQ(groups.phases_unknown[i], groups.requests[i]);
  }
  const decltype(requests) expected{{{"m-0", "ok", 0}, 2},
                                    {{"m-0", "ok", 1}, 1},
                                    {{"m-1", "ok", 0}, 1},
                                    {{"m-1", "timeout", 0}, 1}};
  EXPECT_EQ(requests, expected);
  EXPECT_EQ((input[{"m-0", "ok", 0}]), 10);
  ASSERT_EQ(RowsOf(spans), 5U);
  EXPECT_EQ(spans.until_ns[0] - spans.begin_ns[0], 900'000'000);
  EXPECT_EQ(spans.service[4], "chat");
  EXPECT_EQ(spans.model[4], "");  // not asked for
}

TEST_F(RequestGroupsTest, EachServiceAndModelHasItsSlo) {
  RequestGrouping grouping = ByModel();
  grouping.slo_of = [](Symbol service, Symbol model) {
    EXPECT_EQ(service, "chat");
    Slo slo;
    slo.ttft_ns = model == "m-0" ? 100'000'000 : 300'000'000;
    return slo;
  };
  ASSERT_TRUE(Group(kRows, grouping));
  std::map<std::pair<std::string, std::int64_t>, std::int64_t> requests;
  for (std::size_t i = 0; i < RowsOf(groups); ++i) {
    requests[{groups.model[i].text(), groups.verdict[i]}] += groups.requests[i];
  }
  const decltype(requests) expected{{{"m-0", 0}, 1}, {{"m-0", 1}, 2}, {{"m-1", 0}, 2}};
  EXPECT_EQ(requests, expected);
}

TEST_F(RequestGroupsTest, ArrivalsOutsideTheWindowAreCountedAndHaveNoSpan) {
  RequestGrouping grouping = ByModel();
  grouping.window = Window{AtSeconds(1'764'547'201), AtSeconds(1'764'547'203)};
  ASSERT_TRUE(Group(kRows, grouping));
  std::int64_t inside = 0, outside = 0;
  for (std::size_t i = 0; i < RowsOf(groups); ++i) {
    (groups.inside[i] == 1 ? inside : outside) += groups.requests[i];
  }
  EXPECT_EQ(inside, 2);
  EXPECT_EQ(outside, 3);
  EXPECT_EQ(RowsOf(spans), 2U);
}

TEST_F(RequestGroupsTest, OtherFormatsAndDamageAreLeftToTheRows) {
  RequestReaderOptions options;
  options.parquet = TestParquet();
  const RequestGroupSink sink{[](const RequestGroupBatch&) { return Ok(); },
                              [](const RequestSpanBatch&) { return Ok(); }};
  options.files = {Write("log.csv", "arrival,ttft_ms\n1764547200,5\n")};
  EXPECT_FALSE(GroupRequests(options, ByModel(), sink));
  options.files = {Write("log.parquet", "PAR1 and no more")};
  EXPECT_FALSE(GroupRequests(options, ByModel(), sink));
  options.files = {"-"};
  EXPECT_FALSE(GroupRequests(options, ByModel(), sink));
  EXPECT_FALSE(Group(std::string(kRows) + " UNION ALL " + kRows, ByModel()));  // ids again
}

}  // namespace
}  // namespace plimsoll
