#include "runner/plan/schedule.h"

#include <algorithm>
#include <numeric>

namespace lab {
namespace {

// splitmix64: the same order from the same seed with every standard library,
// which std::shuffle doesn't promise.
uint64_t next_random(uint64_t& state) {
  uint64_t z = (state += 0x9e3779b97f4a7c15ULL);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

}  // namespace

std::vector<ScheduledRun> make_schedule(int cells, int blocks, uint64_t seed) {
  std::vector<ScheduledRun> runs;
  std::vector<int> order(static_cast<size_t>(cells));
  std::iota(order.begin(), order.end(), 0);
  for (int block = 1; block <= blocks; ++block) {
    bool second_of_pair = block % 2 == 0;
    if (second_of_pair) {
      std::reverse(order.begin(), order.end());
    } else {
      for (size_t i = order.size(); i > 1; --i)
        std::swap(order[i - 1], order[next_random(seed) % i]);
    }
    bool mirrored = second_of_pair || block < blocks;
    for (int position = 1; position <= cells; ++position)
      runs.push_back({static_cast<int>(runs.size()) + 1, order[static_cast<size_t>(position - 1)],
                      block, position, mirrored});
  }
  return runs;
}

}  // namespace lab
