#include "analysis/plot/layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "analysis/render/escape.h"
#include "analysis/render/layout.h"
#include "analysis/render/wording.h"
#include "runner/base/json.h"
#include "runner/base/text.h"

namespace lab::analysis {
namespace {

constexpr int kMargin = 12;       // around everything
constexpr int kLine = 24;         // from one line of a legend to the next
constexpr int kStroke = 28;       // sample of a curve in a legend
constexpr double kCharacter = 8;  // width of one at the legend's size, on average
constexpr size_t kLongest = 70;   // of a name in a legend, in characters

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
}

size_t legend_columns(const std::vector<LegendEntry>& entries, int width) {
  size_t longest = 1;
  for (const LegendEntry& entry : entries)
    longest = std::max(longest, std::min(kLongest, display_width(one_line(entry.name))));
  const double column = kStroke + 10 + static_cast<double>(longest + 2) * kCharacter;
  const auto fit = static_cast<size_t>((width - 2 * kMargin) / column);
  return std::clamp<size_t>(fit, 1, std::max<size_t>(entries.size(), 1));
}

// 1, 2 or 5 times a power of ten, not less than `value`.
double round_step(double value) {
  const double decade = std::pow(10, std::floor(std::log10(value)));
  for (double factor : {1.0, 2.0, 5.0})
    if (value <= factor * decade * 1.000001) return factor * decade;
  return 10 * decade;
}

}  // namespace

std::string data_text(std::string_view text) {
  std::string line = one_line(text);
  // gnuplot's SVG escapes < and & only. XML forbids this sequence in texts, and two
  // characters altogether.
  replace_all(line, "]]>", "]] >");
  replace_all(line, "\xef\xbf\xbe", "\xef\xbf\xbd");
  replace_all(line, "\xef\xbf\xbf", "\xef\xbf\xbd");
  // What is left to escape, " and \, both have escaped alike.
  return json_line(line);
}

std::string data_number(std::optional<double> value) {
  return value && std::isfinite(*value) ? fmt::format("{:.7g}", *value) : "-";
}

uint32_t series_colour(size_t index) {
  static constexpr std::array<uint32_t, 8> kColours = {0x0072b2, 0xd55e00, 0x009e73, 0xcc79a7,
                                                       0xe69f00, 0x56b4e9, 0x000000, 0x888888};
  return kColours[index % kColours.size()];
}

std::string rgb(uint32_t colour) { return fmt::format("rgb '#{:06x}'", colour); }

std::string row_label(const Table& table, const TableRow& row) {
  std::string label = row.test;
  const bool ambiguous =
      std::any_of(table.rows.begin(), table.rows.end(), [&](const TableRow& other) {
        return &other != &row && other.test == row.test && other.plan.type != row.plan.type;
      });
  if (ambiguous) label += ", " + row.plan.type;
  if (!row.marks.empty()) label += fmt::format(" [{}]", marks_text(table, row.marks));
  return label;
}

std::optional<double> supported_ms(const Histogram& clat, double percent) {
  constexpr double kLeastBeyond = 10;
  // A hundredth of an I/O is a rounding error.
  if (static_cast<double>(clat.total()) * (1 - percent / 100) < kLeastBeyond - 0.01) return {};
  return clat.percentile_ms(percent);
}

std::string short_number(double value) {
  if (value >= 1e6) return fmt::format("{:g}M", value / 1e6);
  if (value >= 1e3) return fmt::format("{:g}k", value / 1e3);
  return fmt::format("{:g}", value);
}

std::string linear_tics(double max, int most) {
  if (!(max > 0) || !std::isfinite(max)) return "('0' 0)";
  const double step = round_step(max / most);
  std::string out = "('0' 0";
  for (int i = 1; i * step <= max; ++i)
    out += fmt::format(", '{}' {:.9g}", short_number(i * step), i * step);
  return out + ")";
}

