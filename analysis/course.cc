#include "analysis/course.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/steady_state.h"

namespace lab::analysis {

using results::LivePoint;
using results::Mark;
using results::Weight;

std::vector<double> course_of(const std::vector<LivePoint>& points,
                              const std::vector<results::Phase>& phases, size_t phase, bool writes,
                              double ramp_s) {
  const auto does_it = [&](const results::Phase& p) { return writes ? p.write : p.read; };
  if (!does_it(phases[phase]) || std::count_if(phases.begin(), phases.end(), does_it) != 1)
    return {};
  const auto iops = [&](const LivePoint& point) {
    return writes ? point.write_iops : point.read_iops;
  };
  const auto works = [&](const LivePoint& point) { return iops(point) > 0; };
  const auto first = std::find_if(points.begin(), points.end(), works);
  if (first == points.end()) return {};
  const auto last = std::find_if(points.rbegin(), points.rend(), works).base();
  std::vector<double> course;
  for (auto point = first; point != last; ++point)
    if (point != first && point + 1 != last && point->time_s >= first->time_s + ramp_s)
      course.push_back(iops(*point));
  return course;
}

std::optional<Mark> judge_course(const std::vector<double>& iops, const char* direction) {
  const std::optional<stats::Unsteady> found = stats::find_unsteady(iops);
  if (!found) return {};
  const double percent = std::abs(found->percent);
  const bool more = found->percent > 0;
  if (found->kind == stats::Unsteady::Kind::drift)
    return Mark{Weight::doubtful, "no-steady-state",
                fmt::format("{} IOPS {} by {:.0f}% of their mean from the beginning to the end: no "
                            "steady state, so that a longer run would give another figure; run "
                            "longer, or let a ramp_time pass before",
                            direction, more ? "rose" : "fell", percent)};
  return Mark{Weight::doubtful, "no-steady-state",
              fmt::format("{} IOPS of a fifth of the run were {:.0f}% {} those of the rest: "
                          "something went on beside it, or the run is too short to have its share "
                          "of that",
                          direction, percent, more ? "above" : "below")};
}

}  // namespace lab::analysis
