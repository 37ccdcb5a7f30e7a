#include <algorithm>

#include "analysis/render/escape.h"
#include "analysis/render/layout.h"
#include "analysis/render/renderer.h"
#include "analysis/render/wording.h"
#include "runner/base/text.h"

namespace lab::analysis {
namespace {

std::vector<Column> columns(const Table& table) {
  std::vector<Column> all;
  auto add = [&](std::string title, bool right, int rank, auto text) {
    Column column{std::move(title), right, rank, {}};
    for (const TableRow& row : table.rows) column.cells.push_back(one_line(text(row)));
    all.push_back(std::move(column));
  };
  add("Test", false, 0, [](const TableRow& row) { return row.test; });
  add("Type", false, 0, [](const TableRow& row) { return row.plan.type; });
  add("w/r IOPS", false, 0, iops_text);
  add("vs base %", true, 2, difference_text);
  add("verdict", false, 1, verdict_text);
  add("w p99 ms", true, 4, [](const TableRow& row) { return latency_text(row.write.p99_ms); });
  add("r p99 ms", true, 4, [](const TableRow& row) { return latency_text(row.read.p99_ms); });
  add("spread %", true, 3, [](const TableRow& row) {
    return pair_text(row.write.spread_percent, row.read.spread_percent, 1);
  });
  add("flush s", true, 6, [](const TableRow& row) { return fmt::format("{:.1f}", row.flush_s); });
  add("reps", true, 7, [](const TableRow& row) {
    return fmt::format("{}/{}", row.repetitions.size(), row.repetitions_planned);
  });
  add("proof", false, 5, [](const TableRow& row) { return std::string(to_text(row.proof)); });
  add("CSV row", true, 0, [](const TableRow& row) { return fmt::format("{}", row.plan.row); });
  add("marks", false, 0, [&](const TableRow& row) { return marks_text(table, row.marks); });
  std::erase_if(all, [&](const Column& c) {
    if (c.title == "flush s") return !has_flush(table);
    if (c.title == "verdict")
      return std::all_of(c.cells.begin(), c.cells.end(), [](const auto& t) { return t.empty(); });
    return false;
  });
  return all;
}

}  // namespace

std::string TerminalRenderer::render(const Table& table) const {
  Paint paint(options_.colours);
  const size_t width = options_.width;
  const size_t prose = width > 0 ? width : kProseWidth;
  std::string title = one_line(table.manifest.title);
  if (!table.manifest.matrix.empty())
    title += ", by " + one_line(join(table.manifest.matrix, " and "));
  std::string out = paint.bold(title) + "\n";
  if (!table.headline.empty())
    out += paint.bold(wrapped("", one_line(table.headline) + ".", prose, 2)) + "\n";
  for (const auto& [key, text] : conditions(table))
    out += wrapped("  ", one_line(fmt::format("{}: {}", key, text)), prose, 6);
  out += "\n";

  std::vector<Column> all = columns(table);
  std::vector<std::string> missing;
  if (width > 0) missing = fit(all, width);
  const std::vector<std::string> lines = lines_of(all);
  out += paint.bold(lines[0]) + "\n";
  for (size_t i = 0; i < table.rows.size(); ++i)
    out += paint.weight(worst_mark(table, table.rows[i]).value_or(results::Weight::note),
                        lines[i + 1]) +
           "\n";
  if (!missing.empty())
    out += wrapped("", "Left out for want of width: " + join(missing, ", ") + ".", prose, 2);

  if (!table.marks.empty()) out += "\n" + paint.bold("Marks") + "\n";
  for (size_t i = 0; i < table.marks.size(); ++i) {
    const TableMark& mark = table.marks[i];
    std::string line =
        fmt::format("{}: {}", to_text(mark.mark.weight), one_line(legend_text(mark)));
    if (std::find(table.general_marks.begin(), table.general_marks.end(), i) !=
        table.general_marks.end())
      line += " (the whole table)";
    std::string number = fmt::format("  {:<3} ", mark_number(table, i));
    out += paint.weight(mark.mark.weight, wrapped(number, line, prose, 6));
  }
  out += "\n";
  for (const std::string& note : reading_notes(table)) out += wrapped("", one_line(note), prose, 2);
  return out;
}

}  // namespace lab::analysis
