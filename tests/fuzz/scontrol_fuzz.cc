// Any bytes as `scontrol show node` output: never a crash, and counts are never negative.
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/check.h"
#include "ingest/slurm/scontrol_nodes.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  plimsoll::ScontrolNodes all;
  plimsoll::AppendScontrolNode(plimsoll::ParseScontrolRecord(text), {"hpc"}, all);
  const plimsoll::NodeBatch& nodes = all.rows;
  for (std::size_t i = 0; i < plimsoll::RowsOf(nodes); ++i) {
    PLIMSOLL_CHECK(!nodes.node[i].empty());
    PLIMSOLL_CHECK(nodes.gpu_count[i] >= 0 && nodes.cpu_milli[i] >= 0);
    PLIMSOLL_CHECK(nodes.memory_bytes[i] >= 0);
  }
  return 0;
}
