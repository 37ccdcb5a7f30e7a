// The loop of runs over a real fio (its null engine), with a target that records what it
// is asked: the order of steps reads like a specification.
#include "runner/experiment/experiment.h"

#include <gtest/gtest.h>

#include "results/live.h"
#include "results/reader.h"
#include "runner/experiment/plan_record.h"
#include "runner/plan/rewrite.h"
#include "tests/complaint.h"

namespace lab {
namespace {

class RecordingTarget : public Target {
 public:
  std::vector<std::string> steps;
  std::string failing_cell;      // fio gets a job there that it can't run
  std::string ineffective_cell;  // its setting is not in effect
  bool eta = false;              // fio tells its own live figures

  void claim(const JobFile&) override {}
  void prepare(const PrepareProgress&) override {}
  results::TextList conditions() override { return {}; }
  std::vector<results::Mark> settle(const std::function<void(const std::string&)>&,
                                    Start) override {
    steps.emplace_back("settle");
    return {};
  }
  FioInput arrange(JobFile job, const Cell& cell, const fs::path&) override {
    steps.push_back("arrange " + cell.name);
    if (cell.name == failing_cell)
      retarget(job, "x", {{"ioengine", "psync"}, {"filename", "/dev/null/x"}});
    return {std::move(job), {}, eta};
  }
  std::vector<results::SettingProof> verify(const Cell& cell, const fs::path&) override {
    steps.push_back("verify " + cell.name);
    results::SettingProof proof;
    proof.name = "colour";
    proof.asked = cell.name;
    proof.effective = cell.name == ineffective_cell ? "grey" : cell.name;
    proof.verified = proof.effective == proof.asked;
    return {proof};
  }
  void finish() override {}
};

class ExperimentTest : public ::testing::Test {
 protected:
  ExperimentTest() {
    char pattern[] = "/tmp/lab-experiment-test-XXXXXX";
    dir_ = mkdtemp(pattern);
    experiment_.job = JobFile::parse("[global]\nioengine=null\nsize=1M\n[a]\nrw=randrw\n", "j.fio");
    experiment_.cells = {{"red", "red", {}, {}}, {"blue", "blue", {}, {}}};
  }
  ~ExperimentTest() override { fs::remove_all(dir_); }

  results::ResultWriter create(int repeat) {
    results::Manifest manifest;
    manifest.title = "j";
    manifest.target = "recording";
    return results::ResultWriter::create(
        dir_, manifest, make_plan(experiment_.job, experiment_.cells, repeat, 1), "job");
  }
  Tally run(results::ResultWriter& writer) {
    std::FILE* null = std::fopen("/dev/null", "w");
    Progress progress(null, false);
    Tally tally;
    run_experiment(
        experiment_, world_, target_, writer, progress, tally,
        [&](unsigned index) {
          after_.push_back(index);
          return std::string();
        },
        [&](unsigned block) {
          blocks_.push_back(block);
          if (block == replan_after_)
            writer.replan(make_plan(experiment_.job, experiment_.cells, replan_to_, 1));
        });
    std::fclose(null);
    return tally;
  }

