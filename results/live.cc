#include "results/live.h"

#include <fmt/format.h>

namespace lab::results {
namespace {

constexpr const char* kName = "live.csv";
constexpr std::string_view kHeader = "time_s,write_iops,read_iops";

}  // namespace

LiveLog::LiveLog(const fs::path& folder) : out_(folder / kName) { out_ << kHeader << "\r\n"; }

void LiveLog::add(const LivePoint& point) {
  if (last_ && point.time_s - last_->time_s < kRenewed_s && point.write_iops == last_->write_iops &&
      point.read_iops == last_->read_iops)
    return;
  last_ = point;
  out_ << fmt::format("{:.3f},{:.1f},{:.1f}\r\n", point.time_s, point.write_iops, point.read_iops)
       << std::flush;
}

LiveSamples::LiveSamples(const fs::path& folder) : lines_(folder / kName) {}

bool LiveSamples::next(LivePoint& point) {
  while (lines_.next()) {
    if (lines_.number() == 1) {
      if (lines_.line() != kHeader) damaged_.add(1);
      continue;
    }
    CsvFields<3> fields;
    if (split_line(lines_.line(), fields) && time_of(fields[0], point.time_s) &&
        number_of(fields[1], point.write_iops) && number_of(fields[2], point.read_iops) &&
        std::isfinite(point.write_iops) && std::isfinite(point.read_iops))
      return true;
    damaged_.add(lines_.number());
  }
  return false;
}

}  // namespace lab::results
