#include <algorithm>

#include "analysis/render/escape.h"
#include "analysis/render/layout.h"
#include "analysis/render/renderer.h"
#include "analysis/render/wording.h"
#include "runner/base/text.h"

namespace lab::analysis {
namespace {

constexpr size_t kNarrowestTest = 12;
constexpr int kLastRank = 7;

struct Column {
  std::string title;
  bool right = false;  // numbers stand to the right
  int rank = 0;        // 0: always shown; else shown if there is room, 1 first
  std::vector<std::string> cells;

  size_t width() const {
    size_t width = display_width(title);
    for (const std::string& cell : cells) width = std::max(width, display_width(cell));
    return width;
  }
};

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

// Keeps what there is room for, the most important first, and shortens names where even
// the rest is too wide. Returns the titles of what is missing.
std::vector<std::string> fit(std::vector<Column>& all, size_t width) {
  size_t taken = 0;
  for (const Column& column : all)
    if (column.rank == 0) taken += column.width() + (taken ? kColumnGap.size() : 0);
  std::vector<std::string> missing;
  for (int rank = 1; rank <= kLastRank; ++rank) {
    // Writes and reads of one figure share a rank: both or neither.
    size_t wanted = 0;
    for (const Column& column : all)
      if (column.rank == rank) wanted += column.width() + kColumnGap.size();
    if (taken + wanted <= width) {
      taken += wanted;
      continue;
    }
    std::erase_if(all, [&](const Column& column) {
      if (column.rank != rank) return false;
      missing.push_back(column.title);
      return true;
    });
  }
  size_t too_much = taken > width ? taken - width : 0;
  Column& test = all.front();
  size_t keep = std::max(kNarrowestTest, test.width() - std::min(test.width(), too_much));
  for (std::string& cell : test.cells) cell = shortened(cell, keep);
  return missing;
}

class Paint {
 public:
  explicit Paint(bool on) : on_(on) {}
  std::string bold(const std::string& text) const { return paint("1", text); }
  std::string weight(results::Weight weight, const std::string& text) const {
    if (weight == results::Weight::invalid) return paint("31", text);
    if (weight == results::Weight::doubtful) return paint("33", text);
    return text;
  }

 private:
  std::string paint(const char* code, const std::string& text) const {
    return on_ ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : text;
  }
  bool on_;
};

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
  std::vector<size_t> widths;
  std::vector<std::string> titles;
  for (const Column& column : all) {
    widths.push_back(column.width());
    titles.push_back(padded(column.title, widths.back(), column.right));
  }
  out += paint.bold(trimmed_right(join(titles, kColumnGap))) + "\n";
  for (size_t i = 0; i < table.rows.size(); ++i) {
    std::vector<std::string> cells;
    for (size_t c = 0; c < all.size(); ++c)
      cells.push_back(padded(all[c].cells[i], widths[c], all[c].right));
    out += paint.weight(worst_mark(table, table.rows[i]).value_or(results::Weight::note),
                        trimmed_right(join(cells, kColumnGap))) +
           "\n";
  }
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
