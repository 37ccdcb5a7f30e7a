#include "runner/plan/schedule.h"

#include <algorithm>

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

void shuffle(std::vector<int>& order, uint64_t& seed) {
  for (size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[next_random(seed) % i]);
}

// Cells in a random order in which those of a whole plot stand together.
std::vector<int> random_order(const std::vector<int>& whole_plots, uint64_t& seed) {
  std::vector<int> plots;
  for (const int plot : whole_plots)
    if (std::find(plots.begin(), plots.end(), plot) == plots.end()) plots.push_back(plot);
  shuffle(plots, seed);
  std::vector<int> order;
  for (const int plot : plots) {
    std::vector<int> cells;
    for (size_t cell = 0; cell < whole_plots.size(); ++cell)
      if (whole_plots[cell] == plot) cells.push_back(static_cast<int>(cell));
    shuffle(cells, seed);
    order.insert(order.end(), cells.begin(), cells.end());
  }
  return order;
}

}  // namespace

std::vector<ScheduledRun> make_schedule(const std::vector<int>& whole_plots, int blocks,
                                        uint64_t seed) {
  std::vector<ScheduledRun> runs;
  std::vector<int> order;
  int plot = 0;
  for (int block = 1; block <= blocks; ++block) {
    if (block % 2 == 0)
      std::reverse(order.begin(), order.end());
    else
      order = random_order(whole_plots, seed);
    const bool mirrored = block % 2 == 0 || block < blocks;
    for (size_t i = 0; i < order.size(); ++i) {
      const auto cell = static_cast<size_t>(order[i]);
      if (i == 0 || whole_plots[cell] != whole_plots[static_cast<size_t>(order[i - 1])]) ++plot;
      runs.push_back({static_cast<int>(runs.size()) + 1, order[i], block, static_cast<int>(i) + 1,
                      mirrored, plot});
    }
  }
  return runs;
}

}  // namespace lab
