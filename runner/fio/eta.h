// Live figures from the line that fio prints for people: what engines that publish no
// counters offer.
#pragma once

#include <optional>
#include <string_view>

namespace lab {

struct LiveFigures {
  double read_iops = 0;
  double write_iops = 0;
  double done = 0;  // part of the run that is over, 0…1, as fio estimates it
};

// `Jobs: 1 (f=1): [m(1)][75.0%][r=5579MiB/s,w=5586MiB/s][r=1428k,w=1430k IOPS][eta 00m:01s]`:
// the last complete line of `text`, which fio parts by carriage returns. None before the
// first figures.
std::optional<LiveFigures> parse_eta(std::string_view text);

}  // namespace lab
