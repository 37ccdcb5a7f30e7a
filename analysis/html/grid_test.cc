#include "analysis/html/grid.h"

#include <gtest/gtest.h>

namespace lab::analysis::html {
namespace {

TEST(Grid, HeadsRowsAndColumnsAndSaysWhatToSortBy) {
  Grid grid("t", "a & b", {{"Test", Set::name}, {"IOPS", Set::figure}});
  EXPECT_TRUE(grid.empty());
  grid.add({text_cell("<off>"), number_cell("1380", 1380.25)});
  grid.add({text_cell("on"), number_cell("-", {})}, "doubtful");
  EXPECT_FALSE(grid.empty());
  EXPECT_EQ(grid.html(),
            "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-labelledby=\"t-caption\">\n"
            "<table id=\"t\" data-sortable>\n"
            "<caption id=\"t-caption\"><span>a &amp; b</span></caption>\n<thead>\n"
            "<tr><th scope=\"col\" class=\"name\">Test</th>"
            "<th scope=\"col\" class=\"figure\">IOPS</th></tr>\n</thead>\n<tbody>\n"
            "<tr><th scope=\"row\" class=\"name\">&lt;off&gt;</th>"
            "<td class=\"figure\" data-key=\"1380.25\">1380</td></tr>\n"
            "<tr class=\"doubtful\"><th scope=\"row\" class=\"name\">on</th>"
            "<td class=\"figure\" data-missing>-</td></tr>\n"
            "</tbody>\n</table>\n</div>\n");
}

TEST(Grid, ThatIsNotSortableSaysNothingOfIt) {
  Grid grid("t", "c", {{"a"}}, false);
  grid.add({count_cell(3)});
  EXPECT_EQ(grid.html().find("data-sortable"), std::string::npos);
  EXPECT_NE(grid.html().find("<th scope=\"row\" data-key=\"3\">3</th>"), std::string::npos);
}

}  // namespace
}  // namespace lab::analysis::html
