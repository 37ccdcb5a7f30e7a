// One record of a CSV or TSV file.
#pragma once

#include <string>

#include "analysis/render/field.h"

namespace lab::analysis {

// RFC 4180, with its CRLF; texts that a spreadsheet would take for formulas are defused.
std::string csv_record(const Record& record);

// A line with tabs, for pasting into a spreadsheet; texts are defused likewise, and put on
// one line.
std::string tsv_record(const Record& record);

}  // namespace lab::analysis
