// From numbers to a sentence that someone can act on.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "analysis/blocks.h"

namespace lab::stats {

enum class Direction { higher_is_better, lower_is_better };

// What was compared, e.g. {"write IOPS", higher_is_better, names of the cells}.
struct Metric {
  std::string name;
  Direction direction = Direction::higher_is_better;
  std::vector<std::string> cells;
  size_t baseline = 0;
};

enum class Verdict {
  no_statement,  // fewer than two repetitions of the cell, or never beside the baseline
  descriptive,   // two repetitions: figures, but no verdict
  different,     // p, corrected for all comparisons, is at most alpha
  below_margin,  // different, and the 90% interval lies inside the margin: too little to matter
  equivalent,    // not different, and the 90% interval lies inside the margin
  inconclusive,  // neither: the runs scatter too much for their number
};
// "different", "different, below the margin", …
const char* to_text(Verdict verdict);

struct JudgeOptions {
  double margin = 0.03;  // of the ratio: differences up to 3% either way don't matter
  double alpha = 0.05;
  double power = 0.8;  // for what "could have been seen" and "would decide"
};

struct Judgement {
  Verdict verdict = Verdict::no_statement;
  size_t cell = 0;
  double ratio = 0;  // NaN without a statement
  Interval interval95 = {0, 0};
  Interval interval90 = {0, 0};
  double p_holm = 0;
  bool better = false;  // only for different and below_margin
  // The 95% interval lies wholly beyond the margin: not only different, but by more.
  bool beyond_margin = false;
  // The difference that would have been called different with probability `power`, e.g.
  // 0.041 for 4.1%; NaN without a verdict.
  double detectable = 0;
  // Of inconclusive: how many more repetitions would decide with probability `power`, if
  // the true ratio is the one seen. Makes the total even. None above 200.
  std::optional<size_t> more_blocks;
  std::string text;  // one sentence without its full stop
};

// One for each comparison, in their order.
std::vector<Judgement> judge(const BlockAnalysis& analysis, const Metric& metric,
                             const JudgeOptions& options = {});

// What the lab makes of one cell that was run under two names: `control` is the judgement
// of the second name against the first.
struct ControlSummary {
  bool false_alarm = false;  // it called the same thing different
  // Differences below this are the lab's own: the larger of what it saw between two runs
  // of the same, and what it could have seen.
  double floor = 0;
  std::string text;
};
ControlSummary summarise_control(const Judgement& control, const Metric& metric);

// "12.3% higher", "0.8% lower", "2.31 times as high", "equal".
std::string describe_ratio(double ratio);
// "+9.8% to +14.9%", "2.20 to 2.43 times".
std::string describe_interval(const Interval& interval);

}  // namespace lab::stats
