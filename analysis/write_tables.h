// The table files of a result directory.
#pragma once

#include "analysis/table.h"

namespace lab::analysis {

// Builds the table from what is in the directory and replaces table.txt, table.md,
// table.csv and tidy.csv, each by a rename. Returns the table. Throws lab::Error as
// ResultReader::load does, or naming the file that could not be written.
Table write_tables(const fs::path& directory);

}  // namespace lab::analysis
