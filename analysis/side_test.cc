#include "analysis/side.h"

#include <gtest/gtest.h>

#include "runner/base/error.h"
#include "runner/base/temporary_directory.h"

namespace lab::analysis {
namespace {

const std::string kCache = (fs::path(LAB_TESTDATA) / "cache").string();

void expect_refusal(const std::string& text, const std::string& reason) {
  try {
    load_side(text);
    FAIL() << text << " was taken";
  } catch (const Error& e) {
    EXPECT_EQ(e.status(), Exit::usage);
    EXPECT_NE(std::string(e.what()).find(reason), std::string::npos) << e.what();
  }
}

TEST(Selection, TakesTheLongestDirectoryThatThereIs) {
  TemporaryDirectory temporary;
  const fs::path odd = temporary.path() / "a:b@7 \x1b[2J";
  make_directories(odd);
  make_directories(temporary.path() / "a");
  EXPECT_EQ(parse_selection(odd).directory, odd);
  EXPECT_EQ(parse_selection(odd).cell, "");
  const Selection cell = parse_selection(odd.string() + ":x:y@2");
  EXPECT_EQ(cell.directory, odd);
  EXPECT_EQ(cell.cell, "x:y@2");
  const Selection run = parse_selection(odd.string() + "@12");
  EXPECT_EQ(run.directory, odd);
  EXPECT_EQ(run.run, 12u);
  EXPECT_EQ(parse_selection((temporary.path() / "a").string() + ":b@7").cell, "b@7");
  EXPECT_EQ(parse_selection((temporary.path() / "a").string() + "/").cell, "");
}

TEST(Selection, RefusesWhatIsNeither) {
  expect_refusal("/nonexistent", "no such directory");
  expect_refusal("", "no such directory");
  expect_refusal(":off", "no such directory");
  expect_refusal(kCache + "@x", "comes :CELL or @RUN");
  expect_refusal(kCache + "@-1", "comes :CELL or @RUN");
  expect_refusal(kCache + ":", "comes :CELL or @RUN");
  expect_refusal(kCache + "@99999999999", "comes :CELL or @RUN");
}

TEST(LoadSide, FindsCellsByNameTestAndLevels) {
  EXPECT_EQ(load_side(kCache).cell, "");
  for (const char* name : {":writeback", ":4k-rbd_cache_writeback", ":cache=writeback"})
    EXPECT_EQ(load_side(kCache + name).cell, "writeback") << name;
  expect_refusal(kCache + ":writebak", "has: off, writethrough, writeback");
  expect_refusal(kCache + ":cache=nothing", "there is no one cell");
}

TEST(LoadSide, KeepsOneRun) {
  const Side side = load_side(kCache + "@3");
  EXPECT_EQ(side.cell, "writeback");
  EXPECT_TRUE(side.single_run);
  ASSERT_EQ(side.table.rows.size(), 1u);
  EXPECT_EQ(side.table.rows[0].repetitions.size(), 1u);
  EXPECT_FALSE(side.table.rows[0].pending()) << "other runs were not asked for";
  expect_refusal(kCache + "@77", "no finished run 77");
}

TEST(LoadSide, TheSameDirectoryIsKnownByItsPlace) {
  const Side a = load_side(kCache);
  const Side b = load_side(kCache + "/../cache:off");
  EXPECT_EQ(a.directory, b.directory);
  EXPECT_NE(a.place, b.place);
}

}  // namespace
}  // namespace lab::analysis
