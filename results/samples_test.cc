// Files of samples over time: live.csv and samples.csv.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>

#include "results/csv_line.h"
#include "results/live.h"
#include "results/samples.h"
#include "runner/base/error.h"
#include "runner/base/temporary_directory.h"

namespace lab::results {
namespace {

TEST(CsvLines, GivesCompleteLinesAcrossReads) {
  const TemporaryDirectory dir;
  std::string text;
  const std::string filler(1000, 'x');  // lines lie across the reader's buffers
  for (int i = 0; i < 5000; ++i) text += std::to_string(i) + "," + filler + (i % 2 ? "\r\n" : "\n");
  write_file_atomically(dir.path() / "f", text + "cut off");
  CsvLines lines(dir.path() / "f");
  int count = 0;
  while (lines.next()) {
    CsvFields<2> fields;
    ASSERT_TRUE(split_line(lines.line(), fields));
    int number = -1;
    ASSERT_TRUE(number_of(fields[0], number));
    ASSERT_EQ(number, count++);
    ASSERT_EQ(fields[1], filler);
    ASSERT_EQ(lines.number(), static_cast<uint64_t>(count));
  }
  EXPECT_EQ(count, 5000);
  EXPECT_FALSE(CsvLines(dir.path() / "absent").next());
}

TEST(CsvLines, WantsAsManyFieldsAsAsked) {
  CsvFields<2> two;
  EXPECT_TRUE(split_line("a,", two));
  EXPECT_EQ(two[1], "");
  EXPECT_FALSE(split_line("a", two));
  EXPECT_FALSE(split_line("a,b,c", two));
  double number = 0;
  EXPECT_FALSE(number_of("1x", number));
  EXPECT_FALSE(number_of("", number));
}

std::vector<LivePoint> load_live(const fs::path& folder) {
  LiveSamples samples(folder);
  std::vector<LivePoint> points;
  for (LivePoint point; samples.next(point);) points.push_back(point);
  return points;
}

TEST(LiveLog, ReadsBackWithoutWhatIsNotNew) {
  const TemporaryDirectory dir;
  {
    LiveLog log(dir.path());
    log.add({0.1, 10, 0});
    log.add({0.4, 10, 0});  // the same once more
    log.add({0.6, 1234567, 2.5});
    log.add({0.9, 1234567, 0});
    log.add({2.0, 1234567, 0});
    log.add({2.6, 1234567, 0});  // as steady as that
  }
  EXPECT_EQ(load_live(dir.path()),
            (std::vector<LivePoint>{
                {0.1, 10, 0}, {0.6, 1234567, 2.5}, {0.9, 1234567, 0}, {2.6, 1234567, 0}}));
  EXPECT_EQ(read_file(dir.path() / "live.csv").substr(0, 45),
            "time_s,write_iops,read_iops\r\n0.100,10.0,0.0\r\n");
  EXPECT_TRUE(load_live(dir.path() / "absent").empty());
}

TEST(LiveSamples, CountsWhatCannotBeRead) {
  const TemporaryDirectory dir;
  write_file_atomically(dir.path() / "live.csv",
                        "time_s,write_iops,read_iops\n0,1,2\nrubbish,1,2\n1,nan,2\n2,3,4\n3,4");
  LiveSamples samples(dir.path());
  LivePoint point;
  EXPECT_TRUE(samples.next(point));
  EXPECT_TRUE(samples.next(point));
  EXPECT_EQ(point, (LivePoint{2, 3, 4}));
  EXPECT_FALSE(samples.next(point)) << "the last line was cut off";
  EXPECT_EQ(samples.damaged().count, 2u);
  EXPECT_EQ(samples.damaged().first, 3u);
  write_file_atomically(dir.path() / "live.csv", "a,b,c\n0,1,2\n");
  LiveSamples other(dir.path());
  EXPECT_TRUE(other.next(point));
  EXPECT_EQ(other.damaged().first, 1u) << "these are other columns";
}

TEST(LiveLog, AFileThatCannotBeWrittenIsNoCurve) {
  LiveLog log("/nonexistent/folder");
  log.add({1, 2, 3});
  EXPECT_TRUE(load_live("/nonexistent/folder").empty());
}

TEST(Samples, CountsWhatCannotBeRead) {
  const TemporaryDirectory dir;
  write_file_atomically(dir.path() / "samples.csv",
                        "time_s,wall,phase,daemon,metric,value\n"
                        "0.5,2026-11-30T19:03:14.000Z,baseline,osd.0,rss,1048576\n"
                        "1.5,2026-11-30T19:03:15.000Z,baseline,osd.0,rss\n"
                        "x,2026-11-30T19:03:15.000Z,baseline,osd.0,rss,1\n"
                        "nan,2026-11-30T19:03:15.000Z,baseline,osd.0,rss,1\n"
                        "-1,2026-11-30T19:03:15.000Z,baseline,osd.0,rss,1\n"
                        "2.5,2026-11-30T19:03:16.000Z,,osd.1,rss_anon,18446744073709551615\n"
                        "3.5,2026-11-30T19:03:16.000Z,baseline,osd.1,rss,12");
  Samples samples(dir.path());
  Sample sample;
  ASSERT_TRUE(samples.next(sample));
  EXPECT_EQ(sample.time_s, 0.5);
  EXPECT_EQ(sample.daemon, "osd.0");
  EXPECT_EQ(sample.value, 1048576u);
  ASSERT_TRUE(samples.next(sample));
  EXPECT_EQ(sample.metric, "rss_anon");
  EXPECT_EQ(sample.phase, "");
  EXPECT_EQ(sample.value, UINT64_MAX);
  EXPECT_FALSE(samples.next(sample)) << "the last line was cut off";
  EXPECT_EQ(samples.damaged().count, 4u);
  EXPECT_EQ(samples.damaged().first, 3u);
}

// Text, so that it outlives the next sample.
std::string described(const Sample& sample) {
  return fmt::format("{} {} {} {} {}", sample.time_s, sample.phase, sample.daemon, sample.metric,
                     sample.value);
}

std::vector<std::string> load_samples(const fs::path& folder) {
  Samples samples(folder);
  std::vector<std::string> all;
  for (Sample sample; samples.next(sample);) all.push_back(described(sample));
  EXPECT_EQ(samples.damaged().count, 0u);
  return all;
}

TEST(SampleLog, ReadsBack) {
  const TemporaryDirectory dir;
  const fs::path file = dir.path() / "samples.csv";
  SampleLog log(file);
  log.at(0.25, TimePoint(std::chrono::milliseconds(1500)), "baseline");
  log.add("osd.0", "rss", 1);
  log.add("osd.0", "a,\"b\n", UINT64_MAX);
  log.at(1, TimePoint(), "load, more");
  log.add("mon.a", "cpu", 0);
  log.flush();
  EXPECT_EQ(load_samples(dir.path()),
            (std::vector<std::string>{"0.25 baseline osd.0 rss 1",
                                      "0.25 baseline osd.0 a__b_ 18446744073709551615",
                                      "1 load_ more mon.a cpu 0"}));
  EXPECT_TRUE(read_file(file).starts_with(
      "time_s,wall,phase,daemon,metric,value\n0.250,1970-01-01T00:00:01.500Z,baseline,"))
      << read_file(file);
  log.finish();
  log.add("mon.a", "cpu", 1);
  EXPECT_EQ(log.lines_lost(), 1u) << "too late";
  EXPECT_EQ(log.problem(), "");
  EXPECT_THROW(SampleLog again(file), Error) << "nothing is overwritten";
  EXPECT_THROW(SampleLog("/nonexistent/samples.csv"), Error);
}

TEST(SampleLog, AWriteThatFailsIsToldAndTriedAgain) {
  const TemporaryDirectory dir;
  const fs::path file = dir.path() / "samples.csv";
  SampleLog log(file);
  // Files that grow beyond this many bytes are refused, in the middle of a line.
  rlimit found{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &found), 0);
  rlimit small = found;
  small.rlim_cur = 60;
  const auto old = signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  log.at(0, TimePoint(), "p");
  log.add("osd.0", "rss", 1);
  log.add("osd.0", "rss", 2);
  log.flush();
  log.flush();
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &found), 0);
  signal(SIGXFSZ, old);
  EXPECT_EQ(log.problem(), file.string() + ": cannot write: File too large");
  EXPECT_EQ(fs::file_size(file), 60u);
  log.add("osd.0", "rss", 3);
  log.finish();
  EXPECT_EQ(log.lines_lost(), 0u);
  EXPECT_EQ(load_samples(dir.path()),
            (std::vector<std::string>{"0 p osd.0 rss 1", "0 p osd.0 rss 2", "0 p osd.0 rss 3"}));
}

}  // namespace
}  // namespace lab::results
