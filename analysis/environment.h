// Under which conditions two sides were measured: what was asked to differ, and what differs
// besides.
#pragma once

#include <string>
#include <vector>

#include "analysis/side.h"

namespace lab::analysis {

// "kernel": "Linux 6.1" -> "Linux 6.6"; "-" for what one side does not tell.
struct Difference {
  std::string what;
  std::string before, after;
  bool operator==(const Difference&) const = default;
};

// Levels of two cells; where those are the same or not named, the settings asked for.
std::vector<Difference> asked_differences(const Side& before, const std::string& cell_before,
                                          const Side& after, const std::string& cell_after);

// Everything else that the two directories and the runs of the two cells record: lab, target,
// conditions (versions, kernel, CPUs, pool, replicas, …), hosts and allocators of the OSDs,
// the cluster, and settings that were asked for alike but were not in effect alike. Times,
// names of images and what comparability.h checks are left out.
std::vector<Difference> other_differences(const Side& before, const std::string& cell_before,
                                          const Side& after, const std::string& cell_after);

}  // namespace lab::analysis
