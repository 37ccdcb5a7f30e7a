// Randomised complete blocks: every block runs each cell once, close in time, so that
// what drifts between blocks cancels when a cell is compared with the baseline of its own
// block. Works on logarithms: a difference of logarithms is a ratio. See docs/method.md.
//
// Pure: from values to numbers; verdict.h puts them into words.
#pragma once

#include <cstddef>
#include <vector>

#include "analysis/two_way.h"

namespace lab::stats {

struct Blocks {
  // [block][cell], in the order of time. Positive figures (IOPS, bytes of memory); NaN or
  // anything not above 0 is a run that failed and is left out.
  BlockTable values;
  // [block][cell]: when the run took place, in anything that grows evenly with time, e.g.
  // its place in the whole sequence. Empty if unknown: drift can't be looked for then.
  BlockTable times;
  size_t baseline = 0;
};

// Which samples the intervals rest on.
enum class Model {
  too_few,           // under 2 blocks: ratios only
  blocks,            // value = block + cell + noise
  blocks_and_drift,  // value = block + cell + slope × time + noise
  mirrored_pairs,    // the mean of a block and its mirror is one sample
};

// Levels of the preliminary tests that choose between models. The defaults are what the
// simulation in docs/method.md was run with; others are for such simulations.
struct BlockOptions {
  double drift_level = 0.001;
  double pairs_level = 0.01;
  double own_variance_level = 0.01;
  double leave_out_level = 0.005;
};

// A ratio to the baseline.
struct Interval {
  double low;
  double high;
};

struct Comparison {
  size_t cell = 0;
  size_t blocks = 0;  // in which the cell was measured
  double ratio = 0;   // cell / baseline; NaN if they can't be compared
  // Of the logarithm of the ratio; NaN and 0 without two blocks.
  double standard_error = 0;
  double df = 0;
  double p = 0;       // two-sided, of "no difference"
  double p_holm = 0;  // corrected for all comparisons of this analysis
  // The cell's differences from the baseline scatter more than those of other cells, so
  // they alone say how much.
  bool own_variance = false;

  // Two-sided Student interval, e.g. 0.95.
  Interval interval(double confidence) const;
};

struct Outlier {
  size_t block;
  size_t cell;
  double ratio;  // the value, to what the others of its block and cell lead to expect
};

struct BlockAnalysis {
  Model model = Model::too_few;
  size_t blocks = 0;  // with at least two values
  size_t cells = 0;
  size_t missing = 0;      // places without a usable value
  double residual_sd = 0;  // of logarithms, one run; about the coefficient of variation
  double df = 0;
  std::vector<Comparison> comparisons;  // of all cells but the baseline, in their order
  std::vector<Outlier> outliers;        // marked, never left out
  // Straight-line drift over the whole sequence, as a ratio of end to start, estimated
  // within blocks; p of "none". NaN if it can't be estimated.
  double drift_ratio = 0;
  double drift_p = 0;
  // p of "a block and its mirror differ by noise and straight drift alone"; NaN unknown.
  double pairs_p = 0;
};

BlockAnalysis analyse_blocks(const Blocks& blocks, const BlockOptions& options = {});

}  // namespace lab::stats
