// The w/r IOPS table of files that fio wrote at some time somewhere: one row a file, as
// notes are kept by `fio job | tee SITUATION.txt`.
#pragma once

#include <vector>

#include "analysis/import.h"
#include "analysis/table.h"

namespace lab::analysis {

// Rows are named by the files without folder and ending (with them, where two would be
// alike); the first file is the baseline. Groups of jobs are the phases: one that only
// writes and the next that only reads share a row. Several runs in one file are its
// repetitions; those that do something else than the first one that did I/O are left out,
// with a mark.
//
// There are no verdicts: in which order such files came about is not known, so drift may
// be the whole difference. What couldn't be read is a mark of its row; so are reads far
// above those of all other rows, since images that were never written whole read like
// that.
Table imported_table(const std::vector<ImportedFile>& files);

}  // namespace lab::analysis
