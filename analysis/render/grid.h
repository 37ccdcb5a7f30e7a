// Any table of texts and numbers, and its forms: who has figures to show makes a Grid of them
// and needs no renderer of its own.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/render/field.h"
#include "analysis/render/renderer.h"

namespace lab::analysis {

struct Grid {
  struct Column {
    std::string title;
    bool right = false;  // in forms for people: numbers stand to the right
    // Long names: a terminal that is too narrow shortens them before it parts the table.
    bool gives_way = false;
  };
  std::string title;
  std::vector<std::string> before;  // sentences above the table, in forms for people
  // The first `keys` columns tell what a row is. A terminal that is too narrow shows them
  // again with each part of the rest.
  size_t keys = 1;
  std::vector<Column> columns;
  std::vector<Record> rows;        // a field for each column
  std::vector<std::string> after;  // what is to be read with it: marks, how to read it
};

// Forms that a grid has: table, markdown, csv, tsv. Texts are made harmless for the form.
bool has_grid_form(Format format);

// The whole text. `format` is one of those above.
std::string render_grid(const Grid& grid, Format format, const RenderOptions& options = {});

}  // namespace lab::analysis
