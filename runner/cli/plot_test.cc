// lab plot as a user runs it, on a result directory kept for tests.
#include <gtest/gtest.h>

#include "runner/base/process.h"
#include "runner/base/temporary_directory.h"
#include "runner/base/text.h"

namespace lab {
namespace {

Finished plot(const fs::path& directory, std::map<std::string, std::string> environment = {}) {
  return run_command(
      {.argv = {LAB_PROGRAM, "plot", directory.string()}, .environment = std::move(environment)},
      std::chrono::seconds(60));
}

class LabPlot : public ::testing::Test {
 protected:
  LabPlot() {
    fs::copy(fs::path(LAB_TESTDATA) / "cache", directory(), fs::copy_options::recursive);
  }
  fs::path directory() const { return temporary_.path() / "cache"; }

 private:
  TemporaryDirectory temporary_;
};

TEST_F(LabPlot, PrintsThePathsOfWhatItDrew) {
  if (find_program("gnuplot").empty()) GTEST_SKIP() << "gnuplot is not installed";
  const Finished f = plot(directory());
  EXPECT_EQ(f.status, 0);
  EXPECT_EQ(f.err, "");
  const std::vector<std::string> lines = split(trim(f.out), '\n');
  EXPECT_EQ(lines.front(), (directory() / "plots/iops.svg").string());
  for (const std::string& line : lines) EXPECT_GT(fs::file_size(line), 0u) << line;
}

TEST_F(LabPlot, WithoutGnuplotItWarnsOnceAndLeavesScriptsAndData) {
  const Finished f = plot(directory(), {{"PATH", ""}});
  EXPECT_EQ(f.status, 0);
  EXPECT_EQ(f.out, "");
  EXPECT_EQ(f.err,
            "lab: no plots: gnuplot is not installed (apt-get install gnuplot-nox); their scripts "
            "and data are in " +
                (directory() / "plots").string() + "\n");
  EXPECT_TRUE(fs::exists(directory() / "plots/iops.gp"));
}

TEST_F(LabPlot, NamesWhatIsNoResultDirectory) {
  const Finished f = plot("/nonexistent");
  EXPECT_EQ(f.status, 2);
  EXPECT_EQ(f.err, "lab: /nonexistent: there is no such directory\n");
}

}  // namespace
}  // namespace lab
