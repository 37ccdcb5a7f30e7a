// The wide form that CSV and TSV share: a record for each line of the spreadsheet.
#pragma once

#include <string>
#include <vector>

#include "analysis/table.h"

namespace lab::analysis {

// A text that may be hostile, or a number that must stay one.
struct Field {
  std::string text;
  bool number = false;
};

using Record = std::vector<Field>;

// The first is the header. The record of the table's row N is at index N - 1; where the
// plan leaves a number out, the record is empty.
std::vector<Record> wide_records(const Table& table);

}  // namespace lab::analysis
