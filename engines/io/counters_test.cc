#include "engines/io/counters.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>
#include <vector>

#include "runner/base/file.h"

namespace lab::io {
namespace {

class CountersTest : public ::testing::Test {
 protected:
  CountersTest() {
    char pattern[] = "/tmp/lab-counters-test-XXXXXX";
    dir_ = mkdtemp(pattern);
    path_ = dir_ / "counters";
  }
  ~CountersTest() override { fs::remove_all(dir_); }

  fs::path dir_;
  fs::path path_;
  std::string error_;
};

// What an engine's job does: one writer a slot.
void count(CounterSlot* slot, uint64_t ios) {
  for (uint64_t i = 1; i <= ios; ++i) {
    slot->reads.store(i, std::memory_order_relaxed);
    slot->read_bytes.store(i * 4096, std::memory_order_relaxed);
    slot->errors.store(i / 10, std::memory_order_relaxed);
  }
}

TEST_F(CountersTest, AddsUpThreadsThatCountAtOnce) {
  auto file = CounterFile::create(path_, 8, &error_);
  ASSERT_TRUE(file) << error_;
  {
    std::vector<std::jthread> jobs;
    for (int i = 0; i < 8; ++i)
      jobs.emplace_back([&] {
        std::string error;
        auto mine = CounterFile::open(path_, &error);
        ASSERT_TRUE(mine) << error;
        count(mine->take_slot(), 100000);
      });
  }
  CounterTotals totals = file->totals();
  EXPECT_EQ(totals.jobs, 8u);
  EXPECT_EQ(totals.reads, 800000u);
  EXPECT_EQ(totals.read_bytes, 800000u * 4096);
  EXPECT_EQ(totals.errors, 80000u);
  EXPECT_EQ(totals.writes, 0u);
}

TEST_F(CountersTest, AddsUpForkedProcesses) {
  auto file = CounterFile::create(path_, 4, &error_);
  ASSERT_TRUE(file) << error_;
  std::vector<pid_t> children;
  for (int i = 0; i < 4; ++i) {
    pid_t pid = fork();
    if (pid == 0) {
      std::string error;
      auto mine = CounterFile::open(path_, &error);
      CounterSlot* slot = mine ? mine->take_slot() : nullptr;
      if (!slot) _exit(1);
      count(slot, 1000);
      _exit(0);
    }
    children.push_back(pid);
  }
  for (pid_t pid : children) {
    int status = 0;
    waitpid(pid, &status, 0);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(file->totals().reads, 4000u);
  EXPECT_EQ(file->totals().jobs, 4u);
}

TEST_F(CountersTest, MoreJobsThanSlotsCountNowhere) {
  auto file = CounterFile::create(path_, 1, &error_);
  ASSERT_TRUE(file) << error_;
  EXPECT_NE(file->take_slot(), nullptr);
  EXPECT_EQ(file->take_slot(), nullptr);
  EXPECT_EQ(file->totals().jobs, 1u);
}

TEST_F(CountersTest, RefusesWhatIsNoCounterFile) {
  EXPECT_FALSE(CounterFile::open(path_, &error_));
  EXPECT_NE(error_.find(path_.string()), std::string::npos);
  for (size_t bytes : {0, 10, 64, 4096}) {
    write_file_atomically(path_, std::string(bytes, 'x'));
    EXPECT_FALSE(CounterFile::open(path_, &error_)) << bytes;
    EXPECT_NE(error_.find("not a counter file"), std::string::npos) << error_;
  }
  EXPECT_FALSE(CounterFile::create(dir_ / "absent" / "counters", 1, &error_));
  EXPECT_NE(error_.find("absent"), std::string::npos);
}

TEST_F(CountersTest, RefusesATruncatedFile) {
  ASSERT_TRUE(CounterFile::create(path_, 4, &error_));
  ASSERT_EQ(truncate(path_.c_str(), 128), 0);
  EXPECT_FALSE(CounterFile::open(path_, &error_));
}

}  // namespace
}  // namespace lab::io
