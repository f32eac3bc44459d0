#include <fmt/format.h>

#include <algorithm>

#include "demo/layout.h"
#include "demo/scenario.h"

namespace plimsoll {
namespace {

struct User {
  const char *name, *account, *team;
  std::int64_t id, group;
};
constexpr User kUsers[] = {{"fatima", "bio", "hpc-bio", 2001, 3001},
                           {"george", "bio", "hpc-bio", 2002, 3001},
                           {"hana", "climate", "hpc-climate", 2003, 3002}};

// One run of a job: where, when and how it ended.
struct Run {
  std::string id, raw_id, name, state;
  const User* user = nullptr;
  std::vector<std::size_t> nodes;
  std::size_t first_unit = 0, units = 8;  // of each node
  Instant submit, start, end;
};

class Partition {
 public:
  explicit Partition(FleetBuilder& builder)
      : builder_(builder),
        nodes_(NodesOf(builder.fleet(), "slurm")),
        random_(builder.fleet().seed, "slurm") {}

  void RunAll() {
    if (nodes_.empty()) return;
    Instant t = builder_.window().begin + Minutes(random_.Between(20, 80));
    for (int episode = 0; t + Hours(2) < builder_.window().until; ++episode) {
      const std::int64_t kind = episode < 4 ? episode : random_.Between(0, 3);
      const Instant end = kind == 0   ? Wide(t)
                          : kind == 1 ? Requeued(t)
                          : kind == 2 ? Array(t)
                                      : Mixed(t);
      t = end + Minutes(random_.Between(4, 200));
    }
    Pending();
  }

 private:
  const User& AnyUser() { return kUsers[static_cast<std::size_t>(random_.Between(0, 2))]; }
  std::string NextId() { return fmt::format("{}", ++last_id_); }

  void Add(const Run& run) {
    const auto gpus = static_cast<std::int64_t>(run.units);
    DemoJob job;
    job.id = run.id;
    job.raw_id = run.raw_id;
    job.name = run.name;
    job.account = run.user->account;
    job.user = run.user->name;
    job.user_id = run.user->id;
    job.group_id = run.user->group;
    job.nodes = static_cast<std::int64_t>(run.nodes.size());
    job.gpus_per_node = gpus;
    job.cpu_per_node = 12 * gpus;
    job.gib_per_node = 80 * gpus;
    job.limit_minutes = 48 * 60;
    job.submit = run.submit;
    const bool running = !builder_.EndsInTime(run.end);
    job.state = running ? "RUNNING" : run.state;
    job.exit_code = running || job.state == "COMPLETED" ? "0:0"
                    : job.state == "FAILED"             ? "1:0"
                                                        : "0:15";
    for (const std::size_t node : run.nodes) {
      std::vector<std::size_t> units;
      for (std::size_t i = 0; i < run.units; ++i) units.push_back(run.first_unit + i);
      job.holds.push_back(builder_.AddHold({node, units, job.cpu_per_node, job.gib_per_node,
                                            run.start, run.start, run.end, "slurm/" + run.id,
                                            run.user->team, "", run.id, "", DemoActivity::kSlurm}));
    }
    builder_.fleet().jobs.push_back(std::move(job));
  }

  // The event log of a job whose training loop writes one. A requeue is another attempt of it.
  void Log(const char* experiment, const std::string& model) {
    const DemoJob& job = builder_.fleet().jobs.back();
    const DemoHold& hold = builder_.fleet().holds[job.holds.front()];
    std::vector<DemoRun>& runs = builder_.fleet().runs;
    if (runs.empty() || runs.back().job != job.id) {
      DemoRun run;
      run.id = fmt::format("{}-{}", experiment, job.id);
      run.experiment = experiment;
      run.name = job.name;
      run.model = model;
      run.precision = "bf16";
      run.cluster = kDemoSlurmCluster;
      run.job = job.id;
      run.gpus = job.nodes * job.gpus_per_node;
      runs.push_back(std::move(run));
    }
    runs.back().attempts.push_back(
        {hold.bind, hold.ready, hold.end, job.state == "REQUEUED", true, ""});
  }

