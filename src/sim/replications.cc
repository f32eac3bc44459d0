#include "sim/replications.h"

#include <atomic>
#include <thread>

namespace plimsoll {

void ForEachBlock(std::int64_t blocks, unsigned threads,
                  const std::function<void(std::int64_t)>& work) {
  if (threads == 0) threads = std::max(1U, std::thread::hardware_concurrency());
  std::atomic<std::int64_t> next{0};
  const auto take = [&] {
    for (std::int64_t block = next++; block < blocks; block = next++) work(block);
  };
  std::vector<std::jthread> helpers;
  const std::int64_t useful = std::min<std::int64_t>(threads, blocks);
  for (std::int64_t i = 1; i < useful; ++i) helpers.emplace_back(take);
  take();
}  // the helpers are joined here

}  // namespace plimsoll
