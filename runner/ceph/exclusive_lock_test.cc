#include "runner/ceph/exclusive_lock.h"

#include <gtest/gtest.h>
#include <unistd.h>

namespace lab::ceph {
namespace {

TEST(LockHolder, IsWhatTheLockSaysToOthers) {
  const LockHolder holder = this_process("lab run \"a, b\".fio\n");
  EXPECT_EQ(holder.process.pid, getpid());
  EXPECT_FALSE(holder.boot.empty());
  const std::optional<LockHolder> read = from_cookie(to_cookie(holder));
  ASSERT_TRUE(read);
  EXPECT_EQ(*read, holder);
  EXPECT_NE(describe(holder).find(std::to_string(getpid())), std::string::npos);
}

TEST(LockHolder, ForeignTextIsNobody) {
  EXPECT_FALSE(from_cookie(""));
  EXPECT_FALSE(from_cookie("auto 94383"));
  EXPECT_FALSE(from_cookie(R"({"command": 7})"));
}

TEST(LockHolder, OnlyAProcessOfThisBootIsKnownToHaveEnded) {
  LockHolder holder = this_process("lab");
  EXPECT_FALSE(has_ended(holder)) << "this process runs";
  holder.process.start_ticks += 1;  // the pid is another process's by now
  EXPECT_TRUE(has_ended(holder));
  LockHolder elsewhere = holder;
  elsewhere.boot = "e2c0a9a8-0000-4000-8000-000000000000";
  EXPECT_FALSE(has_ended(elsewhere));
  LockHolder container = holder;
  container.pids = "pid:[1]";
  EXPECT_FALSE(has_ended(container));
}

}  // namespace
}  // namespace lab::ceph
