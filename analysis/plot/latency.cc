#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "analysis/plot/drawing.h"
#include "analysis/plot/layout.h"

namespace lab::analysis {
namespace {

struct Panel {
  Summary TableRow::*side;
  const char* title;
  const char* file;
};
constexpr Panel kPanels[] = {{&TableRow::write, "writes", "latency-write.dat"},
                             {&TableRow::read, "reads", "latency-read.dat"}};

constexpr double kHighest = 10000;  // p99.99 is 1 in 10,000
constexpr size_t kDrawn = 32;       // rows: more curves could not be told apart
constexpr int kPanelHeight = 284;

struct Point {
  double one_in = 0;  // I/Os for one that is slower: 2 is p50, 100 is p99
  double percent = 0;
  double ms = 0;
};

std::vector<Point> curve(const Histogram& clat) {
  std::vector<Point> out;
  // p50, and then twelve steps from each nine to the next: p90, p99, … are among them.
  for (int step = 3;; ++step) {
    const double one_in = step == 3 ? 2 : std::pow(10, step / 12.0);
    const double percent = 100 * (1 - 1 / one_in);
    const auto ms = supported_ms(clat, percent);
    if (one_in > kHighest * 1.001 || !ms) break;
    out.push_back({one_in, percent, *ms});
  }
  return out;
}

// Colours repeat after eight.
int dash_of(size_t row) { return static_cast<int>(row / 8) + 1; }

}  // namespace

std::optional<Drawing> draw_latency(const Table& table) {
  Drawing d;
  d.name = "latency";
  d.title = "Completion latency by percentile";
  d.caption =
      "How slow the slowest are: at 99 one I/O of a hundred took longer. From the histograms of "
      "all jobs and repetitions together, as far as at least 10 I/Os lie beyond. Both axes are "
      "logarithmic. The loop is closed: time spent waiting for a free slot is not in it.";
  std::vector<LegendEntry> entries;
  std::vector<double> all_ms;
  struct Found {
    const Panel* panel;
    std::set<int> dashes;  // of its curves
  };
  std::vector<Found> panels;
  for (size_t i = 0; i < std::min(table.rows.size(), kDrawn); ++i)
    entries.push_back({row_label(table, table.rows[i]), series_colour(i), dash_of(i)});
  for (const Panel& panel : kPanels) {
    std::string data =
        "# I/Os for one that is slower\tlatency in ms\tpercentile\tcolour as a number\tdash; a "
        "curve a row of the table\n";
    std::set<int> dashes;
    for (size_t i = 0; i < table.rows.size(); ++i) {
      const std::vector<Point> points = curve((table.rows[i].*panel.side).clat);
      if (points.empty()) continue;
      data += fmt::format("# {}\n", data_text(row_label(table, table.rows[i])));
      for (const Point& point : points) {
        data += fmt::format("{:.6g}\t{:.6g}\t{:.5g}\t{}\t{}\n", point.one_in, point.ms,
                            point.percent, series_colour(i), dash_of(i));
        if (i < kDrawn) all_ms.push_back(point.ms);
      }
      data += "\n";
      if (i < kDrawn) dashes.insert(dash_of(i));
    }
    if (dashes.empty()) continue;
    panels.push_back({&panel, dashes});
    d.data.emplace_back(panel.file, data);
  }
  if (panels.empty()) return {};
  if (table.rows.size() > kDrawn)
    d.caption += fmt::format(" The first {} of {} rows; the data files beside have all.", kDrawn,
                             table.rows.size());

  d.height = kPanelHeight + legend_height(entries, d.width);
  const std::vector<Box> boxes = side_by_side(panels.size(), d.width, 34, kPanelHeight - 66);
  d.body =
      log_axis('y', all_ms) +
      "set logscale x\nset xrange [2:10000]\nset xlabel 'percentile' offset 0,0.3\nset xtics "
      "('50' 2, '90' 10, '99' 100, '99.9' 1000, '99.99' 10000)\nset ylabel 'ms' offset 1.2,0\n";
  for (size_t p = 0; p < panels.size(); ++p) {
    d.body += place(boxes[p], d.width, d.height);
    d.body += fmt::format("set title '{}' offset 0,-0.6\n{}plot ", panels[p].panel->title,
                          p == 0 ? "" : "unset ylabel\n");
    for (int dash : panels[p].dashes)
      d.body += fmt::format(
          "{}'{}' using 1:($5=={}?$2:NaN):4 with lines lw 2 dt {} lc rgb variable",
          dash == *panels[p].dashes.begin() ? "" : ", \\\n  ", panels[p].panel->file, dash, dash);
    d.body += "\n";
  }
  const Legend legend = legend_below(entries, "latency-legend.dat", d.width, kPanelHeight);
  d.data.emplace_back("latency-legend.dat", legend.data);
  d.body += legend.body;
  return d;
}

}  // namespace lab::analysis
