// The wide form that CSV and TSV share: a record for each line of the spreadsheet.
#pragma once

#include <vector>

#include "analysis/render/field.h"
#include "analysis/table.h"

namespace lab::analysis {

// The first is the header. The record of the table's row N is at index N - 1; where the
// plan leaves a number out, the record is empty.
std::vector<Record> wide_records(const Table& table);

}  // namespace lab::analysis
