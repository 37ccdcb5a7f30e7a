#include "analysis/write_tables.h"

#include "analysis/render/renderer.h"

namespace lab::analysis {

Table write_tables(const fs::path& directory) {
  Table table = load_table(results::ResultReader::load(directory));
  for (auto [format, name] : {std::pair(Format::table, "table.txt"),
                              {Format::markdown, "table.md"},
                              {Format::csv, "table.csv"},
                              {Format::tidy, "tidy.csv"}})
    write_file_atomically(directory / name, make_renderer(format)->render(table));
  return table;
}

}  // namespace lab::analysis
