#include "results/reader.h"

#include <gtest/gtest.h>

#include "results/example.h"
#include "results/writer.h"
#include "runner/base/error.h"
#include "runner/base/temporary_directory.h"

namespace lab::results {
namespace {

class ReaderTest : public ::testing::Test {
 protected:
  ReaderTest() {
    ResultWriter w =
        ResultWriter::create(temporary_.path(), example_manifest(), example_plan(), "");
    directory_ = w.directory();
    for (unsigned index : {1u, 2u}) {
      w.begin_run(index);
      RunRecord record;
      record.index = index;
      w.finish_run(record);
    }
  }
  std::string complaint(const fs::path& directory) {
    try {
      ResultReader::load(directory);
    } catch (const Error& e) {
      EXPECT_EQ(e.status(), Exit::usage);
      return e.what();
    }
    return "no error";
  }
  TemporaryDirectory temporary_;
  fs::path directory_;
};

TEST_F(ReaderTest, FindsRunsByIndex) {
  ResultReader r = ResultReader::load(directory_);
  ASSERT_TRUE(r.find(2));
  EXPECT_EQ(r.find(2)->record.cell, "writeback");
  EXPECT_FALSE(r.find(3));
}

TEST_F(ReaderTest, RefreshFindsWhatWasAdded) {
  ResultReader r = ResultReader::load(directory_);
  {
    ResultWriter w = ResultWriter::reopen(directory_);
    w.begin_run(3);
    RunRecord record;
    record.index = 3;
    w.finish_run(record);
    Manifest manifest = w.manifest();
    manifest.conditions.emplace_back("added", "later");
    w.update_manifest(manifest);
    Plan longer = w.plan();
    longer.runs.push_back({5, "off", 3, 1, false});
    w.replan(longer);
  }
  // What was read before is not read again.
  write_file_atomically(r.find(1)->folder / "run.json", "spoilt");
  r.refresh();
  ASSERT_EQ(r.runs().size(), 3u);
  EXPECT_EQ(r.find(3)->record.cell, "writeback");
  EXPECT_EQ(r.manifest().conditions.back().first, "added");
  EXPECT_EQ(r.plan().runs.size(), 5u);
  EXPECT_TRUE(r.damaged().empty());
}

TEST_F(ReaderTest, NamesWhatIsMissing) {
  EXPECT_NE(complaint(temporary_.path() / "absent").find("no such directory"), std::string::npos);
  EXPECT_NE(complaint(temporary_.path()).find("no manifest.json"), std::string::npos);
  fs::remove(directory_ / "plan.json");
  EXPECT_NE(complaint(directory_).find("no plan.json"), std::string::npos);
}

TEST_F(ReaderTest, OneDamagedRunDoesNotSpoilTheRest) {
  fs::path folder = ResultReader::load(directory_).find(1)->folder;
  write_file_atomically(folder / "run.json", "{\"index\": 1,");
  ResultReader r = ResultReader::load(directory_);
  EXPECT_EQ(r.runs().size(), 1u);
  ASSERT_EQ(r.damaged().size(), 1u);
  EXPECT_TRUE(r.damaged()[0].starts_with((folder / "run.json").string() + ":1: "))
      << r.damaged()[0];
  fs::remove(folder / "run.json");
  EXPECT_NE(ResultReader::load(directory_).damaged().at(0).find("run.json is missing"),
            std::string::npos);
}

TEST_F(ReaderTest, ARunThatThePlanDoesNotHaveIsDamaged) {
  RunRecord stranger;
  stranger.index = 77;
  stranger.cell = "off";
  make_directories(directory_ / "runs" / "0077-b1-off");
  write_file_atomically(directory_ / "runs" / "0077-b1-off" / "run.json",
                        json_text(to_json(stranger)));
  ResultReader r = ResultReader::load(directory_);
  EXPECT_EQ(r.runs().size(), 2u);
  EXPECT_EQ(r.damaged().size(), 1u);
}

TEST_F(ReaderTest, ARunAtAnotherPlaceThanPlannedIsDamaged) {
  // The record of run 1 says that it is run 4, which the plan has in another block.
  const fs::path record = directory_ / "runs" / "0001-b1-off" / "run.json";
  JsonDocument document = JsonDocument::load(record);
  OrderedJson changed = document.root();
  changed["index"] = 4;
  write_file_atomically(record, changed.dump());
  const ResultReader reader = ResultReader::load(directory_);
  EXPECT_EQ(reader.find(4), nullptr);
  EXPECT_EQ(reader.damaged().size(), 1u);
}

TEST_F(ReaderTest, NoRunsYetIsNoError) {
  fs::remove_all(directory_ / "runs");
  EXPECT_TRUE(ResultReader::load(directory_).runs().empty());
}

TEST_F(ReaderTest, EffectiveIsAbsentForOtherEngines) {
  EXPECT_FALSE(load_effective(ResultReader::load(directory_).find(1)->folder));
}

}  // namespace
}  // namespace lab::results
