// Does something grow with time? A leak is a slope that goes on; warming up is one that ends.
// From values over time to a rate with its interval. Pure.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "analysis/blocks.h"

namespace lab::stats {

// A moment in hours, and a value at it.
using TimeSeries = std::vector<std::pair<double, double>>;

struct Growth {
  enum class Verdict {
    grows,       // beyond its interval, and in the second half not clearly less
    levels_off,  // it grew, but the second half does not any more
    shrinks,     // beyond its interval
    no_growth,   // the interval holds 0: none beyond its upper end
  };
  Verdict verdict = Verdict::no_growth;
  double per_hour = 0;       // of the fitted line
  Interval interval95{};     // of it
  Interval second_half95{};  // of the line through the second half alone
  double hours = 0;          // from the first value to the last
};

// Values are put together into stretches of equal time whose means are fitted by a straight line;
// what is left is correlated from stretch to stretch, and the interval is widened by as much as
// that takes away from the number of independent ones. None for fewer than 12 stretches with
// values, in any order.
std::optional<Growth> growth_of(const TimeSeries& series);

}  // namespace lab::stats
