// Was a run in a steady state, or is its mean that of a slope? From the course of IOPS over its
// seconds, after the criteria of SNIA's Solid State Storage Performance Test Specification (PTS
// 2.0.2, 2.1.x "steady state"): over five rounds the fitted line rises or falls by no more than 10%
// of the average, and no two rounds are further apart than 20%. A run has one round's length only,
// so what is beyond those limits must also be beyond what its own noise explains.
#pragma once

#include <optional>
#include <vector>

namespace lab::stats {

// Shorter courses say nothing: a second more or less is a tenth of a window.
constexpr size_t kSteadyLeastPoints = 25;

struct Unsteady {
  enum class Kind {
    drift,      // rises or falls from beginning to end
    excursion,  // a fifth of the run was another than the rest
  };
  Kind kind = Kind::drift;
  // Of a drift: how much the fitted line rises (falls, if negative) over the run, of the mean. Of
  // an excursion: how far that fifth is from the mean of the rest.
  double percent = 0;
};

// IOPS in equal steps of time. None: steady, or too few points to tell.
std::optional<Unsteady> find_unsteady(const std::vector<double>& iops);

}  // namespace lab::stats
