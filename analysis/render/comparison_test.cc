#include "analysis/render/comparison.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "analysis/render/escape.h"
#include "analysis/side_example.h"
#include "runner/base/error.h"
#include "runner/base/text.h"

namespace lab::analysis {
namespace {

Comparison example() {
  const ExampleFigures figures = {{1000, 1012, 995, 1003}, {1200, 1211, 1190, 1206}};
  return compare(example_side("/a", figures, "off"), example_side("/a", figures, "writeback"));
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(ComparisonTable, SaysBeforeAfterHowMuchAndWhetherItIsChance) {
  const std::string text = render_comparison(example(), "table");
  EXPECT_TRUE(has(text, "/a:off → /a:writeback\n")) << text;
  EXPECT_TRUE(has(text, "What was asked to differ\n  cache: off → writeback\n")) << text;
  EXPECT_TRUE(has(text, "What differs besides\n  nothing that was recorded\n")) << text;
  EXPECT_TRUE(has(text, "write IOPS       1002   1202     +19.9  +19.4 to +20.4  better")) << text;
  EXPECT_TRUE(has(text, "write p99 ms     1.01  0.840     -16.6")) << text;
  EXPECT_TRUE(has(text, "different, better by more than the margin of 3.0%.")) << text;
  EXPECT_FALSE(has(text, "\x1b")) << "no colours unless asked for";
}

TEST(ComparisonTable, FitsTheTerminal) {
  for (size_t width : {80, 100, 140}) {
    RenderOptions options;
    options.width = width;
    const std::string text = render_comparison(example(), "table", options);
    for (const std::string& line : split(text, '\n')) EXPECT_LE(display_width(line), width) << line;
    EXPECT_TRUE(has(text, "95% interval %")) << "the interval is never left out";
  }
}

TEST(ComparisonTable, PaintsWhatIsWorse) {
  const ExampleFigures figures = {{1000, 1012, 995, 1003}, {800, 811, 790, 806}};
  RenderOptions options;
  options.colours = true;
  const std::string text = render_comparison(
      compare(example_side("/a", figures, "off"), example_side("/a", figures, "writeback")),
      "table", options);
  EXPECT_TRUE(has(text, "\x1b[31mwrite IOPS")) << text;
}

TEST(ComparisonJson, IsReadByPrograms) {
  const Json json = Json::parse(render_comparison(example(), "json"));
  EXPECT_EQ(json.at("paired"), true);
  EXPECT_EQ(json.at("regression"), false);
  EXPECT_EQ(json.at("valid"), true);
  const Json& iops = json.at("rows").at(0).at("metrics").at(0);
  EXPECT_EQ(iops.at("metric"), "write_iops");
  EXPECT_NEAR(iops.at("change_percent").get<double>(), 19.9, 0.2);
  EXPECT_LT(iops.at("interval95_percent").at(0).get<double>(),
            iops.at("change_percent").get<double>());
  EXPECT_EQ(iops.at("verdict"), "different");
  EXPECT_EQ(json.at("asked").at(0).at("after"), "writeback");
}

TEST(ComparisonCsv, IsARecordAFigure) {
  const std::vector<std::string> lines = split(render_comparison(example(), "csv"), '\n');
  ASSERT_EQ(lines.size(), 8u) << "a header, six figures and the end";
  EXPECT_TRUE(
      lines[1].starts_with("4k-rbd_cache_off,4k-rbd_cache_writeback,rand rw,4096,16,1,"
                           "write_iops,,1002."))
      << lines[1];
  EXPECT_TRUE(lines[1].ends_with("\r"));
}

TEST(Comparison, HostileTextsStayInTheirCells) {
  results::Plan plan = four_blocks();
  plan.cells[0].test = "=cmd()\x1b[2J|x\n| y";
  plan.cells[1].test = "<b>*a*,\"q\"\r\n";
  plan.cells[1].levels = {{"cache", "-1|\x1b]0;x\x07"}};
  results::Manifest manifest = results::example_manifest();
  const Side a = example_side("/a|\n\x1b[31m", {}, "off", plan, manifest);
  manifest.conditions.emplace_back("kernel", "6|6\n<script>");
  const Comparison c = compare(a, example_side("/b", {}, "writeback", plan, manifest));
  const std::string table = render_comparison(c, "table");
  EXPECT_FALSE(has(table, "\x1b")) << table;
  EXPECT_FALSE(has(table, "\r"));
  const std::string markdown = render_comparison(c, "markdown");
  EXPECT_FALSE(has(markdown, "\x1b"));
  EXPECT_FALSE(has(markdown, "<script>"));
  for (const std::string& line : split(markdown, '\n')) {
    if (!line.starts_with("|")) continue;
    size_t bars = 0;
    for (size_t i = 0; i < line.size(); ++i)
      bars += line[i] == '|' && (i == 0 || line[i - 1] != '\\');
    EXPECT_EQ(bars, 12u) << line;
  }
  const std::string csv = render_comparison(c, "csv");
  EXPECT_TRUE(has(csv, "\r\n\"'=cmd()")) << csv;
  EXPECT_EQ(Json::parse(render_comparison(c, "json")).at("rows").at(0).at("before").at("test"),
            plan.cells[0].test);
}

TEST(Comparison, EveryNamedFormIsThere) {
  for (const std::string& name : comparison_format_names())
    EXPECT_FALSE(render_comparison(example(), name).empty()) << name;
  EXPECT_THROW(render_comparison(example(), "xls"), Error);
}

}  // namespace
}  // namespace lab::analysis
