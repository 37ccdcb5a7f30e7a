#include "analysis/html/grid.h"

#include <fmt/format.h>

#include <utility>

#include "analysis/render/escape.h"

namespace lab::analysis::html {
namespace {

std::string class_attribute(std::string_view style) {
  return style.empty() ? "" : fmt::format(" class=\"{}\"", style);
}

std::string_view style_of(const Column& column) {
  switch (column.set) {
    case Set::text:
      return "";
    case Set::word:
      return "word";
    case Set::figure:
      return "figure";
    case Set::name:
      return "name";
  }
  return "";
}

}  // namespace

GridCell text_cell(std::string_view text) { return {html_text(text)}; }

GridCell number_cell(std::string_view text, std::optional<double> value) {
  return {html_text(text), value, !value};
}

GridCell count_cell(size_t count) { return {fmt::format("{}", count), static_cast<double>(count)}; }

Grid::Grid(std::string id, std::string caption, std::vector<Column> columns, bool sortable)
    : id_(std::move(id)),
      caption_(std::move(caption)),
      columns_(std::move(columns)),
      sortable_(sortable) {}

void Grid::add(const std::vector<GridCell>& cells, std::string_view style) {
  body_ += fmt::format("<tr{}>", class_attribute(style));
  for (size_t i = 0; i < cells.size(); ++i) {
    const GridCell& cell = cells[i];
    std::string attributes = i == 0 ? " scope=\"row\"" : "";
    attributes += class_attribute(style_of(columns_.at(i)));
    if (cell.key) attributes += fmt::format(" data-key=\"{:.12g}\"", *cell.key);
    if (cell.missing) attributes += " data-missing";
    const char* tag = i == 0 ? "th" : "td";
    body_ += fmt::format("<{0}{1}>{2}</{0}>", tag, attributes, cell.html);
  }
  body_ += "</tr>\n";
}

std::string Grid::html() const {
  // The box takes the focus, so that it can be scrolled with the keyboard.
  std::string out = fmt::format(
      "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-labelledby=\"{0}-caption\">\n"
      "<table id=\"{0}\"{1}>\n<caption "
      "id=\"{0}-caption\"><span>{2}</span></caption>\n<thead>\n<tr>",
      id_, sortable_ ? " data-sortable" : "", html_text(caption_));
  for (const Column& column : columns_)
    out += fmt::format("<th scope=\"col\"{}>{}</th>", class_attribute(style_of(column)),
                       html_text(column.title));
  return out + "</tr>\n</thead>\n<tbody>\n" + body_ + "</tbody>\n</table>\n</div>\n";
}

}  // namespace lab::analysis::html
