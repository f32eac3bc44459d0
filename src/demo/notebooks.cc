#include <fmt/format.h>

#include "demo/layout.h"
#include "demo/scenario.h"

namespace plimsoll {
namespace {

struct Notebook {
  const char* user;
  const char* team;                        // "" has no label
  std::int64_t from_minute, until_minute;  // since the window's begin
};

void AddNotebook(FleetBuilder& builder, std::size_t node, std::size_t unit,
                 const Notebook& notebook) {
  const Instant bind = builder.window().begin + Minutes(notebook.from_minute);
  const Instant end = builder.window().begin + Minutes(notebook.until_minute);
  if (bind > builder.window().until - Hours(1) || end <= builder.window().begin) return;
  const std::string name = fmt::format("nb-{}-{}-{}", notebook.user, node, unit);
  const bool small = builder.fleet().nodes[node].shape.gpus == 1;
  std::map<std::string, std::string> labels{{"notebook-name", name},
                                            {"platform.example.com/environment", "dev"},
                                            {"platform.example.com/workload-type", "notebook"}};
  if (*notebook.team != '\0') labels["platform.example.com/team"] = notebook.team;
  const std::size_t top = builder.AddOwner(
      {"Notebook", "kubeflow.org/v1", "notebooks", name, "", "", labels, bind - Minutes(1)});
  const std::size_t set = builder.AddOwner(
      {"StatefulSet", "apps/v1", "notebooks", name, "", "", labels, bind - Minutes(1)}, top);
  const PodTemplate pod{"notebooks",
                        "notebook",
                        labels,
                        *notebook.team != '\0' ? notebook.team : "no-label",
                        "nvidia.com/gpu",
                        1,
                        small ? 2 : 8,
                        small ? 8 : 32,
                        DemoActivity::kNotebook};
  builder.AddPod(pod, set, name + "-0", node, {unit},
                 {bind - Minutes(1), bind, bind + Minutes(3), end, "Completed"});
}

}  // namespace

void AddNotebooks(FleetBuilder& builder) {
  constexpr std::int64_t kDay = 24 * 60, kForever = 100 * kDay;
  DemoRandom random(builder.fleet().seed, "notebooks");
  bool first = true;
  for (const std::size_t node : NodesOf(builder.fleet(), "notebook")) {
    const std::int64_t shift = random.Between(0, 55);
    AddNotebook(builder, node, 0, {"alice", "vision", -3 * kDay + shift, kForever});
    if (builder.fleet().nodes[node].units.size() == 4) {
      AddNotebook(builder, node, 1, {"bob", "research", 10 * 60 + shift, 2 * kDay + 17 * 60 + 41});
      AddNotebook(builder, node, 1, {"dave", "search", 3 * kDay + 9 * 60 + shift, kForever});
      AddNotebook(builder, node, 2, {"carol", "", 14 * 60 + 7 + shift, kForever});
      // The fourth card of the first node stays free: somebody will bypass the scheduler there.
      if (!first) {
        AddNotebook(builder, node, 3, {"erin", "vision", 4 * kDay + 13 * 60 + shift, kForever});
      }
    }
    first = false;
  }
}

}  // namespace plimsoll
