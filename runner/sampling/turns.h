// The beat of a periodic job, by a clock that never jumps.
#pragma once

#include <chrono>
#include <cstdint>

namespace lab::sampling {

using Clock = std::chrono::steady_clock;

// Turns are due at the start and at every period after it, whatever the job takes: being late once
// delays no other turn. Who is late by a period or more has missed turns.
class Turns {
 public:
  Turns(Clock::time_point start, Clock::duration period) : due_(start), period_(period) {}

  Clock::time_point due() const { return due_; }

  // Takes the turn that is due at `now`, which is not before due(); returns how many were missed
  // before it.
  uint64_t take(Clock::time_point now) {
    const auto missed = (now - due_) / period_;
    due_ += (missed + 1) * period_;
    return static_cast<uint64_t>(missed);
  }

 private:
  Clock::time_point due_;
  Clock::duration period_;
};

}  // namespace lab::sampling