  Run NewRun(const char* name, Instant t) {
    Run run;
    run.id = run.raw_id = NextId();
    run.name = name;
    run.state = "COMPLETED";
    run.user = &AnyUser();
    run.submit = t - Minutes(random_.Between(1, 50));
    run.start = t;
    return run;
  }

  // One job over both nodes.
  Instant Wide(Instant t) {
    Run run = NewRun("fold|ensemble", t);  // sacct -P does not escape a pipe in a name
    run.nodes = nodes_;
    run.end = t + Minutes(random_.Between(300, 900));
    Add(run);
    Log("fold", "fold-v2");
    return run.end;
  }

  // A job that is requeued by a node failure and then completes: two rows of one id.
  Instant Requeued(Instant t) {
    Run run = NewRun("dock", t);
    run.nodes = {nodes_[0]};
    run.state = "REQUEUED";
    run.end = t + Minutes(random_.Between(60, 200));
    Add(run);
    Log("dock", "dock-v1");
    Run second = run;
    second.state = "COMPLETED";
    second.submit = run.end;
    second.start = run.end + Minutes(random_.Between(2, 12));
    second.end = second.start + Minutes(random_.Between(90, 400));
    if (second.start + Hours(1) < builder_.window().until) {
      Add(second);
      Log("dock", "dock-v1");
    }
    Run other = NewRun("downscale", t + Minutes(7));
    other.nodes = {nodes_[1]};
    other.units = 4;
    other.state = "FAILED";
    other.end = other.start + Minutes(random_.Between(60, 300));
    Add(other);
    return std::max(second.end, other.end);
  }

  // An array of eight tasks of two GPUs.
  Instant Array(Instant t) {
    const Run first = NewRun("sweep", t);
    Instant last = t;
    for (std::size_t task = 0; task < 8; ++task) {
      Run run = first;
      run.id = fmt::format("{}_{}", first.id, task);
      run.raw_id = task == 0 ? first.raw_id : NextId();
      run.nodes = {nodes_[task / 4]};
      run.first_unit = task % 4 * 2;
      run.units = 2;
      run.end = t + Minutes(random_.Between(40, 300));
      last = std::max(last, run.end);
      Add(run);
    }
    return last;
  }

  // Half-node jobs, one of them cancelled by its user.
  Instant Mixed(Instant t) {
    Instant last = t;
    for (std::size_t part = 0; part < 4; ++part) {
      Run run = NewRun(part % 2 == 0 ? "simulate" : "notebook", t + Minutes(random_.Between(0, 9)));
      run.nodes = {nodes_[part / 2]};
      run.first_unit = part % 2 * 4;
      run.units = part == 3 ? 1 : 4;
      if (part == 1) run.state = fmt::format("CANCELLED by {}", run.user->id);
      run.end = run.start + Minutes(random_.Between(90, 600));
      last = std::max(last, run.end);
      Add(run);
    }
    return last;
  }

  void Pending() {
    DemoJob job;
    const User& user = kUsers[2];
    job.id = job.raw_id = NextId();
    job.name = "reanalysis";
    job.account = user.account;
    job.user = user.name;
    job.user_id = user.id;
    job.group_id = user.group;
    job.state = "PENDING";
    job.nodes = 2;
    job.gpus_per_node = 8;
    job.cpu_per_node = 96;
    job.gib_per_node = 640;
    job.limit_minutes = 72 * 60;
    job.submit = builder_.window().until - Minutes(95);
    builder_.fleet().jobs.push_back(std::move(job));
  }

  FleetBuilder& builder_;
  std::vector<std::size_t> nodes_;
  DemoRandom random_;
  std::int64_t last_id_ = 91'000;
};

}  // namespace

void AddSlurmJobs(FleetBuilder& builder) { Partition(builder).RunAll(); }

}  // namespace plimsoll
