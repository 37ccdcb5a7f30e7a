// Collects the marks of a table: the same reason stands once, however many runs gave it.
#pragma once

#include <vector>

#include "analysis/table.h"

namespace lab::analysis {

// "1-3, 7" of ascending numbers.
std::string ranges(const std::vector<unsigned>& numbers);

class MarkList {
 public:
  // Adds the mark for a row (or whatever `owner` belongs to), with the run that gave it;
  // 0: no single run. `owner` gets the mark's index, once, and stays ascending.
  void add(std::vector<size_t>& owner, const results::Mark& mark, unsigned run = 0);

  std::vector<TableMark> take() { return std::move(marks_); }

 private:
  std::vector<TableMark> marks_;
};

}  // namespace lab::analysis
