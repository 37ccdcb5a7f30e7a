#include "runner/sampling/process_files.h"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/memory_child.h"

namespace lab::sampling {
namespace {

constexpr uint64_t kMiB = uint64_t{1} << 20;

TEST(ProcessFiles, SeeWhatAProcessHolds) {
  MemoryChild child;
  const auto files = ProcessFiles::open(child.process());
  ASSERT_TRUE(files);
  const auto before = files->read();
  ASSERT_TRUE(before);
  child.hold(64 * kMiB);
  const auto after = files->read();
  ASSERT_TRUE(after);
  EXPECT_NEAR(static_cast<double>(after->memory.rss_anon_bytes - before->memory.rss_anon_bytes),
              64.0 * kMiB, 1.0 * kMiB);
  EXPECT_GE(after->memory.rss_bytes, before->memory.rss_bytes + 63 * kMiB);
  EXPECT_EQ(after->memory.threads, 1u);
  EXPECT_EQ(after->memory.rss_bytes, hosts::read_memory_status(child.process().pid)->rss_bytes);
}

TEST(ProcessFiles, CountItsCpuTime) {
  const auto self = identify(getpid());
  const auto files = ProcessFiles::open(*self);
  const uint64_t before = files->read()->cpu_ms;
  const clock_t begin = clock();
  while (clock() - begin < CLOCKS_PER_SEC / 5) {
  }
  EXPECT_NEAR(static_cast<double>(files->read()->cpu_ms - before), 200, 60);
}

TEST(ProcessFiles, AProcessThatHasEndedTellsNothing) {
  MemoryChild child;
  const ProcessId process = child.process();
  const auto files = ProcessFiles::open(process);
  ASSERT_TRUE(files);
  kill(process.pid, SIGKILL);
  siginfo_t info;
  ASSERT_EQ(waitid(P_PID, static_cast<id_t>(process.pid), &info, WEXITED | WNOWAIT), 0);
  EXPECT_FALSE(files->read()) << "a zombie";
  EXPECT_FALSE(ProcessFiles::open(process)) << "a zombie";
  child.end();
  EXPECT_FALSE(files->read());
  EXPECT_FALSE(ProcessFiles::open(process));
  EXPECT_FALSE(read_memory_rollup(process));
  EXPECT_EQ(set_back_peak(process), Peak::ended);
}

TEST(ProcessFiles, AnIdentityOfThePastIsNoProcess) {
  ProcessId stale = *identify(getpid());
  --stale.start_ticks;
  EXPECT_FALSE(ProcessFiles::open(stale));
  EXPECT_FALSE(read_memory_rollup(stale));
  EXPECT_EQ(set_back_peak(stale), Peak::ended);
}

// A process with this number; none if the kernel would not give it again, which takes root.
std::unique_ptr<MemoryChild> child_with(pid_t pid) {
  for (int attempt = 0; attempt < 100; ++attempt) {
    std::ofstream last("/proc/sys/kernel/ns_last_pid");
    if (!(last << pid - 1 << std::flush)) return nullptr;
    auto child = std::make_unique<MemoryChild>();
    if (child->process().pid == pid) return child;
  }
  return nullptr;
}

TEST(ProcessFiles, AnotherProcessWithItsNumberIsNotMistakenForIt) {
  MemoryChild first;
  const ProcessId process = first.process();
  const auto files = ProcessFiles::open(process);
  ASSERT_TRUE(files);
  usleep(20'000);  // the kernel's clock of starts goes in steps of 10 ms
  first.end();
  const std::unique_ptr<MemoryChild> second = child_with(process.pid);
  if (!second) GTEST_SKIP() << "numbers of processes cannot be chosen here";
  ASSERT_TRUE(is_running(second->process()));
  EXPECT_FALSE(files->read());
  EXPECT_FALSE(ProcessFiles::open(process));
  EXPECT_FALSE(read_memory_rollup(process));
  EXPECT_EQ(set_back_peak(process), Peak::ended);
  EXPECT_TRUE(ProcessFiles::open(second->process()));
}

TEST(SetBackPeak, LeavesWhatIsResident) {
  MemoryChild child;
  const auto files = ProcessFiles::open(child.process());
  child.hold(64 * kMiB);
  child.hold(0);
  const auto before = files->read()->memory;
  EXPECT_GE(before.peak_rss_bytes, before.rss_bytes + 62 * kMiB);
  EXPECT_EQ(set_back_peak(child.process()), Peak::set_back);
  const auto after = files->read()->memory;
  EXPECT_LT(after.peak_rss_bytes, after.rss_bytes + 2 * kMiB);
}

TEST(MemoryRollup, CountsAnonymousMemory) {
  MemoryChild child;
  const auto before = read_memory_rollup(child.process());
  if (!before) GTEST_SKIP() << "this kernel tells no Pss_Anon";
  child.hold(64 * kMiB);
  const auto after = read_memory_rollup(child.process());
  ASSERT_TRUE(after);
  EXPECT_GE(after->pss_anon_bytes, before->pss_anon_bytes + 62 * kMiB);
  EXPECT_LE(after->anon_huge_pages_bytes, after->pss_anon_bytes + 2 * kMiB);
}

TEST(StartedBefore, ComparesWithTheBootClock) {
  const double before = boot_time_s() - 0.02;
  usleep(20'000);
  const MemoryChild child;
  EXPECT_FALSE(started_before(child.process(), before));
  usleep(30'000);
  EXPECT_TRUE(started_before(child.process(), boot_time_s()));
}

}  // namespace
}  // namespace lab::sampling
