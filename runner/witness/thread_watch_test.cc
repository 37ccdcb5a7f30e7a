#include "runner/witness/thread_watch.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <thread>

namespace lab::witness {
namespace {

uint64_t ticks(double seconds) {
  return static_cast<uint64_t>(seconds * static_cast<double>(sysconf(_SC_CLK_TCK)));
}

TEST(ParseThreadStat, NamesMayHoldAnything) {
  const auto stat = parse_thread_stat(
      "77 (a) b (c) S 1 77 77 0 -1 4194368 9 0 0 0 120 30 0 0 20 0 3 0 5555 1 2 3\n");
  ASSERT_TRUE(stat);
  EXPECT_EQ(stat->name, "a) b (c");
  EXPECT_EQ(stat->cpu_ticks, 150u);
  EXPECT_EQ(stat->start_ticks, 5555u);
}

TEST(ParseThreadStat, OtherTextIsNone) {
  EXPECT_FALSE(parse_thread_stat(""));
  EXPECT_FALSE(parse_thread_stat("77 (fio) S 1 2 3"));
  EXPECT_FALSE(parse_thread_stat(")("));
}

TEST(ThreadWatch, TheBusiestIsFoundAlsoWhenItHasEnded) {
  ThreadWatch watch;
  for (int second = 0; second <= 6; ++second) {
    watch.add(1, {"fio", ticks(0.2 * second), 10}, second);
    // Its name comes after its start.
    if (second <= 3)
      watch.add(2, {second == 0 ? "fio" : "msgr-worker-0", ticks(0.97 * second), 11}, second);
    watch.end_look(second);
  }
  const auto busiest = watch.busiest();
  ASSERT_TRUE(busiest);
  EXPECT_EQ(busiest->name, "msgr-worker-0");
  EXPECT_NEAR(busiest->cpu_percent, 97, 1);
}

TEST(ThreadWatch, TimeBeforeTheFirstLookDoesNotCount) {
  ThreadWatch watch;
  for (int second = 0; second <= 3; ++second) {
    watch.add(1, {"fio", ticks(50) + ticks(0.5 * second), 10}, second);
    watch.end_look(second);
  }
  EXPECT_NEAR(watch.busiest()->cpu_percent, 50, 1);
}

TEST(ThreadWatch, AThreadIdThatIsUsedAgainIsAnotherThread) {
  ThreadWatch watch;
  watch.add(1, {"old", 0, 10}, 0);
  watch.end_look(0);
  watch.add(1, {"new", ticks(100), 20}, 3);
  watch.end_look(3);
  EXPECT_FALSE(watch.busiest()) << "neither was watched for two seconds";
}

TEST(ThreadWatch, SeesAThreadOfAProcessThatIsBusyAllTheTime) {
  std::atomic<bool> stop = false;
  std::thread busy([&] {
    while (!stop) {
    }
  });
  ThreadWatch watch;
  for (int i = 0; i < 16; ++i) {
    watch.observe(getpid());
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
  }
  stop = true;
  busy.join();
  const auto busiest = watch.busiest();
  ASSERT_TRUE(busiest);
  // However busy the host is: the other threads sleep.
  EXPECT_GT(busiest->cpu_percent, 5);
}

}  // namespace
}  // namespace lab::witness
