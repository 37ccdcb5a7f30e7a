#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "analysis/plot/drawing.h"
#include "analysis/plot/layout.h"
#include "analysis/render/wording.h"
#include "runner/base/text.h"

namespace lab::analysis {
namespace {

// Factors that make the load stronger, step by step.
constexpr std::array<std::string_view, 4> kLoads = {"iodepth", "rate_iops", "rate", "numjobs"};

struct Panel {
  Summary TableRow::*side;
  const char* title;
  const char* file;
};
constexpr Panel kPanels[] = {{&TableRow::write, "writes", "hockey-stick-write.dat"},
                             {&TableRow::read, "reads", "hockey-stick-read.dat"}};
struct Percentile {
  double percent;
  const char* name;
};
constexpr Percentile kPercentiles[] = {{50, "p50"}, {99, "p99"}, {99.9, "p99.9"}};
constexpr int kPanelHeight = 330;

std::optional<uint64_t> level(const TableRow& row, const std::string& factor) {
  return parse_bytes(results::level_of(row.levels, factor));
}

// The factor of the table that is a load, with numbers as its levels.
std::optional<std::string> load_factor(const Table& table) {
  for (const std::string& factor : table.factors) {
    if (std::find(kLoads.begin(), kLoads.end(), factor) == kLoads.end()) continue;
    if (std::all_of(table.rows.begin(), table.rows.end(),
                    [&](const TableRow& row) { return level(row, factor).has_value(); }))
      return factor;
  }
  return {};
}

// What a row is besides its load: one stick for each.
std::string rest_of(const TableRow& row, const std::string& factor) {
  std::vector<std::string> parts;
  for (const auto& [name, text] : row.levels)
    if (name != factor) parts.push_back(text);
  return join(parts, " ");
}

// A row at its level of the load.
struct Point {
  uint64_t load = 0;
  double iops = 0;
  std::string text;  // the load, with the row's marks
  std::array<std::optional<double>, std::size(kPercentiles)> ms;
};

using Sticks = std::map<std::string, std::vector<Point>>;  // by what they are besides the load

Sticks sticks_of(const Table& table, const std::string& factor, Summary TableRow::*side) {
  Sticks sticks;
  for (const TableRow& row : table.rows) {
    const Summary& summary = row.*side;
    // The control is the baseline's point once more.
    if (row.control || !summary.iops || summary.clat.empty()) continue;
    Point point;
    point.load = *level(row, factor);
    point.iops = *summary.iops;
    point.text = short_number(static_cast<double>(point.load));
    if (!row.marks.empty()) point.text += fmt::format(" [{}]", marks_text(table, row.marks));
    for (size_t p = 0; p < point.ms.size(); ++p)
      point.ms[p] = supported_ms(summary.clat, kPercentiles[p].percent);
    const std::string rest = rest_of(row, factor);
    // Mixed and pure phases never share a stick.
    sticks[rest.empty() ? row.plan.type : rest + ", " + row.plan.type].push_back(point);
  }
  std::erase_if(sticks, [](const auto& stick) { return stick.second.size() < 2; });
  for (auto& [name, points] : sticks)
    std::sort(points.begin(), points.end(),
              [](const Point& a, const Point& b) { return a.load < b.load; });
  return sticks;
}

// Which of the percentiles any point of the panel has.
std::array<bool, std::size(kPercentiles)> known(const Sticks& sticks) {
  std::array<bool, std::size(kPercentiles)> any{};
  for (const auto& [name, points] : sticks)
    for (const Point& point : points)
      for (size_t p = 0; p < any.size(); ++p) any[p] = any[p] || point.ms[p];
  return any;
}

// Colours tell the percentiles of a single stick; of several, colours tell the sticks and
// dashes the percentiles.
struct Style {
  std::vector<std::string> names;  // of all sticks, of both panels

