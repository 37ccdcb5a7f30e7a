#include "analysis/plot/plots.h"

#include "analysis/plot/drawing.h"
#include "analysis/plot/gnuplot.h"
#include "runner/base/process.h"

namespace lab::analysis {

Plots write_plots(const Table& table, const fs::path& directory) {
  Plots plots;
  const fs::path folder = directory / "plots";
  const bool gnuplot = !find_program("gnuplot").empty();
  for (const std::optional<Drawing>& drawing :
       {draw_iops(table), draw_latency(table), draw_hockey_stick(table),
        draw_iops_over_time(table, directory), draw_memory_over_time(directory)}) {
    if (!drawing) continue;
    make_directories(folder);
    for (const auto& [name, content] : drawing->data) write_file_atomically(folder / name, content);
    write_file_atomically(
        folder / (drawing->name + ".gp"),
        gnuplot_script(drawing->name, drawing->width, drawing->height, drawing->body));
    if (!gnuplot) continue;
    if (std::optional<std::string> warning = run_gnuplot(folder, drawing->name))
      plots.warnings.push_back(std::move(*warning));
    else
      plots.drawn.push_back({drawing->name, drawing->title, drawing->caption,
                             folder / (drawing->name + ".svg"), folder / (drawing->name + ".png")});
  }
  if (!gnuplot)
    plots.warnings.push_back(
        "no plots: gnuplot is not installed (apt-get install gnuplot-nox); their scripts and data "
        "are in " +
        folder.string());
  return plots;
}

}  // namespace lab::analysis
