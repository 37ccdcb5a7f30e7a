#include "analysis/plot/gnuplot.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "runner/base/error.h"
#include "runner/base/process.h"
#include "runner/base/text.h"

namespace lab::analysis {
namespace {

// Millions of points are down-sampled before: no script of lab's needs as long.
constexpr std::chrono::seconds kLimit(60);

}  // namespace

std::string gnuplot_script(const Drawing& drawing) {
  // In the identifiers of an SVG gnuplot takes letters, digits and _ only.
  std::string identifier = drawing.name;
  std::replace(identifier.begin(), identifier.end(), '-', '_');
  return fmt::format(
      "# Draws {0}.svg and {0}.png:  gnuplot {0}.gp\n"
      "set encoding utf8\n"
      "do for [form in 'svg png'] {{\n"
      "if (form eq 'svg') {{\n"
      "small = ',13'\n"
      "set terminal svg noenhanced size {1},{2} dynamic font 'sans-serif,15' background rgb "
      "'white' name '{5}'\n"
      "}} else {{\n"
      // Of the PNG in points: three quarters of a pixel, before its scale.
      "small = ',9.75'\n"
      "if (strstrt(GPVAL_TERMINALS, 'pngcairo') > 0) {{\n"
      "set terminal pngcairo noenhanced size {3},{4} font 'sans-serif,11.25' fontscale 2 linewidth "
      "2 pointscale 2 background rgb 'white'\n"
      "}} else {{\n"
      "set terminal png noenhanced size {3},{4}\n"
      "}}\n"
      "}}\n"
      "set output '{0}.'.form\n"
      "set datafile separator tab\n"
      "set datafile missing '-'\n"
      "set border 3 lc rgb '#888888'\n"
      "set grid lt 1 lw 0.8 lc rgb '#e4e4e4'\n"
      "set tics nomirror scale 0.5 textcolor rgb '#444444' font small\n"
      "unset key\n"
      "set multiplot\n"
      "{6}"
      "unset multiplot\n"
      "unset output\n"
      // The second form begins as the first did.
      "reset\n"
      "}}\n",
      drawing.name, drawing.width, drawing.height, 2 * drawing.width, 2 * drawing.height,
      identifier, drawing.body);
}

std::optional<std::string> run_gnuplot(const fs::path& directory, const std::string& name) {
  Command command;
  command.argv = {"gnuplot", "-d", name + ".gp"};
  command.directory = directory;
  command.ends_with_lab = true;
  try {
    const Finished finished = run_command(command, kLimit);
    const std::string words = last_lines(finished.err, 3);
    if (finished.status != 0) return fmt::format("gnuplot could not draw {}: {}", name, words);
    if (!words.empty()) return fmt::format("gnuplot, drawing {}: {}", name, words);
  } catch (const Error& e) {
    return fmt::format("{} was not drawn: {}", name, e.what());
  }
  return {};
}

}  // namespace lab::analysis
