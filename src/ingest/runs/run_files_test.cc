#include "ingest/runs/run_files.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "ingest/runs/run_facts.h"
#include "ingest/runs/run_steps.h"
#include "ingest/runs/test_runs.h"
#include "model/row_hash.h"

namespace plimsoll {
namespace {

using Texts = std::vector<std::string>;

constexpr const char* kLog =
    R"({"format":"plimsoll-run/1","kind":"start","run":"x","at":"2026-11-30T20:00:00Z"}
{"kind":"step","run":"x","at":"2026-11-30T20:00:01Z","seq":1,"step":1,"samples":8}
{"kind":"step","run":"x","at":"2026-11-30T20:00:02Z","seq":2,"step":2,"samples":8}
{"kind":"stop","run":"x","at":"2026-11-30T20:00:03Z","seq":3}
)";
constexpr const char* kMeta =
    "end_time: null\nexperiment_id: '1'\nlifecycle_stage: active\nrun_id: m\nrun_name: owl\n"
    "start_time: 1796068800000\nstatus: 1\n";
constexpr const char* kState = R"({"log_history": [{"step": 1, "loss": 2}], "global_step": 1})";

RunReading Read(const RunFileOptions& options) {
  Result<RunReading> reading = ReadRunFiles(options);
  EXPECT_TRUE(reading.has_value()) << reading.error().message;
  return reading ? *std::move(reading) : RunReading{};
}

std::string HashOf(const RunReading& reading) {
  return HashOfRows(reading.runs).ToHex() + HashOfRows(reading.events).ToHex();
}

TEST(RunFilesTest, AFolderIsReadThroughAndEachFileTakenForWhatItIs) {
  const TestFolder folder("through");
  folder.Write("logs/anything", kLog);
  folder.Write("mlruns/1/m/meta.yaml", kMeta);
  folder.Write("mlruns/1/m/metrics/loss", "1796068801000 2 1\n");
  folder.Write("mlruns/1/m/artifacts/trainer_state.json", kState);
  folder.Write("tb/a/events.out.tfevents.1",
               TfHeader(1796068800) + TfSimple(1796068801, 1, "loss", 1));
  folder.Write("hf/checkpoint-1/trainer_state.json", kState);
  folder.Write("hf/trainer_state.json", kState);
  folder.Write("pl/version_0/metrics.csv", "epoch,step,loss\n0,1,2\n");
  folder.Write("pl/version_0/hparams.yaml", "lr: 0.1\n");
  folder.Write("other/data.csv", "step,a\n1,2\n");
  folder.Write("other/train.tfrecord", Record("an example"));
  folder.Write("other/config.json", "{\"model_type\": \"llama\"}");
  folder.Write("other/empty", "");
  const RunReading reading = Read({.paths = {folder.Path()}});
  Texts runs;
  for (std::size_t row = 0; row < RowsOf(reading.runs); ++row) {
    runs.push_back(reading.runs.source[row] + " " + reading.runs.run[row]);
  }
  EXPECT_EQ(runs,
            (Texts{"lightning " + folder.Path("pl/version_0"), "log x", "mlflow m",
                   "tensorboard " + folder.Path("tb/a"), "trainer-state " + folder.Path("hf")}));
  EXPECT_TRUE(reading.rejections.empty());
  EXPECT_EQ(reading.ignored, (Texts{"1 empty files", "4 files that are no training log"}));
  EXPECT_EQ(reading.duplicates, 2);  // the state's copy in its checkpoint
}

TEST(RunFilesTest, OrderRepetitionAndSplittingChangeNothing) {
  const TestFolder folder("parts");
  const std::string log = kLog;
  const std::string whole = folder.Write("whole", log);
  const std::string expected = HashOf(Read({.paths = {whole}}));
  EXPECT_EQ(HashOf(Read({.paths = {whole, whole}})), expected);
  for (std::size_t cut = log.find('\n') + 1; cut < log.size(); cut = log.find('\n', cut) + 1) {
    const std::string first = folder.Write("first", log.substr(0, cut));
    const std::string rest = folder.Write("rest", log.substr(cut));
    EXPECT_EQ(HashOf(Read({.paths = {rest, first}})), expected) << cut;
  }
}

TEST(RunFilesTest, OptionsFillWhatASourceDoesNotSay) {
  const TestFolder folder("fill");
  folder.Write("a.jsonl", kLog);
  folder.Write("b.jsonl",
               R"({"kind":"start","run":"y","at":1,"gpus":4,"experiment":"own","model":"own",)"
               R"("cluster":"own"})");
  const RunReading reading =
      Read({.paths = {folder.Path()}, .experiment = "z", .model = "z", .cluster = "z", .gpus = 8});
  EXPECT_EQ(reading.runs.experiment, (Texts{"z", "own"}));
  EXPECT_EQ(reading.runs.model, (Texts{"z", "own"}));
  EXPECT_EQ(reading.runs.cluster, (std::vector<Symbol>{"z", "own"}));
  EXPECT_EQ(EventTexts(reading.events).front(), "x#0 2026-11-30T20:00:00Z start 8g");
  EXPECT_EQ(EventTexts(reading.events).back(), "y#0 1970-01-01T00:00:01Z start 4g");
}

TEST(RunFilesTest, StepsOfTrackersCountWhatTheOptionsSay) {
  const TestFolder folder("steps");
  folder.Write("events", TfHeader(1796068800) + TfSimple(1796068801, 10, "loss", 1) +
                             TfSimple(1796068802, 20, "loss", 1));
  const RunReading reading = Read({.paths = {folder.Path("events")},
                                   .run = "mine",
                                   .samples_per_step = 2,
                                   .tokens_per_step = 3});
  EXPECT_EQ(EventTexts(reading.events), (Texts{"mine#0 2026-11-30T20:00:00Z start",
                                               "mine#0 2026-11-30T20:00:01Z step 10 20s 30t",
                                               "mine#0 2026-11-30T20:00:01Z metric 10 loss=1",
                                               "mine#0 2026-11-30T20:00:02Z step 20 20s 30t",
                                               "mine#0 2026-11-30T20:00:02Z metric 20 loss=1"}));
}

TEST(RunFilesTest, AttemptsOfTensorboardAreItsFiles) {
  const TestFolder folder("attempts");
  folder.Write("r/events.1", TfHeader(1796068800) + TfSimple(1796068801, 10, "loss", 1));
  folder.Write("r/events.2", TfHeader(1796068900) + TfSimple(1796068901, 8, "loss", 1));
  folder.Write("r/validation/events.3", TfHeader(1796068850) + TfSimple(1796068851, 10, "loss", 1));
  const RunReading reading = Read({.paths = {folder.Path()}, .run = "r"});
  EXPECT_EQ(EventTexts(reading.events),
            (Texts{"r#0 2026-11-30T20:00:00Z start", "r#0 2026-11-30T20:00:01Z step 10",
                   "r#0 2026-11-30T20:00:01Z metric 10 loss=1",
                   "r#0 2026-11-30T20:00:51Z metric 10 validation/loss=1",
                   "r#1 2026-11-30T20:01:40Z start", "r#1 2026-11-30T20:01:41Z step 8",
                   "r#1 2026-11-30T20:01:41Z metric 8 loss=1"}));
}

TEST(RunFilesTest, ANameForOneRunFitsNoTwo) {
  const TestFolder folder("named");
  folder.Write("a/trainer_state.json", kState);
  EXPECT_EQ(Read({.paths = {folder.Path()}, .run = "mine"}).runs.run, Texts{"mine"});
  folder.Write("b/trainer_state.json", kState);
  const Result<RunReading> two = ReadRunFiles({.paths = {folder.Path()}, .run = "mine"});
  ASSERT_FALSE(two.has_value());
  EXPECT_EQ(two.error().code, ErrorCode::kInvalidArgument);
  const std::string log = folder.Write("x.jsonl", kLog);
  const Result<RunReading> other = ReadRunFiles({.paths = {log}, .run = "mine"});
  ASSERT_FALSE(other.has_value());
  EXPECT_NE(other.error().message.find("'x'"), std::string::npos);
  EXPECT_TRUE(ReadRunFiles({.paths = {log}, .run = "x"}).has_value());
}

TEST(RunFilesTest, ABeginGivesTimesToSourcesWithoutThem) {
  const TestFolder folder("began");
  folder.Write("trainer_state.json", kState);
  RunFileOptions options{.paths = {folder.Path()}, .run = "r"};
  EXPECT_EQ(RunLabelsOf(Read(options).runs.labels[0]).at(kRunTimesLabel), kRunTimesNone);
  options.began = AtSeconds(1'796'068'800);
  const RunReading reading = Read(options);
  EXPECT_FALSE(RunLabelsOf(reading.runs.labels[0]).contains(kRunTimesLabel));
  EXPECT_EQ(EventTexts(reading.events).front(), "r#0 2026-11-30T20:00:00Z start");
}

TEST(RunFilesTest, ANamedFileOfNoKnownKindIsAnErrorAndInAFolderANote) {
  const TestFolder folder("unknown");
  const std::string path = folder.Write("notes.txt", "hello\n");
  const Result<RunReading> named = ReadRunFiles({.paths = {path}});
  ASSERT_FALSE(named.has_value());
  EXPECT_EQ(named.error().code, ErrorCode::kBadData);
  EXPECT_NE(named.error().message.find("notes.txt: is no training log"), std::string::npos);
  EXPECT_EQ(Read({.paths = {folder.Path()}}).ignored, Texts{"1 files that are no training log"});
  const Result<RunReading> missing = ReadRunFiles({.paths = {folder.Path("missing")}});
  ASSERT_FALSE(missing.has_value());
  EXPECT_EQ(missing.error().code, ErrorCode::kNotFound);
  const std::string newer = folder.Write("new", R"({"format":"plimsoll-run/2","kind":"start"})");
  EXPECT_EQ(ReadRunFiles({.paths = {newer}}).error().code, ErrorCode::kBadData);
  EXPECT_EQ(Read({.paths = {folder.Path()}}).warnings.size(), 1U);
}

TEST(RunFilesTest, ANamedMetaYamlIsItsRunAndACsvNeedsNoEpoch) {
  const TestFolder folder("meta");
  EXPECT_EQ(Read({.paths = {folder.Write("1/m/meta.yaml", kMeta)}}).runs.run, Texts{"m"});
  EXPECT_EQ(Read({.paths = {folder.Write("c.csv", "step,loss\n1,2\n")}, .run = "c"}).runs.run,
            Texts{"c"});
  EXPECT_EQ(ReadRunFiles({.paths = {folder.Write("1/meta.yaml", "experiment_id: '1'\nname: x\n")}})
                .error()
                .code,
            ErrorCode::kBadData);
}

TEST(RunFilesTest, OneFolderWithTwoTrackersIsWarnedAbout) {
  const TestFolder folder("twins");
  folder.Write("out/trainer_state.json", kState);
  folder.Write("out/runs/nov30/events", TfHeader(1796068800));
  folder.Write("output/runs/events", TfHeader(1796068800));
  EXPECT_EQ(Read({.paths = {folder.Path()}}).warnings.size(), 1U);
}

TEST(RunFilesTest, LinksToFoldersAreNotFollowed) {
  const TestFolder folder("links");
  folder.Write("a/x.jsonl", kLog);
  std::filesystem::create_directory_symlink(folder.Path(), folder.Path("a/loop"));
  EXPECT_EQ(Read({.paths = {folder.Path()}}).duplicates, 0);
}

TEST(RunFilesTest, TheReportSaysWhatWasReadAndRefused) {
  const TestFolder folder("report");
  const std::string path = folder.Write("x.jsonl", std::string(kLog) + kLog + "broken\n");
  const ImportReport report = RunReportOf(Read({.paths = {path}}));
  EXPECT_EQ(report.kind, "runs");
  EXPECT_EQ(report.accepted, 4);
  EXPECT_EQ(report.duplicates, 4);
  EXPECT_EQ(report.rejected, 1);
  ASSERT_EQ(report.first_rejections.size(), 1U);
  EXPECT_EQ(report.first_rejections[0].line, 9);
}

}  // namespace
}  // namespace plimsoll
