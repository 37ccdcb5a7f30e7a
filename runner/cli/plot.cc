// lab plot: pictures of a result directory.
#include "analysis/plot/plots.h"
#include "results/reader.h"
#include "runner/cli/commands.h"
#include "runner/cli/output.h"

namespace lab::cli {
namespace {

Exit draw(const fs::path& directory) {
  const analysis::Plots plots = analysis::write_plots(
      analysis::load_table(results::ResultReader::load(directory)), directory);
  for (const std::string& warning : plots.warnings) warn(warning);
  for (const analysis::Plot& plot : plots.drawn)
    fmt::print("{}\n{}\n", plot.svg.string(), plot.png.string());
  return Exit::ok;
}

}  // namespace

void add_plot(CLI::App& app, Action& action) {
  auto directory = std::make_shared<std::string>();
  CLI::App* plot = app.add_subcommand(
      "plot",
      "Draw a result directory with gnuplot: IOPS, latency, and over time; SVG and PNG in "
      "DIR/plots, beside the scripts and data that draw them again");
  plot->add_option("DIR", *directory, "result directory")->required();
  plot->callback([directory, &action] { action = [directory] { return draw(*directory); }; });
}

}  // namespace lab::cli
