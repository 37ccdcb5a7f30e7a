// Files in testdata/import: those of fio 3.33 are its own words, those of older versions
// were written by hand in the form of these versions.
#include "analysis/import.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "analysis/import_terse.h"
#include "analysis/import_text.h"

namespace lab::analysis {

namespace {

std::string test_file(const std::string& name) {
  return read_file(fs::path(LAB_TESTDATA) / "import" / name);
}

// Without problems, and of one run.
FioOutput only_run(const ImportedRuns& imported) {
  for (const ImportProblem& problem : imported.problems)
    ADD_FAILURE() << problem.line << ": " << problem.text;
  EXPECT_EQ(imported.runs.size(), 1u);
  return imported.runs.empty() ? FioOutput() : imported.runs[0];
}

void expect_close(double got, double expected, double part, const char* what) {
  EXPECT_LE(std::abs(got - expected), part * expected + 1e-9)
      << what << ": " << got << " instead of " << expected;
}

}  // namespace

// One run that fio told in three formats: they have to tell the same.
TEST(Import, TextAndTerseAgreeWithJsonOfTheSameRun) {
  std::string file = test_file("three-formats.txt");
  FioOutput json = parse_fio(file, "three-formats.txt");
  FioOutput text = only_run(import_fio_text(file));
  FioOutput terse = only_run(import_fio_terse(file));
  ASSERT_EQ(json.jobs.size(), 2u);
  for (const FioOutput* other : {&text, &terse}) {
    bool is_text = other == &text;
    ASSERT_EQ(other->jobs.size(), 2u);
    EXPECT_EQ(other->version, json.version);
    for (size_t i = 0; i < 2; ++i) {
      EXPECT_EQ(other->jobs[i].name, json.jobs[i].name);
      EXPECT_EQ(other->jobs[i].group, json.jobs[i].group);
      expect_close(other->jobs[i].user_cpu_percent, json.jobs[i].user_cpu_percent, 0.01, "usr");
      const FioDirection& a = i == 0 ? json.jobs[i].write : json.jobs[i].read;
      const FioDirection& b = i == 0 ? other->jobs[i].write : other->jobs[i].read;
      expect_close(b.iops, a.iops, is_text ? 1e-6 : 0.001, "iops");
      expect_close(b.bytes_per_s, a.bytes_per_s, 0.005, "bandwidth");
      expect_close(static_cast<double>(b.io_bytes), static_cast<double>(a.io_bytes), 0.005,
                   "bytes");
      EXPECT_EQ(b.runtime_ms, a.runtime_ms);
      if (is_text) {
        EXPECT_EQ(b.total_ios, a.total_ios);
      }
      expect_close(b.clat.mean_ns, a.clat.mean_ns, 1e-4, "mean");
      expect_close(b.lat.stddev_ns, a.lat.stddev_ns, 1e-4, "deviation");
      ASSERT_EQ(b.clat.percentiles_ns.size(), a.clat.percentiles_ns.size());
      for (const auto& [percent, ns] : a.clat.percentiles_ns) {
        ASSERT_EQ(b.clat.percentiles_ns.count(percent), 1u) << percent;
        // In whole microseconds, rounded up in text and down in terse.
        EXPECT_NEAR(static_cast<double>(b.clat.percentiles_ns.at(percent)), static_cast<double>(ns),
                    1000)
            << percent;
      }
    }
    if (is_text) {
      EXPECT_EQ(other->jobs[0].sync.total_ios, json.jobs[0].sync.total_ios);
      expect_close(other->jobs[0].sync.lat.mean_ns, json.jobs[0].sync.lat.mean_ns, 1e-3, "sync");
      EXPECT_EQ(other->jobs[1].options.at("numjobs"), "2");
      EXPECT_EQ(other->jobs[1].options.at("iodepth"), "8");
    }
  }
}

TEST(Import, TakesTheFormatThatTellsMost) {
  ImportedFile file = import_fio(test_file("three-formats.txt"), "x.txt");
  EXPECT_EQ(file.format, FioFormat::json);
  EXPECT_TRUE(file.problems.empty());
  ASSERT_EQ(file.runs.size(), 1u);
  EXPECT_EQ(file.runs[0].jobs.size(), 2u);
  EXPECT_EQ(import_fio(test_file("fio-2.2.10.txt"), "x").format, FioFormat::text);
  EXPECT_EQ(import_fio(test_file("terse-v3.txt"), "x").format, FioFormat::terse);
}

TEST(Import, FallsBackWhereTheBestFormatIsCutOff) {
  // JSON begins, but the disk was full; the text above it is whole.
  ImportedFile file =
      import_fio(test_file("fio-2.2.10.txt") + "\n{\n \"fio version\" : \"fio-2", "x.txt");
  EXPECT_EQ(file.format, FioFormat::text);
  EXPECT_EQ(file.runs.size(), 1u);
  ASSERT_EQ(file.problems.size(), 1u);
  EXPECT_GT(file.problems[0].line, 50u);
  EXPECT_NE(file.problems[0].text.find("cut off"), std::string::npos);
}

TEST(Import, SaysThatAFileIsNothingOfFio) {
  for (const char* text : {"", "\n\n", "hello\nworld\n", "#!/bin/sh\nfio job\n", "2;x\n"}) {
    ImportedFile file = import_fio(text, "x");
    EXPECT_EQ(file.format, FioFormat::unknown) << text;
    EXPECT_TRUE(file.runs.empty());
    ASSERT_EQ(file.problems.size(), 1u);
    EXPECT_EQ(file.problems[0].line, 0u);
  }
  ImportedFile other = import_fio("{\n\"a\": 1\n}\n", "x");
  EXPECT_TRUE(other.runs.empty());
  EXPECT_EQ(other.problems.size(), 1u);
}

TEST(ImportText, ReadsFio22) {
  FioOutput run = only_run(import_fio_text(test_file("fio-2.2.10.txt")));
  EXPECT_EQ(run.version, "fio-2.2.10");
  ASSERT_EQ(run.jobs.size(), 2u);
  const FioDirection& write = run.jobs[0].write;
  EXPECT_NEAR(write.iops, 620887 / 60.021, 1e-6);
  EXPECT_EQ(write.total_ios, 620887u);
  EXPECT_NEAR(write.bytes_per_s, 41378.0 * 1024, 1);
  EXPECT_EQ(write.clat.percentiles_ns.at(99), 30000000u);
  EXPECT_EQ(write.clat.min_ns, 934000u);
  const FioDirection& read = run.jobs[1].read;
  EXPECT_NEAR(read.iops, 5225453 / 60.004, 1e-6);
  EXPECT_EQ(read.clat.percentiles_ns.at(99.99), 18048000u);
  EXPECT_EQ(run.jobs[1].options.at("bs"), "4K");
  EXPECT_EQ(run.jobs[1].group, 1u);
}

TEST(ImportText, ReadsFio1) {
  FioOutput run = only_run(import_fio_text(test_file("fio-1.59.txt")));
  EXPECT_EQ(run.version, "fio-1.59");
  EXPECT_NEAR(run.jobs.at(0).write.iops, 1280, 1e-9);
  EXPECT_EQ(run.jobs[0].write.clat.max_ns, 20501000u);
}

TEST(ImportText, ReadsFio221WithProgressBetween) {
  FioOutput run = only_run(import_fio_text(test_file("fio-2.21.txt")));
  ASSERT_EQ(run.jobs.size(), 1u);
  EXPECT_EQ(run.jobs[0].name, "mixed load");
  EXPECT_NEAR(run.jobs[0].read.iops, 31516 / 10.036, 1e-6);
  EXPECT_NEAR(run.jobs[0].write.iops, 13503 / 10.036, 1e-6);
  EXPECT_EQ(run.jobs[0].read.clat.percentiles_ns.at(50), 19000000u);
  EXPECT_EQ(run.jobs[0].write.clat.percentiles_ns.at(50), 40000000u);
}

TEST(ImportText, SurvivesProgressGluedToTheHeading) {
  std::string text = test_file("progress.txt");
  FioOutput with = only_run(import_fio_text(text));
  ASSERT_EQ(with.jobs.size(), 1u);
  EXPECT_EQ(with.jobs[0].name, "mix");
  EXPECT_GT(with.jobs[0].read.iops, 0);
  // A terminal that was recorded: the line break is missing, colours are there.
  size_t heading = text.find("\nmix: (groupid");
  ASSERT_NE(heading, std::string::npos);
  std::string glued = text.substr(0, heading) +
                      "Jobs: 1 (f=1): [m(1)][99.0%][r=1MiB/s][r=3 IOPS][eta 00m:00s]\x1b[0m\x1b[K" +
                      text.substr(heading + 1);
  FioOutput without = only_run(import_fio_text(glued));
  ASSERT_EQ(without.jobs.size(), 1u);
  EXPECT_EQ(without.jobs[0].name, "mix");
  EXPECT_DOUBLE_EQ(without.jobs[0].read.iops, with.jobs[0].read.iops);
}

TEST(ImportText, WindowsLineEndsAndByteOrderMark) {
  std::string text;
  for (char c : test_file("fio-2.2.10.txt"))
    text += c == '\n' ? std::string("\r\n") : std::string(1, c);
  EXPECT_EQ(only_run(import_fio_text("\xef\xbb\xbf" + text)).jobs.size(), 2u);
}

TEST(ImportText, TakesTheLastOfCumulativeStatus) {
  FioOutput run = only_run(import_fio_text(test_file("status-interval.txt")));
  EXPECT_EQ(run.jobs.size(), 1u);
  EXPECT_EQ(run.documents, 4u);
  EXPECT_GT(run.jobs[0].read.runtime_ms, 2900u);
}

TEST(ImportText, TellsAppendedRunsApart) {
  ImportedRuns imported = import_fio_text(test_file("appended.txt"));
  EXPECT_TRUE(imported.problems.empty());
  ASSERT_EQ(imported.runs.size(), 2u);
  EXPECT_EQ(imported.runs[0].jobs.size(), 1u);
  EXPECT_NE(imported.runs[0].jobs[0].read.clat.mean_ns, imported.runs[1].jobs[0].read.clat.mean_ns);
  // Also where grep or an editor took the version lines away.
  std::string text = test_file("appended.txt");
  for (size_t at; (at = text.find("fio-3.33\n")) != std::string::npos;) text.erase(at, 9);
  EXPECT_EQ(import_fio_text(text).runs.size(), 2u);
}

TEST(ImportText, KeepsClientsApartAndLeavesTheirSumOut) {
  FioOutput run = only_run(import_fio_text(test_file("client.txt")));
  ASSERT_EQ(run.jobs.size(), 2u);
  EXPECT_EQ(run.jobs[0].host, "host1");
  EXPECT_NEAR(run.jobs[0].write.iops, 2689 / 2.009, 1e-6);
  EXPECT_NEAR(run.jobs[1].write.iops, 2708 / 2.008, 1e-6);
}

TEST(ImportText, KeepsErrorsOfFailedJobs) {
  FioOutput run = only_run(import_fio_text(test_file("failed.txt")));
  ASSERT_EQ(run.jobs.size(), 2u);
  EXPECT_EQ(run.jobs[0].error, 110);
  EXPECT_EQ(run.jobs[0].total_errors, 1u);
  EXPECT_FALSE(run.notes.empty());
}

TEST(ImportText, UnifiedReportingIsMixedAndNotCountedTwice) {
  FioOutput unified = only_run(import_fio_text(test_file("unified.txt")));
  EXPECT_EQ(unified.jobs.at(0).mixed.total_ios, 16384u);
  EXPECT_EQ(unified.jobs[0].read.total_ios, 0u);
  FioOutput both = only_run(import_fio_text(test_file("unified-both.txt")));
  EXPECT_EQ(both.jobs.at(0).mixed.total_ios, 0u);
  EXPECT_EQ(both.jobs[0].read.total_ios + both.jobs[0].write.total_ios, 16384u);
}

TEST(ImportText, NoticesALostJob) {
  std::string text = test_file("fio-2.2.10.txt");
  size_t begin = text.find("volume-read: (groupid=1");
  size_t end = text.find("\nRun status group 0");
  ImportedRuns imported = import_fio_text(text.erase(begin, end - begin));
  ASSERT_EQ(imported.problems.size(), 1u);
  EXPECT_EQ(imported.problems[0].text,
            "group 1 did 19.9 GiB of read in all, but the jobs above make 0 B: some of them could "
            "not be read");
}

TEST(ImportText, NoticesDamagedFigures) {
  std::string text = test_file("fio-2.2.10.txt");
  text.replace(text.find("iops=10344"), 10, "iops=90344");
  ImportedRuns imported = import_fio_text(text);
  ASSERT_EQ(imported.problems.size(), 1u);
  EXPECT_EQ(imported.problems[0].line, 7u);
  EXPECT_DOUBLE_EQ(imported.runs.at(0).jobs.at(0).write.iops, 90344);
}

TEST(ImportText, SaysWhereAFileIsCutOff) {
  std::string text = test_file("fio-2.2.10.txt");
  ImportedRuns imported = import_fio_text(text.substr(0, text.find("    bw (KB  /s)")));
  ASSERT_EQ(imported.runs.size(), 1u);
  EXPECT_NEAR(imported.runs[0].jobs.at(0).write.iops, 10344, 1);
  ASSERT_EQ(imported.problems.size(), 1u);
  EXPECT_EQ(imported.problems[0], (ImportProblem{6, "the results of job volume are cut off"}));
  imported = import_fio_text(text.substr(text.find("\nRun status")));
  ASSERT_EQ(imported.problems.size(), 1u);
  EXPECT_EQ(imported.problems[0].line, 2u);
  EXPECT_TRUE(imported.runs.empty());
}

TEST(ImportTerse, ReadsAllVersions) {
  for (int version : {2, 3, 4, 5}) {
    FioOutput run =
        only_run(import_fio_terse(test_file("terse-v" + std::to_string(version) + ".txt")));
    ASSERT_EQ(run.jobs.size(), 2u) << version;
    EXPECT_EQ(run.version, version == 2 ? "" : "fio-3.33");
    EXPECT_EQ(run.jobs[0].name, "rand-write");
    EXPECT_EQ(run.jobs[1].name, "rand-read");
    EXPECT_EQ(run.jobs[1].group, 1u);
    EXPECT_EQ(run.jobs[0].read.runtime_ms, 0u);
    EXPECT_TRUE(run.jobs[0].read.clat.percentiles_ns.empty());
    const FioDirection& write = run.jobs[0].write;
    EXPECT_GT(write.iops, 100);
    EXPECT_NEAR(write.bytes_per_s, write.iops * 4096, 0.002 * write.bytes_per_s);
    EXPECT_NEAR(static_cast<double>(write.runtime_ms), 2000, 100);
    EXPECT_EQ(write.clat.percentiles_ns.size(), 17u);
    EXPECT_GT(write.lat.mean_ns, write.clat.mean_ns);
    EXPECT_GT(run.jobs[1].system_cpu_percent, 0);
  }
}

TEST(ImportTerse, UnifiedReportingAndSemicolonsInNames) {
  FioOutput unified = only_run(import_fio_terse(test_file("terse-unified.txt")));
  ASSERT_EQ(unified.jobs.size(), 1u);
  EXPECT_EQ(unified.jobs[0].name, "mix;ed");
  EXPECT_GT(unified.jobs[0].mixed.iops, 0);
  EXPECT_EQ(unified.jobs[0].read.iops, 0);
  FioOutput both = only_run(import_fio_terse(test_file("terse-both.txt")));
  EXPECT_GT(both.jobs.at(0).read.iops, 0);
  EXPECT_GT(both.jobs[0].write.iops, 0);
  EXPECT_EQ(both.jobs[0].mixed.iops, 0);
}

TEST(ImportTerse, KeepsWhatIsLeftOfACutLine) {
  std::string text = test_file("terse-v3.txt");
  std::string first = text.substr(0, text.find('\n'));
  size_t end = 0;  // behind reads and writes, within the processor's fields
  for (int field = 0; field < 89; ++field) end = first.find(';', end) + 1;
  ImportedRuns most = import_fio_terse(first.substr(0, end));
  ASSERT_EQ(most.runs.size(), 1u);
  EXPECT_GT(most.runs[0].jobs.at(0).write.iops, 100);
  ASSERT_EQ(most.problems.size(), 1u);
  EXPECT_EQ(most.problems[0].line, 1u);
  ImportedRuns little = import_fio_terse(first.substr(0, 200));
  EXPECT_TRUE(little.runs.empty());
  EXPECT_EQ(little.problems.size(), 1u);
}

TEST(ImportTerse, NamesAFieldThatIsNoFigure) {
  std::string text = test_file("terse-v3.txt");
  size_t at = text.find(";0;0;0;0;0;0") + 1;
  text.replace(at, 1, "x");
  ImportedRuns imported = import_fio_terse(text);
  ASSERT_FALSE(imported.problems.empty());
  EXPECT_EQ(imported.problems[0].line, 1u);
}

// A document of one job, as far as import looks at it.
std::string json_output(const std::string& job, unsigned ios, unsigned runtime_ms,
                        uint64_t timestamp_ms) {
  return fmt::format(
      "{{\n\"fio version\": \"fio-3.33\", \"timestamp_ms\": {}, \"jobs\": [{{\n"
      "\"jobname\": \"{}\", \"groupid\": 0, \"job options\": {{\"rw\": \"randread\"}},\n"
      "\"read\": {{\"total_ios\": {}, \"io_bytes\": {}, \"runtime\": {}, \"iops\": {}}}}}]}}\n",
      timestamp_ms, job, ios, ios * 4096, runtime_ms, 1000.0 * ios / runtime_ms);
}

TEST(ImportJson, DocumentsThatCountOnAreOneRun) {
  ImportedFile file =
      import_fio(json_output("a", 0, 0, 50000) + json_output("a", 100, 1000, 51000) +
                     json_output("a", 300, 2000, 52000),
                 "x");
  EXPECT_TRUE(file.problems.empty());
  ASSERT_EQ(file.runs.size(), 1u);
  EXPECT_EQ(file.runs[0].documents, 3u);
  EXPECT_EQ(file.runs[0].jobs.at(0).read.total_ios, 300u);
}

TEST(ImportJson, LaterRunsOfTheSameJobsAreRunsOfTheirOwn) {
  std::string first = json_output("a", 1000, 60000, 100000);
  // With more I/O and a longer runtime, too, as chance has it.
  for (const std::string& second :
       {json_output("a", 1100, 60001, 160900), json_output("a", 900, 59999, 170000), first}) {
    ImportedFile file = import_fio(first + second, "x");
    ASSERT_EQ(file.runs.size(), 2u) << second;
    EXPECT_EQ(file.runs[1].line, 5u);
  }
}

TEST(ImportJson, OtherJobsAreRunsOfTheirOwn) {
  ImportedFile file =
      import_fio(json_output("a", 10, 1000, 1000) + json_output("b", 20, 1000, 9000), "x");
  ASSERT_EQ(file.runs.size(), 2u);
  EXPECT_EQ(file.runs[0].jobs.at(0).name, "a");
  EXPECT_EQ(file.runs[1].jobs.at(0).name, "b");
}

TEST(Import, SaysWhichOutputOfAnotherFormatIsLeftOut) {
  std::string json = json_output("a", 10, 1000, 1000);
  for (const std::string& both :
       {json + test_file("fio-2.2.10.txt"), test_file("fio-2.2.10.txt") + "\n" + json}) {
    ImportedFile file = import_fio(both, "x");
    EXPECT_EQ(file.format, FioFormat::json);
    ASSERT_EQ(file.problems.size(), 1u);
    EXPECT_GT(file.problems[0].line, 4u);
    EXPECT_NE(file.problems[0].text.find("the text output that begins here has other results"),
              std::string::npos);
    EXPECT_TRUE(file.runs.at(0).notes.empty() ||
                file.runs[0].notes.back().find("the same results") == std::string::npos);
  }
  ImportedFile file = import_fio(test_file("fio-2.2.10.txt") + test_file("terse-v3.txt"), "x");
  EXPECT_EQ(file.format, FioFormat::text);
  ASSERT_EQ(file.problems.size(), 1u);
  EXPECT_NE(file.problems[0].text.find("the terse output"), std::string::npos);
}

// The line of the only writing job, with other figures at will.
std::string terse_line(char version, const std::string& job, unsigned kib, unsigned runtime_ms) {
  std::string text = test_file(fmt::format("terse-v{}.txt", version));
  std::string line = text.substr(0, text.find('\n') + 1);
  line.replace(line.find("rand-write"), 10, job);
  size_t write = 0;
  for (int field = 0; field < 5 + 41; ++field) write = line.find(';', write) + 1;
  size_t end = write;
  for (int field = 0; field < 4; ++field) end = line.find(';', end) + 1;
  return line.replace(write, end - write,
                      fmt::format("{};{};{};{};", kib, kib / 2, kib / 8, runtime_ms));
}

TEST(ImportTerse, LinesThatStartAgainAreAnotherRun) {
  std::string a = terse_line('3', "a", 8000, 2000);
  std::string b = terse_line('3', "b", 8000, 2000);
  EXPECT_EQ(import_fio_terse(a + a).runs.size(), 2u);
  EXPECT_EQ(import_fio_terse(a + test_file("terse-v4.txt")).runs.size(), 2u);
  ImportedRuns again = import_fio_terse(a + b + terse_line('3', "a", 8008, 2001) + b);
  ASSERT_EQ(again.runs.size(), 2u);
  EXPECT_EQ(again.runs[1].jobs.size(), 2u);
  EXPECT_EQ(again.runs[1].line, 3u);
  EXPECT_TRUE(again.problems.empty());
}

TEST(ImportTerse, SaysThatASecondRunMayHaveBeenSummed) {
  ImportedRuns imported =
      import_fio_terse(terse_line('3', "a", 8000, 2000) + terse_line('3', "a", 8008, 2001) +
                       terse_line('3', "a", 8016, 2001));
  ASSERT_EQ(imported.runs.size(), 1u);
  EXPECT_EQ(imported.runs[0].jobs.size(), 3u);
  ASSERT_EQ(imported.problems.size(), 1u);
  EXPECT_EQ(imported.problems[0].line, 2u);
  EXPECT_NE(imported.problems[0].text.find("numjobs"), std::string::npos);
}

TEST(ImportTerse, SaysThatRunsMayBeIntervals) {
  ImportedRuns imported =
      import_fio_terse(terse_line('3', "a", 8000, 2000) + terse_line('3', "b", 8000, 2000) +
                       terse_line('3', "a", 16000, 4000) + terse_line('3', "b", 16000, 4000));
  EXPECT_EQ(imported.runs.size(), 2u);
  ASSERT_EQ(imported.problems.size(), 1u);
  EXPECT_EQ(imported.problems[0].line, 3u);
  EXPECT_NE(imported.problems[0].text.find("--status-interval"), std::string::npos);
}

// Cut anywhere, and with any byte changed: never a crash, and no nonsense without a word.
TEST(Import, SurvivesEveryCutAndManyChanges) {
  for (const char* name : {"fio-2.2.10.txt", "client.txt", "terse-v5.txt", "unified-both.txt"}) {
    std::string text = test_file(name);
    for (size_t size = 0; size < text.size(); size += 7) {
      ImportedFile file = import_fio(text.substr(0, size), name);
      EXPECT_TRUE(!file.runs.empty() || !file.problems.empty()) << name << " cut at " << size;
    }
    for (size_t at = 0; at < text.size(); at += 5) {
      std::string changed = text;
      changed[at] = static_cast<char>((static_cast<unsigned char>(text[at]) * 31 + at) % 256);
      ImportedFile file = import_fio(changed, name);
      for (const FioOutput& run : file.runs)
        for (const FioJob& job : run.jobs) {
          EXPECT_TRUE(std::isfinite(job.write.iops) && job.write.iops >= 0);
          EXPECT_TRUE(std::isfinite(job.read.clat.mean_ns) && job.read.clat.mean_ns >= 0);
        }
    }
  }
}

}  // namespace lab::analysis