  bool single() const { return names.size() == 1; }
  uint32_t colour(size_t stick, size_t percentile) const {
    return series_colour(single() ? percentile : stick);
  }
  int dash(size_t percentile) const {
    constexpr int kDashes[] = {3, 1, 2};  // dotted, solid, dashed
    return single() ? 1 : kDashes[percentile];
  }
  size_t index(const std::string& name) const {
    return static_cast<size_t>(std::find(names.begin(), names.end(), name) - names.begin());
  }
  std::vector<LegendEntry> legend() const {
    std::vector<LegendEntry> entries;
    for (size_t p = 0; p < std::size(kPercentiles); ++p)
      entries.push_back({kPercentiles[p].name, single() ? series_colour(p) : 0x444444, dash(p)});
    if (!single())
      for (size_t s = 0; s < names.size(); ++s) entries.push_back({names[s], series_colour(s), 1});
    return entries;
  }
};

std::string data_of(const Sticks& sticks, const std::string& factor, const Style& style) {
  std::string data = fmt::format(
      "# IOPS\tp50 in ms\tp99 in ms\tp99.9 in ms\thighest of them\t{}\ttext\tcolour of the curve "
      "as "
      "a number; a curve a combination of the other factors\n",
      factor);
  for (const auto& [name, points] : sticks) {
    data += fmt::format("# {}\n", data_text(name));
    for (const Point& point : points) {
      std::optional<double> highest;
      for (const auto& ms : point.ms)
        if (ms) highest = ms;
      data += fmt::format("{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\n", data_number(point.iops),
                          data_number(point.ms[0]), data_number(point.ms[1]),
                          data_number(point.ms[2]), data_number(highest), point.load,
                          data_text(point.text), series_colour(style.index(name)));
    }
    data += "\n";
  }
  return data;
}

std::string plot_command(const Sticks& sticks, const char* file, const Style& style) {
  std::string plot = "plot ";
  const auto any = known(sticks);
  for (size_t p = 0; p < any.size(); ++p) {
    if (!any[p]) continue;
    const std::string line = fmt::format("with linespoints lw 2 pt 7 ps 0.5 dt {}", style.dash(p));
    plot += style.single()
                ? fmt::format("'{}' using 1:{} {} lc {}, \\\n  ", file, p + 2, line,
                              rgb(style.colour(0, p)))
                : fmt::format("'{}' using 1:{}:8 {} lc rgb variable, \\\n  ", file, p + 2, line);
  }
  return plot + fmt::format(
                    "'{}' using 1:5:7 with labels offset 0,0.8 font small textcolor rgb "
                    "'#333333'\n",
                    file);
}

}  // namespace

std::optional<Drawing> draw_hockey_stick(const Table& table) {
  const std::optional<std::string> factor = load_factor(table);
  if (!factor) return {};
  struct Found {
    const Panel* panel;
    Sticks sticks;
  };
  std::vector<Found> panels;
  Style style;
  std::vector<double> all_ms;
  for (const Panel& panel : kPanels) {
    Sticks sticks = sticks_of(table, *factor, panel.side);
    const auto any = known(sticks);
    if (std::none_of(any.begin(), any.end(), [](bool is) { return is; })) continue;
    for (const auto& [name, points] : sticks) {
      if (style.index(name) == style.names.size()) style.names.push_back(name);
      for (const Point& point : points)
        for (const auto& ms : point.ms)
          if (ms) all_ms.push_back(*ms);
    }
    panels.push_back({&panel, std::move(sticks)});
  }
  if (panels.empty()) return {};
  // Room for the labels above the highest points.
  all_ms.push_back(1.3 * *std::max_element(all_ms.begin(), all_ms.end()));

  Drawing d;
  d.name = "hockey-stick";
  d.title = fmt::format("Latency against IOPS, by {}", *factor);
  d.caption = fmt::format(
      "Each point is one level of {0}, written above it (in brackets: its marks, as the table's "
      "legend tells them). Where the curve turns up, more {0} buys waiting time and no more IOPS. "
      "A percentile ends where fewer than 10 I/Os lie beyond.",
      *factor);
  const std::vector<LegendEntry> entries = style.legend();
  d.height = kPanelHeight + legend_height(entries, d.width);
  const std::vector<Box> boxes = side_by_side(panels.size(), d.width, 34, kPanelHeight - 66);
  d.body = log_axis('y', all_ms) + "set xlabel 'IOPS' offset 0,0.3\nset ylabel 'ms' offset 1.2,0\n";
  for (size_t p = 0; p < panels.size(); ++p) {
    const auto& [panel, sticks] = panels[p];
    d.data.emplace_back(panel->file, data_of(sticks, *factor, style));
    double most = 0;
    for (const auto& [name, points] : sticks)
      for (const Point& point : points) most = std::max(most, point.iops);
    const double range = most > 0 ? 1.12 * most : 1;
    d.body += place(boxes[p], d.width, d.height);
    d.body += fmt::format("set title '{}' offset 0,-0.6\nset xrange [0:{:.9g}]\nset xtics {}\n{}{}",
                          panel->title, range, linear_tics(range, 5),
                          p == 0 ? "" : "unset ylabel\n", plot_command(sticks, panel->file, style));
  }
  const Legend legend = legend_below(entries, "hockey-stick-legend.dat", d.width, kPanelHeight);
  d.data.emplace_back("hockey-stick-legend.dat", legend.data);
  d.body += legend.body;
  return d;
}

}  // namespace lab::analysis
