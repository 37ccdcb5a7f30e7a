// Collects the marks of a table: the same reason stands once, however many runs gave it. Reasons
// that differ only in percentages are the same: "95 to 99% of the time".
#pragma once

#include <string>
#include <utility>
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

  std::vector<TableMark> take();

 private:
  // A text in pieces, with the least and the greatest percentage seen between each two.
  struct Percent {
    std::string text;
    double value = 0;
  };
  struct Shape {
    std::vector<std::string> pieces;
    std::vector<std::pair<Percent, Percent>> percents;
  };
  static Shape shape_of(const std::string& text);

  std::vector<TableMark> marks_;
  std::vector<Shape> shapes_;  // one for each of `marks_`
};

}  // namespace lab::analysis
