#include "analysis/plot/plots.h"

#include "analysis/plot/drawing.h"
#include "analysis/plot/gnuplot.h"
#include "runner/base/process.h"
#include "runner/base/temporary_directory.h"

namespace lab::analysis {
namespace {

// gnuplot writes a picture piece by piece: it does that elsewhere, so that no reader of the
// result directory ever sees half of one.
std::optional<Plot> draw(const Drawing& drawing, const std::string& script, const fs::path& folder,
                         std::vector<std::string>& warnings) {
  const TemporaryDirectory work;
  for (const auto& [name, content] : drawing.data)
    write_file_atomically(work.path() / name, content);
  write_file_atomically(work.path() / (drawing.name + ".gp"), script);
  if (auto warning = run_gnuplot(work.path(), drawing.name)) warnings.push_back(*warning);
  Plot plot{drawing.name, drawing.title, drawing.caption, folder / (drawing.name + ".svg"),
            folder / (drawing.name + ".png")};
  for (const fs::path& picture : {plot.svg, plot.png}) {
    const fs::path drawn = work.path() / picture.filename();
    std::error_code absent;
    if (fs::file_size(drawn, absent) == 0 || absent) return {};
    write_file_atomically(picture, read_file(drawn));
  }
  return plot;
}

// True if it changed anything.
bool update(const fs::path& path, const std::string& content) {
  std::error_code error;
  if (fs::exists(path, error) && read_file(path) == content) return false;
  write_file_atomically(path, content);
  return true;
}

}  // namespace

Plots write_plots(const Table& table, const fs::path& directory, const fs::path& place) {
  Plots plots;
  const fs::path folder = place.empty() ? directory / "plots" : place;
  const bool gnuplot = !find_program("gnuplot").empty();
  bool any = false;
  std::vector<std::optional<Drawing>> drawings = {
      draw_iops(table), draw_latency(table), draw_hockey_stick(table),
      draw_iops_over_time(table, directory), draw_memory_over_time(directory)};
  for (Drawing& drawing : draw_recoveries(directory)) drawings.emplace_back(std::move(drawing));
  for (const std::optional<Drawing>& drawing : drawings) {
    if (!drawing) continue;
    any = true;
    plots.warnings.insert(plots.warnings.end(), drawing->warnings.begin(), drawing->warnings.end());
    make_directories(folder);
    const std::string script = gnuplot_script(*drawing);
    bool changed = update(folder / (drawing->name + ".gp"), script);
    for (const auto& [name, content] : drawing->data)
      changed = update(folder / name, content) || changed;
    std::optional<Plot> plot;
    if (gnuplot) plot = draw(*drawing, script, folder, plots.warnings);
    if (plot) {
      plots.drawn.push_back(std::move(*plot));
      continue;
    }
    // A picture of older data beside the new data would be a lie.
    if (!changed) continue;
    std::error_code ignored;
    for (const char* ending : {".svg", ".png"})
      fs::remove(folder / (drawing->name + ending), ignored);
  }
  if (!any)
    plots.warnings.push_back("nothing to draw: no finished run has figures yet");
  else if (!gnuplot)
    plots.warnings.push_back(
        "no plots: gnuplot is not installed (apt-get install gnuplot-nox); their scripts and data "
        "are in " +
        folder.string());
  return plots;
}

}  // namespace lab::analysis
