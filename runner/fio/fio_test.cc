#include "runner/fio/fio.h"

#include <gtest/gtest.h>

#include "runner/base/json.h"
#include "tests/complaint.h"

namespace lab {
namespace {

class FioTest : public ::testing::Test {
 protected:
  FioTest() {
    char pattern[] = "/tmp/lab-fio-test-XXXXXX";
    dir_ = mkdtemp(pattern);
    run_.job = dir_ / "job.fio";
    run_.directory = dir_;
  }
  ~FioTest() override { fs::remove_all(dir_); }
  void write_job(const std::string& options) {
    write_file_atomically(run_.job, "[global]\nioengine=null\nsize=1M\n" + options);
  }
  fs::path dir_;
  FioRun run_;
};

TEST_F(FioTest, LeavesItsResultAndEndsWell) {
  write_job("[a]\nrw=read\n");
  FioOutcome outcome = run_fio(run_, [](pid_t) { return FioTick::go_on; });
  EXPECT_EQ(outcome.status, 0) << outcome.error;
  EXPECT_NE(read_file(dir_ / "fio.json").find("\"total_ios\" : 256"), std::string::npos);
}

TEST_F(FioTest, TakesRelativePaths) {
  write_job("[a]\nrw=read\n");
  const fs::path before = fs::current_path();
  fs::current_path(dir_.parent_path());
  run_.job = dir_.filename() / "job.fio";
  run_.directory = dir_.filename();
  FioOutcome outcome = run_fio(run_, [](pid_t) { return FioTick::go_on; });
  fs::current_path(before);
  EXPECT_EQ(outcome.status, 0) << outcome.error;
  EXPECT_TRUE(fs::exists(dir_ / "fio.json"));
}

TEST_F(FioTest, TellsWhyItFailed) {
  write_file_atomically(run_.job, "[a]\nioengine=psync\nrw=read\nfilename=/dev/null/x\nsize=4k\n");
  FioOutcome outcome = run_fio(run_, [](pid_t) { return FioTick::go_on; });
  EXPECT_NE(outcome.status, 0);
  EXPECT_NE(outcome.error.find("Not a directory"), std::string::npos) << outcome.error;
}

TEST_F(FioTest, StopsWhenToldAndShowsLiveFigures) {
  write_job("time_based\nruntime=60\n[a]\nrw=randrw\nrate_iops=1000\n");
  run_.eta = true;
  auto begin = std::chrono::steady_clock::now();
  std::optional<LiveFigures> live;
  FioOutcome outcome = run_fio(run_, [&](pid_t) {
    live = read_eta(run_);
    return !live || live->read_iops == 0 ? FioTick::go_on : FioTick::stop;
  });
  EXPECT_TRUE(outcome.stopped);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(40));
  ASSERT_TRUE(live);
  EXPECT_GT(live->write_iops, 0);
}

TEST_F(FioTest, EndedWhenItIsEnoughItTellsWhatItHasMeasured) {
  write_job("time_based\nruntime=3600\n[a]\nrw=randrw\nrate_iops=1000\n");
  const auto begin = std::chrono::steady_clock::now();
  const FioOutcome outcome = run_fio(run_, [&](pid_t) {
    return std::chrono::steady_clock::now() - begin > std::chrono::seconds(2) ? FioTick::enough
                                                                              : FioTick::go_on;
  });
  EXPECT_EQ(outcome.status, 0) << outcome.error;
  EXPECT_FALSE(outcome.stopped);
  // Before its document it says that it was told to end.
  const std::string text = read_file(dir_ / "fio.json");
  const Json fio = Json::parse(text.substr(text.find('{')));
  EXPECT_GT(fio.at("jobs").at(0).at("read").at("total_ios").get<int>(), 100);
}

TEST_F(FioTest, RejectedJobsAreQuoted) {
  write_job("bz=4k\n[a]\nrw=read\n");
  std::string text = complaint([&] { check_job_with_fio(run_.job); });
  EXPECT_NE(text.find("Bad option <bz=4k>"), std::string::npos) << text;
  write_job("[a]\nrw=read\n[b]\nrw=sideways\n");
  EXPECT_NE(complaint([&] { check_job_with_fio(run_.job); }), "no error");
  write_job("[a]\nrw=read\n");
  EXPECT_EQ(complaint([&] { check_job_with_fio(run_.job); }), "no error");
}

}  // namespace
}  // namespace lab
