// A table of the HTML report: with a caption, headed rows and columns, in a box of its own
// that scrolls where the page is narrow.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lab::analysis::html {

// How a column is set: figures to the right, words never broken, names with room for a whole one.
enum class Set { text, word, figure, name };

struct Column {
  std::string title;
  Set set = Set::text;
};

// What stands in a table. `html` is markup: made by the functions below, which escape.
struct GridCell {
  std::string html;
  // What to sort by; none: by the text, in which numbers count as such.
  std::optional<double> key;
  // There is no figure: sorts behind all others, whatever the order.
  bool missing = false;
};

GridCell text_cell(std::string_view text);
// A figure as it is shown and by what it is sorted; without `value` it sorts last.
GridCell number_cell(std::string_view text, std::optional<double> value);
// A whole number that is also its own text.
GridCell count_cell(size_t count);

class Grid {
 public:
  // `id` is unique in the page. Sortable tables get their buttons from the page's script.
  Grid(std::string id, std::string caption, std::vector<Column> columns, bool sortable = true);

  // One cell for each column; the first heads its row. `style` is a class of the style sheet.
  void add(const std::vector<GridCell>& cells, std::string_view style = "");

  bool empty() const { return body_.empty(); }
  std::string html() const;

 private:
  std::string id_, caption_;
  std::vector<Column> columns_;
  bool sortable_;
  std::string body_;
};

}  // namespace lab::analysis::html
