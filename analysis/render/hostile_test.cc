// Texts that try to break out of their cell, in every form.
#include <gtest/gtest.h>

#include "analysis/render/renderer.h"
#include "results/example.h"
#include "runner/base/text.h"
#include "tests/csv.h"

namespace lab::analysis {
namespace {

constexpr const char* kFormula = "=HYPERLINK(\"http://x\",\"y\")";

Table hostile_table() {
  results::Manifest m = results::example_manifest();
  m.title = "a|b\x1b[2J";
  m.conditions = {{"pool", "x\n| y |\xff"}};
  results::Plan plan = results::example_plan();
  plan.cells[0].test = kFormula;
  plan.cells[1].test = "one,\"two\"\r\nthree\tfour|five";
  plan.cells[1].levels = {{"cache", "-2+3"}};
  plan.rows[1].row = 5;
  RunFigures run;
  run.record.index = 1;
  run.record.cell = "off";
  run.usable = true;
  run.phases.resize(2);
  run.phases[0].write = DirectionFigures{.ios = 1, .runtime_s = 1, .iops = 7, .counted_iops = 7};
  run.phases[1].read = run.phases[0].write;
  run.marks = {{results::Weight::doubtful, "x", "@evil\n\ttext"}};
  RunFigures other = run;
  other.record.index = 2;
  other.record.cell = "writeback";
  other.phases[0].write->counted_iops = 3.5;
  return build_table(m, plan, {run, other});
}

std::vector<std::vector<std::string>> read_csv(const std::string& text) {
  const auto records = parse_csv(text);
  EXPECT_TRUE(records) << text;
  std::vector<std::vector<std::string>> texts;
  for (const CsvRecord& record : records.value_or(std::vector<CsvRecord>())) {
    texts.emplace_back();
    for (const CsvField& field : record) texts.back().push_back(field.text);
  }
  return texts;
}

TEST(Hostile, CsvKeepsItsShapeAndItsRowNumbers) {
  auto records = read_csv(make_renderer(Format::csv)->render(hostile_table()));
  // Rows 2 and 5 of the plan stand in lines 2 and 5 of the spreadsheet.
  ASSERT_EQ(records.size(), 5u);
  for (const auto& record : records) EXPECT_EQ(record.size(), records[0].size());
  EXPECT_EQ(records[1][0], "2");
  EXPECT_EQ(records[1][1], std::string("'") + kFormula);
  EXPECT_EQ(records[2][0], "");
  EXPECT_EQ(records[4][0], "5");
  EXPECT_EQ(records[4][1], "one,\"two\"\r\nthree\tfour|five");
  auto at = [&](const char* name) {
    return static_cast<size_t>(std::find(records[0].begin(), records[0].end(), name) -
                               records[0].begin());
  };
  EXPECT_EQ(records[4][at("factor_cache")], "'-2+3");
  EXPECT_EQ(records[4][at("w_difference_percent")], "-50.00");
}

TEST(Hostile, TidyKeepsItsShape) {
  auto records = read_csv(make_renderer(Format::tidy)->render(hostile_table()));
  ASSERT_GT(records.size(), 10u);
  for (const auto& record : records) EXPECT_EQ(record.size(), records[0].size());
  EXPECT_EQ(records.back()[2], "'-2+3");
}

TEST(Hostile, TsvKeepsItsShape) {
  std::string text = make_renderer(Format::tsv)->render(hostile_table());
  std::vector<std::string> lines = split(text, '\n');
  ASSERT_EQ(lines.size(), 6u);
  size_t columns = split(lines[0], '\t').size();
  for (size_t i : {1u, 4u}) EXPECT_EQ(split(lines[i], '\t').size(), columns);
  EXPECT_NE(lines[1].find("'=HYPER"), std::string::npos);
  EXPECT_EQ(text.find('\r'), std::string::npos);
}

TEST(Hostile, MarkdownKeepsItsShape) {
  for (const std::string& line :
       split(make_renderer(Format::markdown)->render(hostile_table()), '\n')) {
    if (!line.starts_with("| ")) continue;
    size_t bars = 0;
    for (size_t i = 0; i < line.size(); ++i) bars += line[i] == '|' && line[i - (i > 0)] != '\\';
    EXPECT_EQ(bars, 12u) << line;
  }
}

TEST(Hostile, TheTerminalSeesNoControlCharacters) {
  for (size_t width : {0u, 20u, 60u, 200u}) {
    RenderOptions options;
    options.width = width;
    std::string text = make_renderer(Format::table, options)->render(hostile_table());
    for (char c : text) EXPECT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= 0x20);
  }
}

TEST(Hostile, JsonIsJson) {
  std::string text = make_renderer(Format::json)->render(hostile_table());
  Json json = Json::parse(text);
  EXPECT_EQ(json["rows"][0]["test"], kFormula);
}

TEST(Hostile, AnEmptyTableIsStillATable) {
  results::Plan plan;
  Table table = build_table(results::example_manifest(), plan, {});
  for (Format format :
       {Format::table, Format::markdown, Format::csv, Format::tidy, Format::tsv, Format::json}) {
    RenderOptions options;
    options.width = 40;
    EXPECT_FALSE(make_renderer(format, options)->render(table).empty());
  }
}

}  // namespace
}  // namespace lab::analysis
