// The HTML report: one file that shows all there is to know of a result directory, alone
// and without a network.
#pragma once

#include <string>
#include <vector>

#include "analysis/table.h"

namespace lab::analysis {

// A picture as the page takes it in.
struct InlinePlot {
  std::string title;    // one line
  std::string caption;  // how to read it
  std::string svg;      // the whole file, as gnuplot writes it
  std::string script;   // the gnuplot script that drew it, e.g. "iops.gp" in plots/
};

struct Page {
  Table table;
  results::Plan plan;
  std::string job;        // job.fio as it was given; empty if it was not kept
  std::string directory;  // the result directory's name, for the commands that draw again
  std::string pivot;      // a factor of the table, whose levels stand side by side; empty: none
  std::vector<InlinePlot> plots;
  std::vector<std::string> plot_warnings;  // why there are none, or fewer than could be
};

// The whole document, UTF-8. The same page gives the same bytes. Every text in it may be
// hostile: none becomes markup. A plot that is no harmless SVG is left out, and the page
// says so. Pure.
std::string render_html(const Page& page);

}  // namespace lab::analysis
