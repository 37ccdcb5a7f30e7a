#include <algorithm>
#include <cmath>

#include "analysis/html/grid.h"
#include "analysis/html/inline_svg.h"
#include "analysis/html/interval.h"
#include "analysis/html/sections.h"
#include "analysis/io_direction.h"
#include "analysis/render/escape.h"
#include "analysis/render/wording.h"

namespace lab::analysis::html {
namespace {

std::string marked(const Table& table, const std::string& text, const std::vector<size_t>& marks) {
  std::string out = html_text(text);
  if (!marks.empty()) out += " " + mark_links(table, marks);
  return out;
}

GridCell iops_cell(std::optional<double> iops) { return number_cell(iops_number(iops), iops); }

GridCell latency_cell(std::optional<double> ms) { return number_cell(latency_text(ms), ms); }

GridCell difference_cell(const TableRow& row, const Summary& summary) {
  if (row.baseline) return {"baseline", 0.0};
  const std::optional<double> percent = summary.difference_percent;
  return number_cell(percent ? fmt::format("{:+.1f}", *percent) : "-", percent);
}

GridCell verdict_cell(const Summary& summary) {
  if (!summary.judgement) return {};
  const stats::Judgement& judgement = *summary.judgement;
  const bool tells = judgement.verdict == stats::Verdict::different;
  const char* style = !tells ? "" : judgement.better ? " class=\"good\"" : " class=\"bad\"";
  std::string text = summary.verdict();
  if (tells) text += judgement.better ? ", better" : ", worse";
  return {fmt::format("<span{}>{}</span>", style, html_text(text))};
}

// The marks of a row that this run gave.
std::vector<size_t> marks_of(const Table& table, const TableRow& row, unsigned run) {
  std::vector<size_t> found;
  for (size_t mark : row.marks) {
    const std::vector<unsigned>& runs = table.marks[mark].runs;
    if (std::find(runs.begin(), runs.end(), run) != runs.end()) found.push_back(mark);
  }
  return found;
}

std::vector<GridCell> repetition_cells(const Table& table, const TableRow& row,
                                       const RunFigures& run, bool flush) {
  const results::RunRecord& record = run.record;
  const DirectionFigures* write = figures_of(run, row.plan, kWrite);
  const DirectionFigures* read = figures_of(run, row.plan, kRead);
  const std::vector<size_t> marks = marks_of(table, row, record.index);
  const auto value = [](const DirectionFigures* figures, auto of) {
    return figures ? std::optional<double>(of(*figures)) : std::nullopt;
  };
  const auto mean_ms = [](const DirectionFigures& f) { return f.clat_mean_ns / 1e6; };
  const auto p99_ms = [](const DirectionFigures* f) {
    if (!f || !f->clat_percentiles.p99_ns) return std::optional<double>();
    return std::optional(static_cast<double>(*f->clat_percentiles.p99_ns) / 1e6);
  };
  std::vector<GridCell> cells = {
      {marked(table, fmt::format("{}", record.index), marks), static_cast<double>(record.index)},
      text_cell(row.test),
      text_cell(row.plan.type),
      count_cell(record.block),
      count_cell(record.position),
      iops_cell(value(write, [](const auto& f) { return f.counted_iops; }))};
  if (flush) {
    cells.push_back(iops_cell(value(write, [](const auto& f) { return f.iops; })));
    const std::optional<double> flush_s =
        write ? std::optional(run.phases[*row.plan.write_phase].flush_s) : std::nullopt;
    cells.push_back(number_cell(number_text(flush_s, 2), flush_s));
  }
  cells.push_back(iops_cell(value(read, [](const auto& f) { return f.iops; })));
  cells.push_back(latency_cell(value(write, mean_ms)));
  cells.push_back(latency_cell(p99_ms(write)));
  cells.push_back(latency_cell(value(read, mean_ms)));
  cells.push_back(latency_cell(p99_ms(read)));
  cells.push_back(text_cell(run.usable ? "counted" : "failed"));
  return cells;
}

}  // namespace

std::string iops_table(const Page& page) {
  const Table& table = page.table;
  const bool flush = has_flush(table);
  std::vector<Column> columns = {{"Test", Set::name},          {"Type", Set::word},
                                 {"w/r IOPS", Set::figure},    {"w vs base %", Set::figure},
                                 {"r vs base %", Set::figure}, {"w p99 ms", Set::figure},
                                 {"r p99 ms", Set::figure},    {"w/r spread %", Set::figure}};
  if (flush) columns.push_back({"flush s", Set::figure});
  columns.insert(columns.end(),
                 {{"reps", Set::figure}, {"proof", Set::word}, {"CSV row", Set::figure}});
  Grid grid("iops", "Writes and reads a second. Sorted by its heads; w/r IOPS by the writes.",
            columns);
  for (const TableRow& row : table.rows) {
    std::vector<GridCell> cells = {
        {marked(table, row.test, row.marks)},
        text_cell(row.plan.type),
        number_cell(iops_text(row), row.write.iops ? row.write.iops : row.read.iops),
        difference_cell(row, row.write),
        difference_cell(row, row.read),
        latency_cell(row.write.p99_ms),
        latency_cell(row.read.p99_ms)};
    const std::optional<double> spread =
        std::max(row.write.spread_percent, row.read.spread_percent);
    cells.push_back(
        number_cell(pair_text(row.write.spread_percent, row.read.spread_percent, 1), spread));
    if (flush) cells.push_back(number_cell(number_text(row.flush_s, 1), row.flush_s));
    cells.push_back(
        number_cell(fmt::format("{}/{}", row.repetitions.size(), row.repetitions_planned),
                    static_cast<double>(row.repetitions.size())));
    cells.push_back(text_cell(to_text(row.proof)));
    cells.push_back(count_cell(row.plan.row));
    grid.add(cells, weight_class(table, row.marks));
  }
  return grid.empty() ? "" : grid.html();
}

std::string comparison_table(const Page& page) {
  const Table& table = page.table;
  const IntervalScale scale = interval_scale(table);
  Grid grid("comparison",
            fmt::format("Each direction against the baseline: ratio of the IOPS with its 95% "
                        "interval, drawn against the margin of {:.0f}% (grey), and completion "
                        "latency.",
                        stats::JudgeOptions{}.margin * 100),
            {{"Test", Set::name},
             {"Direction", Set::word},
             {"IOPS", Set::figure},
             {"ratio", Set::figure},
             {"95% interval", Set::figure},
             {"lower | higher"},
             {"verdict", Set::word},
             {"mean ms", Set::figure},
             {"p50 ms", Set::figure},
             {"p99 ms", Set::figure},
             {"p99.9 ms", Set::figure}});
  for (const TableRow& row : table.rows) {
    for (const IoDirection& direction : {kWrite, kRead}) {
      const Summary& summary = row.*direction.summary;
      if (!summary.planned) continue;
      std::optional<double> ratio;
      if (summary.difference_percent) ratio = 1 + *summary.difference_percent / 100;
      GridCell interval = number_cell("-", {});
      GridCell drawing;
      if (summary.judgement && has_interval(*summary.judgement)) {
        interval = {html_text(stats::describe_interval(summary.judgement->interval95)),
                    summary.judgement->interval95.low};
        drawing = {draw_interval(*summary.judgement, scale), summary.judgement->ratio};
      }
      grid.add(
          {{marked(table, row.test, row.marks)},
           text_cell(direction.name),
           iops_cell(summary.iops),
           row.baseline ? GridCell{"baseline", 1.0} : number_cell(number_text(ratio, 3), ratio),
           interval,
           drawing,
           verdict_cell(summary),
           latency_cell(summary.mean_ms),
           latency_cell(summary.clat.percentile_ms(50)),
           latency_cell(summary.p99_ms),
           latency_cell(summary.clat.percentile_ms(99.9))},
          weight_class(table, row.marks));
    }
  }
  return grid.empty() ? "" : grid.html();
}

std::string repetition_table(const Page& page) {
  const Table& table = page.table;
  const bool flush = has_flush(table);
  std::vector<Column> columns = {{"Run", Set::figure},   {"Test", Set::name},
                                 {"Type", Set::word},    {"block", Set::figure},
                                 {"place", Set::figure}, {"w IOPS", Set::figure}};
  if (flush)
    columns.insert(columns.end(),
                   {{"w IOPS without flush", Set::figure}, {"flush s", Set::figure}});
  columns.insert(columns.end(), {{"r IOPS", Set::figure},
                                 {"w mean ms", Set::figure},
                                 {"w p99 ms", Set::figure},
                                 {"r mean ms", Set::figure},
                                 {"r p99 ms", Set::figure},
                                 {"result", Set::word}});
  Grid grid("points", "Every single point, in the order of running.", columns);
  for (const RunFigures& run : table.runs)
    for (const TableRow& row : table.rows)
      if (row.plan.cell == run.record.cell)
        grid.add(repetition_cells(table, row, run, flush),
                 weight_class(table, marks_of(table, row, run.record.index)));
  return grid.empty() ? "" : grid.html();
}

std::string plots(const Page& page) {
  std::string out;
  for (const std::string& warning : page.plot_warnings)
    out += "<p class=\"warning doubtful\">" + html_text(warning) + "</p>\n";
  for (size_t i = 0; i < page.plots.size(); ++i) {
    const InlinePlot& plot = page.plots[i];
    const auto svg =
        inline_svg(plot.svg, fmt::format("plot{}-", i + 1), fmt::format("plot-{}", i + 1));
    if (!svg) {
      out += fmt::format(
          "<p class=\"warning doubtful\">{}: left out, it is no plain SVG drawing. "
          "plots/{} draws it again.</p>\n",
          html_text(plot.title), html_text(plot.script));
      continue;
    }
    out += fmt::format(
        "<figure>\n<div class=\"plot\" role=\"region\" tabindex=\"0\" "
        "aria-labelledby=\"plot-{4}\">{1}</div>\n"
        "<figcaption><b id=\"plot-{4}\">{0}.</b> {2} <code>plots/{3}</code></figcaption>\n"
        "</figure>\n",
        html_text(plot.title), *svg, html_text(plot.caption), html_text(plot.script), i + 1);
  }
  return out;
}

}  // namespace lab::analysis::html
