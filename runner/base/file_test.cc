#include "runner/base/file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runner/base/error.h"

namespace lab {
namespace {

class FileTest : public ::testing::Test {
 protected:
  FileTest() {
    char pattern[] = "/tmp/lab-file-test-XXXXXX";
    dir_ = mkdtemp(pattern);
  }
  ~FileTest() override { fs::remove_all(dir_); }
  fs::path dir_;
};

TEST_F(FileTest, WhatCannotBeReadMayBeTakenForEmpty) {
  write_file_atomically(dir_ / "a", "one");
  EXPECT_EQ(read_file_or_empty(dir_ / "a"), "one");
  EXPECT_EQ(read_file_or_empty(dir_ / "absent"), "");
  EXPECT_EQ(read_file_or_empty(dir_), "");
  EXPECT_THROW(read_file(dir_ / "absent"), Error);
  EXPECT_THROW(read_file(dir_), Error);
}

TEST_F(FileTest, WritesAndReplacesKeepingTheMode) {
  fs::path f = dir_ / "a";
  write_file_atomically(f, "one");
  chmod(f.c_str(), 0600);
  write_file_atomically(f, "two");
  EXPECT_EQ(read_file(f), "two");
  struct stat info {};
  stat(f.c_str(), &info);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
  EXPECT_FALSE(fs::exists(dir_ / "a.tmp"));
}

TEST_F(FileTest, FailureNamesThePathAndLeavesTheOldContent) {
  try {
    write_file_atomically(dir_ / "absent" / "a", "x");
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find((dir_ / "absent").string()), std::string::npos);
    EXPECT_NE(std::string(e.what()).find("No such file"), std::string::npos);
  }
}

TEST_F(FileTest, FullDeviceIsAnError) {
  // /dev/full accepts the open and refuses the write, as a full disk does.
  fs::create_symlink("/dev/full", dir_ / "a.tmp");
  EXPECT_THROW(write_file_atomically(dir_ / "a", "x"), Error);
  EXPECT_FALSE(fs::exists(dir_ / "a"));
}

TEST_F(FileTest, OnlyRegularFilesAreReplaced) {
  const fs::path fifo = dir_ / "fifo";
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  fs::create_directory(dir_ / "d");
  for (const fs::path& path : {fifo, dir_ / "d", fs::path("/dev/null")}) {
    EXPECT_THROW(write_file_atomically(path, "x"), Error) << path;
    EXPECT_FALSE(fs::exists(path.string() + ".tmp")) << path;
  }
  EXPECT_TRUE(fs::is_fifo(fifo));
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(FileTest, ALinkStaysAndItsTargetIsReplaced) {
  write_file_atomically(dir_ / "target", "old");
  fs::create_symlink("target", dir_ / "link");
  write_file_atomically(dir_ / "link", "new");
  EXPECT_TRUE(fs::is_symlink(dir_ / "link"));
  EXPECT_EQ(read_file(dir_ / "target"), "new");
}

TEST_F(FileTest, AppendsLines) {
  append_line(dir_ / "l", "one");
  append_line(dir_ / "l", "two");
  EXPECT_EQ(read_file(dir_ / "l"), "one\ntwo\n");
}

}  // namespace
}  // namespace lab
