// Files of samples over time: live.csv and memory.csv.
#include <gtest/gtest.h>

#include "results/csv_line.h"
#include "results/live.h"
#include "results/memory.h"
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

TEST(MemorySamples, CountsWhatCannotBeRead) {
  const TemporaryDirectory dir;
  write_file_atomically(dir.path() / "memory.csv",
                        "time_s,wall,phase,daemon,metric,bytes\n"
                        "0.5,2026-11-30T19:03:14.000Z,baseline,osd.0,rss,1048576\n"
                        "1.5,2026-11-30T19:03:15.000Z,baseline,osd.0,rss\n"
                        "x,2026-11-30T19:03:15.000Z,baseline,osd.0,rss,1\n"
                        "nan,2026-11-30T19:03:15.000Z,baseline,osd.0,rss,1\n"
                        "-1,2026-11-30T19:03:15.000Z,baseline,osd.0,rss,1\n"
                        "2.5,2026-11-30T19:03:16.000Z,,osd.1,rss_anon,18446744073709551615\n"
                        "3.5,2026-11-30T19:03:16.000Z,baseline,osd.1,rss,12");
  MemorySamples samples(dir.path());
  MemorySample sample;
  ASSERT_TRUE(samples.next(sample));
  EXPECT_EQ(sample.time_s, 0.5);
  EXPECT_EQ(sample.daemon, "osd.0");
  EXPECT_EQ(sample.bytes, 1048576u);
  ASSERT_TRUE(samples.next(sample));
  EXPECT_EQ(sample.metric, "rss_anon");
  EXPECT_EQ(sample.phase, "");
  EXPECT_EQ(sample.bytes, UINT64_MAX);
  EXPECT_FALSE(samples.next(sample)) << "the last line was cut off";
  EXPECT_EQ(samples.damaged().count, 4u);
  EXPECT_EQ(samples.damaged().first, 3u);
}

}  // namespace
}  // namespace lab::results
