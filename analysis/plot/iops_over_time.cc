#include <fmt/format.h>

#include <algorithm>

#include "analysis/plot/drawing.h"
#include "analysis/plot/gnuplot.h"
#include "results/live.h"
#include "results/reader.h"

namespace lab::analysis {
namespace {

struct Panel {
  double results::LivePoint::*iops;
  const char* title;
  int column;
};
constexpr Panel kPanels[] = {{&results::LivePoint::write_iops, "write IOPS", 2},
                             {&results::LivePoint::read_iops, "read IOPS", 3}};

struct Curve {
  std::string cell;
  std::vector<results::LivePoint> points;
};

std::vector<Curve> curves_of(const results::ResultReader& reader) {
  std::vector<Curve> curves;
  for (const results::FinishedRun& run : reader.runs()) {
    if (!run.record.ok) continue;
    Curve curve{run.record.cell, results::load_live(run.folder)};
    // One point is no curve: the run was too short for more.
    if (curve.points.size() >= 2) curves.push_back(std::move(curve));
  }
  return curves;
}

bool moves(const std::vector<Curve>& curves, double results::LivePoint::*iops) {
  return std::any_of(curves.begin(), curves.end(), [&](const Curve& curve) {
    return std::any_of(curve.points.begin(), curve.points.end(),
                       [&](const results::LivePoint& point) { return point.*iops > 0; });
  });
}

}  // namespace

std::optional<Drawing> draw_iops_over_time(const Table& table, const fs::path& directory) {
  const results::ResultReader reader = results::ResultReader::load(directory);
  const std::vector<Curve> curves = curves_of(reader);
  if (curves.empty()) return {};
  std::string data = "# seconds since fio was started\twrite IOPS\tread IOPS; a block a run\n";
  std::vector<std::string> cells;
  std::vector<size_t> cell_of;
  for (const Curve& curve : curves) {
    auto found = std::find(cells.begin(), cells.end(), curve.cell);
    cell_of.push_back(static_cast<size_t>(found - cells.begin()));
    if (found == cells.end()) cells.push_back(curve.cell);
    data += fmt::format("# {}\n", gnuplot_text(curve.cell));
    for (const results::LivePoint& point : curve.points)
      data +=
          fmt::format("{:.3f}\t{:.6g}\t{:.6g}\n", point.time_s, point.write_iops, point.read_iops);
    data += "\n\n";
  }
  auto name_of = [&](const std::string& cell) {
    for (const TableRow& row : table.rows)
      if (row.plan.cell == cell) return row.test;
    return cell;
  };

  Drawing d;
  d.name = "iops-over-time";
  d.title = "IOPS over time";
  d.caption =
      "A line a run, a colour a cell, as seen while fio ran. A run that has not levelled off, or "
      "that falls, measured a warm-up, a cache filling up or a cluster at its limit.";
  d.data.emplace_back("iops-over-time.dat", data);
  size_t panels = 0;
  for (const Panel& panel : kPanels) {
    if (!moves(curves, panel.iops)) continue;
    ++panels;
    std::string plots;
    for (size_t i = 0; i < curves.size(); ++i) {
      const bool first = std::find(cell_of.begin(), cell_of.begin() + static_cast<ptrdiff_t>(i),
                                   cell_of[i]) == cell_of.begin() + static_cast<ptrdiff_t>(i);
      plots += fmt::format(
          "{}'iops-over-time.dat' index {} using 1:{} with lines lw 1.3 dt {} lc "
          "rgb '{}' {}",
          i == 0 ? "plot " : ", \\\n  ", i, panel.column, 1 + cell_of[i] / 8,
          series_colour(cell_of[i]),
          first ? "title " + gnuplot_text(name_of(cells[cell_of[i]])) : std::string("notitle"));
    }
    d.body += fmt::format("set title '{}' offset 0,-0.5\n{}\n", panel.title, plots);
  }
  if (panels == 0) return {};
  d.height = static_cast<int>(panels * std::max<size_t>(260, 60 + 18 * cells.size()));
  d.body = fmt::format(
               "set multiplot layout {},1\nset key outside right top Left reverse\nset xlabel "
               "'s'\nset xrange [0:*]\nset yrange [0:*]\nset format y '%g'\n",
               panels) +
           d.body + "unset multiplot\n";
  return d;
}

}  // namespace lab::analysis
