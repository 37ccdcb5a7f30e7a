#include "results/live.h"

#include <fmt/format.h>

#include "results/csv_line.h"

namespace lab::results {
namespace {

constexpr const char* kName = "live.csv";

}  // namespace

LiveLog::LiveLog(const fs::path& folder) : out_(folder / kName) {
  out_ << "time_s,write_iops,read_iops\r\n";
}

void LiveLog::add(const LivePoint& point) {
  if (last_s_ >= 0 && point.time_s - last_s_ < kStep_s / 2) return;
  last_s_ = point.time_s;
  out_ << fmt::format("{:.3f},{:.1f},{:.1f}\r\n", point.time_s, point.write_iops, point.read_iops)
       << std::flush;
}

std::vector<LivePoint> load_live(const fs::path& folder) {
  std::vector<LivePoint> points;
  CsvLines lines(folder / kName);
  CsvFields<3> fields;
  for (bool header = true; lines.next(); header = false) {
    LivePoint point;
    if (!header && split_line(lines.line(), fields) && number_of(fields[0], point.time_s) &&
        number_of(fields[1], point.write_iops) && number_of(fields[2], point.read_iops))
      points.push_back(point);
  }
  return points;
}

}  // namespace lab::results
