// Any bytes are a node list or a pod list of a cluster trace: no crash, and what is read is a
// cluster and shapes that its rules allow.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "capacity/model/cluster.h"
#include "ingest/cluster/openb_nodes.h"
#include "ingest/cluster/openb_pods.h"

namespace {

using namespace plimsoll;  // NOLINT: a fuzz target is one file

void Require(bool holds) {
  if (!holds) std::abort();
}

std::vector<std::string> ReadNodes(const std::string& text) {
  const Result<OpenbNodes> nodes = ReadOpenbNodes("f", text);
  if (!nodes) {
    Require(!nodes.error().message.empty());
    return {"T4", "V100M16", "cpu"};
  }
  const Cluster cluster(nodes->flavors, DomainTree(), nodes->nodes);
  Require(cluster.size() > 0 && cluster.gpu_milli_free() == cluster.gpu_milli_total());
  return nodes->flavors;
}

void ReadPods(const std::string& text, const std::vector<std::string>& flavors) {
  const Result<OpenbPods> pods = ReadOpenbPods("f", text, flavors);
  if (!pods) return Require(!pods.error().message.empty());
  const std::size_t count = pods->shapes.size();
  Require(count > 0 && pods->names.size() == count && pods->created.size() == count);
  for (const PodShape& pod : pods->shapes) {
    Require(pod.cpu_milli >= 0 && pod.memory_mib >= 0);
    Require(pod.gpus >= 0 && pod.gpus <= kGpusPerNodeMax);
    Require(pod.gpu_milli >= 1 && pod.gpu_milli <= kMilliPerGpu);
    Require(pod.gpus <= 1 || pod.gpu_milli == kMilliPerGpu);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  const std::vector<std::string> flavors = ReadNodes(text);
  ReadNodes("sn,cpu_milli,memory_mib,gpu,model\n" + text);
  ReadPods(text, flavors);
  ReadPods("name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec\n" + text, flavors);
  return 0;
}
