#include "ingest/requests/request_row.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

using F = RequestField;

// Status that several signs make together; "refused: FIELD" if they cannot be read.
std::string StatusOf(const std::vector<std::pair<RequestField, std::string>>& signs) {
  RequestDraft draft;
  RequestRows rows;
  draft.Begin();
  draft.SetNs(F::kArrival, 0);
  for (const auto& [field, text] : signs) draft.Set({"x", field}, text);
  if (!draft.Finish(rows)) return "refused: " + draft.problem_field();
  return rows.batch.status[0].text();
}

TEST(RequestDraftTest, TheWorstSignOfAnOutcomeCounts) {
  EXPECT_EQ(StatusOf({}), "ok");
  EXPECT_EQ(StatusOf({{F::kStatus, "Success"}}), "ok");
  EXPECT_EQ(StatusOf({{F::kStatus, "504"}}), "timeout");
  EXPECT_EQ(StatusOf({{F::kHttpCode, "200"}, {F::kError, "connection reset"}}), "error");
  EXPECT_EQ(StatusOf({{F::kHttpCode, "429"}, {F::kStatus, "ok"}}), "error");
  EXPECT_EQ(StatusOf({{F::kHttpCode, "499"}, {F::kError, "x"}}), "cancelled");
  EXPECT_EQ(StatusOf({{F::kError, "Request timed out."}}), "timeout");
  EXPECT_EQ(StatusOf({{F::kStatus, "failure"}, {F::kError, "ReadTimeout"}}), "timeout");
  EXPECT_EQ(StatusOf({{F::kSuccess, "false"}}), "error");
  EXPECT_EQ(StatusOf({{F::kCancelled, "true"}}), "cancelled");
  EXPECT_EQ(StatusOf({{F::kCancelled, "false"}}), "ok");
  EXPECT_EQ(StatusOf({{F::kStatus, "maybe"}}), "refused: x");
  EXPECT_EQ(StatusOf({{F::kSuccess, "7"}}), "refused: x");
}

TEST(RequestDraftTest, TheFirstValueOfAFieldStays) {
  RequestDraft draft;
  RequestRows rows;
  draft.Begin();
  draft.Set({"a", F::kArrival}, "10");
  draft.Set({"b", F::kArrival}, "20");
  draft.Set({"m", F::kModel}, "");
  draft.Set({"n", F::kModel}, "llama");
  ASSERT_TRUE(draft.Finish(rows));
  EXPECT_EQ(rows.batch.arrival[0], AtSeconds(10));
  EXPECT_EQ(rows.batch.model[0], "llama");
}

TEST(RequestDraftTest, TimesBeforeTheArrivalAreAClockThatWasSet) {
  for (const F field : {F::kFirstToken, F::kEnd}) {
    RequestDraft draft;
    RequestRows rows;
    draft.Begin();
    draft.Set({"a", F::kArrival}, "10");
    draft.Set({"b", field}, "9");
    EXPECT_FALSE(draft.Finish(rows));
    EXPECT_TRUE(rows.rest_ns.empty());
    EXPECT_NE(draft.problem().find("before its arrival"), std::string::npos);
  }
}

TEST(RequestDraftTest, ADraftBeginsEmpty) {
  RequestDraft draft;
  RequestRows rows;
  draft.Begin();
  draft.Set({"a", F::kArrival}, "x");
  EXPECT_FALSE(draft.Finish(rows));
  draft.Begin();
  draft.SetNs(F::kArrival, -1);
  ASSERT_TRUE(draft.Finish(rows));
  EXPECT_EQ(rows.batch.arrival[0], AtMillis(-1));
  EXPECT_EQ(rows.rest_ns[0], 999'999);
}

}  // namespace
}  // namespace plimsoll
