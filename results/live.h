// live.csv of a run: IOPS over time, as they were told while fio ran.
#pragma once

#include <fstream>
#include <vector>

#include "runner/base/file.h"

namespace lab::results {

struct LivePoint {
  double time_s = 0;  // since fio was started
  double write_iops = 0;
  double read_iops = 0;
  bool operator==(const LivePoint&) const = default;
};

// Appends as the run goes on. A file that cannot be written is no reason to lose the run:
// there is no curve then.
class LiveLog {
 public:
  // Begins `folder`/live.csv.
  explicit LiveLog(const fs::path& folder);
  // Left out: a figure that is not newer than the one before it by half of `kStep_s`.
  void add(const LivePoint& point);

 private:
  static constexpr double kStep_s = 0.5;
  std::ofstream out_;
  double last_s_ = -1;
};

// The points of a run's folder in their order; empty if there is no file. A line that cannot
// be read, as the last one of a killed lab, is left out.
std::vector<LivePoint> load_live(const fs::path& folder);

}  // namespace lab::results
