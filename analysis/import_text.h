// fio's human-readable output, of fio 1.5 to 3.42, also as `fio job | tee x.txt` keeps it:
// with progress lines, carriage returns, and whatever else was printed around it.
//
// What this form can't tell stays zero: latency bins, and the exact bytes (fio rounds
// them to 4 digits; before 3.0 to 6). IOPS are made exact again from the I/Os and the
// runtime, which are printed in full.
#pragma once

#include <string_view>

#include "analysis/imported.h"

namespace lab::analysis {

// Whether a line is in there that only this form has.
bool is_fio_text(std::string_view text);

// Of --status-interval, which prints the same jobs again and again with counts from the
// start, only the last counts. options of the jobs: rw, bs, ioengine, iodepth, numjobs as
// far as they were printed.
ImportedRuns import_fio_text(std::string_view text);

}  // namespace lab::analysis
