// Any bytes are a file of targets or a probe: no crash, and what is read can be asked of a cluster.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "cli/training_targets.h"

namespace {

using namespace plimsoll;  // NOLINT: a fuzz target is one file

void Require(bool holds) {
  if (!holds) std::abort();
}

void Bind(const TargetFile& file) {
  const TargetNames names{{"q"}, {"rack"}, {"h100"}, 8};
  const auto targets = BindTargets(file, names);
  if (!targets) return Require(!targets.error().message.empty());
  Require(targets->classes.size() == file.classes.size());
  for (const GangTarget& gang : targets->gangs) {
    Require(gang.job.pods >= 1 && gang.job.shape.gpus >= 1);
    Require(gang.within >= Duration() && gang.share >= 0 && gang.share <= 1'000'000'000);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  const auto file = ReadTargets("f", text);
  if (file) {
    Require(!file->classes.empty() || !file->gangs.empty() || file->deadline_share > 0);
    for (const ClassText& one : file->classes) {
      Require(!one.name.empty() && (one.share == 0 || one.within.has_value()));
    }
    Bind(*file);
  } else {
    Require(!file.error().message.empty());
  }
  const auto probe = ParseProbe(text);
  if (!probe) return 0;
  Require(probe->gpus >= 1);
  TargetFile one;
  one.gangs = {*probe};
  Bind(one);
  return 0;
}
