// live.csv of a run: IOPS over time, as they were told while fio ran.
#pragma once

#include <fstream>
#include <optional>

#include "results/csv_line.h"

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
  // The runner asks more often than figures are renewed: the same ones again are left out,
  // unless they have stood for so long that they must be new.
  void add(const LivePoint& point);

 private:
  static constexpr double kRenewed_s = 1.5;
  std::ofstream out_;
  std::optional<LivePoint> last_;
};

// The points of a run's folder, one after the other; none if there is no file.
class LiveSamples {
 public:
  explicit LiveSamples(const fs::path& folder);

  // False at the end. Lines that cannot be read are counted and passed over. Throws lab::Error
  // (Exit::environment) if the file cannot be read.
  bool next(LivePoint& point);

  const DamagedLines& damaged() const { return damaged_; }

 private:
  CsvLines lines_;
  DamagedLines damaged_;
};

}  // namespace lab::results
