#include "analysis/render/grid.h"

#include <algorithm>

#include "analysis/render/csv.h"
#include "analysis/render/escape.h"
#include "analysis/render/layout.h"
#include "analysis/render/markdown_table.h"
#include "runner/base/text.h"

namespace lab::analysis {
namespace {

constexpr size_t kNarrowestKey = 8;
constexpr size_t kNarrowestName = 24;

Record titles(const Grid& grid) {
  Record record;
  for (const Grid::Column& column : grid.columns) record.push_back({column.title});
  return record;
}

// The texts of a column, its title first.
std::vector<std::string> column_texts(const Grid& grid, size_t column) {
  std::vector<std::string> texts = {one_line(grid.columns[column].title)};
  for (const Record& row : grid.rows) texts.push_back(one_line(row[column].text));
  return texts;
}

size_t widest(const std::vector<std::string>& texts) {
  size_t width = 0;
  for (const std::string& text : texts) width = std::max(width, display_width(text));
  return width;
}

// Which columns stand side by side: all, or the keys with as many others as there is room for.
std::vector<std::vector<size_t>> parts(const std::vector<size_t>& widths, size_t keys,
                                       size_t width) {
  std::vector<size_t> first(std::min(keys, widths.size()));
  size_t key_width = 0;
  for (size_t i = 0; i < first.size(); ++i) {
    first[i] = i;
    key_width += widths[i] + kColumnGap.size();
  }
  std::vector<std::vector<size_t>> out = {first};
  size_t taken = key_width;
  for (size_t i = first.size(); i < widths.size(); ++i) {
    const size_t wanted = widths[i] + kColumnGap.size();
    if (width > 0 && taken + wanted > width + kColumnGap.size() && out.back().size() > keys) {
      out.push_back(first);
      taken = key_width;
    }
    out.back().push_back(i);
    taken += wanted;
  }
  return out;
}

// Names are shortened so that all columns stand side by side, where that leaves enough of them.
void fit_names(const Grid& grid, std::vector<std::vector<std::string>>& texts,
               std::vector<size_t>& widths, size_t width) {
  size_t taken = 0;
  for (const size_t column : widths) taken += column + (taken ? kColumnGap.size() : 0);
  for (size_t i = 0; i < widths.size() && taken > width; ++i) {
    if (!grid.columns[i].gives_way || widths[i] <= kNarrowestName) continue;
    const size_t room = std::max(kNarrowestName, widths[i] - std::min(widths[i], taken - width));
    for (std::string& text : texts[i]) text = shortened_inside(text, room);
    taken -= widths[i];
    widths[i] = widest(texts[i]);
    taken += widths[i];
  }
}

// Keys are shortened where not even one other column has room beside them.
void fit_keys(std::vector<std::vector<std::string>>& texts, std::vector<size_t>& widths,
              size_t keys, size_t width) {
  size_t others = 0;
  for (size_t i = keys; i < widths.size(); ++i) others = std::max(others, widths[i]);
  size_t taken = others;
  for (size_t i = 0; i < keys && i < widths.size(); ++i) taken += widths[i] + kColumnGap.size();
  // The last key first: the first one names the row.
  for (size_t i = std::min(keys, widths.size()); i-- > 0 && taken > width;) {
    const size_t narrow = std::max(kNarrowestKey, widths[i] - std::min(widths[i], taken - width));
    if (narrow >= widths[i]) continue;
    taken -= widths[i] - narrow;
    widths[i] = narrow;
    for (std::string& text : texts[i]) text = shortened(text, narrow);
  }
}

std::string terminal(const Grid& grid, const RenderOptions& options) {
  const size_t prose = options.width > 0 ? options.width : kProseWidth;
  auto bold = [&](const std::string& text) {
    return options.colours ? "\x1b[1m" + text + "\x1b[0m" : text;
  };
  std::string out = bold(one_line(grid.title)) + "\n";
  for (const std::string& line : grid.before) out += wrapped("  ", one_line(line), prose, 6);
  std::vector<std::vector<std::string>> texts;
  std::vector<size_t> widths;
  for (size_t i = 0; i < grid.columns.size(); ++i) {
    texts.push_back(column_texts(grid, i));
    widths.push_back(widest(texts.back()));
  }
  if (options.width > 0) {
    fit_names(grid, texts, widths, options.width);
    fit_keys(texts, widths, grid.keys, options.width);
  }
  for (const std::vector<size_t>& part : parts(widths, grid.keys, options.width)) {
    out += "\n";
    for (size_t row = 0; row <= grid.rows.size(); ++row) {
      std::vector<std::string> cells;
      cells.reserve(part.size());
      for (size_t i : part)
        cells.push_back(padded(texts[i][row], widths[i], grid.columns[i].right));
      const std::string line = trimmed_right(join(cells, kColumnGap));
      out += (row == 0 ? bold(line) : line) + "\n";
    }
  }
  if (!grid.after.empty()) out += "\n";
  for (const std::string& line : grid.after) out += wrapped("", one_line(line), prose, 2);
  return out;
}

std::string markdown(const Grid& grid) {
  std::string out = "## " + markdown_cell(grid.title) + "\n\n";
  for (const std::string& line : grid.before) out += "- " + markdown_cell(line) + "\n";
  if (!grid.before.empty()) out += "\n";
  std::vector<Column> columns;
  for (size_t i = 0; i < grid.columns.size(); ++i) {
    columns.push_back({grid.columns[i].title, grid.columns[i].right, 0, {}});
    for (const Record& row : grid.rows) columns.back().cells.push_back(row[i].text);
  }
  out += markdown_table(columns);
  if (!grid.after.empty()) out += "\n";
  for (const std::string& note : grid.after) out += "- " + markdown_cell(note) + "\n";
  return out;
}

}  // namespace

bool has_grid_form(Format format) {
  return format == Format::table || format == Format::markdown || format == Format::csv ||
         format == Format::tsv;
}

std::string render_grid(const Grid& grid, Format format, const RenderOptions& options) {
  if (format == Format::table) return terminal(grid, options);
  if (format == Format::markdown) return markdown(grid);
  auto record = format == Format::csv ? csv_record : tsv_record;
  std::string out = record(titles(grid));
  for (const Record& row : grid.rows) out += record(row);
  return out;
}

}  // namespace lab::analysis
