#include "analysis/plot/gnuplot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>

#include "analysis/render/escape.h"
#include "runner/base/error.h"
#include "runner/base/process.h"
#include "runner/base/text.h"

namespace lab::analysis {
namespace {

// Millions of points are down-sampled before: no script of lab's needs as long.
constexpr std::chrono::seconds kLimit(60);

}  // namespace

std::string gnuplot_text(std::string_view text) {
  std::string out = "'";
  for (char c : one_line(text)) {
    if (c == '\'') out += '\'';
    out += c;
  }
  return out + "'";
}

std::string gnuplot_script(const std::string& name, int width, int height,
                           const std::string& body) {
  // In the identifiers of an SVG gnuplot takes letters, digits and _ only.
  std::string identifier = name;
  std::replace(identifier.begin(), identifier.end(), '-', '_');
  return fmt::format(
      "# Draws {0}.svg and {0}.png:  gnuplot {0}.gp\n"
      "png = strstrt(GPVAL_TERMINALS, 'pngcairo') > 0 ? 'pngcairo' : 'png'\n"
      "do for [form in 'svg png'] {{\n"
      "if (form eq 'svg') {{\n"
      "set terminal svg noenhanced size {1},{2} dynamic font 'sans-serif,13' background rgb "
      "'white' name '{4}'\n"
      "}} else {{\n"
      "set terminal png\n"
      "eval 'set terminal '.png.\" noenhanced size {1},{2} font 'sans,10'\"\n"
      "}}\n"
      "set output '{0}.'.form\n"
      "set border 3 lc rgb '#666666'\n"
      "set grid lc rgb '#dddddd' lw 1\n"
      "set tics nomirror textcolor rgb '#333333'\n"
      "set datafile separator tab\n"
      "set datafile missing '-'\n"
      "{3}"
      "unset output\n"
      "}}\n",
      name, width, height, body, identifier);
}

std::string series_colour(size_t index) {
  static constexpr std::array<const char*, 8> kColours = {
      "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#b8a800", "#000000"};
  return kColours[index % kColours.size()];
}

std::optional<std::string> run_gnuplot(const fs::path& directory, const std::string& name) {
  Command command;
  command.argv = {"gnuplot", name + ".gp"};
  command.directory = directory;
  command.ends_with_lab = true;
  try {
    const Finished finished = run_command(command, kLimit);
    if (finished.status != 0 || !fs::exists(directory / (name + ".svg")))
      return fmt::format("gnuplot could not draw {}: {}", (directory / (name + ".gp")).string(),
                         last_lines(finished.err, 3));
  } catch (const Error& e) {
    return fmt::format("{} was not drawn: {}", name, e.what());
  }
  return {};
}

}  // namespace lab::analysis
