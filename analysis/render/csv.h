// One record of a CSV file, as CsvRenderer and TidyRenderer write it.
#pragma once

#include <string>

#include "analysis/render/wide.h"

namespace lab::analysis {

// RFC 4180, with its CRLF; texts that a spreadsheet would take for formulas are defused.
std::string csv_record(const Record& record);

}  // namespace lab::analysis
