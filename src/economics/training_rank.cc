#include "economics/training_rank.h"

#include <algorithm>
#include <map>

namespace plimsoll {
namespace {

using Members = std::vector<std::size_t>;

void RankGroup(const std::vector<RunToRank>& runs, Members members, std::vector<RunRank>& ranks) {
  std::erase_if(members, [&](std::size_t i) { return !runs[i].has_target || !runs[i].cost; });
  Members reached = members;
  std::erase_if(reached, [&](std::size_t i) { return !runs[i].cost_to_target; });
  std::sort(reached.begin(), reached.end(), [&](std::size_t a, std::size_t b) {
    return *runs[a].cost_to_target < *runs[b].cost_to_target;
  });
  for (std::size_t place = 0; place < reached.size(); ++place) {
    const bool ties = place > 0 && *runs[reached[place]].cost_to_target ==
                                       *runs[reached[place - 1]].cost_to_target;
    ranks[reached[place]].rank =
        ties ? *ranks[reached[place - 1]].rank : static_cast<std::int64_t>(place) + 1;
  }
  for (const std::size_t i : members) {
    if (!runs[i].cost_to_target) ranks[i].rank = static_cast<std::int64_t>(reached.size()) + 1;
  }
}

// By cost, the better quality first, a run is on the front if it is better than all that cost less
// and as good as the best of its own cost.
void MarkFront(const std::vector<RunToRank>& runs, Members members, std::vector<RunRank>& ranks) {
  std::erase_if(members, [&](std::size_t i) { return !runs[i].cost || !runs[i].quality; });
  const auto is_better = [&](std::size_t a, std::size_t b) {
    return runs[a].at_most ? *runs[a].quality < *runs[b].quality
                           : *runs[a].quality > *runs[b].quality;
  };
  std::sort(members.begin(), members.end(), [&](std::size_t a, std::size_t b) {
    return *runs[a].cost != *runs[b].cost ? *runs[a].cost < *runs[b].cost : is_better(a, b);
  });
  std::optional<std::size_t> best;  // the last one on the front
  for (const std::size_t i : members) {
    const bool is_as_good = best && *runs[i].cost == *runs[*best].cost && !is_better(*best, i);
    ranks[i].pareto = !best || is_better(i, *best) || is_as_good;
    if (*ranks[i].pareto) best = i;
  }
}

}  // namespace

std::vector<RunRank> RankRuns(const std::vector<RunToRank>& runs) {
  std::map<std::string, Members> groups;
  for (std::size_t i = 0; i < runs.size(); ++i) groups[runs[i].group].push_back(i);
  std::vector<RunRank> ranks(runs.size());
  for (const auto& [group, members] : groups) {
    RankGroup(runs, members, ranks);
    MarkFront(runs, members, ranks);
  }
  return ranks;
}

}  // namespace plimsoll
