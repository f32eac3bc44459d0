#include "ingest/requests/request_import.h"

#include "ingest/requests/test_read.h"
#include "store/duckdb/duckdb_store.h"

namespace plimsoll {
namespace {

struct CountBatch {
  std::vector<std::int64_t> rows, output;
  static constexpr std::tuple kColumns{MakeColumn("rows", &CountBatch::rows),
                                       MakeColumn("output", &CountBatch::output)};
};

class RequestImportTest : public RequestFilesTest {
 protected:
  void SetUp() override {
    RequestFilesTest::SetUp();
    store_ = *OpenDuckDb({.path = ""});
  }
  ImportReport Load(const std::vector<std::string>& texts, const std::string& service = "chat") {
    RequestReaderOptions options;
    for (const std::string& text : texts) {
      options.files.push_back(Write("log" + std::to_string(files_++), text));
    }
    options.service = service;
    const Result<ImportReport> report = ImportRequests(*store_, options);
    EXPECT_TRUE(report) << report.error().message;
    return report ? *report : ImportReport();
  }
  std::pair<std::int64_t, std::int64_t> Stored() {
    const Result<CountBatch> count = Query<CountBatch>(
        *store_, "SELECT count(*), coalesce(sum(output_tokens), 0)::BIGINT FROM active_request");
    EXPECT_TRUE(count) << count.error().message;
    return {count->rows[0], count->output[0]};
  }

  std::unique_ptr<Store> store_;
  int files_ = 0;
};

std::string Row(const std::string& id, const std::string& time, int output) {
  return id + "," + time + ",llama," + std::to_string(output) + "\n";
}
const std::string kHeader = "request,arrival,model,output_tokens\n";
const std::string kFirst = "2025-12-01T10:00:00Z";
const std::string kSecond = "2025-12-02T10:00:00Z";

TEST_F(RequestImportTest, TheSameLogAgainChangesNothing) {
  const std::string log = kHeader + Row("a", kFirst, 1) + Row("b", kSecond, 2) +
                          Row("", kFirst, 4) + Row("", kFirst, 4) + Row("a", kFirst, 1);
  const ImportReport first = Load({log});
  EXPECT_EQ(first.accepted, 4);
  EXPECT_EQ(first.duplicates, 1);
  ASSERT_EQ(first.loads.size(), 2U);  // a service and two days
  EXPECT_EQ(Stored(), (std::pair<std::int64_t, std::int64_t>{4, 11}));
  const ImportReport again = Load({log});
  EXPECT_EQ(again.loads[0].outcome, "unchanged");
  EXPECT_EQ(again.loads[1].outcome, "unchanged");
  EXPECT_EQ(Stored(), (std::pair<std::int64_t, std::int64_t>{4, 11}));
}

TEST_F(RequestImportTest, LoadingInPartsAndAnyOrderGivesTheWhole) {
  const std::string rows[] = {Row("a", kFirst, 1), Row("", kFirst, 2), Row("c", kFirst, 4),
                              Row("", kFirst, 2)};
  Load({kHeader + rows[2] + rows[1] + rows[3]});
  Load({kHeader + rows[0]});
  Load({kHeader + rows[1] + rows[0]});
  EXPECT_EQ(Stored(), (std::pair<std::int64_t, std::int64_t>{4, 9}));
  const ImportReport whole = Load({kHeader + rows[0] + rows[1] + rows[2] + rows[3]});
  EXPECT_EQ(whole.loads[0].outcome, "unchanged");
}

TEST_F(RequestImportTest, TheNewestLoadSaysWhatARequestWas) {
  Load({kHeader + Row("a", kFirst, 1) + Row("b", kFirst, 10)});
  const ImportReport report = Load({kHeader + Row("a", kFirst, 5)});
  EXPECT_EQ(report.loads[0].outcome, "restated");
  EXPECT_EQ(Stored(), (std::pair<std::int64_t, std::int64_t>{2, 15}));
}

TEST_F(RequestImportTest, OneIdInTwoServicesIsTwoRequests) {
  Load({kHeader + Row("a", kFirst, 1)}, "chat");
  Load({kHeader + Row("a", kFirst, 1)}, "gateway");
  EXPECT_EQ(Stored().first, 2);
}

TEST_F(RequestImportTest, RefusedRowsAreInTheQuarantineAndTextIsUtf8) {
  const ImportReport report = Load({kHeader + Row("a\xFF", kFirst, 1) + Row("b", "nonsense", 1)});
  EXPECT_EQ(report.accepted, 1);
  EXPECT_EQ(report.rejected, 1);
  ASSERT_EQ(report.first_rejections.size(), 1U);
  EXPECT_EQ(report.first_rejections[0].field, "arrival");
  const Result<CountBatch> kept =
      Query<CountBatch>(*store_, "SELECT count(*), 0::BIGINT FROM rejection WHERE line = 3");
  ASSERT_TRUE(kept) << kept.error().message;
  EXPECT_EQ(kept->rows[0], 1);
}

TEST_F(RequestImportTest, AClockWithoutADateIsAnErrorAndChangesNothing) {
  RequestReaderOptions options;
  options.files = {Write("log", "request,arrival\na," + kFirst + "\nb,27536.66\n")};
  const Result<ImportReport> report = ImportRequests(*store_, options);
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, ErrorCode::kBadData);
  EXPECT_EQ(Stored().first, 0);
}

}  // namespace
}  // namespace plimsoll
