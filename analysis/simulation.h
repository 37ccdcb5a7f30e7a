// A laboratory without disks: runs with a known truth, noise and drift, so that the
// statistics can be asked what they would have said. For tests and for the figures in
// docs/method.md (target simulate-method).
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "analysis/blocks.h"

namespace lab::stats {

// The same numbers on every platform, which std::normal_distribution doesn't promise.
class Random {
 public:
  explicit Random(uint64_t seed) : engine_(seed) {}
  double uniform();  // in [0, 1)
  double normal();   // mean 0, standard deviation 1
  void shuffle(std::vector<size_t>& order);

 private:
  std::mt19937_64 engine_;
};

enum class DriftShape {
  none,
  linear,       // by drift_size from the first run to the last
  random_walk,  // with a range (highest less lowest) of drift_size on average
  warm_up,      // starts drift_size low and comes within a third of it in one block
  wave,         // one and a half periods over the sequence, amplitude half of drift_size
};

// How the runs of a sequence are ordered. A, B are cells.
enum class Order {
  grouped,   // AAABBB: all repetitions of a cell in a row
  cyclic,    // ABABAB: the same order in every block
  mirrored,  // ABBA: random order in a block, reversed in the next
};

struct Scenario {
  size_t cells = 6;
  size_t blocks = 4;
  std::vector<double> noise = {0.01};  // standard deviation of logarithms; the last is repeated
  DriftShape drift = DriftShape::none;
  double drift_size = 0;
  Order order = Order::mirrored;
  double effect = 0;  // of the last cell: 0.05 is 5% more than the baseline
};

// One sequence of runs; the baseline is cell 0.
Blocks simulate_runs(const Scenario& scenario, Random& random);

// Shares of many sequences in which …
struct Rates {
  double any_different;   // … at least one cell was called different from the baseline
  double last_different;  // … the last cell was
};
Rates simulate_blocks(const Scenario& scenario, unsigned sequences, uint64_t seed,
                      const BlockOptions& options = {}, double alpha = 0.05);

// The textbook's comparison that ignores the order: Student's t of two independent
// groups with equal variances, of the first two cells. Share called different.
double simulate_two_sample(const Scenario& scenario, unsigned sequences, uint64_t seed,
                           double alpha = 0.05);

}  // namespace lab::stats
