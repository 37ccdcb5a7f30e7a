// Curves over time as data files, and the axis that they share. All pure.
#pragma once

#include <string>

#include "analysis/plot/series.h"

namespace lab::analysis {

// Lines `seconds, value`: the two extremes of every bucket in the order in which they were
// seen, divided by `unit`; `more` ends each line (further columns, with their leading tab).
std::string extremes(const std::vector<Bucket>& buckets, double unit, const std::string& more);

// Lines `seconds, smallest, mean, largest` of every bucket, at its middle.
std::string bands(const std::vector<Bucket>& buckets, double bucket_s, double unit,
                  const std::string& more);

// The largest time and the largest value of all series, 0 if there are none.
struct Extent {
  double end_s = 0;
  double most = 0;
};
Extent extent(const SeriesSampler::Series& series);

// Seconds up to a few minutes, then minutes, hours, days.
struct TimeAxis {
  double unit_s = 1;
  std::string commands;  // its range, tics and name
};
TimeAxis time_axis(double end_s);

}  // namespace lab::analysis
