#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/plot/drawing.h"
#include "analysis/plot/gnuplot.h"
#include "analysis/row_groups.h"

namespace lab::analysis {
namespace {

struct Panel {
  const TableFigure* figure;
  const char* title;
  const char* file;
  size_t colour;
};
constexpr Panel kPanels[] = {{&kWriteIops, "write IOPS", "write", 0},
                             {&kReadIops, "read IOPS", "read", 1}};

std::string number(std::optional<double> value) {
  return value && std::isfinite(*value) ? fmt::format("{:.6g}", *value) : "-";
}

// Where a row's judgement is a ratio to the baseline's mean, its interval is one of IOPS, too.
std::pair<std::optional<double>, std::optional<double>> interval(const Summary& summary,
                                                                 std::optional<double> baseline) {
  if (!summary.judgement || !baseline) return {};
  const stats::Interval& ratio = summary.judgement->interval95;
  return {ratio.low * *baseline, ratio.high * *baseline};
}

std::vector<std::optional<double>> baselines(const Table& table, const TableFigure& figure) {
  std::vector<std::optional<double>> means(table.rows.size());
  for (const RowGroup& group : row_groups(table))
    for (size_t row : group.rows)
      means[row] = (table.rows[group.rows[group.baseline]].*figure.summary).iops;
  return means;
}

bool has(const Table& table, const TableFigure& figure) {
  return std::any_of(table.rows.begin(), table.rows.end(),
                     [&](const TableRow& row) { return (row.*figure.summary).iops.has_value(); });
}

std::string bars(const Table& table, const TableFigure& figure) {
  std::string out = "# place\tmean IOPS\tinterval from\tto\n";
  const std::vector<std::optional<double>> means = baselines(table, figure);
  for (size_t i = 0; i < table.rows.size(); ++i) {
    const Summary& summary = table.rows[i].*figure.summary;
    if (!summary.iops) continue;
    const auto [low, high] = interval(summary, means[i]);
    out += fmt::format("{}\t{}\t{}\t{}\n", i, number(summary.iops), number(low), number(high));
  }
  return out;
}

std::string points(const Table& table, const TableFigure& figure) {
  std::string out = "# place\tIOPS\trun\n";
  for (size_t i = 0; i < table.rows.size(); ++i) {
    const std::vector<Repetition>& repetitions = table.rows[i].repetitions;
    for (size_t r = 0; r < repetitions.size(); ++r) {
      const std::optional<double> value = repetitions[r].*figure.value;
      if (!value) continue;
      // One above the other in the order of running, within the bar.
      const double place =
          static_cast<double>(i) - 0.25 +
          0.5 * (static_cast<double>(r) + 0.5) / static_cast<double>(repetitions.size());
      out += fmt::format("{:.3f}\t{}\t{}\n", place, number(value), repetitions[r].run);
    }
  }
  return out;
}

}  // namespace

std::optional<Drawing> draw_iops(const Table& table) {
  std::vector<Panel> panels;
  for (const Panel& panel : kPanels)
    if (has(table, *panel.figure)) panels.push_back(panel);
  if (panels.empty()) return {};

  Drawing d;
  d.name = "iops";
  d.title = "w/r IOPS";
  d.caption =
      "Bars are geometric means (of writes with the final flush), every dot is one repetition, in "
      "the order of running from above. Whiskers are the 95% interval of the difference from the "
      "baseline, laid at the baseline's mean; the baseline, and what was not judged, has none.";
  d.height = static_cast<int>(panels.size() * (70 + 34 * table.rows.size()));
  std::string tics;
  size_t longest = 0;
  for (size_t i = 0; i < table.rows.size(); ++i) {
    const TableRow& row = table.rows[i];
    std::string label = row.test;
    if (std::any_of(table.rows.begin(), table.rows.end(), [&](const TableRow& other) {
          return &other != &row && other.test == row.test;
        }))
      label += ", " + row.plan.type;
    longest = std::max(longest, label.size());
    tics += fmt::format("{}{} {}", i == 0 ? "" : ", ", gnuplot_text(label), i);
  }
  d.body = fmt::format(
      "set multiplot layout {},1\nunset key\nset yrange [{}:-0.6]\nset ytics ({}) scale 0\n"
      "set xrange [0:*]\nset style fill solid 0.75 noborder\nset format x '%g'\n"
      "set lmargin {}\nset offsets 0,graph 0.02,0,0\nset grid noytics xtics\n",
      panels.size(), static_cast<double>(table.rows.size()) - 0.4, tics,
      std::min<size_t>(longest + 3, 45));
  for (const Panel& panel : panels) {
    const std::string file = fmt::format("iops-{}.dat", panel.file);
    const std::string dots = fmt::format("iops-{}-repetitions.dat", panel.file);
    d.data.emplace_back(file, bars(table, *panel.figure));
    d.data.emplace_back(dots, points(table, *panel.figure));
    d.body += fmt::format(
        "set title '{}' offset 0,-0.5\n"
        "plot '{}' using ($2/2):1:($2/2):(0.3) with boxxyerror lc rgb '{}', \\\n"
        "  '' using 2:1:3:4 with xerrorbars pt -1 lw 2 lc rgb '#222222', \\\n"
        "  '{}' using 2:1 with points pt 7 ps 0.45 lc rgb '#222222'\n",
        panel.title, file, series_colour(panel.colour), dots);
  }
  d.body += "unset multiplot\n";
  return d;
}

}  // namespace lab::analysis
