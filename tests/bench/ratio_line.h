// The line that every benchmark prints for a figure.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "analysis/blocks.h"

namespace lab::bench {

// What both sides took in one round, of any unit, smaller is better.
struct Round {
  double ours;
  double peers;
};

// "bench NAME ratio 0.97 [0.95 0.99] goal <=1.00 met": geometric mean over the rounds with
// its 95% interval. The goal is met if the ratio itself is at most `goal`.
inline void print_ratio(const std::string& name, const std::vector<Round>& rounds, double goal) {
  stats::Blocks blocks;
  for (const Round& round : rounds) blocks.values.push_back({round.peers, round.ours});
  const stats::Comparison ours = stats::analyse_blocks(blocks).comparisons.at(0);
  const stats::Interval interval = ours.interval(0.95);
  fmt::print("bench {} ratio {:.2f} [{:.2f} {:.2f}] goal <={:.2f} {}\n", name, ours.ratio,
             interval.low, interval.high, goal, ours.ratio <= goal ? "met" : "missed");
  fflush(stdout);
}

}  // namespace lab::bench
