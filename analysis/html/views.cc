#include "analysis/render/views.h"

#include <algorithm>

#include "analysis/html/grid.h"
#include "analysis/html/sections.h"

namespace lab::analysis::html {
namespace {

GridCell cell_of(const Table& table, const Field& field) {
  if (!field.marks.empty()) return {mark_links(table, field.marks)};
  if (field.text == "-" || field.sort_by) return number_cell(field.text, field.sort_by);
  return text_cell(field.text);
}

// Any grid as a table of the page, which sorts.
std::string table_of(const Table& table, const analysis::Grid& grid, std::string id,
                     std::string caption) {
  if (grid.rows.empty()) return "";
  std::vector<Column> columns;
  for (const analysis::Grid::Column& column : grid.columns)
    columns.push_back({column.title, columns.empty() ? Set::name
                                     : column.right  ? Set::figure
                                                     : Set::word});
  Grid out(std::move(id), std::move(caption), columns);
  for (const Record& row : grid.rows) {
    std::vector<GridCell> cells;
    std::vector<size_t> marks;
    for (const Field& field : row) {
      cells.push_back(cell_of(table, field));
      marks.insert(marks.end(), field.marks.begin(), field.marks.end());
    }
    out.add(cells, weight_class(table, marks));
  }
  return out.html();
}

// In the form for people: pairs, and marks as numbers of the legend. The words around it are
// the page's own.
std::string view_table(const Table& table, const ViewOptions& options, std::string id,
                       std::string caption) {
  return table_of(table, view_of(table, options, Format::markdown), std::move(id),
                  std::move(caption));
}

bool any_row(const Table& table, bool (*holds)(const TableRow&)) {
  return std::any_of(table.rows.begin(), table.rows.end(), holds);
}

bool has_latency(const Table& table) {
  return any_row(table, [](const TableRow& row) { return row.write.mean_ms || row.read.mean_ms; });
}

bool has_ratio(const Table& table) {
  return any_row(table, [](const TableRow& row) { return row.write.planned && row.read.planned; });
}

constexpr const char* kLatencyCaption =
    "Completion latency of writes and reads, mean and 99th percentile. Sorted by its heads, by the "
    "mean.";

}  // namespace

std::string factors_table(const Page& page) {
  const std::vector<std::string>& factors = page.table.factors;
  if (factors.size() < 2 && std::find(factors.begin(), factors.end(), "allocator") == factors.end())
    return "";
  return view_table(page.table, {View::factors, ""}, "view-factors",
                    "Each factor in a column of its own, to sort and to look up.");
}

std::string latency_table(const Page& page) {
  if (!has_latency(page.table)) return "";
  return view_table(page.table, {View::latency, ""}, "view-latency", kLatencyCaption);
}

std::string ratio_table(const Page& page) {
  if (!has_ratio(page.table)) return "";
  return view_table(page.table, {View::ratio, ""}, "view-ratio", std::string(kRatioNote));
}

std::string pivot_tables(const Page& page) {
  if (page.pivot.empty()) return "";
  std::string out =
      view_table(page.table, {View::iops, page.pivot}, "pivot-iops",
                 "Writes and reads a second, the levels of " + page.pivot + " side by side.");
  if (has_latency(page.table))
    out += view_table(page.table, {View::latency, page.pivot}, "pivot-latency", kLatencyCaption);
  if (has_ratio(page.table))
    out +=
        view_table(page.table, {View::ratio, page.pivot}, "pivot-ratio", std::string(kRatioNote));
  return out;
}

}  // namespace lab::analysis::html
