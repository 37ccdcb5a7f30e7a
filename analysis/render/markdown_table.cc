#include "analysis/render/markdown_table.h"

#include <algorithm>

#include "analysis/render/escape.h"
#include "runner/base/text.h"

namespace lab::analysis {
namespace {

std::string line(const std::vector<std::string>& cells) {
  return "| " + join(cells, " | ") + " |\n";
}

}  // namespace

std::string markdown_table(const std::vector<Column>& columns) {
  std::vector<std::string> titles;
  std::vector<std::string> rules;
  size_t rows = 0;
  for (const Column& column : columns) {
    titles.push_back(markdown_cell(column.title));
    rules.emplace_back(column.right ? "--:" : "---");
    rows = std::max(rows, column.cells.size());
  }
  std::string out = line(titles) + line(rules);
  for (size_t i = 0; i < rows; ++i) {
    std::vector<std::string> cells;
    cells.reserve(columns.size());
    for (const Column& column : columns) cells.push_back(markdown_cell(column.cells[i]));
    out += line(cells);
  }
  return out;
}

}  // namespace lab::analysis
