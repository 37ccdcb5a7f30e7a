#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "analysis/plot/drawing.h"
#include "analysis/plot/gnuplot.h"
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
constexpr Panel kPanels[] = {{&TableRow::write, "writes", "write"},
                             {&TableRow::read, "reads", "read"}};
struct Percentile {
  double percent;
  const char* name;
};
constexpr Percentile kPercentiles[] = {{50, "p50"}, {99, "p99"}, {99.9, "p99.9"}};
// As many I/Os as have to lie beyond a percentile for it to say anything.
constexpr double kLeastBeyond = 10;

std::optional<uint64_t> level(const TableRow& row, const std::string& factor) {
  for (const auto& [name, text] : row.levels)
    if (name == factor) return parse_bytes(text);
  return {};
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

// What a row is besides its load: one curve for each.
std::string rest_of(const TableRow& row, const std::string& factor) {
  std::vector<std::string> parts;
  for (const auto& [name, text] : row.levels)
    if (name != factor) parts.push_back(text);
  return join(parts, " ");
}

std::string milliseconds(const Histogram& clat, double percent) {
  const auto ns = clat.percentile_ns(percent);
  if (!ns || static_cast<double>(clat.total()) * (1 - percent / 100) < kLeastBeyond) return "-";
  return fmt::format("{:.6g}", static_cast<double>(*ns) / 1e6);
}

using Curve = std::vector<std::pair<uint64_t, const Summary*>>;

std::string points(const std::string& name, Curve curve) {
  std::sort(curve.begin(), curve.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  std::string out = fmt::format("# {}\n", gnuplot_text(name));
  for (const auto& [load, summary] : curve)
    out += fmt::format("{:.6g}\t{}\t{}\t{}\t{}\n", *summary->iops, milliseconds(summary->clat, 50),
                       milliseconds(summary->clat, 99), milliseconds(summary->clat, 99.9), load);
  return out + "\n\n";
}

}  // namespace

std::optional<Drawing> draw_hockey_stick(const Table& table) {
  const std::optional<std::string> factor = load_factor(table);
  if (!factor) return {};
  Drawing d;
  d.name = "hockey-stick";
  d.title = fmt::format("Latency against IOPS, by {}", *factor);
  d.caption = fmt::format(
      "Each point is one level of {0}, written beside it. Where the curve turns up, more {0} buys "
      "waiting time and no more IOPS.",
      *factor);
  size_t panels = 0;
  size_t panel_height = 320;  // or as much as the key needs
  for (const Panel& panel : kPanels) {
    // A curve for each load, so that mixed and pure phases never share one.
    std::map<std::pair<std::string, std::string>, Curve> curves;
    for (const TableRow& row : table.rows) {
      const Summary& summary = row.*panel.side;
      if (row.control || !summary.iops || summary.clat.empty()) continue;
      curves[{row.plan.type, rest_of(row, *factor)}].emplace_back(*level(row, *factor), &summary);
    }
    std::erase_if(curves, [](const auto& curve) { return curve.second.size() < 2; });
    if (curves.empty()) continue;
    ++panels;
    const std::string file = fmt::format("hockey-stick-{}.dat", panel.file);
    std::string data =
        fmt::format("# IOPS\tp50 in ms\tp99 in ms\tp99.9 in ms\t{}; a block a curve\n", *factor);
    std::string plots;
    size_t index = 0;
    for (const auto& [name, curve] : curves) {
      const std::string label =
          name.second.empty() ? name.first : fmt::format("{}, {}", name.second, name.first);
      data += points(label, curve);
      for (size_t p = 0; p < std::size(kPercentiles); ++p) {
        plots += fmt::format(
            "{}'{}' index {} using 1:{} with linespoints lw 2 pt 7 ps 0.5 dt {} lc rgb '{}' title "
            "{}",
            plots.empty() ? "plot " : ", \\\n  ", file, index, p + 2, 1 + index, series_colour(p),
            gnuplot_text(fmt::format("{} {}", kPercentiles[p].name, label)));
      }
      plots += fmt::format(
          ", \\\n  '{}' index {} using 1:3:5 with labels offset 0,0.8 font ',10' textcolor rgb "
          "'#333333' notitle",
          file, index);
      ++index;
    }
    d.data.emplace_back(file, data);
    panel_height = std::max(panel_height, 60 + 54 * index);
    d.body += fmt::format("set title '{}' offset 0,-0.5\n{}\n", panel.title, plots);
  }
  if (panels == 0) return {};
  d.height = static_cast<int>(panels * panel_height);
  d.body = fmt::format(
               "set multiplot layout {},1\nset logscale y\nset key outside right top Left reverse\n"
               "set xlabel 'IOPS'\nset xrange [0:*]\nset ylabel 'ms'\nset format y '%g'\n"
               "set format x '%g'\nset offsets 0,graph 0.05,0,0\n",
               panels) +
           d.body + "unset multiplot\n";
  return d;
}

}  // namespace lab::analysis
