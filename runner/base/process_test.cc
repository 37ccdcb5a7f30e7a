#include "runner/base/process.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include "runner/base/error.h"

namespace lab {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

TEST(RunCommand, CapturesBothStreamsAndTheStatus) {
  Finished f = run_command({.argv = {"sh", "-c", "echo out; echo err >&2; exit 3"}}, seconds(10));
  EXPECT_EQ(f.status, 3);
  EXPECT_EQ(f.out, "out\n");
  EXPECT_EQ(f.err, "err\n");
}

TEST(RunCommand, PassesArgumentsAndEnvironmentUntouched) {
  Command c{.argv = {"sh", "-c", "printf '%s|%s' \"$1\" \"$X\"", "sh", "a 'b' $c"}};
  c.environment["X"] = "y z";
  EXPECT_EQ(run_command(c, seconds(10)).out, "a 'b' $c|y z");
}

TEST(RunCommand, WithheldVariablesArentInherited) {
  setenv("LAB_TEST_KEPT", "k", 1);
  setenv("LAB_TEST_WITHHELD", "w", 1);
  Command c{.argv = {"sh", "-c", "echo \"$LAB_TEST_KEPT|$LAB_TEST_WITHHELD|$LAB_TEST_ADDED\""}};
  c.withhold = [](const std::string& name) {
    return name == "LAB_TEST_WITHHELD" || name == "LAB_TEST_ADDED";
  };
  c.environment["LAB_TEST_ADDED"] = "a";
  EXPECT_EQ(run_command(c, seconds(10)).out, "k||a\n");
}

TEST(RunCommand, UnknownProgramIsNamed) {
  try {
    run_command({.argv = {"no-such-program-of-lab"}}, seconds(1));
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("no-such-program-of-lab"), std::string::npos);
  }
}

TEST(RunCommand, IsKilledAfterItsTime) {
  EXPECT_THROW(run_command({.argv = {"sleep", "60"}}, milliseconds(200)), Error);
}

TEST(ProcessStat, OfAProgramWithAnyName) {
  const std::optional<ProcessStat> stat = parse_process_stat(
      "4711 (a) S 1 (b) R 1 4711 4711 0 -1 4194560 100 0 3 0 250 50 7 8 20 0 61 0 123456 9 9 9");
  ASSERT_TRUE(stat);
  EXPECT_EQ(stat->state, 'R');
  EXPECT_EQ(stat->parent, 1);
  EXPECT_EQ(stat->cpu_ticks, 300u) << "of its own, not of children that it waited for";
  EXPECT_EQ(stat->start_ticks, 123456u);
  for (const char* none : {"", "1 (a", "1 (a)", "1 (a) ", "1 (a) S 1 2 3",
                           "1 (a) S x 1 1 0 -1 0 0 0 0 0 1 1 0 0 20 0 1 0 5 9"})
    EXPECT_FALSE(parse_process_stat(none)) << none;
}

TEST(ProcessStat, EndsWithTheStartTime) {
  EXPECT_EQ(parse_process_stat("1 (a) S 1 1 1 0 -1 0 0 0 0 0 1 1 0 0 20 0 1 0 5")->start_ticks, 5u);
}

TEST(RunChecked, QuotesTheLastWords) {
  try {
    run_checked({.argv = {"sh", "-c", "echo the reason >&2; exit 1"}}, seconds(10));
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("the reason"), std::string::npos);
  }
}

TEST(Identify, KnowsAProcessByPidAndStart) {
  auto self = identify(getpid());
  ASSERT_TRUE(self);
  EXPECT_TRUE(is_running(*self));
  ProcessId reused = *self;
  reused.start_ticks += 1;
  EXPECT_FALSE(is_running(reused));
}

TEST(EndProcess, SparesAnotherProcessWithTheSamePid) {
  Child child = Child::start({.argv = {"sleep", "60"}});
  ProcessId stranger{child.pid(), 1};
  end_process(stranger, milliseconds(100));
  EXPECT_FALSE(child.wait(milliseconds(100)));
  end_process(*identify(child.pid()), milliseconds(2000));
  EXPECT_EQ(kill(child.pid(), 0), -1);
}

TEST(EndProcess, KillsWhatIgnoresSigterm) {
  Child child = Child::start({.argv = {"sh", "-c", "trap '' TERM; while :; do sleep 1; done"}});
  run_command({.argv = {"sleep", "0.3"}}, seconds(5));
  end_process(*identify(child.pid()), milliseconds(200));
  EXPECT_FALSE(identify(child.pid()));
}

TEST(Child, StopInterruptsTheWholeGroup) {
  Child child = Child::start({.argv = {"sh", "-c", "sleep 60 & wait"}});
  run_command({.argv = {"sleep", "0.2"}}, seconds(5));
  child.stop(milliseconds(500));
  EXPECT_TRUE(child.wait(milliseconds(0)));
}

}  // namespace
}  // namespace lab
