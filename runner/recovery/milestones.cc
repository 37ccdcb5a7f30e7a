#include "runner/recovery/milestones.h"

namespace lab::recovery {
namespace {

// Of the managers' periods: one for the OSDs to tell, one for the managers to pass it on, and one
// for the turn between them.
constexpr double kPeriodsToBelieve = 3;
constexpr double kPeering_s = 15;

}  // namespace

void Milestones::Count::add(double time_s, uint64_t count) {
  if (count > 0) {
    seen = true;
    gone_s.reset();
  } else if (seen && !gone_s) {
    gone_s = time_s;
  }
}

void Milestones::begin(double time_s) {
  begin_s_ = time_s;
  clean_since_s_.reset();
  seen_unclean_ = false;
}

void Milestones::add(const results::RecoveryPoint& point) {
  now_s_ = point.time_s;
  degraded_.add(point.time_s, point.degraded_objects);
  misplaced_.add(point.time_s, point.misplaced_objects);
  const bool clean =
      point.unclean_pgs == 0 && point.degraded_objects == 0 && point.misplaced_objects == 0;
  if (!clean) {
    seen_unclean_ = seen_unclean_ || begin_s_;
    clean_since_s_.reset();
  } else if (!clean_since_s_) {
    clean_since_s_ = point.time_s;
  }
}

std::optional<double> Milestones::clean_s() const {
  return begin_s_ && seen_unclean_ ? clean_since_s_ : std::nullopt;
}

bool Milestones::over() const {
  if (!begin_s_ || !clean_since_s_) return false;
  const double quiet_s = now_s_ - *clean_since_s_;
  return quiet_s >= kPeriodsToBelieve * period_s_ &&
         (seen_unclean_ || now_s_ - *begin_s_ >= kPeering_s + kPeriodsToBelieve * period_s_);
}

}  // namespace lab::recovery
