#include "demo/write_slurm.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace plimsoll {
namespace {

std::string SlurmTime(Instant t) {
  std::string text = ToString(t);
  text.pop_back();  // sacct writes no zone
  return text;
}

std::string Elapsed(Duration length) {
  const std::int64_t s = length.base() / 1'000;
  const std::string clock = fmt::format("{:02}:{:02}:{:02}", s / 3'600 % 24, s / 60 % 60, s % 60);
  return s >= 86'400 ? fmt::format("{}-{}", s / 86'400, clock) : clock;
}

std::string Tres(std::int64_t nodes, const DemoJob& job, bool allocated) {
  const std::int64_t cpu = nodes * job.cpu_per_node, gpus = nodes * job.gpus_per_node;
  return fmt::format("billing={0},cpu={0},{1}gres/gpu={2},mem={3}G,node={4}", cpu,
                     allocated ? fmt::format("gres/gpu:a100={},", gpus) : "", gpus,
                     nodes * job.gib_per_node, nodes);
}

// "hpc-g1", "hpc-g[1-2]": the demo's jobs hold one node or all.
std::string NodeListOf(const DemoFleet& fleet, const DemoJob& job) {
  if (job.holds.empty()) return "None assigned";
  const std::string first = fleet.nodes[fleet.holds[job.holds.front()].node].name;
  if (job.holds.size() == 1) return first;
  return fmt::format("{}[1-{}]", first.substr(0, first.size() - 1), job.holds.size());
}

struct Times {
  std::string start = "Unknown", end = "Unknown", elapsed = "00:00:00";
};

Times TimesOf(const DemoFleet& fleet, const DemoJob& job) {
  if (job.holds.empty()) return {};
  const DemoHold& hold = fleet.holds[job.holds.front()];
  return {SlurmTime(hold.bind), hold.end ? SlurmTime(*hold.end) : "Unknown",
          Elapsed(hold.span(fleet.window.until).length())};
}

void AppendJob(const DemoFleet& fleet, const DemoJob& job, std::string& text) {
  const Times times = TimesOf(fleet, job);
  const std::int64_t cpu = job.nodes * job.cpu_per_node;
  fmt::format_to(
      std::back_inserter(text),
      "{}|{}|hpc|gpu|normal|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}G|{}|{}|{}|{}|"
      "{}|{}\n",
      job.id, job.raw_id, job.account, job.account, job.group_id, job.user, job.user_id,
      SlurmTime(job.submit), SlurmTime(job.submit), times.start, times.end, times.elapsed,
      job.exit_code, job.state, job.nodes, cpu, cpu, job.nodes * job.gib_per_node,
      Tres(job.nodes, job, false), job.holds.empty() ? "" : Tres(job.nodes, job, true),
      Elapsed(Minutes(job.limit_minutes)), NodeListOf(fleet, job),
      job.holds.empty() ? "Resources" : "None", job.name);
}

void AppendStep(const DemoFleet& fleet, const DemoJob& job, const char* step, std::string& text) {
  const Times times = TimesOf(fleet, job);
  const bool batch = std::string_view(step) == "batch";
  const std::int64_t nodes = batch ? 1 : job.nodes;
  std::string state = job.state;
  if (state.starts_with("CANCELLED") || state == "REQUEUED") state = "CANCELLED";
  const std::string node_list = nodes == job.nodes
                                    ? NodeListOf(fleet, job)
                                    : fleet.nodes[fleet.holds[job.holds.front()].node].name;
  fmt::format_to(std::back_inserter(text),
                 "{0}.{1}|{2}.{1}|hpc|||{3}|||||{4}|{4}|{4}|{5}|{6}|{7}|{8}|{9}|{10}|{10}||||"
                 "|{11}||{1}\n",
                 job.id, step, job.raw_id, job.account, times.start, times.end, times.elapsed,
                 job.exit_code, state, nodes, nodes * job.cpu_per_node, node_list);
}

}  // namespace

std::string SacctText(const DemoFleet& fleet) {
  std::string text =
      "JobID|JobIDRaw|Cluster|Partition|QOS|Account|Group|GID|User|UID|Submit|Eligible|Start|End|"
      "Elapsed|ExitCode|State|NNodes|NCPUS|ReqCPUS|ReqMem|ReqTRES|AllocTRES|Timelimit|NodeList|"
      "Reason|JobName\n";
  std::vector<const DemoJob*> jobs;
  for (const DemoJob& job : fleet.jobs) jobs.push_back(&job);
  std::stable_sort(jobs.begin(), jobs.end(),
                   [](const DemoJob* a, const DemoJob* b) { return a->raw_id < b->raw_id; });
  for (const DemoJob* job : jobs) {
    AppendJob(fleet, *job, text);
    if (job->holds.empty()) continue;
    AppendStep(fleet, *job, "batch", text);
    AppendStep(fleet, *job, "extern", text);
    AppendStep(fleet, *job, "0", text);
  }
  return text;
}

std::string ScontrolNodesText(const DemoFleet& fleet) {
  std::string text;
  for (const DemoNode& node : fleet.nodes) {
    if (!node.slurm()) continue;
    std::int64_t cpu = 0, gib = 0, gpus = 0;
    for (const DemoHold& hold : fleet.holds) {
      if (&fleet.nodes[hold.node] != &node || hold.end) continue;
      cpu += hold.cpu;
      gib += hold.gib;
      gpus += static_cast<std::int64_t>(hold.units.size());
    }
    const char* state = gpus == 0 ? "IDLE" : gpus == node.shape.gpus ? "ALLOCATED" : "MIXED";
    const std::string allocated =
        gpus == 0
            ? ""
            : fmt::format("cpu={},mem={}G,gres/gpu={},gres/gpu:a100={}", cpu, gib, gpus, gpus);
    fmt::format_to(
        std::back_inserter(text),
        "NodeName={0} Arch=x86_64 CoresPerSocket=24 \n"
        "   CPUAlloc={1} CPUEfctv={2} CPUTot={2} CPULoad={1}.00\n"
        "   AvailableFeatures=a100\n   ActiveFeatures=a100\n   Gres=gpu:a100:{3}(S:0-1)\n"
        "   NodeAddr={0} NodeHostName={0} Version=24.11.5\n"
        "   OS=Linux 6.8.0-1033-gcp #35-Ubuntu SMP \n"
        "   RealMemory={4} AllocMem={5} FreeMem={6} Sockets=2 Boards=1\n"
        "   State={7} ThreadsPerCore=2 TmpDisk=0 Weight=1 Owner=N/A MCS_label=N/A\n"
        "   Partitions=gpu \n"
        "   BootTime={8} SlurmdStartTime={8}\n"
        "   LastBusyTime={9} ResumeAfterTime=None\n"
        "   CfgTRES=cpu={2},mem={10}G,billing={2},gres/gpu={3},gres/gpu:a100={3}\n"
        "   AllocTRES={11}\n"
        "   CurrentWatts=0 AveWatts=0\n   \n\n",
        node.name, cpu, node.shape.cpu, node.shape.gpus, node.shape.gib * 1024, gib * 1024,
        (node.shape.gib - gib) * 1024 - 512, state, SlurmTime(node.begin),
        SlurmTime(fleet.window.until), node.shape.gib, allocated);
  }
  return text;
}

}  // namespace plimsoll