std::string log_axis(char axis, const std::vector<double>& values) {
  double low = HUGE_VAL;
  double high = 0;
  for (double value : values) {
    if (!(value > 0) || !std::isfinite(value)) continue;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  if (high == 0) low = high = 1;
  low /= 1.25;
  high *= 1.25;
  const int first = static_cast<int>(std::floor(std::log10(low)));
  const int last = static_cast<int>(std::floor(std::log10(high)));
  // Three a decade where there are few, and not all decades where there are many.
  const bool fine = std::log10(high / low) < 2.5;
  const int stride = std::max(1, (last - first) / 6);
  std::vector<std::string> tics;
  for (int decade = first; decade <= last; decade += stride)
    for (double factor : {1.0, 2.0, 5.0}) {
      const double tic = factor * std::pow(10, decade);
      if ((factor == 1 || fine) && tic >= low && tic <= high)
        tics.push_back(fmt::format("'{0:g}' {0:.9g}", tic));
    }
  return fmt::format("set logscale {0}\nset {0}range [{1:.9g}:{2:.9g}]\nset {0}tics ({3})\n", axis,
                     low, high, join(tics, ", "));
}

std::string place(const Box& box, int width, int height) {
  return fmt::format(
      "set lmargin at screen {:.5f}\nset rmargin at screen {:.5f}\n"
      "set tmargin at screen {:.5f}\nset bmargin at screen {:.5f}\n",
      static_cast<double>(box.left) / width, static_cast<double>(box.right) / width,
      1 - static_cast<double>(box.top) / height, 1 - static_cast<double>(box.bottom) / height);
}

std::vector<Box> side_by_side(size_t panels, int width, int top, int bottom) {
  constexpr int kLeft = 70;   // numbers and the name of the first panel's axis
  constexpr int kGap = 58;    // numbers of the second one's
  constexpr int kRight = 24;  // half of the last number below
  if (panels == 1) return {{kLeft, top, width - kRight, bottom}};
  const int each = (width - kLeft - kGap - kRight) / 2;
  return {{kLeft, top, kLeft + each, bottom}, {width - kRight - each, top, width - kRight, bottom}};
}

int legend_height(const std::vector<LegendEntry>& entries, int width) {
  const size_t columns = legend_columns(entries, width);
  return static_cast<int>((entries.size() + columns - 1) / columns) * kLine + kMargin;
}

Legend legend_below(const std::vector<LegendEntry>& entries, const std::string& file, int width,
                    int top) {
  Legend legend;
  legend.height = legend_height(entries, width);
  const size_t columns = legend_columns(entries, width);
  const size_t lines = (entries.size() + columns - 1) / columns;
  const int column = (width - 2 * kMargin) / static_cast<int>(columns);
  legend.data = "# legend: x and y in pixels\tcolour as a number\tdash\tname\n";
  int dashes = 1;
  for (size_t i = 0; i < entries.size(); ++i) {
    const LegendEntry& entry = entries[i];
    legend.data +=
        fmt::format("{}\t{}\t{}\t{}\t{}\n", kMargin + column * static_cast<int>(i / lines),
                    kLine / 2 + kLine * static_cast<int>(i % lines), entry.colour, entry.dash,
                    data_text(shortened(one_line(entry.name), kLongest, "…")));
    dashes = std::max(dashes, entry.dash);
  }
  legend.body = place({0, top, width, top + legend.height}, width, top + legend.height) +
                fmt::format(
                    "unset border\nunset tics\nunset grid\nunset title\nunset xlabel\nunset "
                    "ylabel\nunset logscale\nset xrange [0:{}]\nset yrange [{}:0]\nplot ",
                    width, legend.height);
  for (int dash = 1; dash <= dashes; ++dash)
    legend.body += fmt::format(
        "'{}' using 1:($4=={}?$2:NaN):({}):(0):3 with vectors nohead lw 2.5 dt {} lc rgb variable, "
        "\\\n  ",
        file, dash, kStroke, dash);
  legend.body +=
      fmt::format("'{}' using ($1+{}):2:5 with labels left font small textcolor rgb '#333333'\n",
                  file, kStroke + 6);
  return legend;
}

}  // namespace lab::analysis
