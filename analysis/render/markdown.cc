#include <fmt/format.h>

#include "analysis/render/escape.h"
#include "analysis/render/iops_columns.h"
#include "analysis/render/markdown_table.h"
#include "analysis/render/renderer.h"
#include "analysis/render/wording.h"

namespace lab::analysis {
std::string MarkdownRenderer::render(const Table& table) const {
  std::string out = "## " + markdown_cell(title_text(table)) + "\n\n";
  if (!table.headline.empty()) out += "**" + markdown_cell(table.headline) + ".**\n\n";
  for (const auto& [key, text] : conditions(table))
    out += fmt::format("- {}: {}\n", markdown_cell(key), markdown_cell(text));
  out += "\n";

  out += markdown_table(iops_columns(table));
  if (!table.marks.empty()) out += "\nMarks:\n\n";
  for (size_t i = 0; i < table.marks.size(); ++i)
    out += fmt::format("- {} {}\n", mark_number(table, i), markdown_cell(mark_text(table, i)));
  out += "\nHow to read it:\n\n";
  for (const std::string& note : reading_notes(table)) out += "- " + markdown_cell(note) + "\n";
  return out;
}

}  // namespace lab::analysis
