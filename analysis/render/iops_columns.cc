#include "analysis/render/iops_columns.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/render/wording.h"

namespace lab::analysis {

std::vector<Column> iops_columns(const Table& table) {
  std::vector<Column> all;
  auto add = [&](std::string title, bool right, int rank, auto text) {
    Column column{std::move(title), right, rank, {}};
    for (const TableRow& row : table.rows) column.cells.push_back(text(row));
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

}  // namespace lab::analysis
