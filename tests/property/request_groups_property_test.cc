// Requests of a Parquet file give the same sums added up by the engine as read row by row.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <random>
#include <string>

#include "cli/fold_requests.h"
#include "config/slo_config.h"
#include "ingest/requests/request_groups.h"
#include "ingest/requests/request_pipe.h"
#include "ingest/requests/test_parquet.h"

namespace plimsoll {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kSeed = 20'261'201;
constexpr std::uint64_t kRounds = 60;

// One draw of a file and of a question.
class RandomLog {
 public:
  explicit RandomLog(std::uint64_t seed) : random_(seed) {}

  bool Chance(int percent) { return Between(1, 100) <= percent; }
  int Between(int least, int most) {
    return std::uniform_int_distribution<int>(least, most)(random_);
  }
  // A number in [least, most] by row, null in `null_percent` of them.
  std::string Number(int least, int most, int null_percent) {
    const std::string hash =
        "(hash(i * 1000003 + " + std::to_string(Between(0, 1'000'000)) + ") >> 8)";
    return "CASE WHEN " + hash + " % 100 < " + std::to_string(null_percent) + " THEN NULL ELSE (" +
           hash + " // 100 % " + std::to_string(most - least + 1) + ")::BIGINT + " +
           std::to_string(least) + " END";
  }
  std::string Word(const std::string& list, int count, int null_percent) {
    return "[" + list + "][" + Number(1, count, null_percent) + "]";
  }
  // A file's SELECT, every row of it sound.
  std::string Select(int rows);

