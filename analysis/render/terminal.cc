#include "analysis/render/escape.h"
#include "analysis/render/iops_columns.h"
#include "analysis/render/layout.h"
#include "analysis/render/renderer.h"
#include "analysis/render/wording.h"

namespace lab::analysis {
std::string TerminalRenderer::render(const Table& table) const {
  Paint paint(options_.colours);
  const size_t width = options_.width;
  const size_t prose = width > 0 ? width : kProseWidth;
  std::string out = paint.bold(one_line(title_text(table))) + "\n";
  if (!table.headline.empty())
    out += paint.bold(wrapped("", one_line(table.headline) + ".", prose, 2)) + "\n";
  for (const auto& [key, text] : conditions(table))
    out += wrapped("  ", one_line(fmt::format("{}: {}", key, text)), prose, 6);
  out += "\n";

  const TextTable text = text_table(iops_columns(table), width, prose);
  out += paint.bold(text.head) + "\n";
  for (size_t i = 0; i < table.rows.size(); ++i)
    out += paint.weight(worst_mark(table, table.rows[i]).value_or(results::Weight::note),
                        text.rows[i]) +
           "\n";
  out += text.left_out;

  if (!table.marks.empty()) out += "\n" + paint.bold("Marks") + "\n";
  for (size_t i = 0; i < table.marks.size(); ++i) {
    const std::string number = fmt::format("  {:<3} ", mark_number(table, i));
    out += paint.weight(table.marks[i].mark.weight,
                        wrapped(number, one_line(mark_text(table, i)), prose, 6));
  }
  out += "\n";
  for (const std::string& note : reading_notes(table)) out += wrapped("", one_line(note), prose, 2);
  return out;
}

}  // namespace lab::analysis
