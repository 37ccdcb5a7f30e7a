#include "analysis/render/views.h"

#include <gtest/gtest.h>

#include "results/example.h"
#include "tests/complaint.h"

namespace lab::analysis {
namespace {

// Two allocators under two cache modes; reads and writes mixed in one phase, or in two.
Table table_of(bool mixed) {
  results::Manifest manifest = results::example_manifest();
  manifest.title = "4k";
  manifest.matrix = {"allocator", "cache"};
  manifest.osds = {{0, "a", "tcmalloc", "libgoogle-perftools4", "2.10-1"},
                   {1, "a", "tcmalloc", "libgoogle-perftools4", "2.10-1"}};
  results::Plan plan;
  plan.phases = {{{"load"}, true, mixed}, {{"read"}, false, !mixed}};
  std::vector<RunFigures> runs;
  for (const char* allocator : {"tcmalloc", "jemalloc"})
    for (const char* cache : {"off", "writeback"}) {
      const std::string name = std::string(allocator) + "-" + cache;
      const auto index = static_cast<unsigned>(plan.cells.size());
      plan.cells.push_back({name, "4k-" + name, {{"allocator", allocator}, {"cache", cache}}});
      plan.rows.push_back(
          {index + 2, name, mixed ? "rand mixed" : "rand rw", 4096, 16, 2, 0, mixed ? 0u : 1u});
      plan.runs.push_back({index + 1, name, 1, index + 1, true});
      RunFigures run;
      run.record.index = index + 1;
      run.record.cell = name;
      if (std::string_view(allocator) == "jemalloc")
        run.record.settings = {
            {"allocator", "jemalloc", "jemalloc libjemalloc2 5.3.0-1", "", "", true}};
      run.usable = true;
      run.phases.resize(2);
      const double w = 1000.0 * (index + 1);
      run.phases[0].write = DirectionFigures{
          .ios = 100, .runtime_s = 1, .iops = w, .counted_iops = w, .clat_mean_ns = 2e6};
      run.phases[0].write->clat = {{3'000'000, 10}};
      run.phases[mixed ? 0 : 1].read = DirectionFigures{
          .ios = 300, .runtime_s = 1, .iops = 3 * w, .counted_iops = 3 * w, .clat_mean_ns = 5e5};
      run.phases[mixed ? 0 : 1].read->clat = {{700'000, 10}};
      runs.push_back(std::move(run));
    }
  return build_table(manifest, plan, std::move(runs));
}

std::string csv(const Table& table, View view, const std::string& pivot) {
  return render_grid(view_of(table, {view, pivot}, Format::csv), Format::csv);
}

// The lines of the table proper in Markdown.
std::string markdown(const Table& table, View view, const std::string& pivot) {
  const std::string text =
      render_grid(view_of(table, {view, pivot}, Format::markdown), Format::markdown);
  const size_t begin = text.find("\n| ") + 1;
  return text.substr(begin, text.find("\n\n", begin) + 1 - begin);
}

TEST(Views, APivotPutsLevelsSideBySide) {
  EXPECT_EQ(markdown(table_of(false), View::iops, "cache"),
            "| allocator | version | Type | off: w/r IOPS | off: vs base % | off: marks | "
            "writeback: w/r IOPS | writeback: vs base % | writeback: marks |\n"
            "| --- | --- | --- | --- | --: | --- | --- | --: | --- |\n"
            "| tcmalloc | libgoogle-perftools4 2.10-1 | rand rw | 1000/3000 (4k) | baseline | 1 | "
            "2000/6000 (4k) | +100.0/+100.0 | 1 |\n"
            "| jemalloc | libjemalloc2 5.3.0-1 | rand rw | 3000/9000 (4k) | +200.0/+200.0 | 1 | "
            "4000/12000 (4k) | +300.0/+300.0 | 1 |\n");
  EXPECT_EQ(csv(table_of(false), View::iops, "allocator").substr(0, 60),
            "factor_cache,type,w_iops_tcmalloc,r_iops_tcmalloc,w_differen");
}

TEST(Views, AControlIsNamedBesideItsBaseline) {
  Table table = table_of(false);
  table.rows.push_back(table.rows[0]);
  table.rows.back().control = true;
  const std::string text = csv(table, View::iops, "cache");
  EXPECT_NE(text.find("\ntcmalloc,"), std::string::npos) << text;
  EXPECT_NE(text.find("\ntcmalloc (again),"), std::string::npos) << text;
  table.factors = {"cache"};
  for (TableRow& row : table.rows)
    std::erase_if(row.levels, [](const auto& level) { return level.first == "allocator"; });
  table.rows = {table.rows[0], table.rows[1], table.rows.back()};
  EXPECT_NE(csv(table, View::iops, "cache").find("\n4k (again),"), std::string::npos);
}

TEST(Views, ALineTakesTheMarksOfTheWholeTableWithIt) {
  Table table = table_of(false);
  table.general_marks = {table.marks.size()};
  table.marks.push_back({{results::Weight::invalid, "x", "y"}, {}});
  EXPECT_NE(csv(table, View::iops, "").find(",invalid\r\n"), std::string::npos);
}

TEST(Views, FactorsStandInColumnsOfTheirOwn) {
  EXPECT_EQ(csv(table_of(false), View::factors, ""),
            "factor_allocator,allocator_version,factor_cache,type,w_iops,r_iops,"
            "w_difference_percent,r_difference_percent,csv_row,worst_mark\r\n"
            "tcmalloc,libgoogle-perftools4 2.10-1,off,rand rw,1000.00,3000.00,,,2,note\r\n"
            "tcmalloc,libgoogle-perftools4 2.10-1,writeback,rand rw,2000.00,6000.00,100.00,100.00,"
            "3,note\r\n"
            "jemalloc,libjemalloc2 5.3.0-1,off,rand rw,3000.00,9000.00,200.00,200.00,4,note\r\n"
            "jemalloc,libjemalloc2 5.3.0-1,writeback,rand rw,4000.00,12000.00,300.00,300.00,5,"
            "note\r\n");
}

TEST(Views, ARatioIsOfTheOperationsDone) {
  EXPECT_EQ(markdown(table_of(true), View::ratio, "cache"),
            "| allocator | version | Type | read:write | jobs × iodepth | off: ops/s | "
            "off: read avg/p99 µs | off: write avg/p99 µs | off: marks | writeback: ops/s | "
            "writeback: read avg/p99 µs | writeback: write avg/p99 µs | writeback: marks |\n"
            "| --- | --- | --- | --- | --- | --: | --: | --: | --- | --: | --: | --: | --- |\n"
            "| tcmalloc | libgoogle-perftools4 2.10-1 | rand mixed | 3:1 | 2×16 | 4000 | 500/700 | "
            "2000/3000 | 1 | 8000 | 500/700 | 2000/3000 | 1 |\n"
            "| jemalloc | libjemalloc2 5.3.0-1 | rand mixed | 3:1 | 2×16 | 12000 | 500/700 | "
            "2000/3000 | 1 | 16000 | 500/700 | 2000/3000 | 1 |\n");
}

TEST(Views, WhatRanAfterEachOtherHasALineEach) {
  const std::string text = csv(table_of(false), View::ratio, "cache");
  EXPECT_NE(text.find("rand rw,0:1,2x16,1000.00,,,2000.0,3000.0,2,note,2000.00"), std::string::npos)
      << text;
  EXPECT_NE(text.find("rand rw,1:0,2x16,3000.00,500.0,700.0,,,2,note,6000.00"), std::string::npos)
      << text;
}

TEST(Views, LatencyIsMeanAndP99) {
  EXPECT_NE(markdown(table_of(true), View::latency, "")
                .find("| 4k-tcmalloc-off | rand mixed | 2.00/3.00 | 0.500/0.700 | 1 |"),
            std::string::npos);
}

TEST(Views, RefusesWhatThereIsNot) {
  EXPECT_EQ(complaint([] {
              view_of(table_of(true), {View::iops, "pool"}, Format::csv);
            }),
            "--pivot=pool: no factor of this table; it has allocator, cache");
  EXPECT_NE(complaint([] {
              view_of(table_of(true), {View::iops, "cache"}, Format::json);
            }).find("--pivot"),
            std::string::npos);
}

TEST(Views, AnEmptyTableHasViews) {
  const Table empty = build_table(results::example_manifest(), {}, {});
  for (const std::string& name : view_names())
    for (Format format : {Format::table, Format::markdown, Format::csv, Format::tsv})
      EXPECT_FALSE(
          render_grid(view_of(empty, {*view_from_text(name), ""}, format), format).empty());
}

TEST(Views, FactorsTellWhatTheOsdsProcessesWere) {
  Table table = table_of(false);
  for (RunFigures& run : table.runs)
    run.record.osds = {{0, "jemalloc", "libjemalloc2", "5.3.0-1", {}, 300ull << 20, 500ull << 20},
                       {1, "jemalloc", "libjemalloc2", "5.3.0-1", {}, 100ull << 20, 200ull << 20}};
  const std::string people = markdown(table, View::factors, "");
  EXPECT_NE(people.find("| thread cache | OSD RSS end/peak MiB | CSV row |"), std::string::npos)
      << people;
  EXPECT_NE(people.find("| - | 200/500 | 2 |"), std::string::npos) << people;
  EXPECT_NE(people.find("libjemalloc2 5.3.0-1"), std::string::npos) << people;
  const std::string numbers = csv(table, View::factors, "");
  EXPECT_NE(numbers.find("thread_cache_bytes,osd_mean_rss_bytes,osd_peak_rss_bytes,csv_row"),
            std::string::npos)
      << numbers;
  EXPECT_NE(numbers.find(",,209715200,524288000,2,"), std::string::npos) << numbers;
}

}  // namespace
}  // namespace lab::analysis
