// A factor from the command line: one fio option over a range of values.
#pragma once

#include <string>
#include <string_view>

#include "runner/plan/matrix.h"

namespace lab {

// `iodepth=1..256` doubles from 1 to 256 (which is a level even where doubling misses it);
// `rate_iops=100..500+100` goes in steps; `bs=4k,16k,1m` takes what is listed. The first value
// is the baseline. Numbers may bear fio's k, m, g. Throws lab::Error (Exit::usage) quoting the
// text and saying what is wrong with it.
Factor parse_sweep(std::string_view text);

}  // namespace lab
