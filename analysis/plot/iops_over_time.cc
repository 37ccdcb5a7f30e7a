#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "analysis/plot/curves.h"
#include "analysis/plot/drawing.h"
#include "analysis/plot/layout.h"
#include "results/live.h"
#include "results/reader.h"

namespace lab::analysis {
namespace {

struct Panel {
  double results::LivePoint::*iops;
  const char* title;
  const char* file;
};
constexpr Panel kPanels[] = {
    {&results::LivePoint::write_iops, "write IOPS", "iops-over-time-write.dat"},
    {&results::LivePoint::read_iops, "read IOPS", "iops-over-time-read.dat"}};

// More lines than this hide each other: then cells are drawn, by mean and range of their runs.
constexpr size_t kMostLines = 16;
constexpr size_t kBuckets = 512;
constexpr int kPanelHeight = 220;

struct Run {
  size_t cell = 0;  // index of Cells::names
  unsigned index = 0;
  fs::path folder;
};

struct Cells {
  std::vector<std::string> names;  // of cells
  std::vector<LegendEntry> legend;
};

Cells cells_of(const Table& table) {
  Cells cells;
  for (const TableRow& row : table.rows) {
    const auto found = std::find(cells.names.begin(), cells.names.end(), row.plan.cell);
    if (found != cells.names.end()) continue;
    const size_t i = cells.names.size();
    cells.names.push_back(row.plan.cell);
    cells.legend.push_back({row_label(table, row), series_colour(i), static_cast<int>(i / 8) + 1});
  }
  return cells;
}

std::vector<Run> runs_of(const Cells& cells, const fs::path& directory) {
  std::vector<Run> runs;
  const results::ResultReader reader = results::ResultReader::load(directory);
  for (const results::FinishedRun& run : reader.runs()) {
    const auto cell = std::find(cells.names.begin(), cells.names.end(), run.record.cell);
    if (run.record.ok && cell != cells.names.end())
      runs.push_back(
          {static_cast<size_t>(cell - cells.names.begin()), run.record.index, run.folder});
  }
  return runs;
}

// One direction of all runs: a series for each run, or for each cell.
struct Course {
  SeriesSampler sampler{kBuckets};
  bool moves = false;  // there was any such I/O
  uint64_t samples = 0;
};

// Names of series sort as the runs or cells do.
std::string series_name(size_t index) { return fmt::format("{:09}", index); }

void read_run(const Run& run, const std::string& series, std::vector<Course>& courses,
              std::vector<std::string>& warnings) {
  results::LiveSamples samples(run.folder);
  results::LivePoint point;
  while (samples.next(point)) {
    for (size_t p = 0; p < courses.size(); ++p) {
      const double iops = point.*kPanels[p].iops;
      courses[p].sampler.add(series, point.time_s, iops);
      courses[p].moves = courses[p].moves || iops > 0;
      ++courses[p].samples;
    }
  }
  if (samples.damaged().count > 0)
    warnings.push_back(samples.damaged().text(run.folder / "live.csv"));
}

// Until a bucket of a cell has a sample of each of its runs: the mean of those that happen to
// be in a narrower one would jump from bucket to bucket.
void widen_for_means(Course& course, size_t runs) {
  for (int i = 0; i < 20; ++i) {
    size_t used = 0;
    for (const auto& [name, buckets] : course.sampler.series())
      used += static_cast<size_t>(
          std::count_if(buckets.begin(), buckets.end(), [](const Bucket& b) { return b.used(); }));
    const size_t cells = course.sampler.series().size();
    if (course.samples * cells >= used * 2 * runs) return;
    course.sampler.widen();
  }
}

std::string cell_columns(const LegendEntry& cell) {
  return fmt::format("\t{}\t{}", cell.colour, cell.dash);
}

std::string lines_data(const Course& course, const std::vector<Run>& runs, const Cells& cells) {
  std::string data =
      "# seconds since fio was started\tIOPS\tcolour as a number\tdash; a curve a run\n";
  for (size_t r = 0; r < runs.size(); ++r) {
    const auto found = course.sampler.series().find(series_name(r));
    if (found == course.sampler.series().end()) continue;
    const LegendEntry& cell = cells.legend[runs[r].cell];
    data += fmt::format("# run {} {}\n{}\n", runs[r].index, data_text(cell.name),
                        extremes(found->second, 1, cell_columns(cell)));
  }
  return data;
}

std::string bands_data(const Course& course, const Cells& cells) {
  std::string data =
      "# seconds since fio was started\tleast IOPS of its runs\tmean\tmost\tcolour as a "
      "number\tdash; a curve a cell, parted by two blank lines\n";
  for (size_t c = 0; c < cells.legend.size(); ++c) {
    const auto found = course.sampler.series().find(series_name(c));
    if (found == course.sampler.series().end()) continue;
    const LegendEntry& cell = cells.legend[c];
    data += fmt::format("# {}\n{}\n\n", data_text(cell.name),
                        bands(found->second, course.sampler.bucket_s(), 1, cell_columns(cell)));
  }
  return data;
}

// `cells`: those that have a curve, in the order of the data.
std::string plot_command(const char* file, const TimeAxis& axis, const Cells& all,
                         const std::set<size_t>& cells, bool bands) {
  std::string areas;
  std::string lines;
  size_t index = 0;
  for (size_t cell : cells)
    areas += fmt::format(
        "'{}' index {} using ($1/{}):2:4 with filledcurves fs transparent solid 0.15 noborder lc "
        "{}, \\\n  ",
        file, index++, axis.unit_s, rgb(all.legend[cell].colour));
  std::set<int> dashes;
  for (size_t cell : cells) dashes.insert(all.legend[cell].dash);
  for (int dash : dashes)
    lines += bands ? fmt::format(
                         "{}'{}' using ($1/{}):(${}=={}?$3:NaN):5 with lines lw 2 dt {} lc "
                         "rgb variable",
                         lines.empty() ? "" : ", \\\n  ", file, axis.unit_s, 6, dash, dash)
                   : fmt::format(
                         "{}'{}' using ($1/{}):(${}=={}?$2:NaN):3 with lines lw 1.2 dt {} lc "
                         "rgb variable",
                         lines.empty() ? "" : ", \\\n  ", file, axis.unit_s, 4, dash, dash);
  return "plot " + (bands ? areas : std::string()) + lines + "\n";
}

}  // namespace

std::optional<Drawing> draw_iops_over_time(const Table& table, const fs::path& directory) {
  const Cells cells = cells_of(table);
  const std::vector<Run> runs = runs_of(cells, directory);
  const bool bands = runs.size() > kMostLines;
  Drawing d;
  std::vector<Course> courses(std::size(kPanels));
  for (size_t r = 0; r < runs.size(); ++r)
    read_run(runs[r], series_name(bands ? runs[r].cell : r), courses, d.warnings);
  std::set<size_t> drawn;
  for (size_t r = 0; r < runs.size(); ++r)
    if (courses[0].sampler.series().contains(series_name(bands ? runs[r].cell : r)))
      drawn.insert(runs[r].cell);
  const double end_s = extent(courses[0].sampler.series()).end_s;
  // One point a run is no curve.
  if (end_s <= 0 || courses[0].samples < 2 * courses[0].sampler.series().size()) return {};

  d.name = "iops-over-time";
  d.title = "IOPS over time";
  d.caption =
      std::string(bands ? "A colour a cell: the mean of its runs, and the range from the least to "
                          "the most of them"
                        : "A line a run, a colour a cell") +
      ", as seen while fio ran. A run that has not levelled off, or that falls, measured a "
      "warm-up, a cache filling up or a cluster at its limit.";
  const auto panels = static_cast<int>(std::count_if(
      courses.begin(), courses.end(), [](const Course& course) { return course.moves; }));
  if (panels == 0) return {};
  d.height = panels * kPanelHeight + legend_height(cells.legend, d.width);
  const TimeAxis axis = time_axis(end_s);
  int top = 0;
  for (size_t p = 0; p < courses.size(); ++p) {
    Course& course = courses[p];
    if (!course.moves) continue;
    if (bands) widen_for_means(course, runs.size());
    const char* file = kPanels[p].file;
    d.data.emplace_back(file, bands ? bands_data(course, cells) : lines_data(course, runs, cells));
    const double most = 1.08 * extent(course.sampler.series()).most;
    d.body += place({70, top + 34, d.width - 12, top + kPanelHeight - 58}, d.width, d.height);
    d.body += axis.commands;
    d.body += fmt::format("set title '{}' offset 0,-0.6\nset yrange [0:{:.9g}]\nset ytics {}\n{}",
                          kPanels[p].title, most, linear_tics(most, 5),
                          plot_command(file, axis, cells, drawn, bands));
    top += kPanelHeight;
  }
  const Legend legend = legend_below(cells.legend, "iops-over-time-legend.dat", d.width, top);
  d.data.emplace_back("iops-over-time-legend.dat", legend.data);
  d.body += legend.body;
  return d;
}

}  // namespace lab::analysis
