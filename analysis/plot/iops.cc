#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/plot/drawing.h"
#include "analysis/plot/layout.h"
#include "analysis/render/escape.h"
#include "analysis/render/layout.h"
#include "analysis/render/wording.h"
#include "analysis/row_groups.h"

namespace lab::analysis {
namespace {

struct Panel {
  const IoDirection* direction;
  const char* title;
  const char* file;
  uint32_t tint;    // of bars
  uint32_t colour;  // of what stands on them
};
constexpr Panel kPanels[] = {{&kWrite, "write IOPS", "write", 0xb3d4ea, 0x00568a},
                             {&kRead, "read IOPS", "read", 0xf6d0a8, 0xa84300}};

// The picture of more rows would be higher than any screen; the data files have them all.
constexpr size_t kDrawn = 40;
constexpr int kRowHeight = 58;
constexpr int kTop = 34;
constexpr int kBottom = 34;
constexpr int kMargin = 12;
constexpr int kGap = 26;

// Parts of a row, whose place is a whole number: its name above, its bar below.
constexpr double kName = -0.27;
constexpr double kBarTop = -0.06;
constexpr double kBarBottom = 0.38;
constexpr double kBarMiddle = (kBarTop + kBarBottom) / 2;

bool has(const Table& table, const IoDirection& direction) {
  return std::any_of(table.rows.begin(), table.rows.end(), [&](const TableRow& row) {
    return (row.*direction.summary).iops.has_value();
  });
}

// Mean of the baseline that each row is held against; none where there is none.
std::vector<std::optional<double>> baselines(const Table& table, const IoDirection& direction) {
  std::vector<std::optional<double>> means(table.rows.size());
  for (const RowGroup& group : row_groups(table))
    for (size_t row : group.rows)
      means[row] = (table.rows[group.rows[group.baseline]].*direction.summary).iops;
  return means;
}

// Where a row's judgement is a ratio to the baseline's mean, its interval is one of IOPS, too. Two
// blocks give figures and no verdict, as in the table: so wide an interval would hide the rest.
std::pair<std::optional<double>, std::optional<double>> interval(const Summary& summary,
                                                                 std::optional<double> baseline) {
  if (!summary.judgement || summary.judgement->verdict == stats::Verdict::descriptive || !baseline)
    return {};
  const stats::Interval& ratio = summary.judgement->interval95;
  return {ratio.low * *baseline, ratio.high * *baseline};
}

// "2983" or "3943, +32.2%".
std::string figure_text(const Summary& summary, bool baseline) {
  std::string text = iops_number(summary.iops);
  if (summary.difference_percent && !baseline)
    text += fmt::format(", {:+.1f}%", *summary.difference_percent);
  return text;
}

bool shown_different(const Summary& summary) {
  return summary.judgement && (summary.judgement->verdict == stats::Verdict::different ||
                               summary.judgement->verdict == stats::Verdict::below_margin);
}

struct PanelData {
  std::string bars;
  std::string repetitions;
  bool judged = false;  // some row has an interval
  double end = 0;       // the greatest value of those that are drawn
};

PanelData panel_data(const Table& table, const Panel& panel) {
  PanelData out;
  out.bars =
      "# row\tmean IOPS\t95% interval from\tto\tbaseline's mean IOPS\tend of all that\tcolour of "
      "the text as a number\ttext\n";
  out.repetitions = "# row\tplace within\tIOPS\trun\tblock\n";
  const IoDirection& direction = *panel.direction;
  const std::vector<std::optional<double>> means = baselines(table, direction);
  for (size_t i = 0; i < table.rows.size(); ++i) {
    const TableRow& row = table.rows[i];
    const Summary& summary = row.*direction.summary;
    if (!summary.iops) continue;
    const auto [low, high] = interval(summary, means[i]);
    out.judged = out.judged || (low && std::isfinite(*low));
    double end = std::max({*summary.iops, means[i].value_or(0)});
    if (high && std::isfinite(*high)) end = std::max(end, *high);
    for (size_t r = 0; r < row.repetitions.size(); ++r) {
      const Repetition& repetition = row.repetitions[r];
      if (!(repetition.*direction.value)) continue;
      end = std::max(end, *(repetition.*direction.value));
      // One below the other in the order of running, within the bar.
      const double part =
          (static_cast<double>(r) + 0.5) / static_cast<double>(row.repetitions.size());
      out.repetitions +=
          fmt::format("{}\t{:.3f}\t{}\t{}\t{}\n", i, kBarTop + part * (kBarBottom - kBarTop),
                      data_number(repetition.*direction.value), repetition.run, repetition.block);
    }
    out.bars += fmt::format("{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\n", i, data_number(summary.iops),
                            data_number(low), data_number(high), data_number(means[i]),
                            data_number(end), shown_different(summary) ? 0x111111 : 0x777777,
                            data_text(figure_text(summary, row.baseline)));
    if (i < kDrawn) out.end = std::max(out.end, end);
  }
  return out;
}

std::string names(const Table& table, const Box& first, int width) {
  constexpr double kCharacter = 8.6;
  const auto columns = static_cast<size_t>((width - first.left) / kCharacter);
  std::string out = "# row\tshort name\tname\n";
  for (size_t i = 0; i < table.rows.size(); ++i) {
    const TableRow& row = table.rows[i];
    std::string label = row_label(table, row);
    std::string shown = shortened(one_line(label), columns, "…");
    if (!row.write.iops && !row.read.iops) shown += ": " + iops_text(row);
    out += fmt::format("{}\t{}\t{}\n", i, data_text(shown), data_text(label));
  }
  return out;
}

std::string caption(const Table& table) {
  std::string text =
      "Bars are geometric means (of writes with the final flush counted in); every dot is one "
      "repetition, in the order of running from above. Whiskers are the 95% interval of the "
      "difference from the baseline, laid at the baseline's mean, which is the dashed line; the "
      "baseline, and what was not judged, has none. A figure in black was judged different.";
  if (std::any_of(table.rows.begin(), table.rows.end(),
                  [](const TableRow& row) { return !row.marks.empty(); }))
    text += " In brackets: marks, as the table's legend tells them (? doubtful, ! invalid).";
  if (table.rows.size() > kDrawn)
    text += fmt::format(" The first {} of {} rows; the data files beside have all.", kDrawn,
                        table.rows.size());
  return text;
}

}  // namespace

std::optional<Drawing> draw_iops(const Table& table) {
  std::vector<Panel> panels;
  for (const Panel& panel : kPanels)
    if (has(table, *panel.direction)) panels.push_back(panel);
  if (panels.empty()) return {};

  Drawing d;
  d.name = "iops";
  d.title = "w/r IOPS";
  d.caption = caption(table);
  const size_t drawn = std::min(table.rows.size(), kDrawn);
  const int bottom = kTop + kRowHeight * static_cast<int>(drawn);
  d.height = bottom + kBottom;
  const int each = (d.width - 2 * kMargin - kGap * static_cast<int>(panels.size() - 1)) /
                   static_cast<int>(panels.size());
  d.data.emplace_back("iops-rows.dat", names(table, {kMargin, kTop, 0, 0}, d.width));
  d.body = fmt::format(
      "set border 0\nset style fill solid 1 noborder\nset yrange [{}:-0.5]\n"
      "unset ytics\nset grid noytics xtics\n",
      static_cast<double>(drawn) - 0.5);
  for (size_t p = 0; p < panels.size(); ++p) {
    const Panel& panel = panels[p];
    const int left = kMargin + static_cast<int>(p) * (each + kGap);
    const PanelData data = panel_data(table, panel);
    const std::string file = fmt::format("iops-{}.dat", panel.file);
    const std::string dots = fmt::format("iops-{}-repetitions.dat", panel.file);
    d.data.emplace_back(file, data.bars);
    d.data.emplace_back(dots, data.repetitions);
    // The figure of the longest bar stands behind it: about a hundred pixels.
    const double range = data.end > 0 ? data.end / (1 - 112.0 / each) : 1;
    d.body += place({left, kTop, left + each, bottom}, d.width, d.height);
    d.body += fmt::format(
        "set title '{}' offset 0,-0.6\nset xrange [0:{:.9g}]\nset "
        "xtics {}\n",
        panel.title, range, linear_tics(range, 5));
    d.body += fmt::format(
        "plot '{0}' using (0):1:(0):2:($1+{1}):($1+{2}) with boxxyerror lc {4}, \\\n"
        "  '' using 5:($1+{1}):(0):({2}-({1})) with vectors nohead dt 2 lw 1.2 lc {5}, \\\n"
        "{7}"
        "  '{6}' using 3:($1+$2) with points pt 7 ps 0.62 lc {5}, \\\n"
        "  '{6}' using 3:($1+$2) with points pt 7 ps 0.36 lc rgb 'white', \\\n"
        "  '{0}' using 6:($1+{3}):8:7 with labels left offset 0.7,0 font small textcolor rgb "
        "variable",
        file, kBarTop, kBarBottom, kBarMiddle, rgb(panel.tint), rgb(panel.colour), dots,
        data.judged ? fmt::format("  '' using 2:($1+{}):3:4 with xerrorbars pt -1 lw 2 lc {}, \\\n",
                                  kBarMiddle, rgb(panel.colour))
                    : std::string());
    if (p == 0)
      d.body += fmt::format(
          ", \\\n  'iops-rows.dat' using (0):($1+{}):($1<{}?stringcolumn(2):'') with labels left "
          "textcolor rgb '#222222'",
          kName, drawn);
    d.body += "\n";
  }
  return d;
}

}  // namespace lab::analysis
