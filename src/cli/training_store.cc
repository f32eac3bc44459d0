#include "cli/training_store.h"

#include "cli/training_fleet.h"
#include "config/window.h"

namespace plimsoll {
namespace {

std::string JobsText(std::int64_t jobs) {
  return std::to_string(jobs) + (jobs == 1 ? " job" : " jobs");
}

void Tell(Context& context, const TrainingFacts& facts, Window window) {
  std::string levels;
  for (const std::string& level : facts.cluster.tree.levels()) {
    levels += (levels.empty() ? "" : ", ") + level;
  }
  context.Say(JobsText(std::ssize(facts.workload.jobs)) + " of " + ToString(window) + " on " +
              std::to_string(facts.cluster.nodes.size()) + " nodes with " +
              std::to_string(facts.cluster.gpus()) +
              " GPUs; topology: " + (levels.empty() ? "nodes have no labels of it" : levels));
  for (const auto& [why, count] : facts.left_out) {
    context.Say(JobsText(count) + (count == 1 ? " is" : " are") + " left out: " + why);
  }
  if (facts.waits_unknown > 0) {
    context.Say(JobsText(facts.waits_unknown) +
                " without a submission on record: submitted at their start here, and not compared "
                "with the record");
  }
  context.Say(
      "Not on record: prices and failures of nodes (--set failures=6.5), checkpoints, what else "
      "the jobs would have accepted. Jobs that are left out held GPUs that are free here");
}

}  // namespace

std::string FactsText(const TrainingFacts& facts) {
  std::string text;
  const auto add = [&](const auto& part) {
    if constexpr (std::is_arithmetic_v<std::decay_t<decltype(part)>>) {
      text += std::to_string(part);
    } else {
      text += part;
    }
    text += '\n';
  };
  for (const NodeGroup& group : facts.cluster.groups) {
    add(group.name);
    add(group.nodes);
  }
  for (const NodeSpec& node : facts.cluster.nodes) {
    add(facts.cluster.flavors[node.flavor]);
    add(node.cpu_milli);
    add(node.memory_mib);
    add(node.gpus);
    for (const DomainId domain : node.domains) add(domain);
  }
  for (const TrainingJob& job : facts.workload.jobs) {
    add(facts.workload.queues[job.queue]);
    for (const std::int64_t part : {job.submitted.base(), job.run.base(), std::int64_t{job.pods},
                                    std::int64_t{job.shape.gpus}, std::int64_t{job.shape.gpu_milli},
                                    job.shape.cpu_milli, job.shape.memory_mib}) {
      add(part);
    }
    add(job.shape.flavors);
  }
  return text;
}

Result<TrainingModel> StoredTrainingModel(Context& context, const std::string& window) {
  PLIMSOLL_TRY(const Zone zone, context.zone());
  PLIMSOLL_TRY(const Window of, ParseWindow(window.empty() ? "30d" : window, zone, context.now()));
  const auto store = context.existing_store();
  if (!store && window.empty() && store.error().code == ErrorCode::kNotFound) {
    return Error{ErrorCode::kInvalidArgument,
                 "give --cluster FILE, the nodes, and --jobs FILE, what runs on them; those of the "
                 "database are not there either: " +
                     store.error().message};
  }
  PLIMSOLL_TRY(TrainingFacts facts, GatherTrainingFacts(context, of));
  Tell(context, facts, of);
  const std::string text = FactsText(facts);
  PLIMSOLL_TRY(TrainingModel model,
               ModelOf(facts.cluster, std::move(facts.workload), {{"facts", text}}));
  model.is_on_record = true;
  return model;
}

}  // namespace plimsoll
