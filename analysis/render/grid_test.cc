#include "analysis/render/grid.h"

#include <gtest/gtest.h>

#include "analysis/render/escape.h"
#include "runner/base/text.h"

namespace lab::analysis {
namespace {

Grid example() {
  Grid grid;
  grid.title = "a title";
  grid.before = {"pool: lab"};
  grid.keys = 1;
  grid.columns = {{"Test"}, {"w/r IOPS"}, {"vs base %", true}, {"marks"}};
  grid.rows = {{{"4k-first"}, {"1/2"}, {"baseline"}, {""}},
               {{"4k-second|=1"}, {"10/20"}, {"-5.0", true}, {"1?"}}};
  grid.after = {"1? doubtful: a reason"};
  return grid;
}

TEST(Grid, Terminal) {
  EXPECT_EQ(render_grid(example(), Format::table),
            "a title\n"
            "  pool: lab\n"
            "\n"
            "Test          w/r IOPS  vs base %  marks\n"
            "4k-first      1/2        baseline\n"
            "4k-second|=1  10/20          -5.0  1?\n"
            "\n"
            "1? doubtful: a reason\n");
}

TEST(Grid, ANarrowTerminalShowsPartsEachWithTheKeys) {
  RenderOptions options;
  options.width = 25;
  EXPECT_EQ(render_grid(example(), Format::table, options),
            "a title\n"
            "  pool: lab\n"
            "\n"
            "Test          w/r IOPS\n"
            "4k-first      1/2\n"
            "4k-second|=1  10/20\n"
            "\n"
            "Test          vs base %\n"
            "4k-first       baseline\n"
            "4k-second|=1       -5.0\n"
            "\n"
            "Test          marks\n"
            "4k-first\n"
            "4k-second|=1  1?\n"
            "\n"
            "1? doubtful: a reason\n");
}

TEST(Grid, NoLineIsWiderThanTheTerminal) {
  for (size_t width = 20; width < 60; ++width) {
    RenderOptions options;
    options.width = width;
    for (const std::string& line : split(render_grid(example(), Format::table, options), '\n'))
      EXPECT_LE(display_width(line), width) << line;
  }
}

TEST(Grid, Markdown) {
  EXPECT_EQ(render_grid(example(), Format::markdown),
            "## a title\n\n"
            "- pool: lab\n\n"
            "| Test | w/r IOPS | vs base % | marks |\n"
            "| --- | --- | --: | --- |\n"
            "| 4k-first | 1/2 | baseline |  |\n"
            "| 4k-second\\|=1 | 10/20 | -5.0 | 1? |\n\n"
            "- 1? doubtful: a reason\n");
}

TEST(Grid, SpreadsheetsGetColumnsAndRowsAlone) {
  Grid grid = example();
  grid.rows[0][0].text = "=1+1";
  EXPECT_EQ(render_grid(grid, Format::csv),
            "Test,w/r IOPS,vs base %,marks\r\n'=1+1,1/2,baseline,\r\n"
            "4k-second|=1,10/20,-5.0,1?\r\n");
  EXPECT_EQ(render_grid(grid, Format::tsv),
            "Test\tw/r IOPS\tvs base %\tmarks\n'=1+1\t1/2\tbaseline\t\n"
            "4k-second|=1\t10/20\t-5.0\t1?\n");
}

}  // namespace
}  // namespace lab::analysis
