#include "analysis/render/layout.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/render/escape.h"
#include "runner/base/text.h"

namespace lab::analysis {
namespace {

constexpr size_t kNarrowestFirst = 12;

// Keeps what there is room for, and returns the titles of what is missing.
std::vector<std::string> fit(std::vector<Column>& columns, size_t width) {
  size_t taken = 0;
  int last_rank = 0;
  for (const Column& column : columns) {
    if (column.rank == 0) taken += column.width() + (taken ? kColumnGap.size() : 0);
    last_rank = std::max(last_rank, column.rank);
  }
  std::vector<std::string> missing;
  for (int rank = 1; rank <= last_rank; ++rank) {
    size_t wanted = 0;
    for (const Column& column : columns)
      if (column.rank == rank) wanted += column.width() + kColumnGap.size();
    if (taken + wanted <= width) {
      taken += wanted;
      continue;
    }
    std::erase_if(columns, [&](const Column& column) {
      if (column.rank != rank) return false;
      missing.push_back(column.title);
      return true;
    });
  }
  size_t too_much = taken > width ? taken - width : 0;
  Column& first = columns.front();
  size_t keep = std::max(kNarrowestFirst, first.width() - std::min(first.width(), too_much));
  for (std::string& cell : first.cells) cell = shortened(cell, keep);
  return missing;
}

TextTable lines_of(const std::vector<Column>& columns) {
  std::vector<size_t> widths;
  std::vector<std::string> titles;
  size_t rows = 0;
  for (const Column& column : columns) {
    widths.push_back(column.width());
    titles.push_back(padded(column.title, widths.back(), column.right));
    rows = std::max(rows, column.cells.size());
  }
  TextTable out;
  out.head = trimmed_right(join(titles, kColumnGap));
  for (size_t i = 0; i < rows; ++i) {
    std::vector<std::string> cells;
    for (size_t c = 0; c < columns.size(); ++c)
      cells.push_back(padded(columns[c].cells[i], widths[c], columns[c].right));
    out.rows.push_back(trimmed_right(join(cells, kColumnGap)));
  }
  return out;
}

// How many bytes the first `width` columns take.
size_t bytes_of(std::string_view text, size_t width) {
  size_t bytes = 0;
  for (size_t shown = 0; bytes < text.size(); ++bytes)
    if ((text[bytes] & 0xc0) != 0x80 && ++shown > width) break;
  return bytes;
}

}  // namespace

std::string padded(std::string_view text, size_t width, bool right) {
  size_t shown = display_width(text);
  std::string space(width > shown ? width - shown : 0, ' ');
  return right ? space + std::string(text) : std::string(text) + space;
}

std::string trimmed_right(std::string text) {
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

std::string shortened(std::string_view text, size_t width, std::string_view end) {
  const size_t taken = display_width(end);
  if (display_width(text) <= width || width < taken) return std::string(text);
  return std::string(text.substr(0, bytes_of(text, width - taken))) + std::string(end);
}

std::string shortened_inside(std::string_view text, size_t width, std::string_view gap) {
  const size_t all = display_width(text);
  const size_t taken = display_width(gap);
  if (all <= width || width < taken) return std::string(text);
  const size_t last = (width - taken) / 2;
  return shortened(text, width - last, gap) + std::string(text.substr(bytes_of(text, all - last)));
}

size_t Column::width() const {
  size_t width = display_width(title);
  for (const std::string& cell : cells) width = std::max(width, display_width(cell));
  return width;
}

TextTable text_table(std::vector<Column> columns, size_t width, size_t prose) {
  for (Column& column : columns) {
    column.title = one_line(column.title);
    for (std::string& cell : column.cells) cell = one_line(cell);
  }
  std::vector<std::string> missing;
  if (width > 0) missing = fit(columns, width);
  TextTable out = lines_of(columns);
  if (!missing.empty())
    out.left_out =
        wrapped("", "Left out for want of width: " + join(missing, ", ") + ".", prose, 2);
  return out;
}

std::string wrapped(std::string_view prefix, std::string_view text, size_t width, size_t indent) {
  std::string out(prefix);
  size_t column = display_width(prefix);
  bool first = true;
  for (const std::string& word : split(text, ' ')) {
    size_t length = display_width(word);
    if (!first && column + 1 + length > width) {
      out += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (!first) {
      out += ' ';
      ++column;
    }
    first = false;
    out += word;
    column += length;
  }
  return out + "\n";
}

std::string Paint::weight(results::Weight weight, const std::string& text) const {
  if (weight == results::Weight::invalid) return bad(text);
  if (weight == results::Weight::doubtful) return open(text);
  return text;
}

std::string Paint::paint(const char* code, const std::string& text) const {
  return on_ ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : text;
}

}  // namespace lab::analysis
