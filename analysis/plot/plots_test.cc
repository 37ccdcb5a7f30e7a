// Pictures by the real gnuplot, of a result directory that names itself badly.
#include "analysis/plot/plots.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "analysis/plot/drawing.h"
#include "analysis/plot/gnuplot.h"
#include "results/example.h"
#include "results/live.h"
#include "runner/base/process.h"
#include "runner/base/temporary_directory.h"
#include "runner/base/text.h"

namespace lab::analysis {
namespace {

// Of every kind of text that gnuplot, a shell, CSV or XML could take for its own.
const std::string kHostile =
    "`touch pwned` 'a' \"b\" $x @y %s %%n {/Bold z} } # \\n \\\" ; system('touch pwned')\n!touch "
    "pwned\n<script>&]]>\x1b[2J\xff\xef\xbf\xbf";

// Repetitions 900, 1000 and 1100 of each cell and direction, times `scale`.
TableRow row(unsigned number, const std::string& cell, const std::string& level, double scale) {
  TableRow r;
  r.plan.row = number;
  r.plan.cell = r.test = cell;
  r.plan.type = "rand rw";
  r.plan.write_phase = 0;
  r.plan.read_phase = 1;
  r.levels = {{"iodepth", level}};
  r.baseline = number == 2;
  r.repetitions_planned = 3;
  for (unsigned i = 0; i < 3; ++i) {
    Repetition repetition;
    repetition.run = 10 * number + i;
    repetition.block = i + 1;
    repetition.write_iops = scale * (900 + 100 * i);
    repetition.read_iops = 2 * *repetition.write_iops;
    r.repetitions.push_back(repetition);
  }
  for (auto side : {&TableRow::write, &TableRow::read}) {
    (r.*side).planned = true;
    (r.*side).iops = scale * 1000;
    for (uint64_t us = 1; us <= 2000; ++us) (r.*side).clat.add(us * 1000, 1);
  }
  return r;
}

Table table_of_two() {
  Table table;
  table.factors = {"iodepth"};
  table.rows = {row(2, "plain", "1", 1), row(3, kHostile, "16", 3)};
  stats::Judgement judgement;
  judgement.ratio = 3;
  judgement.interval95 = {2.5, 3.5};
  table.rows[1].write.judgement = judgement;
  return table;
}

class PlotsTest : public ::testing::Test {
 protected:
  PlotsTest() {
    fs::copy(fs::path(LAB_TESTDATA) / "cache", directory(), fs::copy_options::recursive);
  }
  fs::path directory() const { return temporary_.path() / "it's a \"directory\""; }
  std::string file(const std::string& name) const {
    return read_file(directory() / "plots" / name);
  }

