// The course of IOPS within a run, one phase and direction at a time, and what is to be said of it.
#pragma once

#include <optional>
#include <vector>

#include "results/live.h"
#include "results/mark.h"
#include "results/plan.h"

namespace lab::analysis {

// The points of live.csv that belong to one direction of a phase, without the first and the last
// of them, which hold a part of a second only, and without fio's ramp time. Empty if they cannot be
// told apart, since several phases of the job do such I/O.
std::vector<double> course_of(const std::vector<results::LivePoint>& points,
                              const std::vector<results::Phase>& phases, size_t phase, bool writes,
                              double ramp_s);

// None for a steady course. `direction`: "write" or "read".
std::optional<results::Mark> judge_course(const std::vector<double>& iops, const char* direction);

}  // namespace lab::analysis
