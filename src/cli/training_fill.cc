#include "cli/training_fill.h"

#include <algorithm>
#include <utility>

#include "capacity/placement/fill.h"
#include "capacity/placement/mig_of_catalog.h"
#include "cli/files.h"
#include "cli/training_fill_view.h"
#include "ingest/cluster/openb_nodes.h"
#include "ingest/cluster/openb_pods.h"
#include "units/money.h"

namespace plimsoll {
namespace {

constexpr std::int64_t kSeedsMost = 1'000;
constexpr std::int64_t kFillMost = 1'000;  // percent

const std::vector<std::string>& PolicyNames() {
  static const std::vector<std::string> names{"random",  "dotprod", "clustering", "packing",
                                              "bestfit", "fgd",     "all"};
  return names;
}

Error Wrong(const std::string& what) { return {ErrorCode::kInvalidArgument, what}; }

// "130%" and "130".
Result<std::int64_t> ParseFill(std::string text) {
  const std::string given = text;
  if (text.ends_with('%')) text.pop_back();
  const Result<Money> percent = Money::Parse(text);
  if (!percent || percent->nanos() % Money::kNanosPerUnit != 0 || *percent < Money::Units(1) ||
      *percent > Money::Units(kFillMost)) {
    return Wrong("--fill: '" + given + "' is not a whole percentage from 1% to " +
                 std::to_string(kFillMost) + "% of the cluster's GPUs, such as 130%");
  }
  return static_cast<std::int64_t>(percent->nanos() / Money::kNanosPerUnit);
}

std::vector<PlacementPolicy> PoliciesOf(const std::vector<std::string>& names) {
  std::vector<PlacementPolicy> policies;
  const auto add = [&](const std::string& name) {
    const std::optional<PlacementPolicy> policy = ParsePlacementPolicy(name);
    if (policy && std::ranges::find(policies, *policy) == policies.end()) {
      policies.push_back(*policy);
    }
  };
  for (const std::string& name : names) {
    if (name != "all") {
      add(name);
      continue;
    }
    for (const std::string& one : PolicyNames()) add(one);
  }
  if (policies.empty()) policies.push_back(PlacementPolicy::kFgd);
  return policies;
}

struct Inputs {
  OpenbNodes nodes;
  OpenbPods pods;
};

Result<Inputs> ReadInputs(Context& context, const TrainingFillArgs& args) {
  Inputs inputs;
  PLIMSOLL_TRY(const std::string nodes, ReadWholeFile(args.nodes));
  PLIMSOLL_TRY(inputs.nodes, ReadOpenbNodes(args.nodes, nodes));
  PLIMSOLL_TRY(const std::string pods, ReadWholeFile(args.pods));
  PLIMSOLL_TRY(inputs.pods, ReadOpenbPods(args.pods, pods, inputs.nodes.flavors));
  if (!inputs.nodes.memory_known) {
    context.Warn(args.nodes + " has no memory of nodes: none ever runs out here");
  }
  if (inputs.pods.unknown_models.empty()) return inputs;
  std::string names;
  for (const std::string& name : inputs.pods.unknown_models) {
    names += (names.empty() ? "" : ", ") + name;
  }
  context.Warn("pods ask for GPU models that no node has: " + names + "; " +
               std::to_string(inputs.pods.pods_without_flavor) +
               " pods ask for no other and are never placed");
  return inputs;
}

// Cards can be cut only where a pod asks for an instance: then all that the catalog knows.
Status AddMig(Context& context, const TrainingFillArgs& args, Inputs& inputs, Cluster& cluster) {
  OpenbPods& pods = inputs.pods;
  const auto none = [](const std::string& profile) { return profile.empty(); };
  if (std::ranges::all_of(pods.mig_profiles, none)) return Ok();
  PLIMSOLL_TRY(const Catalog* const catalog, context.catalog());
  const MigCards cards = MigCardsOf(*catalog, cluster.flavors());
  for (std::size_t i = 0; i < pods.shapes.size(); ++i) {
    if (pods.mig_profiles[i].empty()) continue;
    const Result<PodShape> shape = WithMigProfile(pods.shapes[i], cards, pods.mig_profiles[i]);
    if (!shape) {
      return Error{ErrorCode::kBadData,
                   args.pods + ": pod " + pods.names[i] + ": " + shape.error().message};
    }
    pods.shapes[i] = *shape;
  }
  cluster.SetMig(cards);
  return Ok();
}

}  // namespace

bool AsksForFill(const TrainingFillArgs& args) {
  return !args.fill.empty() || !args.nodes.empty() || !args.pods.empty();
}

std::vector<CommandOption> TrainingFillOptions(TrainingFillArgs& args) {
  return {
      CommandOption::Text("--nodes", "FILE",
                          "Nodes with CPU, memory, GPUs and model, CSV (docs/formats/openb.md)",
                          &args.nodes)
          .File(),
      CommandOption::Text("--pods", "FILE",
                          "Pods with CPU, memory, GPUs or a part of one, CSV "
                          "(docs/formats/openb.md)",
                          &args.pods)
          .File(),
      CommandOption::Text("--fill", "PERCENT",
                          "Fill the nodes with such pods until they ask for so much of all GPUs; "
                          "130% if not given",
                          &args.fill),
      CommandOption::List("--policy", "NAME",
                          "How a pod gets its node; fgd if not given, several or all side by side",
                          &args.policies)
          .OneOf(PolicyNames()),
      CommandOption::Number("--seeds", "N", "Runs, each with its own order of arrival and of nodes",
                            &args.seeds),
      CommandOption::Number("--seed", "N",
                            "Of the first run; the same gives the same answer on any machine",
                            &args.seed)};
}

Result<ExitCode> RunTrainingFill(Context& context, const TrainingFillArgs& args) {
  if (args.nodes.empty()) return Wrong("--nodes: give the file of the nodes to fill");
  if (args.pods.empty()) return Wrong("--pods: give the file of the pods that fill the nodes");
  if (args.seeds < 1 || args.seeds > kSeedsMost) {
    return Wrong("--seeds: must be 1 to " + std::to_string(kSeedsMost));
  }
  if (args.seed < 0) return Wrong("--seed: must not be negative");
  FillOptions options;
  options.seed = static_cast<std::uint64_t>(args.seed);
  options.runs = args.seeds;
  PLIMSOLL_TRY(options.fill_percent, ParseFill(args.fill.empty() ? "130%" : args.fill));
  PLIMSOLL_TRY(Inputs inputs, ReadInputs(context, args));
  Cluster cluster(inputs.nodes.flavors, DomainTree(), inputs.nodes.nodes);
  PLIMSOLL_RETURN_IF_ERROR(AddMig(context, args, inputs, cluster));
  TrainingFillView view;
  view.nodes = static_cast<std::int64_t>(cluster.size());
  view.pods = static_cast<std::int64_t>(inputs.pods.shapes.size());
  view.options = options;
  view.for_people = context.options().format == "table";
  for (const PlacementPolicy policy : PoliciesOf(args.policies)) {
    options.policy = policy;
    PLIMSOLL_TRY(FillOutcome outcome, RunFill(cluster, inputs.pods.shapes, options));
    view.outcomes.push_back({policy, std::move(outcome)});
  }
  context.Print(TrainingFillAnswer(view));
  return ExitCode::kDone;
}

}  // namespace plimsoll
