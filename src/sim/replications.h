// Replications: the same simulation again and again, on all cores.
//
// Replications are cut into fixed blocks; each block gathers its own sums, and the sums are
// merged in the order of the blocks. So the answer does not depend on the number of threads.
// The only place of the domain that starts threads.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace plimsoll {

inline constexpr std::int64_t kReplicationsPerBlock = 256;

struct ReplicationOptions {
  std::int64_t count = 10'000;
  std::int64_t first = 0;  // replications first ... first + count - 1
  unsigned threads = 0;    // 0: one a core
};

// Calls work(block) once for each block 0 ... blocks - 1, in any order, on up to `threads`
// threads, and returns when all are done.
void ForEachBlock(std::int64_t blocks, unsigned threads,
                  const std::function<void(std::int64_t)>& work);

// Sums of one replication after another: run(replication, sums) adds one to the sums of its
// block, and the first block's sums.Merge(the next one's) gathers them.
// REQUIRES: `run` touches nothing but its arguments
template <class Sums, class Run>
Sums Replicate(const ReplicationOptions& options, const Run& run) {
  const std::int64_t count = std::max<std::int64_t>(options.count, 0);
  const std::int64_t blocks = (count + kReplicationsPerBlock - 1) / kReplicationsPerBlock;
  std::vector<Sums> of_block(static_cast<std::size_t>(blocks));
  ForEachBlock(blocks, options.threads, [&](std::int64_t block) {
    const std::int64_t begin = block * kReplicationsPerBlock;
    const std::int64_t until = std::min(begin + kReplicationsPerBlock, count);
    Sums sums;  // not in the vector: neighbours there share a cache line
    for (std::int64_t i = begin; i < until; ++i) run(options.first + i, sums);
    of_block[static_cast<std::size_t>(block)] = std::move(sums);
  });
  Sums all;
  for (Sums& sums : of_block) all.Merge(std::move(sums));
  return all;
}

}  // namespace plimsoll