 private:
  std::mt19937_64 random_;
};

std::string RandomLog::Select(int rows) {
  std::string columns =
      "make_timestamp(1764547200000000 + " + Number(0, 40'000'000, 0) + ") AS arrival";
  const auto add = [&](int percent, const std::string& sql, const char* name) {
    if (Chance(percent)) columns += ", " + sql + " AS " + name;
  };
  add(60, Word("'chat', 'search', ''", 3, 10), "service");
  add(80, Word("'m-1', 'm-2', 'm''3'", 3, 10), "model");
  add(50, Word("'v1', 'v2'", 2, 20), "version");
  add(50, Word("'fp8', 'bf16'", 2, 40), "quantization");
  add(50, Word("'a', 'b', 'c'", 3, 10), "tenant");
  add(50, Word("'batch', 'online'", 2, 30), "priority");
  add(70, Word("'ok', 'error', 'timeout', 'cancelled', 'success'", 5, 20), "status");
  add(30, Word("'', 'it broke', 'request timed out'", 3, 60), "error");
  // Round values meet limits exactly, time and again.
  const std::string ttft = Number(1, 30, 15) + " * 100";
  add(80, ttft, "ttft_ms");
  add(80, "coalesce(" + ttft + ", 0) + " + Number(0, 90, 10) + " * 100", "e2e_ms");
  add(30, Number(0, 30, 30), "tpot_ms");
  add(30, Number(0, 900, 30), "prefill_ms");
  add(30, Number(0, 900, 30), "decode_ms");
  add(80, Number(600, 9'000, 10), "input_tokens");
  add(60, Number(0, 500, 40), "cached_tokens");
  add(80, "(" + Number(0, 4, 10) + ") * 100 + 1", "output_tokens");
  add(40, Number(0, 1, 40), "reasoning_tokens");
  if (Chance(60)) columns += ", 'r' || i AS request";
  return "SELECT " + columns + " FROM range(" + std::to_string(rows) + ") t(i)";
}

InferenceFoldOptions RandomQuestion(RandomLog& random) {
  InferenceFoldOptions options;
  const auto slo = [&] {
    std::string text;
    if (random.Chance(60)) text += ",ttft=" + std::to_string(random.Between(5, 30)) + "00ms";
    if (random.Chance(60)) text += ",tpot=" + std::to_string(random.Between(1, 20)) + "ms";
    if (random.Chance(60)) text += ",e2e=" + std::to_string(random.Between(20, 120)) + "00ms";
    return text.empty() ? Slo{} : *ParseSlo(text.substr(1));
  };
  options.fallback.slo = slo();
  if (random.Chance(50)) {
    ServiceDeclaration chat;
    chat.name = "chat";
    chat.match_services = {"ch*"};
    if (random.Chance(50)) chat.match_models = {"m-1", "*3"};
    chat.quantization = "int4";
    chat.slo = slo();
    options.services.push_back(chat);
  }
  for (const RequestKey key :
       {RequestKey::kModel, RequestKey::kVersion, RequestKey::kQuantization, RequestKey::kTenant,
        RequestKey::kPriority, RequestKey::kInput, RequestKey::kOutput, RequestKey::kCache,
        RequestKey::kOutcome, RequestKey::kService}) {
    if (random.Chance(35)) options.by.push_back(key);
  }
  if (random.Chance(30)) {
    const Instant begin = AtSeconds(1'764'547'200 + random.Between(0, 20));
    options.window = Window{begin, begin + Seconds(random.Between(1, 30))};
  }
  return options;
}

FoldedRequests RowByRow(const RequestReaderOptions& reader, const InferenceFoldOptions& options) {
  InferenceFold fold(options);
  const auto reading =
      ReadRequests(reader, [&](RequestRows& rows) { return fold.Add(rows.batch, rows.rest_ns); });
  EXPECT_TRUE(reading) << reading.error().message;
  return fold.Finish();
}

std::string TextOf(const FoldedRequests& folded) {
  std::string text;
  for (const FoldedService& s : folded.services) {
    text += s.declared.name;
    for (const std::int64_t n :
         {s.requests, s.outside, s.duplicates, s.undated, s.begin_ns, s.until_ns, s.busy_ns}) {
      text += " " + std::to_string(n);
    }
    text += "\n";
  }
  for (const RequestGroup& g : folded.groups) {
    text += std::to_string(g.service) + "/" + kOutcomeNames[static_cast<std::size_t>(g.outcome)];
    for (const std::string& key : g.keys) text += "/" + key;
    for (const std::int64_t n : {g.sums.requests, g.sums.input, g.sums.cached, g.sums.output,
                                 g.sums.reasoning, g.sums.tokens_unknown, g.sums.phases_unknown,
                                 static_cast<std::int64_t>(g.sums.prefill_ns),
                                 static_cast<std::int64_t>(g.sums.decode_ns)}) {
      text += " " + std::to_string(n);
    }
    text += "\n";
  }
  return text;
}

class RequestGroupsTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("plimsoll-groups-" + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  RequestReaderOptions Write(const std::vector<std::string>& selects) const {
    RequestReaderOptions reader;
    for (std::size_t i = 0; i < selects.size(); ++i) {
      reader.files.push_back((folder_ / (std::to_string(i) + ".parquet")).string());
      EXPECT_TRUE(WriteParquet(reader.files.back(), selects[i])) << selects[i];
    }
    reader.parquet = TestParquet();
    return reader;
  }

  fs::path folder_;
};

// True if the engine added them up.
bool Groups(const RequestReaderOptions& reader, const InferenceFoldOptions& options,
            FoldedRequests& folded) {
  InferenceFold fold(options);
  const auto grouping = fold.Grouping();
  if (!grouping) return false;
  const auto reading =
      GroupRequests(reader, *grouping,
                    {[&](const RequestGroupBatch& groups) { return fold.AddGroups(groups); },
                     [&](const RequestSpanBatch& spans) { return fold.AddSpans(spans); }});
  if (reading) folded = fold.Finish();
  return reading.has_value();
}

TEST_F(RequestGroupsTest, SoundFilesGiveTheSumsOfTheirRows) {
  for (std::uint64_t round = 0; round < kRounds; ++round) {
    RandomLog random(kSeed + round);
    std::vector<std::string> selects;
    const int files = random.Chance(20) ? 2 : 1;
    for (int i = 0; i < files; ++i) selects.push_back(random.Select(random.Between(0, 400)));
    RequestReaderOptions reader = Write(selects);
    if (random.Chance(30)) reader.service = "chat";
    const InferenceFoldOptions options = RandomQuestion(random);
    FoldedRequests grouped;
    const bool has_doubled_ids = files == 2;  // ids may come twice
    const bool answered = Groups(reader, options, grouped);
    ASSERT_TRUE(answered || has_doubled_ids) << "seed " << kSeed + round << "\n" << selects[0];
    if (!answered) continue;
    ASSERT_EQ(TextOf(grouped), TextOf(RowByRow(reader, options)))
        << "seed " << kSeed + round << "\n"
        << selects[0];
  }
}

TEST_F(RequestGroupsTest, WhatIsNotSoundIsReadRowByRow) {
  const std::string sound =
      "make_timestamp(1764547200000000 + i) AS arrival, 100 AS ttft_ms, 900 AS e2e_ms, 10 AS "
      "input_tokens, 20 AS output_tokens";
  const std::string from = " FROM range(9) t(i)";
  FoldedRequests folded;
  ASSERT_TRUE(Groups(Write({"SELECT " + sound + from}), {}, folded));
  EXPECT_EQ(folded.services.front().requests, 9);
  const char* const faults[] = {
      ", CASE WHEN i = 4 THEN -1 ELSE 3 END AS prefill_ms",
      ", CASE WHEN i = 4 THEN 11 ELSE 3 END AS cached_tokens",
      ", CASE WHEN i = 4 THEN 21 ELSE 3 END AS reasoning_tokens",
      ", CASE WHEN i = 4 THEN 'perhaps' ELSE 'ok' END AS status",
      ", 'r' || (i % 8) AS request",
      ", CASE WHEN i = 4 THEN 9e30 ELSE 1 END AS decode_ms",
  };
  for (const char* fault : faults) {
    const RequestReaderOptions reader = Write({"SELECT " + sound + fault + from});
    EXPECT_FALSE(Groups(reader, {}, folded)) << fault;
    ASSERT_TRUE(FoldRequests(reader, {}, folded)) << fault;
    EXPECT_EQ(folded.services.front().requests, 8) << fault;
  }
}

}  // namespace
}  // namespace plimsoll
