#include "allocation/node_split.h"

#include <limits>
#include <numeric>

namespace plimsoll {
namespace {

constexpr std::int64_t kMilliPerCpu = 1'000;
constexpr std::int64_t kBytesPerGib = std::int64_t{1} << 30;

int128 Gcd(int128 a, int128 b) {
  while (b != 0) {
    const int128 rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

// a * b * c * d; false past 38 digits.
bool Multiply(std::array<std::int64_t, 4> factors, int128& product) {
  product = 1;
  for (const std::int64_t factor : factors) {
    if (__builtin_mul_overflow(product, int128{factor}, &product)) return false;
  }
  return true;
}

}  // namespace

Result<NodeSplit> SplitOfNode(const NodeFact& node, std::int32_t cards,
                              const NodeSplitWeights& weights) {
  const std::int64_t gpu_num = node.gpu_num > 0 ? node.gpu_num : cards;
  const std::int64_t gpu_den = node.gpu_num > 0 ? node.gpu_den : 1;
  const Error too_wide{ErrorCode::kOutOfRange,
                       "split weights of node " + node.node +
                           " have no common scale in 64 bits; give smaller split weights"};
  std::array<int128, 3> wide{};
  if (!Multiply({weights.gpu, gpu_num, kMilliPerCpu, kBytesPerGib}, wide[0]) ||
      !Multiply({weights.cpu, node.cpu_capacity, gpu_den, kBytesPerGib}, wide[1]) ||
      !Multiply({weights.memory, node.memory_capacity, gpu_den, kMilliPerCpu}, wide[2])) {
    return too_wide;
  }
  int128 common = 0;
  for (int128& weight : wide) {
    if (weight < 0) return Error{ErrorCode::kInvalidArgument, "a node split weight is negative"};
    common = Gcd(common, weight);
  }
  if (common == 0) return gpu_num > 0 ? NodeSplit{1, 0, 0} : NodeSplit{0, 1, 0};
  NodeSplit split{};
  for (std::size_t i = 0; i < wide.size(); ++i) {
    const int128 reduced = wide[i] / common;
    if (reduced > std::numeric_limits<std::int64_t>::max()) return too_wide;
    split[i] = static_cast<std::int64_t>(reduced);
  }
  return split;
}

}  // namespace plimsoll
