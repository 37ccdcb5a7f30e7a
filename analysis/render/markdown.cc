#include "analysis/render/escape.h"
#include "analysis/render/renderer.h"
#include "analysis/render/wording.h"
#include "runner/base/text.h"

namespace lab::analysis {
namespace {

std::string line(const std::vector<std::string>& cells) {
  return "| " + join(cells, " | ") + " |\n";
}

bool has_verdicts(const Table& table) {
  for (const TableRow& row : table.rows)
    if (!verdict_text(row).empty()) return true;
  return false;
}

}  // namespace

std::string MarkdownRenderer::render(const Table& table) const {
  std::string out = "## " + markdown_cell(table.manifest.title);
  if (!table.manifest.matrix.empty())
    out += ", by " + markdown_cell(join(table.manifest.matrix, " and "));
  out += "\n\n";
  if (!table.headline.empty()) out += "**" + markdown_cell(table.headline) + ".**\n\n";
  for (const auto& [key, text] : conditions(table))
    out += fmt::format("- {}: {}\n", markdown_cell(key), markdown_cell(text));
  out += "\n";

  const bool flush = has_flush(table);
  const bool verdicts = has_verdicts(table);
  std::vector<std::string> titles = {"Test", "Type", "w/r IOPS", "vs base %"};
  std::vector<std::string> rules = {"---", "---", "---", "--:"};
  auto add = [&](const char* title, const char* rule) {
    titles.emplace_back(title);
    rules.emplace_back(rule);
  };
  if (verdicts) add("verdict", "---");
  for (const char* title : {"w p99 ms", "r p99 ms", "spread %"}) add(title, "--:");
  if (flush) add("flush s", "--:");
  add("reps", "--:");
  add("proof", "---");
  add("CSV row", "--:");
  add("marks", "---");
  out += line(titles) + line(rules);
  for (const TableRow& row : table.rows) {
    std::vector<std::string> cells = {markdown_cell(row.test), markdown_cell(row.plan.type),
                                      iops_text(row), difference_text(row)};
    if (verdicts) cells.push_back(markdown_cell(verdict_text(row)));
    cells.push_back(latency_text(row.write.p99_ms));
    cells.push_back(latency_text(row.read.p99_ms));
    cells.push_back(pair_text(row.write.spread_percent, row.read.spread_percent, 1));
    if (flush) cells.push_back(fmt::format("{:.1f}", row.flush_s));
    cells.push_back(fmt::format("{}/{}", row.repetitions.size(), row.repetitions_planned));
    cells.emplace_back(to_text(row.proof));
    cells.push_back(fmt::format("{}", row.plan.row));
    cells.push_back(marks_text(table, row.marks));
    out += line(cells);
  }
  if (!table.marks.empty()) out += "\nMarks:\n\n";
  for (size_t i = 0; i < table.marks.size(); ++i)
    out += fmt::format("- {} {}: {}\n", mark_number(table, i), to_text(table.marks[i].mark.weight),
                       markdown_cell(legend_text(table.marks[i])));
  out += "\nHow to read it:\n\n";
  for (const std::string& note : reading_notes(table)) out += "- " + markdown_cell(note) + "\n";
  return out;
}

}  // namespace lab::analysis
