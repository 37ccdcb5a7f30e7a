#include "runner/base/paths.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include "runner/base/error.h"

namespace lab {
namespace {

class PathsTest : public ::testing::Test {
 protected:
  PathsTest() {
    char pattern[] = "/tmp/lab-paths-test-XXXXXX";
    dir_ = mkdtemp(pattern);
  }
  ~PathsTest() override { fs::remove_all(dir_); }
  void make_root(const fs::path& root) {
    fs::create_directories(root / "lib/lab");
    fs::create_directories(root / "share/lab/jobs");
  }
  fs::path dir_;
};

TEST_F(PathsTest, AnInstalledProgramFindsTheRootAboveBin) {
  make_root(dir_ / "prefix");
  EXPECT_EQ(find_root(dir_ / "prefix/bin/lab"), dir_ / "prefix");
}

TEST_F(PathsTest, AProgramAtTheTopOfABuildTreeFindsItsOwnDirectory) {
  make_root(dir_ / "build");
  EXPECT_EQ(find_root(dir_ / "build/lab"), dir_ / "build");
}

TEST_F(PathsTest, TheNearestRootWins) {
  make_root(dir_);
  make_root(dir_ / "build");
  EXPECT_EQ(find_root(dir_ / "build/lab"), dir_ / "build");
}

TEST_F(PathsTest, HalfARootIsNone) {
  fs::create_directories(dir_ / "prefix/lib/lab");
  try {
    find_root(dir_ / "prefix/bin/lab");
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.status(), Exit::environment);
    std::string text = e.what();
    EXPECT_NE(text.find((dir_ / "prefix/bin").string()), std::string::npos) << text;
    EXPECT_NE(text.find((dir_ / "prefix").string() + ","), std::string::npos) << text;
    EXPECT_NE(text.find("cmake --install"), std::string::npos) << text;
  }
}

TEST_F(PathsTest, StopsAtTheTopOfTheFileSystem) { EXPECT_THROW(find_root("/lab"), Error); }

TEST(Paths, TheRunningTestFindsTheBuildTree) {
  EXPECT_TRUE(engine_dir().is_absolute());
  EXPECT_TRUE(fs::exists(share_dir() / "jobs/4k-randrw.fio"));
}

}  // namespace
}  // namespace lab
