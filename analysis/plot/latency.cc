#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/plot/drawing.h"
#include "analysis/plot/gnuplot.h"

namespace lab::analysis {
namespace {

struct Panel {
  Summary TableRow::*side;
  const char* title;
  const char* file;
};
constexpr Panel kPanels[] = {{&TableRow::write, "writes", "write"},
                             {&TableRow::read, "reads", "read"}};

// Fewer I/Os beyond a percentile than this say nothing of it.
constexpr double kLeastBeyond = 10;
constexpr double kHighest = 10000;  // p99.99 is 1 in 10,000

// x is how many I/Os there are for one that is slower: 2 is p50, 100 is p99.
std::string curve(const Histogram& clat) {
  std::string out;
  // p50, and then twelve steps from each nine to the next: p90, p99, … are among them.
  for (int step = 3;; ++step) {
    const double x = step == 3 ? 2 : std::pow(10, step / 12.0);
    if (x > kHighest * 1.001 || static_cast<double>(clat.total()) / x < kLeastBeyond) break;
    const double percent = 100 * (1 - 1 / x);
    const auto ns = clat.percentile_ns(percent);
    if (!ns) break;
    out += fmt::format("{:.6g}\t{:.6g}\t{:.5g}\n", x, static_cast<double>(*ns) / 1e6, percent);
  }
  return out;
}

}  // namespace

std::optional<Drawing> draw_latency(const Table& table) {
  Drawing d;
  d.name = "latency";
  d.title = "Completion latency by percentile";
  d.caption =
      "How slow the slowest are: at p99 one I/O of a hundred took longer. From the histograms of "
      "all jobs and repetitions together, as far as at least 10 I/Os lie beyond. The loop is "
      "closed: time spent waiting for a free slot is not in it.";
  size_t panels = 0;
  size_t panel_height = 300;  // or as much as the key needs
  for (const Panel& panel : kPanels) {
    const std::string file = fmt::format("latency-{}.dat", panel.file);
    std::string data = "# I/Os for one that is slower\tlatency in ms\tpercentile; a block a cell\n";
    std::string plots;
    size_t index = 0;
    for (size_t i = 0; i < table.rows.size(); ++i) {
      const std::string points = curve((table.rows[i].*panel.side).clat);
      if (points.empty()) continue;
      data += fmt::format("# {}\n{}\n\n", gnuplot_text(table.rows[i].test), points);
      plots += fmt::format("{}'{}' index {} using 1:2 with lines lw 2 dt {} lc rgb '{}' title {}",
                           index == 0 ? "plot " : ", \\\n  ", file, index, 1 + i / 8,
                           series_colour(i), gnuplot_text(table.rows[i].test));
      ++index;
    }
    if (index == 0) continue;
    ++panels;
    d.data.emplace_back(file, data);
    panel_height = std::max(panel_height, 60 + 18 * index);
    d.body += fmt::format("set title '{}' offset 0,-0.5\n{}\n", panel.title, plots);
  }
  if (panels == 0) return {};
  d.height = static_cast<int>(panels * panel_height);
  d.body = fmt::format(
               "set multiplot layout {},1\nset logscale xy\nset key outside right top Left "
               "reverse\nset xtics ('p50' 2, 'p90' 10, 'p99' 100, 'p99.9' 1000, 'p99.99' 10000)\n"
               "set xrange [2:10000]\nset ylabel 'ms'\nset format y '%g'\n",
               panels) +
           d.body + "unset multiplot\n";
  return d;
}

}  // namespace lab::analysis
