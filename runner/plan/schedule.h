// In which order the runs go: the order decides how much a drifting cluster can pretend.
#pragma once

#include <cstdint>
#include <vector>

namespace lab {

struct ScheduledRun {
  int index = 0;  // 1-based, in the order of running
  int cell = 0;
  int block = 0;          // 1-based: one pass over all cells
  int position = 0;       // 1-based place in its block
  bool mirrored = false;  // its block has a twin in reversed order
  int plot = 0;           // 1-based, counted over all blocks: see whole_plots
};

// `blocks` passes over the cells: a random order (seeded), then the same reversed, and so on
// with a new random order, so that linear drift cancels in each pair of blocks. An odd last
// block has no mirror.
//
// `whole_plots[cell]` names what is applied to a cell by a restart: cells of a block with the same
// name run one after the other, in random order, under one restart (a split plot), since
// restarts are dear. Cells with names of their own are simply shuffled.
std::vector<ScheduledRun> make_schedule(const std::vector<int>& whole_plots, int blocks,
                                        uint64_t seed);

}  // namespace lab
