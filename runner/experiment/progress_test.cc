#include "runner/experiment/progress.h"

#include <gtest/gtest.h>

#include <functional>

namespace lab {
namespace {

std::string shown(bool terminal, const std::function<void(Progress&)>& use) {
  char* text = nullptr;
  size_t size = 0;
  std::FILE* out = open_memstream(&text, &size);
  {
    Progress progress(out, terminal);
    use(progress);
  }
  std::fclose(out);
  std::string result(text, size);
  free(text);
  return result;
}

const RunLabel kRun{3, 16, "writeback", 1};

TEST(Progress, IsOneLineARunInALog) {
  std::string text = shown(false, [](Progress& p) {
    p.running(kRun, LiveFigures{0, 3412}, 4, 100);
    p.finished(kRun, "w 3400 r 9800 IOPS", 21.4, 250);
  });
  EXPECT_EQ(text, "run  3/16  writeback  block 1  w 3400 r 9800 IOPS  21.4 s  left 4m10s\n");
}

TEST(Progress, RedrawsOneLineOnATerminal) {
  std::string text = shown(true, [](Progress& p) {
    p.running(kRun, LiveFigures{0, 3412}, 4, 100);
    p.running(kRun, LiveFigures{9800, 0}, 12, 92);
  });
  EXPECT_EQ(text,
            "\r\033[Krun  3/16  writeback  block 1  w 3412 r 0 IOPS  4s  left 1m40s"
            "\r\033[Krun  3/16  writeback  block 1  w 0 r 9800 IOPS  12s  left 1m32s\r\033[K");
}

TEST(Progress, PreparingIsSaidOnceInALog) {
  std::string text = shown(false, [](Progress& p) {
    for (double done : {0.1, 0.5, 1.0}) p.preparing("fill", done);
  });
  EXPECT_EQ(text, "fill …\nfill: done\n");
}

TEST(ShortTime, IsShort) {
  EXPECT_EQ(short_time(12), "12s");
  EXPECT_EQ(short_time(250), "4m10s");
  EXPECT_EQ(short_time(3720), "1h02m");
}

}  // namespace
}  // namespace lab
