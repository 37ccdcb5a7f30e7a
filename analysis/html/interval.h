// 95% intervals drawn in a cell of a table, all on one scale: which side of "no difference",
// and how far from the margin, is seen faster than read.
#pragma once

#include <string>

#include "analysis/table.h"

namespace lab::analysis::html {

// The ratios at both ends of every drawing of a table, symmetric in logarithms.
struct IntervalScale {
  double low = 1;
  double high = 1;
};

// Is there an interval to draw? Not with too few repetitions.
bool has_interval(const stats::Judgement& judgement);

// Wide enough for every interval of the table and for twice the margin.
IntervalScale interval_scale(const Table& table);

// An <svg> of that interval, in which the margin is a band around "no difference".
std::string draw_interval(const stats::Judgement& judgement, const IntervalScale& scale);

}  // namespace lab::analysis::html
