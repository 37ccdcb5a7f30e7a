#include "runner/sandbox/directory.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runner/base/error.h"

namespace lab::sandbox {
namespace {

using std::chrono::seconds;

class SandboxDirectory : public testing::Test {
 protected:
  void SetUp() override {
    // On a disk rather than in a memory file system: direct I/O.
    parent_ = fmt::format("/var/tmp/lab-directory-test-{}", getpid());
    make_directories(parent_);
    layout_.dir = parent_ / "s";
  }
  void TearDown() override { fs::remove_all(parent_); }
  void put(const std::string& name, std::string_view content = "x") {
    make_directories((layout_.dir / name).parent_path());
    write_file_atomically(layout_.dir / name, content);
  }

  fs::path parent_;
  Layout layout_;
  Log quiet_ = [](const std::string&) {};
};

TEST_F(SandboxDirectory, Findings) {
  EXPECT_EQ(look_at(layout_), Finding::absent);
  make_directories(layout_.dir);
  EXPECT_EQ(look_at(layout_), Finding::absent);
  put("lock");
  EXPECT_EQ(look_at(layout_), Finding::absent);
  put("letter.txt");
  EXPECT_EQ(look_at(layout_), Finding::foreign);
  put("state.json");
  EXPECT_EQ(look_at(layout_), Finding::sandbox);
}

TEST_F(SandboxDirectory, ALockKeepsOthersOut) {
  {
    DirectoryLock first = DirectoryLock::take(layout_, seconds(0), quiet_);
    EXPECT_TRUE(first.made_directory());
    EXPECT_THROW(DirectoryLock::take(layout_, seconds(0), quiet_), Error);
  }
  // Given up with its holder; and who made the directory is still known.
  EXPECT_TRUE(DirectoryLock::take(layout_, seconds(0), quiet_).made_directory());
}

TEST_F(SandboxDirectory, ADirectoryThatWasThereIsNotLabs) {
  make_directories(layout_.dir);
  EXPECT_FALSE(DirectoryLock::take(layout_, seconds(0), quiet_).made_directory());
}

TEST_F(SandboxDirectory, TheDirectoryIsPrivate) {
  DirectoryLock lock = DirectoryLock::take(layout_, seconds(0), quiet_);
  struct stat info {};
  ASSERT_EQ(stat(layout_.dir.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0700u);
}

TEST_F(SandboxDirectory, RemovalTakesItsOwnOnly) {
  for (const char* own : {"state.json", "ceph.conf", "lock", "osd.0/block", "log/mon.a.log"})
    put(own);
  put("letter.txt");
  EXPECT_EQ(remove_contents(layout_), std::vector<std::string>{"letter.txt"});
  remove_directory(layout_, true);
  EXPECT_TRUE(fs::exists(layout_.dir / "letter.txt"));
  EXPECT_EQ(std::distance(fs::directory_iterator(layout_.dir), {}), 1);
  fs::remove(layout_.dir / "letter.txt");
  remove_directory(layout_, true);
  EXPECT_FALSE(fs::exists(layout_.dir));
}

TEST_F(SandboxDirectory, RemovalDoesntFollowLinks) {
  put("state.json");
  make_directories(parent_ / "precious");
  write_file_atomically(parent_ / "precious/file", "x");
  fs::create_directory_symlink(parent_ / "precious", layout_.dir / "osd.0");
  remove_contents(layout_);
  EXPECT_TRUE(fs::exists(parent_ / "precious/file"));
}

TEST_F(SandboxDirectory, LinksAndFilesAreRefused) {
  EXPECT_NO_THROW(check_ownership(layout_));
  fs::create_directory_symlink("/", layout_.dir);
  EXPECT_THROW(check_ownership(layout_), Error);
  fs::remove(layout_.dir);
  write_file_atomically(layout_.dir, "x");
  EXPECT_THROW(check_ownership(layout_), Error);
  if (geteuid() != 0) {
    EXPECT_THROW(check_ownership({"/root"}), Error);
  }
}

TEST_F(SandboxDirectory, BlocksAreAllocatedInFull) {
  make_directories(layout_.dir);
  constexpr uint64_t bytes = 8 << 20;
  preallocate_blocks(layout_, 2, bytes);
  for (int id : {0, 1}) {
    struct stat info {};
    ASSERT_EQ(stat(layout_.block(id).c_str(), &info), 0);
    EXPECT_EQ(static_cast<uint64_t>(info.st_size), bytes);
    EXPECT_GE(static_cast<uint64_t>(info.st_blocks) * 512, bytes);
  }
}

TEST_F(SandboxDirectory, TooLittleSpaceIsToldBeforeAnythingIsMade) {
  make_directories(layout_.dir);
  try {
    preallocate_blocks(layout_, 3, uint64_t{1} << 50);
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("--osd-size"), std::string::npos);
  }
  EXPECT_TRUE(fs::is_empty(layout_.dir));
}

}  // namespace
}  // namespace lab::sandbox
