// When is a recovery over? From what the cluster tells once a second to the moments at which
// degraded and misplaced objects were gone and all placement groups clean. Pure.
#pragma once

#include <optional>

#include "results/recovery.h"

namespace lab::recovery {

class Milestones {
 public:
  // `period_s`: of the managers' statistics, which lag so far behind.
  explicit Milestones(double period_s) : period_s_(period_s) {}

  // The recovery begins: what was seen before does not count as its end.
  void begin(double time_s);
  void add(const results::RecoveryPoint& point);

  // All clean for long enough to believe it. Where nothing was ever seen to be unclean it takes
  // longer: peering may not have begun.
  bool over() const;
  // Was anything seen to be recovered at all?
  bool moved() const { return seen_unclean_; }

  // Since when it has been so up to the last point; none: it is not, or never was otherwise.
  std::optional<double> degraded_gone_s() const { return degraded_.gone_s; }
  std::optional<double> misplaced_gone_s() const { return misplaced_.gone_s; }
  std::optional<double> clean_s() const;

 private:
  struct Count {
    bool seen = false;
    std::optional<double> gone_s;
    void add(double time_s, uint64_t count);
  };

  double period_s_;
  std::optional<double> begin_s_;
  double now_s_ = 0;
  bool seen_unclean_ = false;
  Count degraded_, misplaced_;
  std::optional<double> clean_since_s_;
};

}  // namespace lab::recovery
