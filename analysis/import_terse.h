// fio's terse output (--minimal, --output-format=terse), versions 2 to 5: a line of
// semicolon-separated fields for each job or group.
//
// Precision is fio's: IOPS and latencies in whole microseconds are cut off to integers,
// bytes to KiB. The number of I/Os isn't told and stays zero.
#pragma once

#include <string_view>

#include "analysis/imported.h"

namespace lab::analysis {

bool is_fio_terse(std::string_view text);

// Lines of other kinds are passed over. Several runs in one file are told apart by their
// groups only: a line of a lower group, or of another version of fio, begins a new run.
ImportedRuns import_fio_terse(std::string_view text);

}  // namespace lab::analysis