  fs::path dir_;
  Experiment experiment_;
  RecordingTarget target_;
  UnchangedWorld world_;
  std::vector<unsigned> after_;
  std::vector<unsigned> blocks_;
  unsigned replan_after_ = 0;
  int replan_to_ = 0;
};

TEST_F(ExperimentTest, SettlesArrangesRunsAndVerifiesInPlannedOrder) {
  results::ResultWriter writer = create(2);
  Tally tally = run(writer);
  EXPECT_EQ(tally.done, 4u);
  std::vector<std::string> expected;
  for (const auto& planned : writer.plan().runs) {
    expected.emplace_back("settle");
    expected.push_back("arrange " + planned.cell);
    expected.push_back("verify " + planned.cell);
  }
  EXPECT_EQ(target_.steps, expected);
  EXPECT_EQ(after_, (std::vector<unsigned>{1, 2, 3, 4}));
  auto reader = results::ResultReader::load(writer.directory());
  ASSERT_EQ(reader.runs().size(), 4u);
  for (const auto& finished : reader.runs()) {
    EXPECT_TRUE(finished.record.ok) << finished.record.error;
    EXPECT_TRUE(fs::exists(finished.folder / "fio.json"));
    EXPECT_TRUE(fs::exists(finished.folder / "job.fio"));
    EXPECT_GT(finished.record.times_s.at("fio"), 0);
  }
}

TEST_F(ExperimentTest, KeepsTheLiveFiguresOfARun) {
  experiment_.job = JobFile::parse(
      "[global]\nioengine=null\nsize=1G\ntime_based\nruntime=3\nrate_iops=2000\n[a]\nrw=randread\n",
      "j.fio");
  experiment_.cells.resize(1);
  target_.eta = true;
  results::ResultWriter writer = create(1);
  run(writer);
  auto reader = results::ResultReader::load(writer.directory());
  ASSERT_EQ(reader.runs().size(), 1u);
  results::LiveSamples samples(reader.runs()[0].folder);
  size_t count = 0;
  double last_s = 0;
  for (results::LivePoint point; samples.next(point); ++count) {
    EXPECT_GT(point.time_s, last_s);
    last_s = point.time_s;
    EXPECT_EQ(point.write_iops, 0);
    EXPECT_GT(point.read_iops, 0);
  }
  EXPECT_GE(count, 1u);
  EXPECT_EQ(samples.damaged().count, 0u);
}

TEST_F(ExperimentTest, EveryRunHasTheMarksOfWhatHoldsDuringAll) {
  experiment_.marks = {{results::Weight::doubtful, "not-locked", "by nobody"}};
  results::ResultWriter writer = create(1);
  run(writer);
  const auto reader = results::ResultReader::load(writer.directory());
  ASSERT_EQ(reader.runs().size(), 2u);
  for (const auto& finished : reader.runs()) {
    ASSERT_GE(finished.record.marks.size(), 1u);
    EXPECT_EQ(finished.record.marks[0].code, "not-locked");
    EXPECT_EQ(finished.record.marks[0].weight, results::Weight::doubtful);
  }
}

TEST_F(ExperimentTest, FinishedRunsAreNotRepeated) {
  fs::path directory;
  {
    results::ResultWriter writer = create(2);
    directory = writer.directory();
    results::RunRecord record;
    record.index = 1;
    record.cell = writer.plan().runs[0].cell;
    writer.begin_run(1);
    writer.finish_run(record);
    writer.begin_run(2);  // and is killed in the second
  }
  results::ResultWriter writer = results::ResultWriter::reopen(directory);
  EXPECT_EQ(run(writer).done, 3u);
}

TEST_F(ExperimentTest, AfterABlockTheNumberOfRepetitionsMayChange) {
  results::ResultWriter writer = create(2);
  replan_after_ = 2;
  replan_to_ = 4;
  EXPECT_EQ(run(writer).done, 8u);
  EXPECT_EQ(blocks_, (std::vector<unsigned>{1, 2, 3, 4}));
  EXPECT_EQ(results::ResultReader::load(writer.directory()).plan().runs.size(), 8u);

  results::ResultWriter shorter = create(6);
  blocks_.clear();
  replan_to_ = 2;
  EXPECT_EQ(run(shorter).done, 4u);
  EXPECT_EQ(blocks_, (std::vector<unsigned>{1, 2}));
}

TEST_F(ExperimentTest, AFailedRunIsRecordedAndTheOthersGoOn) {
  target_.failing_cell = "blue";
  results::ResultWriter writer = create(2);
  Tally tally = run(writer);
  EXPECT_EQ(tally.done, 4u);
  auto reader = results::ResultReader::load(writer.directory());
  for (const auto& finished : reader.runs()) {
    EXPECT_EQ(finished.record.ok, finished.record.cell == "red");
    if (finished.record.cell == "blue") {
      EXPECT_NE(finished.record.error.find("Not a directory"), std::string::npos)
          << finished.record.error;
    }
  }
}

TEST_F(ExperimentTest, ASettingThatIsNotInEffectFailsItsRun) {
  target_.ineffective_cell = "blue";
  results::ResultWriter writer = create(1);
  run(writer);
  const auto reader = results::ResultReader::load(writer.directory());
  for (const auto& finished : reader.runs())
    if (finished.record.cell == "blue") {
      EXPECT_EQ(finished.record.error, "not in effect: colour: asked blue, in effect grey");
    }
}

TEST_F(ExperimentTest, OrIsKeptWithItsProofWhereThatWasAllowed) {
  target_.ineffective_cell = "blue";
  experiment_.allow_invalid = true;
  results::ResultWriter writer = create(1);
  run(writer);
  const auto reader = results::ResultReader::load(writer.directory());
  ASSERT_EQ(reader.runs().size(), 2u);
  // The analysis makes the mark of it.
  for (const auto& finished : reader.runs()) {
    EXPECT_TRUE(finished.record.ok);
    EXPECT_EQ(finished.record.settings.at(0).verified, finished.record.cell != "blue");
  }
}

TEST_F(ExperimentTest, ThreeFailuresInARowEndIt) {
  experiment_.cells = {{"red", "red", {}, {}}};
  target_.failing_cell = "red";
  results::ResultWriter writer = create(5);
  std::string text = complaint([&] { run(writer); }, Exit::environment);
  EXPECT_NE(text.find("3 runs in a row failed"), std::string::npos) << text;
  EXPECT_EQ(results::ResultReader::load(writer.directory()).runs().size(), 3u);
}

}  // namespace
}  // namespace lab