 private:
  TemporaryDirectory temporary_;
};

// What gnuplot wrote is XML, told by the parser that knows it best.
void expect_well_formed(const fs::path& svg) {
  if (find_program("xmllint").empty()) return;
  const Finished lint = run_command({.argv = {"xmllint", "--nonet", "--noout", svg.string()}},
                                    std::chrono::seconds(20));
  EXPECT_EQ(lint.status, 0) << lint.err;
}

TEST_F(PlotsTest, DrawsWithoutObeyingNames) {
  if (find_program("gnuplot").empty()) GTEST_SKIP() << "gnuplot is not installed";
  write_file_atomically(directory() / "runs/0001-b1-off/live.csv",
                        "time_s,write_iops,read_iops\r\n0.5,100,0\r\n1.0,110,0\r\n1.5,0,500\r\n");
  write_file_atomically(
      directory() / "samples.csv",
      "time_s,wall,phase,daemon,metric,value\n0,w,base`touch pwned`line\"'\\ ]]>,osd.0\"'{`,rss,"
      "1048576\n1,w,recovering,osd.0\"'{`,rss,3145728\n2,w,recovering,osd.0\"'{`,rss_anon,"
      "999999999\n");
  Table table = table_of_two();
  table.rows[0].plan.cell = "off";
  const Plots plots = write_plots(table, directory());
  EXPECT_TRUE(plots.warnings.empty()) << join(plots.warnings, "\n");
  std::vector<std::string> names;
  for (const Plot& plot : plots.drawn) {
    names.push_back(plot.name);
    EXPECT_GT(fs::file_size(plot.svg), 2000u) << plot.name;
    EXPECT_EQ(read_file(plot.png).substr(1, 3), "PNG") << plot.name;
    EXPECT_FALSE(plot.caption.empty());
    EXPECT_EQ(read_file(plot.svg).find("<script"), std::string::npos) << plot.name;
    expect_well_formed(plot.svg);
    EXPECT_EQ(file(plot.name + ".gp").find("touch"), std::string::npos)
        << "names are data, never commands";
  }
  EXPECT_EQ(names, (std::vector<std::string>{"iops", "latency", "hockey-stick", "iops-over-time",
                                             "memory-over-time"}));
  for (const auto& entry : fs::recursive_directory_iterator(directory().parent_path()))
    EXPECT_NE(entry.path().filename(), "pwned");
  // The name stands in the picture as it is.
  EXPECT_NE(file("latency.svg").find("`touch pwned` 'a' \"b\" $x @y %s %%n {/Bold z} } # \\n"),
            std::string::npos);
}

TEST_F(PlotsTest, WarnsOfSamplesThatCannotBeRead) {
  write_file_atomically(
      directory() / "samples.csv",
      "time_s,wall,phase,daemon,metric,value\n0,w,p,osd.0,rss,1\n-1,w,p,osd.0,rss,"
      "1\ninf,w,p,osd.0,rss,1\n1,w,p,osd.0,rss,1\n2,w,p,osd");
  const Drawing d = *draw_memory_over_time(directory());
  ASSERT_EQ(d.warnings.size(), 1u);
  EXPECT_NE(d.warnings[0].find("samples.csv: 2 lines could not be read, the first is line 3"),
            std::string::npos)
      << d.warnings[0];
}

TEST_F(PlotsTest, ManyDaemonsAreDrawnByKind) {
  std::string csv = "time_s,wall,phase,daemon,metric,value\n";
  for (int t = 0; t < 5; ++t)
    for (int osd = 0; osd < 100; ++osd)
      csv += fmt::format("{},w,p,osd.{},rss,{}\n", t, osd, osd == 50 ? 9 << 20 : 2 << 20);
  write_file_atomically(directory() / "samples.csv", csv + "0,w,p,mon.a,rss,1048576\n");
  const Drawing d = *draw_memory_over_time(directory());
  EXPECT_NE(d.caption.find("101 daemons by kind"), std::string::npos) << d.caption;
  EXPECT_NE(d.data[0].second.find("# \"osd\"\n"), std::string::npos) << d.data[0].second;
  EXPECT_NE(d.data[0].second.find("\t2\t2.07\t9\n"), std::string::npos) << d.data[0].second;
}

// Live figures of `count` runs of each of the cells, 10 s each.
void write_live(const fs::path& directory, size_t count) {
  results::Plan plan = results::example_plan();
  plan.runs.clear();
  for (unsigned i = 0; i < 2 * count; ++i)
    plan.runs.push_back({i + 1, plan.cells[i % 2].name, i / 2 + 1, i % 2 + 1, true});
  write_file_atomically(directory / "plan.json", json_text(results::to_json(plan)));
  fs::remove_all(directory / "runs");
  for (const results::PlannedRun& planned : plan.runs) {
    results::RunRecord record;
    record.index = planned.index;
    record.cell = planned.cell;
    record.block = planned.block;
    record.position = planned.position;
    const fs::path folder = directory / "runs" / fmt::format("{:04}", planned.index);
    make_directories(folder);
    write_file_atomically(folder / "run.json", json_text(results::to_json(record)));
    results::LiveLog log(folder);
    for (int t = 0; t < 10; ++t) log.add({t + planned.index * 0.01, 1000.0 + t, 0});
  }
}

TEST_F(PlotsTest, IopsOverTimeIsALineARunOrABandACell) {
  Table table = table_of_two();
  table.rows[0].plan.cell = "off";
  table.rows[1].plan.cell = "writeback";
  write_live(directory(), 3);
  const Drawing lines = *draw_iops_over_time(table, directory());
  ASSERT_EQ(lines.data.size(), 2u) << "no reads, so no panel of them, but a legend";
  EXPECT_NE(lines.data[0].second.find("# run 6 "), std::string::npos) << lines.data[0].second;
  EXPECT_NE(lines.data[0].second.find("\n0.060\t1000\t"), std::string::npos);
  write_live(directory(), 20);
  const Drawing bands = *draw_iops_over_time(table, directory());
  EXPECT_EQ(bands.data[0].second.find("# run"), std::string::npos) << bands.data[0].second;
  EXPECT_NE(bands.body.find("filledcurves"), std::string::npos);
  EXPECT_NE(bands.data[0].second.find("\t1009\t"), std::string::npos) << bands.data[0].second;
  if (find_program("gnuplot").empty()) return;
  const Plots plots = write_plots(table, directory());
  EXPECT_TRUE(plots.warnings.empty()) << join(plots.warnings, "\n");
}

TEST_F(PlotsTest, ScriptsDrawAgainWhereverTheFolderIs) {
  if (find_program("gnuplot").empty()) GTEST_SKIP() << "gnuplot is not installed";
  write_plots(table_of_two(), directory());
  const fs::path moved = directory().parent_path() / "moved";
  fs::rename(directory() / "plots", moved);
  fs::remove(moved / "iops.svg");
  EXPECT_EQ(run_gnuplot(moved, "iops"), std::nullopt);
  EXPECT_TRUE(fs::exists(moved / "iops.svg"));
}

TEST_F(PlotsTest, WithoutGnuplotThereIsAWarningAndTheData) {
  make_directories(directory() / "plots");
  write_file_atomically(directory() / "plots" / "iops.svg", "old");
  const std::string path = getenv("PATH");
  setenv("PATH", "/nonexistent", 1);
  const Plots plots = write_plots(table_of_two(), directory());
  setenv("PATH", path.c_str(), 1);
  EXPECT_TRUE(plots.drawn.empty());
  ASSERT_EQ(plots.warnings.size(), 1u);
  EXPECT_NE(plots.warnings[0].find("gnuplot is not installed"), std::string::npos);
  EXPECT_TRUE(fs::exists(directory() / "plots" / "iops.gp"));
  EXPECT_FALSE(fs::exists(directory() / "plots" / "iops.svg")) << "a picture of other data";
}

TEST_F(PlotsTest, AScriptThatFailsIsAWarning) {
  if (find_program("gnuplot").empty()) GTEST_SKIP() << "gnuplot is not installed";
  make_directories(directory() / "plots");
  write_file_atomically(directory() / "plots" / "bad.gp", "plot 'absent.dat'\n");
  const auto warning = run_gnuplot(directory() / "plots", "bad");
  ASSERT_TRUE(warning);
  EXPECT_NE(warning->find("absent.dat"), std::string::npos) << *warning;
  // So is what it complains of and yet draws.
  write_file_atomically(directory() / "plots" / "odd.gp",
                        "set terminal svg\nset output 'odd.svg'\nset xrange [1:1]\nplot x\n");
  EXPECT_TRUE(run_gnuplot(directory() / "plots", "odd"));
}

TEST(DrawIops, HasEveryRepetitionAndTheInterval) {
  const Drawing d = *draw_iops(table_of_two());
  ASSERT_EQ(d.data.size(), 5u);
  EXPECT_EQ(d.data[1].first, "iops-write.dat");
  const std::string& bars = d.data[1].second;
  EXPECT_NE(bars.find("1\t3000\t2500\t3500\t1000\t3500\t"), std::string::npos) << bars;
  EXPECT_NE(bars.find("0\t1000\t-\t-\t1000\t1100\t"), std::string::npos) << bars;
  const std::string& repetitions = d.data[2].second;
  for (const char* point : {"\t900\t20\t1\n", "\t1000\t21\t2\n", "\t1100\t22\t3\n",
                            "\t2700\t30\t1\n", "\t3000\t31\t2\n", "\t3300\t32\t3\n"})
    EXPECT_NE(repetitions.find(point), std::string::npos) << repetitions;
}

TEST(DrawIops, HasNoWhiskersOfTwoBlocks) {
  Table table = table_of_two();
  table.rows[1].write.judgement->verdict = stats::Verdict::descriptive;
  const Drawing d = *draw_iops(table);
  EXPECT_NE(d.data[1].second.find("1\t3000\t-\t-\t1000\t3300\t"), std::string::npos)
      << d.data[1].second;
  EXPECT_EQ(d.body.find("xerrorbars"), std::string::npos) << d.body;
}

TEST(DrawIops, IsNotHigherThanAScreenButHasAllData) {
  Table table;
  for (unsigned i = 0; i < 100; ++i)
    table.rows.push_back(row(i + 2, fmt::format("cell {}", i), "1", i + 1));
  const Drawing d = *draw_iops(table);
  EXPECT_LT(d.height, 2500);
  EXPECT_NE(d.caption.find("The first 40 of 100 rows"), std::string::npos) << d.caption;
  EXPECT_NE(d.data[2].second.find("\t110000\t1012\t"), std::string::npos);
}

TEST(DrawLatency, GoesAsFarAsThereAreIos) {
  const Drawing d = *draw_latency(table_of_two());
  // 2,000 I/Os: 20 beyond p99, 2 beyond p99.9.
  const std::string& data = d.data[0].second;
  EXPECT_NE(data.find("\n2\t1\t50\t"), std::string::npos) << data;
  EXPECT_NE(data.find("\n100\t1.98\t99\t"), std::string::npos) << data;
  EXPECT_EQ(data.find("\n1000\t"), std::string::npos) << data;
}

TEST(DrawHockeyStick, NeedsAFactorThatIsALoad) {
  Table table = table_of_two();
  const Drawing d = *draw_hockey_stick(table);
  EXPECT_NE(
      d.data[0].second.find(
          "\n1000\t1\t1.98\t-\t1.98\t1\t\"1\"\t29362\n3000\t1\t1.98\t-\t1.98\t16\t\"16\"\t29362\n"),
      std::string::npos)
      << d.data[0].second;
  table.factors = {"cache"};
  EXPECT_FALSE(draw_hockey_stick(table));
  table.factors = {"iodepth"};
  table.rows[1].levels[0].second = "deep";
  EXPECT_FALSE(draw_hockey_stick(table)) << "a level that is no number";
}

TEST(Drawings, OfNothingAreNone) {
  EXPECT_FALSE(draw_iops(Table()));
  EXPECT_FALSE(draw_latency(Table()));
  EXPECT_FALSE(draw_hockey_stick(Table()));
  EXPECT_FALSE(draw_memory_over_time("/nonexistent"));
}

}  // namespace
}  // namespace lab::analysis
