// fio's terse output (--minimal, --output-format=terse), versions 2 to 5: a line of
// semicolon-separated fields for each job or group.
//
// Precision is fio's: IOPS and latencies in whole microseconds are cut off to integers,
// bytes to KiB. The number of I/Os isn't told: it is put as IOPS times runtime, and may be
// low by one a second.
#pragma once

#include <string_view>

#include "analysis/imported.h"

namespace lab::analysis {

bool is_fio_terse(std::string_view text);

// Lines of other kinds are passed over. A line begins a new run if it is of a lower group, of
// another version of fio or of the format, equal to one of the run's, or of a job and group
// that the run has had before another one. Directly behind a line of its job and group it
// counts as one of numjobs, with a problem that says so: a second run of one job looks alike.
ImportedRuns import_fio_terse(std::string_view text);

}  // namespace lab::analysis
