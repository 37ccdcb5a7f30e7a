#include "analysis/soak/grid.h"

#include <functional>

#include "analysis/render/wording.h"
#include "runner/base/error.h"

namespace lab::analysis {
namespace {

constexpr double kMB = 1e6;
constexpr size_t kShownEvents = 50;

struct Line {
  const SoakCell& cell;
  const std::string& service;
  const ServiceMemory& memory;
};

struct Column {
  std::string title;
  bool right;
  std::function<Field(const Line&)> field;
};

Field megabytes(double bytes) { return {fmt::format("{:.0f}", bytes / kMB)}; }

std::vector<Column> columns_for_people(bool several) {
  std::vector<Column> columns;
  if (several)
    columns.push_back({"Test", false, [](const Line& line) { return Field{line.cell.cell.test}; }});
  columns.push_back({"service", false, [](const Line& line) { return Field{line.service}; }});
  columns.push_back(
      {"first MB", true, [](const Line& line) { return megabytes(line.memory.first_bytes); }});
  columns.push_back(
      {"last MB", true, [](const Line& line) { return megabytes(line.memory.last_bytes); }});
  columns.push_back(
      {"peak MB", true, [](const Line& line) { return megabytes(line.memory.peak_bytes); }});
  columns.push_back({"memory after the warm-up", false,
                     [](const Line& line) { return Field{growth_text(line.memory.growth)}; }});
  columns.push_back({"restarts", true, [](const Line& line) {
                       return Field{fmt::format("{}", line.memory.restarts)};
                     }});
  return columns;
}

template <typename Figure>
Column growth_column(const std::string& title, Figure figure) {
  return {title, true, [figure](const Line& line) {
            const auto& growth = line.memory.growth;
            return number_field(growth ? std::optional<double>(figure(*growth)) : std::nullopt, 0);
          }};
}

std::vector<Column> columns_for_spreadsheets() {
  return {
      {"test", false, [](const Line& line) { return Field{line.cell.cell.test}; }},
      {"service", false, [](const Line& line) { return Field{line.service}; }},
      {"hours", true, [](const Line& line) { return number_field(line.cell.hours, 4); }},
      {"rss_first_bytes", true,
       [](const Line& line) { return number_field(line.memory.first_bytes, 0); }},
      {"rss_last_bytes", true,
       [](const Line& line) { return number_field(line.memory.last_bytes, 0); }},
      {"rss_peak_bytes", true,
       [](const Line& line) { return number_field(line.memory.peak_bytes, 0); }},
      growth_column("growth_bytes_per_hour", [](const stats::Growth& g) { return g.per_hour; }),
      growth_column("growth_interval_low", [](const stats::Growth& g) { return g.interval95.low; }),
      growth_column("growth_interval_high",
                    [](const stats::Growth& g) { return g.interval95.high; }),
      {"verdict", false, [](const Line& line) { return Field{growth_text(line.memory.growth)}; }},
      {"restarts", true, [](const Line& line) { return count_field(line.memory.restarts); }}};
}

std::string load_text(const SoakCell& cell) {
  std::string text = fmt::format(
      "{}: {} of {} segments, {:.2f} h of load; w/r {}/{} IOPS, p99 {}/{} ms, {} errors",
      cell.cell.test, cell.segments, cell.planned, cell.hours, iops_number(cell.write_iops),
      iops_number(cell.read_iops), latency_text(cell.write_p99_ms), latency_text(cell.read_p99_ms),
      cell.errors);
  if (cell.failed > 0) text += fmt::format("; {} segments failed", cell.failed);
  return text;
}

void add_words(const SoakSummary& summary, Grid& grid) {
  for (const SoakCell& cell : summary.cells) grid.before.push_back(load_text(cell));
  for (const auto& [key, text] : conditions(summary.table))
    grid.before.push_back(key + ": " + text);
  for (const SoakCell& cell : summary.cells) {
    size_t shown = 0;
    for (const SoakEvent& event : cell.events)
      if (shown++ < kShownEvents)
        grid.after.push_back(fmt::format("{} {}: {}", event.time, event.code, event.text));
    if (shown > kShownEvents)
      grid.after.push_back(
          fmt::format("and {} more events: see summary.json", shown - kShownEvents));
  }
  constexpr double kCachesFill_hours = 1;
  for (const SoakCell& cell : summary.cells)
    if (cell.hours < kCachesFill_hours) {
      grid.after.emplace_back(
          "The caches of an OSD fill in the first hour: a soak that is shorter sees little else.");
      break;
    }
  grid.after.push_back(
      fmt::format("Memory: VmRSS in MB (millions of bytes). Growth: a straight line through what "
                  "came after the "
                  "warm-up (a tenth of the soak, at least 10 minutes, at most a quarter: {:.2f} h) "
                  "and after the "
                  "service's last start, with its 95% interval; \"grows\" only if the second half "
                  "does not grow clearly less.",
                  summary.cells.empty() ? 0 : summary.cells.front().warmup_hours));
}

}  // namespace

Grid soak_grid(const SoakSummary& summary, Format format) {
  if (!has_grid_form(format))
    throw usage_error("a table of a soak has the formats table, markdown, csv and tsv");
  const bool people = format == Format::table || format == Format::markdown;
  const std::vector<Column> columns =
      people ? columns_for_people(summary.cells.size() > 1) : columns_for_spreadsheets();
  Grid grid;
  grid.title = "Soak of " + title_text(summary.table);
  for (const Column& column : columns) grid.columns.push_back({column.title, column.right});
  for (const SoakCell& cell : summary.cells)
    for (const auto& [service, memory] : cell.services) {
      Record record;
      record.reserve(columns.size());
      for (const Column& column : columns) record.push_back(column.field({cell, service, memory}));
      grid.rows.push_back(std::move(record));
    }
  if (people) add_words(summary, grid);
  return grid;
}

}  // namespace lab::analysis
