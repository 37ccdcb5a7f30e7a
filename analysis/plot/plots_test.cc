// Pictures by the real gnuplot, of a result directory that names itself badly.
#include "analysis/plot/plots.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "analysis/plot/drawing.h"
#include "analysis/plot/gnuplot.h"
#include "runner/base/process.h"
#include "runner/base/temporary_directory.h"
#include "runner/base/text.h"

namespace lab::analysis {
namespace {

const std::string kHostile = "`touch pwned` 'a' \"b\" $x @y %s {/Bold z} \\n\n<script>&";

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

TEST_F(PlotsTest, DrawsWithoutObeyingNames) {
  if (find_program("gnuplot").empty()) GTEST_SKIP() << "gnuplot is not installed";
  write_file_atomically(directory() / "runs/0001-b1-off/live.csv",
                        "time_s,write_iops,read_iops\r\n0.5,100,0\r\n1.0,110,0\r\n1.5,0,500\r\n");
  write_file_atomically(directory() / "memory.csv",
                        "time_s,wall,phase,daemon,metric,bytes\n0,w,base`touch pwned`line,osd.0,"
                        "rss,1048576\n1,w,recovering,osd.0,rss,3145728\n2,w,recovering,osd.0,"
                        "rss_anon,999999999\n");
  const Plots plots = write_plots(table_of_two(), directory());
  EXPECT_TRUE(plots.warnings.empty()) << join(plots.warnings, "\n");
  std::vector<std::string> names;
  for (const Plot& plot : plots.drawn) {
    names.push_back(plot.name);
    EXPECT_GT(fs::file_size(plot.svg), 2000u) << plot.name;
    EXPECT_EQ(read_file(plot.png).substr(1, 3), "PNG") << plot.name;
    EXPECT_FALSE(plot.caption.empty());
    const std::string svg = read_file(plot.svg);
    EXPECT_EQ(svg.find("<script"), std::string::npos) << plot.name;
    EXPECT_NE(svg.find("</svg>"), std::string::npos) << plot.name;
  }
  EXPECT_EQ(names, (std::vector<std::string>{"iops", "latency", "hockey-stick", "iops-over-time",
                                             "memory-over-time"}));
  EXPECT_FALSE(fs::exists(directory() / "plots" / "pwned"));
  // The name stands in the picture as it is.
  EXPECT_NE(file("iops.svg").find("`touch pwned`"), std::string::npos);
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
  const std::string path = getenv("PATH");
  setenv("PATH", "/nonexistent", 1);
  const Plots plots = write_plots(table_of_two(), directory());
  setenv("PATH", path.c_str(), 1);
  EXPECT_TRUE(plots.drawn.empty());
  ASSERT_EQ(plots.warnings.size(), 1u);
  EXPECT_NE(plots.warnings[0].find("gnuplot is not installed"), std::string::npos);
  EXPECT_TRUE(fs::exists(directory() / "plots" / "iops.gp"));
}

TEST_F(PlotsTest, AScriptThatFailsIsAWarning) {
  if (find_program("gnuplot").empty()) GTEST_SKIP() << "gnuplot is not installed";
  make_directories(directory() / "plots");
  write_file_atomically(directory() / "plots" / "bad.gp", "plot 'absent.dat'\n");
  const auto warning = run_gnuplot(directory() / "plots", "bad");
  ASSERT_TRUE(warning);
  EXPECT_NE(warning->find("absent.dat"), std::string::npos) << *warning;
}

TEST(DrawIops, HasEveryRepetitionAndTheInterval) {
  const Drawing d = *draw_iops(table_of_two());
  ASSERT_EQ(d.data.size(), 4u);
  EXPECT_EQ(d.data[0].first, "iops-write.dat");
  EXPECT_NE(d.data[0].second.find("1\t3000\t2500\t3500\n"), std::string::npos) << d.data[0].second;
  EXPECT_NE(d.data[0].second.find("0\t1000\t-\t-\n"), std::string::npos) << d.data[0].second;
  for (const char* point : {"\t900\t20\n", "\t1000\t21\n", "\t1100\t22\n", "\t2700\t30\n",
                            "\t3000\t31\n", "\t3300\t32\n"})
    EXPECT_NE(d.data[1].second.find(point), std::string::npos) << d.data[1].second;
}

TEST(DrawLatency, GoesAsFarAsThereAreIos) {
  const Drawing d = *draw_latency(table_of_two());
  // 2,000 I/Os: 20 beyond p99, 2 beyond p99.9.
  const std::string& data = d.data[0].second;
  EXPECT_NE(data.find("2\t1\t50\n"), std::string::npos) << data;
  EXPECT_NE(data.find("100\t1.98\t99\n"), std::string::npos) << data;
  EXPECT_EQ(data.find("\n1000\t"), std::string::npos) << data;
}

TEST(DrawHockeyStick, NeedsAFactorThatIsALoad) {
  Table table = table_of_two();
  const Drawing d = *draw_hockey_stick(table);
  EXPECT_NE(d.data[0].second.find("1000\t1\t1.98\t-\t1\n3000\t1\t1.98\t-\t16\n"), std::string::npos)
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

TEST(GnuplotText, IsOneSingleQuotedLine) {
  EXPECT_EQ(gnuplot_text("a'b\n\"c\"`d`"), "'a''b \"c\"`d`'");
}

}  // namespace
}  // namespace lab::analysis
