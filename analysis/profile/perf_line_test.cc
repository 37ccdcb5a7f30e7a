#include "analysis/profile/perf_line.h"

#include <gtest/gtest.h>

namespace lab::analysis::profile {
namespace {

TEST(PerfLine, Header) {
  const auto h = parse_perf_header("rs:main Q:Reg 300/301 [000]   585.8545:    2004008 cycles:u: ");
  ASSERT_TRUE(h);
  EXPECT_EQ(h->comm, "rs:main Q:Reg");
  EXPECT_EQ(h->pid, "300");
  EXPECT_EQ(h->tid, "301");
  EXPECT_EQ(h->event, "cycles:u");
  EXPECT_EQ(h->rest, "");
}

TEST(PerfLine, HeaderWithoutProcessAndCpu) {
  const auto h =
      parse_perf_header("            busy 11440   583.285682:  1 cpu-clock:  55e8 f+0x1 (x)");
  ASSERT_TRUE(h);
  EXPECT_EQ(h->comm, "busy");
  EXPECT_EQ(h->pid, "");
  EXPECT_EQ(h->tid, "11440");
  EXPECT_EQ(h->rest, "55e8 f+0x1 (x)");
}

TEST(PerfLine, ANameMayLookLikeATime) {
  const auto h = parse_perf_header("12 1.5: x 7/8 3.25: sched:sched_switch: prev_comm=a");
  ASSERT_TRUE(h);
  EXPECT_EQ(h->comm, "12 1.5: x");
  EXPECT_EQ(h->event, "sched:sched_switch");
  EXPECT_EQ(h->rest, "prev_comm=a");
}

TEST(PerfLine, IsNoHeader) {
  for (const char* line : {"", "busy", "busy 12", "busy 12 344.82", "12 344.82: 1 cycles:",
                           "busy x/12 344.82: 1 cycles:", "busy 12 [x] 344.82: 1 cycles:",
                           "\t  1296 work::spin+0x28 (/usr/bin/busy)", "a;b;c 12", ": : :"})
    EXPECT_FALSE(parse_perf_header(line)) << line;
}

TEST(PerfLine, Frame) {
  const std::pair<const char*, const char*> cases[] = {
      {"\t            1296 work::Box<unsigned long>::spin+0x28 (/tmp/a b/busy)",
       "work::Box<unsigned long>::spin"},
      {"  1 operator()(int)+0x1 (/a (deleted))", "operator()(int)"},
      {"  1 (anonymous namespace)::f+0x1 (/a)", "(anonymous namespace)::f"},
      {"  1 f (inlined)", "f"},
      {"  1 f+0x1", "f"},
      {"  1 @plt+0x0 (/lib/libc.so.6)", "@plt"},
      {"  1 operator+ (/a)", "operator+"},
      {"  1 [unknown] (/usr/lib/libc.so.6)", "[unknown] (libc.so.6)"},
      {"  1 [unknown] ([kernel.kallsyms])", "[unknown] ([kernel.kallsyms])"},
      {"  1 [unknown] ([unknown])", "[unknown]"},
      {"  1 (/usr/lib/libc.so.6)", "[unknown] (libc.so.6)"},
      {"  7f00", "[unknown]"}};
  for (const auto& [line, name] : cases) EXPECT_EQ(parse_perf_frame(line), name) << line;
  for (const char* line : {"", "  ", "xyz f+0x1 (/a)", "  busy.cc:12"})
    EXPECT_FALSE(parse_perf_frame(line)) << line;
}

}  // namespace
}  // namespace lab::analysis::profile
