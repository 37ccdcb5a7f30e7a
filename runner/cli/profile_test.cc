// lab profile table as a user runs it, also on what perf really writes.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "runner/base/file.h"
#include "runner/base/json.h"
#include "runner/base/process.h"
#include "runner/base/temporary_directory.h"
#include "runner/base/text.h"

namespace lab {
namespace {

const fs::path kFiles = fs::path(LAB_TESTDATA) / "profile";

Finished run_table(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {LAB_PROGRAM, "profile", "table"});
  return run_command({.argv = arguments}, std::chrono::seconds(30));
}

TEST(LabProfile, BeforeAndAfter) {
  const Finished f = run_table({kFiles / "server-fixed.collapsed", "--base",
                                kFiles / "server.collapsed", "--focus=Journal", "--format=csv"});
  EXPECT_EQ(f.status, 0) << f.err;
  EXPECT_EQ(f.err, "");
  EXPECT_NE(f.out.find("\r\nserver-fixed.collapsed,Journal::write,66.6667,"), std::string::npos)
      << f.out;
  EXPECT_EQ(f.out.find("hash"), std::string::npos) << f.out;
}

TEST(LabProfile, TellsWhatItCouldNotRead) {
  TemporaryDirectory temporary;
  const fs::path path = temporary.path() / "cut.collapsed";
  write_file_atomically(path, read_file(kFiles / "server.collapsed") + "main;ser\nmain 70\nma\n");
  const Finished f = run_table({path, "--top=1"});
  EXPECT_EQ(f.status, 0) << f.err;
  EXPECT_EQ(f.err, "lab: " + path.string() + ": 2 lines could not be read, the first is line 7\n");
  EXPECT_NE(f.out.find("2 lines could not be read"), std::string::npos) << f.out;
}

TEST(LabProfile, WarnsOfFunctionsWithoutNames) {
  const Finished f = run_table({kFiles / "cpu.txt"});
  EXPECT_EQ(f.status, 0);
  EXPECT_NE(f.err.find("lab: cpu.txt: 15.0% of the samples are in functions without a name"),
            std::string::npos)
      << f.err;
}

TEST(LabProfile, RefusesWhatIsNoProfile) {
  const Finished f = run_table({kFiles / ".." / "golden" / "table.csv"});
  EXPECT_EQ(f.status, 2);
  EXPECT_NE(f.err.find("understood are collapsed stacks"), std::string::npos) << f.err;
  EXPECT_EQ(run_table({}).status, 2);
  EXPECT_EQ(run_table({"/nonexistent"}).status, 2);
  EXPECT_EQ(run_table({kFiles / "cpu.txt", "--format=tidy"}).status, 2);
  EXPECT_EQ(run_table({kFiles / "cpu.txt", "--unit=eggs"}).status, 2);
}

// The parts that a busy program says that it has must come out of perf record, perf script and
// lab. Its time is split by the processor's own clock, so that other load does not matter.
class RealPerf : public testing::Test {
 protected:
  void SetUp() override {
    if (find_program("perf").empty()) GTEST_SKIP() << "perf is not installed";
    const Finished recorded =
        run_command({.argv = {"perf", "record", "-q", "-e", "cpu-clock", "-g", "-F", "499", "-o",
                              data().string(), LAB_BUSY_PROGRAM, "0.3", "0.5"}},
                    std::chrono::seconds(60));
    if (recorded.status != 0)
      GTEST_SKIP() << "perf record is not allowed here: " << last_lines(recorded.err, 2);
    script_ = run_checked({.argv = {"perf", "script", "-i", data().string(), "-F", "+pid"},
                           .error_output = "/dev/null"},
                          std::chrono::seconds(60));
  }
  fs::path data() const { return temporary_.path() / "perf.data"; }
  fs::path script() const {
    const fs::path path = temporary_.path() / "script.txt";
    write_file_atomically(path, script_);
    return path;
  }

  TemporaryDirectory temporary_;
  std::string script_;
};

std::optional<Json> row_of(const Json& table, const std::string& where) {
  for (const Json& row : table["processes"][0]["rows"])
    if (row["where"].get<std::string>().starts_with(where)) return row["now"];
  return {};
}

TEST_F(RealPerf, SharesAreThoseOfTheProgram) {
  const Finished f = run_table({script(), "--format=json", "--top=0"});
  ASSERT_EQ(f.status, 0) << f.err;
  const Json table = Json::parse(f.out);
  ASSERT_EQ(table["processes"].size(), 1u) << f.out;
  EXPECT_EQ(table["processes"][0]["name"], "profile-busy");
  EXPECT_EQ(table["unit"], "samples");
  // 0.5 s at 499 a second, as long as this process has a processor of its own.
  EXPECT_GT(table["processes"][0]["now"]["total"], 50);
  const auto few = row_of(table, "few");
  const auto recursive = row_of(table, "recursive");
  ASSERT_TRUE(few && recursive) << f.out;
  // Wider than the interval by what the program's own clock is off.
  EXPECT_NEAR((*few)["share_percent"].get<double>(), 30, 12) << f.out;
  EXPECT_NEAR((*recursive)["share_percent"].get<double>(), 70, 12) << f.out;
  EXPECT_LT((*few)["interval95_percent"][0], (*few)["share_percent"]);
  EXPECT_GT((*few)["interval95_percent"][1], (*few)["share_percent"]);
}

TEST_F(RealPerf, ASmallerPartIsADifferenceBeyondTheNoise) {
  const fs::path before = script();
  const fs::path after_data = temporary_.path() / "after.data";
  run_checked({.argv = {"perf", "record", "-q", "-e", "cpu-clock", "-g", "-F", "499", "-o",
                        after_data.string(), LAB_BUSY_PROGRAM, "0.9", "0.5"}},
              std::chrono::seconds(60));
  const fs::path after = temporary_.path() / "after.txt";
  write_file_atomically(
      after, run_checked({.argv = {"perf", "script", "-i", after_data.string(), "-F", "+pid"},
                          .error_output = "/dev/null"},
                         std::chrono::seconds(60)));
  const Finished f = run_table({after, "--format=json", "--top=0", "--base", before});
  ASSERT_EQ(f.status, 0) << f.err;
  const Json table = Json::parse(f.out);
  bool seen = false;
  for (const Json& row : table["processes"][0]["rows"]) {
    if (!row["where"].get<std::string>().starts_with("recursive")) continue;
    seen = true;
    EXPECT_LT(row["difference_points"], -40);
    EXPECT_EQ(row["within_noise"], false);
  }
  EXPECT_TRUE(seen) << f.out;
}

}  // namespace
}  // namespace lab
