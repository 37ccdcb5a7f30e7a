// What a thread costs.
#pragma once

#include <ctime>

namespace lab::sampling {

// CPU time of the calling thread so far, in seconds.
inline double thread_cpu_s() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

}  // namespace lab::sampling
