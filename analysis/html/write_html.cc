#include "analysis/html/write_html.h"

#include <unistd.h>

#include <optional>

#include "analysis/html/page.h"
#include "analysis/plot/plots.h"
#include "analysis/render/views.h"
#include "runner/base/temporary_directory.h"

namespace lab::analysis {

WrittenHtml write_html(const fs::path& directory, const fs::path& file, const std::string& pivot) {
  const results::ResultReader reader = results::ResultReader::load(directory);
  Page page;
  page.table = load_table(reader);
  check_pivot(page.table, pivot);
  page.pivot = pivot;
  page.plan = reader.plan();
  page.job = results::load_optional(directory / "job.fio").value_or("");
  // Also of "." and of "results/x/", which have no name of their own.
  page.directory = fs::canonical(directory).filename().string();
  // Somebody else's results can be read, and their plots are drawn elsewhere.
  std::optional<TemporaryDirectory> elsewhere;
  if (access(directory.c_str(), W_OK) != 0) elsewhere.emplace();
  Plots plots = write_plots(page.table, directory, elsewhere ? elsewhere->path() : fs::path());
  for (const Plot& plot : plots.drawn)
    page.plots.push_back({plot.title, plot.caption, read_file(plot.svg), plot.name + ".gp"});
  page.plot_warnings = std::move(plots.warnings);
  write_file_atomically(file, render_html(page));
  return {std::move(page.table), std::move(page.plot_warnings)};
}

}  // namespace lab::analysis
