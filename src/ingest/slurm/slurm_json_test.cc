// One list of jobs, written as text, as old JSON and as new JSON, gives the same facts.
#include "ingest/slurm/slurm_json.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "ingest/fleet_merge.h"

namespace plimsoll {
namespace {

using nlohmann::json;

struct Outcome {
  SlurmReading reading;
  std::string error;
};

Outcome Read(const std::string& text) {
  Outcome outcome;
  std::istringstream in(text);
  const auto clock = SlurmClock::Open("");
  const Status status = ReadSlurmText(in, *clock, {.file = "f", .cluster = ""}, outcome.reading);
  if (!status) outcome.error = status.error().message;
  ApplyStepUse(outcome.reading.jobs);
  return outcome;
}

struct Job {
  std::int64_t id = 0, array = 0, het = 0, offset = 0, submit = 0, start = 0, elapsed = 0;
  std::int64_t gpus = 0, requested_gpus = 0, nodes = 1;
  std::int64_t end = 0;  // 0 while it runs
  std::int64_t suspended = 0;
  std::optional<std::int64_t> task = {};  // of an array
  std::string waiting_tasks = "";         // "3-9", of an array that waits
  std::string state = "", flag = "", type = "", node_list = "", name = "";
  std::string comment = "", admin = "", reservation = "";
  std::optional<std::int64_t> gpu_util = {};  // of its one step
};

constexpr std::int64_t kBase = 1'767'600'000;  // 2026-01-05T08:00:00Z

// A job that held `gpus` on `node_list` from `start` seconds after kBase.
Job Ran(std::int64_t id, const std::string& state, std::int64_t start, std::int64_t gpus,
        const std::string& node_list) {
  Job job;
  job.id = id;
  job.submit = kBase;
  job.start = kBase + start;
  job.elapsed = 3'600;
  job.end = job.start + job.elapsed;
  job.gpus = job.requested_gpus = gpus;
  job.state = state;
  job.node_list = node_list;
  job.name = "job" + std::to_string(id);
  return job;
}

Job Waits(std::int64_t id, std::int64_t gpus, std::int64_t nodes) {
  Job job = Ran(id, "PENDING", 0, 0, "None assigned");
  job.start = job.end = job.elapsed = 0;
  job.requested_gpus = gpus;
  job.nodes = nodes;
  return job;
}

std::vector<Job> Jobs() {
  Job typed = Ran(1, "COMPLETED", 600, 16, "g[01-02]");
  typed.nodes = 2;
  typed.type = "h100";
  typed.comment = "team=nlp";
  typed.gpu_util = 97;
  Job cancelled = Ran(2, "CANCELLED", 30, 1, "g03");
  cancelled.admin = "JS1:None";
  cancelled.reservation = "r1";
  Job running = Ran(3, "RUNNING", 60, 3, "g04");
  running.type = "a100";
  running.end = 0;
  Job task = Ran(6, "NODE_FAIL", 1, 1, "g07");
  task.array = 5;
  task.task = 1;
  task.flag = "REQUEUED";
  Job rest_of_array = Waits(5, 1, 1);
  rest_of_array.array = 5;
  rest_of_array.waiting_tasks = "3-9";
  Job het_first = Ran(10, "COMPLETED", 1, 4, "g08");
  Job het_second = Ran(11, "COMPLETED", 1, 0, "c01");
  het_first.het = het_second.het = 10;
  het_second.offset = 1;
  const Job preempted = Ran(12, "PREEMPTED", 1, 8, "g05");
  Job again = Ran(12, "COMPLETED", 9'000, 8, "g06");
  again.end += 30;  // a clock change: not Start + Elapsed
  Job suspended = Ran(14, "COMPLETED", 5, 2, "g09");
  suspended.elapsed -= 60;
  suspended.suspended = 60;
  Job never_began = Waits(13, 8, 1);
  never_began.state = "CANCELLED";
  never_began.end = kBase + 9;
  return {typed,     cancelled,  running,   task,  rest_of_array, Waits(4, 64, 8),
          het_first, het_second, preempted, again, never_began,   suspended};
}

std::string IdOf(const Job& job) {
  if (!job.waiting_tasks.empty()) return std::to_string(job.array) + "_[" + job.waiting_tasks + "]";
  if (job.task) return std::to_string(job.array) + "_" + std::to_string(*job.task);
  if (job.het != 0) return std::to_string(job.het) + "+" + std::to_string(job.offset);
  return std::to_string(job.id);
}

std::string TresText(std::int64_t gpus, const std::string& type, std::int64_t nodes) {
  std::string text = "billing=8,cpu=8";
  if (!type.empty()) text += ",gres/gpu:" + type + "=" + std::to_string(gpus);
  if (gpus > 0) text += ",gres/gpu=" + std::to_string(gpus);
  return text + ",mem=64G,node=" + std::to_string(nodes);
}

std::string Row(const std::vector<std::string>& fields) {
  std::string row;
  for (const std::string& field : fields) row += (row.empty() ? "" : "|") + field;
  return row + "\n";
}

std::string TimeText(std::int64_t at) { return at == 0 ? "Unknown" : std::to_string(at); }

constexpr const char* kColumns[] = {
    "JobID",     "Cluster",  "Partition", "QOS",          "Account",     "User",   "Submit",
    "Start",     "End",      "Elapsed",   "Suspended",    "State",       "ReqMem", "ReqTRES",
    "AllocTRES", "NodeList", "Comment",   "AdminComment", "Reservation", "NTasks", "TRESUsageInAve",
    "JobName"};

std::string Text() {
  std::string text = Row({std::begin(kColumns), std::end(kColumns)});
  for (const Job& job : Jobs()) {
    const std::string allocated = job.start == 0 ? "" : TresText(job.gpus, job.type, job.nodes);
    const std::string start = TimeText(job.start);
    const std::string end = TimeText(job.end);
    const std::string elapsed = std::to_string(job.elapsed);
    const std::string suspended = std::to_string(job.suspended);
    const std::string requested = TresText(job.requested_gpus, "", job.nodes);
    text += Row({IdOf(job),
                 "hpc",
                 "gpu",
                 "normal",
                 "nlp",
                 "alice",
                 TimeText(job.submit),
                 start,
                 end,
                 elapsed,
                 suspended,
                 job.state,
                 "64G",
                 requested,
                 allocated,
                 job.node_list,
                 job.comment,
                 job.admin,
                 job.reservation,
                 "",
                 "",
                 job.name});
    if (!job.gpu_util) continue;
    const std::string usage = "cpu=00:10:00,gres/gpuutil=" + std::to_string(*job.gpu_util);
    text += Row({IdOf(job) + ".0",
                 "hpc",
                 "",
                 "",
                 "nlp",
                 "",
                 start,
                 start,
                 end,
                 elapsed,
                 "0",
                 job.state,
                 "",
                 "",
                 allocated,
                 job.node_list,
                 "",
                 "",
                 "",
                 "1",
                 usage,
                 "step"});
  }
  return text;
}

json TresJson(std::int64_t gpus, const std::string& type, std::int64_t nodes) {
  const auto one = [](const std::string& kind, const std::string& name, std::int64_t count) {
    return json{{"type", kind}, {"name", name}, {"count", count}};
  };
  json list = {one("billing", "", 8), one("cpu", "", 8), one("mem", "", 65'536),
               one("node", "", nodes)};
  list.push_back({{"type", "energy"}, {"name", ""}, {"count", 18446744073709551614U}});
  if (gpus > 0) list.push_back(one("gres", "gpu", gpus));
  if (!type.empty()) list.push_back(one("gres", "gpu:" + type, gpus));
  return list;
}

// Slurm 21.08's plain numbers and states, or the wrapped ones.
class Writer {
 public:
  explicit Writer(bool wrapped) : wrapped_(wrapped) {}

  std::string Write() const {
    json jobs = json::array();
    for (const Job& job : Jobs()) jobs.push_back(JobJson(job));
    return json{
        {"meta", {{"slurm", {{"release", "0"}}}}}, {"jobs", jobs}, {"errors", json::array()}}
        .dump(1);
  }

 private:
  json Number(std::optional<std::int64_t> number) const {
    if (!wrapped_) return number ? json(*number) : json(nullptr);
    return {{"set", number.has_value()}, {"infinite", false}, {"number", number.value_or(0)}};
  }
  json State(const Job& job) const {
    if (!wrapped_) return job.state;
    json list = {job.state};
    if (!job.flag.empty()) list.push_back(job.flag);
    return list;
  }
  json JobJson(const Job& job) const {
    json out = {{"job_id", job.id},
                {"cluster", "hpc"},
                {"partition", "gpu"},
                {"qos", "normal"},
                {"account", "nlp"},
                {"user", "alice"},
                {"name", job.name},
                {"nodes", job.node_list},
                {"wckey", {{"wckey", ""}}},
                {"required", {{"CPUs", 8}}},
                {"state", {{"current", State(job)}, {"reason", "None"}}}};
    out["time"] = {{"submission", job.submit},
                   {"start", job.start},
                   {"end", job.end},
                   {"elapsed", job.elapsed},
                   {"suspended", job.suspended}};
    out["comment"] = {{"job", job.comment}, {"administrator", job.admin}};
    out["reservation"] = {
        {"name", wrapped_ || !job.reservation.empty() ? json(job.reservation) : json(0)}};
    out["array"] = {{"job_id", job.array},
                    {"task_id", Number(job.task)},
                    {"task", job.waiting_tasks.empty() ? "" : "0x3f8"}};
    out["het"] = {{"job_id", job.het},
                  {"job_offset", Number(job.het == 0 ? std::nullopt : std::optional(job.offset))}};
    out["tres"] = {
        {"allocated", job.start == 0 ? json::array() : TresJson(job.gpus, job.type, job.nodes)},
        {"requested", TresJson(job.requested_gpus, "", job.nodes)}};
    out["steps"] = json::array();
    if (job.gpu_util) out["steps"].push_back(StepJson(job));
    return out;
  }
  json StepJson(const Job& job) const {
    const json average = {{{"type", "gres"}, {"name", "gpuutil"}, {"count", *job.gpu_util}}};
    return {{"step", {{"id", wrapped_ ? std::to_string(job.id) + ".0" : "0"}}},
            {"time", {{"start", Number(job.start)}, {"elapsed", job.elapsed}}},
            {"tasks", {{"count", 1}}},
            {"tres",
             {{"allocated", TresJson(job.gpus, job.type, job.nodes)},
              {"requested", {{"average", average}}}}}};
  }

  bool wrapped_;
};

std::string Cell(const std::string& text) { return text; }
std::string Cell(Symbol text) { return text.text(); }
std::string Cell(std::int64_t number) { return std::to_string(number); }
std::string Cell(Instant time) { return ToString(time); }
template <class T>
std::string Cell(const std::optional<T>& value) {
  return value ? Cell(*value) : "null";
}

// Every field of every row, a line each.
template <class Batch>
std::string Rows(const Batch& batch) {
  json out = json::array();
  for (std::size_t row = 0; row < RowsOf(batch); ++row) {
    json line = json::array();
    std::apply([&](auto... column) { (line.push_back(Cell((batch.*(column.values))[row])), ...); },
               Batch::kColumns);
    out.push_back(line);
  }
  return out.dump(1);
}

TEST(SlurmJsonTest, TextOldAndNewJsonOfOneJobListGiveEqualFacts) {
  const Outcome text = Read(Text());
  ASSERT_EQ(text.error, "");
  ASSERT_TRUE(text.reading.rejections.empty()) << text.reading.rejections[0].reason;
  const FleetFacts wanted = MergeFacts(text.reading.jobs.by_cluster.at("hpc"));
  EXPECT_EQ(RowsOf(wanted.holdings), 10U);
  EXPECT_EQ(RowsOf(wanted.pending), 2U);
  const auto& used = wanted.holdings.used_ppm;
  EXPECT_EQ(std::count(used.begin(), used.end(), 970'000), 2) << "job 1 on both of its nodes";
  for (const bool wrapped : {false, true}) {
    const Outcome read = Read(Writer(wrapped).Write());
    ASSERT_EQ(read.error, "");
    ASSERT_TRUE(read.reading.rejections.empty()) << read.reading.rejections[0].reason;
    const FleetFacts facts = MergeFacts(read.reading.jobs.by_cluster.at("hpc"));
    EXPECT_EQ(Rows(facts.holdings), Rows(wanted.holdings)) << wrapped;
    EXPECT_EQ(Rows(facts.pending), Rows(wanted.pending)) << wrapped;
    EXPECT_EQ(read.reading.jobs.jobs, text.reading.jobs.jobs);
    EXPECT_EQ(read.reading.jobs.steps, text.reading.jobs.steps);
    EXPECT_EQ(read.reading.jobs.never_started, text.reading.jobs.never_started);
    EXPECT_EQ(read.reading.jobs.elapsed_differs, text.reading.jobs.elapsed_differs);
    EXPECT_EQ(read.reading.jobs.as_of, text.reading.jobs.as_of);
  }
}

TEST(SlurmJsonTest, BrokenJobIsRejectedWithItsPlaceAndTheRestIsTaken) {
  json document = json::parse(Writer(true).Write());
  document["jobs"][1]["state"]["current"] = {"DANCING"};
  const Outcome outcome = Read(document.dump());
  EXPECT_EQ(outcome.error, "");
  ASSERT_EQ(outcome.reading.rejections.size(), 1U);
  EXPECT_EQ(outcome.reading.rejections[0].field, "jobs[1].State");
  EXPECT_EQ(outcome.reading.jobs.jobs, 10);
}

TEST(SlurmJsonTest, CutOffJsonIsRefusedWhole) {
  const std::string whole = Writer(true).Write();
  for (const std::size_t part : {whole.size() - 3, whole.size() / 2}) {
    EXPECT_NE(Read(whole.substr(0, part)).error.find("cut off"), std::string::npos);
  }
  EXPECT_NE(Read(whole + whole).error.find("broken"), std::string::npos);
}

TEST(SlurmJsonTest, OtherCommandsAreRefusedWithTheCommandToRun) {
  EXPECT_NE(Read(R"({"jobs":[{"job_id":1,"job_state":"RUNNING"}]})").error.find("sacct --json"),
            std::string::npos);
  EXPECT_NE(Read(R"({"sinfo":[{"nodes":{}}]})").error.find("scontrol show node"),
            std::string::npos);
  EXPECT_NE(Read(R"({"reservations":[]})").error.find("scontrol show reservation"),
            std::string::npos);
  EXPECT_NE(Read(R"({"s":"idle","n":"g01"})").error.find("sacct --json"), std::string::npos);
  EXPECT_NE(Read("[1, 2]").error.find("sacct --json"), std::string::npos);
  EXPECT_EQ(Read(R"({"jobs":[]})").error, "");
}

TEST(SlurmJsonTest, NodesOfJsonAreTheNodesOfText) {
  const Outcome old =
      Read(R"x({"nodes":[{"name":"g01","state":"idle","state_flags":["DRAIN"],"tres":"cpu=64,)x"
           R"x(mem=1000M,gres/gpu=8","gres":"gpu:h100:8(S:0-1)","cpus":64,"real_memory":1000,)x"
           R"x("partitions":["gpu","long"],"active_features":"ib","reason":"bad fan",)x"
           R"x("reason_changed_at":1767600000,"last_busy":1767600100}]})x");
  const Outcome wrapped = Read(
      R"x({"nodes":[{"name":"g01","state":["IDLE","DRAIN"],"tres":"cpu=64,mem=1000M,gres/gpu=8",)x"
      R"x("gres":"gpu:h100:8(S:0-1)","cpus":64,"real_memory":1000,"partitions":["gpu","long"],)x"
      R"x("active_features":["ib"],"reason":"bad fan","reason_changed_at":)x"
      R"x({"set":true,"infinite":false,"number":1767600000},"last_busy":{"set":true,)x"
      R"x("infinite":false,"number":1767600100}}]})x");
  const Outcome text = Read(
      "NodeName=g01 CPUTot=64 ActiveFeatures=ib Gres=gpu:h100:8(S:0-1) RealMemory=1000 "
      "State=IDLE+DRAIN Partitions=gpu,long LastBusyTime=1767600100 "
      "CfgTRES=cpu=64,mem=1000M,gres/gpu=8 Reason=bad fan [root@1767600000]");
  ASSERT_EQ(old.error + wrapped.error + text.error, "");
  for (const Outcome* outcome : {&old, &wrapped}) {
    const ScontrolNodes& nodes = outcome->reading.nodes;
    ASSERT_EQ(nodes.sightings.size(), 1U);
    const NodeSighting& seen = nodes.sightings[0];
    EXPECT_EQ(seen.state, text.reading.nodes.sightings[0].state);
    EXPECT_EQ(seen.reason, text.reading.nodes.sightings[0].reason);
    EXPECT_EQ(seen.reason_at, text.reading.nodes.sightings[0].reason_at);
    EXPECT_EQ(seen.latest, text.reading.nodes.sightings[0].latest);
    EXPECT_EQ(nodes.rows.gpu_count[0], 8);
    EXPECT_EQ(nodes.rows.gpu_model[0], "h100");
    EXPECT_EQ(nodes.rows.cpu_milli[0], 64'000);
  }
}

TEST(SlurmJsonTest, DeepNestingIsPassedOver) {
  std::string deep = R"({"jobs":[{"job_id":1,"x":)";
  for (int i = 0; i < 100'000; ++i) deep += "[";
  for (int i = 0; i < 100'000; ++i) deep += "]";
  deep += "}]}";
  const Outcome outcome = Read(deep);
  EXPECT_EQ(outcome.error, "");
  EXPECT_EQ(outcome.reading.rejections.size(), 1U);
}

}  // namespace
}  // namespace plimsoll
