#include "results/writer.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>

#include "results/example.h"
#include "results/reader.h"
#include "runner/base/error.h"
#include "runner/base/temporary_directory.h"

namespace lab::results {
namespace {

class WriterTest : public ::testing::Test {
 protected:
  ResultWriter create() {
    return ResultWriter::create(root_, example_manifest(), example_plan(), "[job]\n");
  }
  static void finish(ResultWriter& writer, unsigned index, bool ok = true) {
    fs::path folder = writer.begin_run(index);
    write_file_atomically(folder / "fio.json", "{}");
    RunRecord record;
    record.index = index;
    record.ok = ok;
    if (!ok) record.error = "fio failed";
    writer.finish_run(record);
  }
  static std::string complaint(Exit status, const std::function<void()>& action) {
    try {
      action();
    } catch (const Error& e) {
      EXPECT_EQ(e.status(), status);
      return e.what();
    }
    return "no error";
  }
  static bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  }
  static size_t temporary_folders(const fs::path& directory) {
    size_t n = 0;
    for (const auto& entry : fs::directory_iterator(directory / "runs"))
      n += entry.path().filename().string().starts_with(".tmp-");
    return n;
  }

  TemporaryDirectory temporary_;
  fs::path root_ = temporary_.path() / "results";
};

TEST_F(WriterTest, NamesTheDirectoryByTimeJobAndMatrix) {
  Manifest m = example_manifest();
  m.matrix = {"cache", "allocator"};
  m.title = "../evil name";
  m.created.clear();
  ResultWriter w = ResultWriter::create(root_, m, example_plan(), "");
  EXPECT_EQ(w.directory().parent_path(), root_);
  std::string name = w.directory().filename();
  EXPECT_TRUE(name.ends_with("-x..-evil-name-cache-allocator")) << name;
  EXPECT_EQ(name.find('T'), 10u) << name;
  EXPECT_EQ(w.manifest().created.back(), 'Z');
}

TEST_F(WriterTest, NeverWritesIntoAnExistingDirectory) {
  std::vector<ResultWriter> writers;
  std::vector<fs::path> seen;
  for (int i = 0; i < 5; ++i) {
    writers.push_back(create());
    for (const fs::path& other : seen) EXPECT_NE(other, writers.back().directory());
    seen.push_back(writers.back().directory());
  }
}

TEST_F(WriterTest, WritesWhatTheReaderReads) {
  ResultWriter w = create();
  finish(w, 1);
  finish(w, 2, false);
  ResultReader r = ResultReader::load(w.directory());
  EXPECT_EQ(r.manifest().title, "4k-randrw");
  EXPECT_EQ(r.plan().runs.size(), 4u);
  EXPECT_EQ(read_file(w.directory() / "job.fio"), "[job]\n");
  ASSERT_EQ(r.runs().size(), 2u);
  EXPECT_EQ(r.runs()[0].folder.filename(), "0001-b1-off");
  EXPECT_EQ(r.runs()[0].record.cell, "off");
  EXPECT_FALSE(r.runs()[1].record.ok);
  EXPECT_EQ(r.runs()[1].record.position, 2u);
  EXPECT_EQ(w.finished_runs(), std::vector<unsigned>{1});
}

TEST_F(WriterTest, AnOpenRunIsInvisible) {
  ResultWriter w = create();
  fs::path folder = w.begin_run(1);
  write_file_atomically(folder / "fio.json", "{}");
  ResultReader r = ResultReader::load(w.directory());
  EXPECT_TRUE(r.runs().empty());
  EXPECT_TRUE(r.damaged().empty());
}

TEST_F(WriterTest, ReopeningRemovesWhatAKilledLabLeft) {
  fs::path directory;
  {
    ResultWriter w = create();
    directory = w.directory();
    finish(w, 1);
    w.append_event("run", {{"index", 1}});
    write_file_atomically(w.begin_run(2) / "fio.json", "{");
  }
  std::string events = read_file(directory / "events.jsonl");
  write_file_atomically(directory / "events.jsonl", events + "{\"time\":\"2026");
  EXPECT_EQ(temporary_folders(directory), 1u);
  ResultWriter w = ResultWriter::reopen(directory);
  EXPECT_EQ(temporary_folders(directory), 0u);
  EXPECT_EQ(read_file(directory / "events.jsonl"), events);
  EXPECT_EQ(w.finished_runs(), std::vector<unsigned>{1});
  for (unsigned index : {2u, 3u, 4u}) finish(w, index);
  EXPECT_EQ(w.finished_runs(), (std::vector<unsigned>{1, 2, 3, 4}));
}

TEST_F(WriterTest, AFailedRunIsRepeatedBesideTheFailedOne) {
  ResultWriter w = create();
  finish(w, 1, false);
  finish(w, 1, false);
  EXPECT_TRUE(w.finished_runs().empty());
  finish(w, 1);
  EXPECT_EQ(w.finished_runs(), std::vector<unsigned>{1});
  ResultReader r = ResultReader::load(w.directory());
  ASSERT_EQ(r.runs().size(), 1u);
  EXPECT_EQ(r.runs()[0].record.attempt, 3u);
  EXPECT_TRUE(r.runs()[0].record.ok);
  EXPECT_TRUE(fs::exists(w.directory() / "runs/0001-b1-off"));
  EXPECT_TRUE(fs::exists(w.directory() / "runs/0001-b1-off.try3"));
}

TEST_F(WriterTest, ADroppedRunLeavesNothing) {
  ResultWriter w = create();
  w.begin_run(1);
  w.drop_run();
  EXPECT_EQ(temporary_folders(w.directory()), 0u);
  RunRecord record;
  record.index = 1;
  EXPECT_TRUE(has(complaint(Exit::usage, [&] { w.finish_run(record); }), "was not begun"));
  EXPECT_TRUE(has(complaint(Exit::usage, [&] { w.begin_run(99); }), "no run 99"));
}

TEST_F(WriterTest, TwoWritersExcludeEachOther) {
  ResultWriter w = create();
  std::string text = complaint(Exit::environment, [&] { ResultWriter::reopen(w.directory()); });
  EXPECT_TRUE(has(text, w.directory())) << text;
  EXPECT_TRUE(has(text, "process " + std::to_string(getpid()))) << text;
}

TEST_F(WriterTest, AKilledWritersLockIsGone) {
  fs::path directory = create().directory();
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  pid_t child = fork();
  if (child == 0) {
    ResultWriter w = ResultWriter::reopen(directory);
    w.begin_run(1);
    if (write(ready[1], "x", 1) != 1) _exit(1);
    pause();
    _exit(0);
  }
  char c;
  ASSERT_EQ(read(ready[0], &c, 1), 1);
  EXPECT_THROW(ResultWriter::reopen(directory), Error);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_EQ(temporary_folders(directory), 1u);
  ResultWriter w = ResultWriter::reopen(directory);
  EXPECT_EQ(temporary_folders(directory), 0u);
  close(ready[0]);
  close(ready[1]);
}

TEST_F(WriterTest, RefusesANearlyFullPlace) {
  std::string text = complaint(Exit::environment, [&] {
    ResultWriter::create(root_, example_manifest(), example_plan(), "",
                         {.min_free_bytes = UINT64_MAX});
  });
  EXPECT_TRUE(has(text, root_)) << text;
  EXPECT_TRUE(has(text, "--out")) << text;
  EXPECT_TRUE(fs::is_empty(root_));
}

TEST_F(WriterTest, BeginsNoRunWhenTheDiskHasFilledUp) {
  constexpr off_t kTaken = 256 << 20;
  fs::path directory = create().directory();
  ResultWriter w =
      ResultWriter::reopen(directory, {.min_free_bytes = free_bytes(directory) - kTaken / 4});
  Fd filler(open((temporary_.path() / "filler").c_str(), O_RDWR | O_CREAT, 0600));
  ASSERT_EQ(posix_fallocate(filler.get(), 0, kTaken), 0);
  std::string text = complaint(Exit::environment, [&] { w.begin_run(1); });
  EXPECT_TRUE(has(text, directory)) << text;
  EXPECT_EQ(temporary_folders(directory), 0u);
}

TEST_F(WriterTest, RefusesAnUnwritablePlaceNamingIt) {
  write_file_atomically(temporary_.path() / "file", "");
  fs::path below = temporary_.path() / "file" / "results";
  std::string text = complaint(Exit::environment, [&] {
    ResultWriter::create(below, example_manifest(), example_plan(), "");
  });
  EXPECT_TRUE(has(text, below)) << text;
}

TEST_F(WriterTest, RefusesAReadOnlyDirectory) {
  make_directories(root_);
  chmod(temporary_.path().c_str(), 0755);
  chmod(root_.c_str(), 0555);
  // Modes do not bind root: be somebody else meanwhile.
  bool root = geteuid() == 0;
  ASSERT_TRUE(!root || seteuid(65534) == 0);
  std::string text = complaint(Exit::environment, [&] { create(); });
  ASSERT_TRUE(!root || seteuid(0) == 0);
  chmod(root_.c_str(), 0755);
  EXPECT_TRUE(has(text, root_)) << text;
  EXPECT_TRUE(has(text, "Permission denied")) << text;
}

TEST_F(WriterTest, UpdatesTheManifestWithTheOverhead) {
  ResultWriter w = create();
  Manifest m = w.manifest();
  m.overhead = Overhead{1, 2, 30, 10, 25};
  w.update_manifest(m);
  EXPECT_DOUBLE_EQ(ResultReader::load(w.directory()).manifest().overhead->other_percent, 25);
}

TEST_F(WriterTest, ReplanKeepsWhatIsMeasured) {
  ResultWriter writer = create();
  finish(writer, 1);
  Plan longer = writer.plan();
  PlannedRun another = longer.runs.back();
  another.index += 1;
  another.block += 1;
  longer.runs.push_back(another);
  writer.replan(longer);
  EXPECT_EQ(ResultReader::load(writer.directory()).plan().runs.size(), longer.runs.size());
  EXPECT_TRUE(fs::exists(writer.begin_run(another.index)));

  Plan other = longer;
  other.runs[0].block += 1;
  EXPECT_TRUE(has(complaint(Exit::usage, [&] { writer.replan(other); }), "run 1"));
  other.runs.erase(other.runs.begin());
  EXPECT_TRUE(has(complaint(Exit::usage, [&] { writer.replan(other); }), "run 1"));
}

TEST(FolderNamePiece, IsHarmless) {
  EXPECT_EQ(folder_name_piece("a b/c\n*"), "a-b-c--");
  EXPECT_EQ(folder_name_piece(""), "x");
  EXPECT_EQ(folder_name_piece(".."), "x..");
  EXPECT_EQ(folder_name_piece(std::string(200, 'a')).size(), 60u);
}

}  // namespace
}  // namespace lab::results
