// The figures of a view: what each column says of a row. For views.cc alone.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "analysis/render/views.h"

namespace lab::analysis {

// A row of the table, or one direction of it where writes and reads ran after each other and
// a ratio is asked for.
struct Entry {
  const TableRow* row;
  bool write;
  bool read;
};

// One column.
struct Measure {
  std::string title;
  bool right;
  std::function<Field(const Entry&)> field;
};

// Pairs of writes and reads, rounded, and marks as numbers of the legend. The table must
// outlive them, here and below.
std::vector<Measure> measures_for_people(const Table& table, View view);
// A figure a column.
std::vector<Measure> measures_for_spreadsheets(const Table& table, View view);

// Reads to writes done: "0:1", "1:3", "30:1", "2.3:1"; "-" if nothing was done.
std::string ratio_of(const Table& table, const Entry& entry);

}  // namespace lab::analysis
