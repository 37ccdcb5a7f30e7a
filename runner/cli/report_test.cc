// lab report and lab results as a user runs them, on a result directory kept for tests.
#include <gtest/gtest.h>

#include "results/reader.h"
#include "runner/base/process.h"
#include "runner/base/temporary_directory.h"

namespace lab {
namespace {

const fs::path kTestdata = LAB_TESTDATA;

Finished run_lab(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), LAB_PROGRAM);
  return run_command({.argv = arguments}, std::chrono::seconds(30));
}

TEST(LabReport, PrintsEveryFormat) {
  for (auto [format, golden] : {std::pair("table", "table.txt"),
                                {"markdown", "table.md"},
                                {"csv", "table.csv"},
                                {"tidy", "tidy.csv"},
                                {"tsv", "table.tsv"},
                                {"json", "table.json"}}) {
    Finished f =
        run_lab({"report", (kTestdata / "cache").string(), std::string("--format=") + format});
    EXPECT_EQ(f.status, 0) << f.err;
    EXPECT_EQ(f.out, read_file(kTestdata / "golden" / golden)) << format;
  }
}

TEST(LabReport, EndsWithTheStatusOfItsGravestMark) {
  TemporaryDirectory temporary;
  fs::path copy = temporary.path() / "cache";
  fs::copy(kTestdata / "cache", copy, fs::copy_options::recursive);
  fs::path path = copy / "runs/0001-b1-off/run.json";
  results::RunRecord record = results::run_record_from_json(JsonDocument::load(path));
  record.marks.push_back({results::Weight::invalid, "test", "something was badly wrong"});
  write_file_atomically(path, json_text(results::to_json(record)));
  Finished f = run_lab({"report", copy.string()});
  EXPECT_EQ(f.status, 4) << f.err;
  EXPECT_NE(f.out.find("1!  invalid: run 1: something was badly wrong"), std::string::npos)
      << f.out;
  EXPECT_EQ(run_lab({"report", copy.string(), "--html"}).status, 4);
}

TEST(LabReport, WritesOneHtmlFileAndPrintsItsPath) {
  TemporaryDirectory temporary;
  const fs::path copy = temporary.path() / "cache";
  fs::copy(kTestdata / "cache", copy, fs::copy_options::recursive);
  Finished f = run_lab({"report", "--html", copy.string()});
  EXPECT_EQ(f.status, 0) << f.err;
  EXPECT_EQ(f.out, (copy / "report.html").string() + "\n");
  EXPECT_NE(read_file(copy / "report.html").find("1373/6927 (4k)"), std::string::npos);

  const fs::path named = temporary.path() / "x.html";
  f = run_lab({"report", copy.string(), "--html=" + named.string()});
  EXPECT_EQ(f.out, named.string() + "\n") << f.err;
  EXPECT_EQ(read_file(named), read_file(copy / "report.html"));
}

TEST(LabReport, PutsAPivotIntoTheHtmlFile) {
  TemporaryDirectory temporary;
  const fs::path copy = temporary.path() / "cache";
  fs::copy(kTestdata / "cache", copy, fs::copy_options::recursive);
  EXPECT_EQ(run_lab({"report", copy.string(), "--html", "--pivot=pool"}).err,
            "lab: --pivot=pool: no factor of this table; it has cache\n");
  EXPECT_FALSE(fs::exists(copy / "plots"));
  Finished f = run_lab({"report", copy.string(), "--html", "--pivot=cache"});
  EXPECT_EQ(f.status, 0) << f.err;
  const std::string html = read_file(copy / "report.html");
  for (const char* part : {"id=\"pivot-iops\"", ">writeback: w/r IOPS</th>", "--pivot=cache"})
    EXPECT_NE(html.find(part), std::string::npos) << part;
  EXPECT_EQ(run_lab({"report", copy.string(), "--html", "--table=ratio"}).status, 2);
}

TEST(LabReport, SaysWhyThereIsNoHtmlFile) {
  EXPECT_EQ(run_lab({"report", "/nonexistent", "--html"}).err,
            "lab: /nonexistent: there is no such directory\n");
  TemporaryDirectory temporary;
  fs::copy(kTestdata / "cache", temporary.path() / "cache", fs::copy_options::recursive);
  const std::string copy = (temporary.path() / "cache").string();
  Finished f = run_lab({"report", copy, "--html=/nonexistent/x.html"});
  EXPECT_EQ(f.status, 3);
  EXPECT_NE(f.err.find("/nonexistent"), std::string::npos) << f.err;
  EXPECT_EQ(run_lab({"report", copy, "--html=", "--format=csv"}).status, 2);
}

TEST(Lab, SaysThatItsHelpCouldNotBeWritten) {
  const Finished f = run_command({.argv = {LAB_PROGRAM, "--help"}, .output = "/dev/full"},
                                 std::chrono::seconds(30));
  EXPECT_EQ(f.status, 3);
  EXPECT_NE(f.err.find("cannot write to stdout"), std::string::npos) << f.err;
}

TEST(LabReport, NamesWhatItCannotRead) {
  Finished f = run_lab({"report", "/nonexistent"});
  EXPECT_EQ(f.status, 2);
  EXPECT_EQ(f.err, "lab: /nonexistent: there is no such directory\n");
  EXPECT_EQ(run_lab({"report"}).status, 2);
  EXPECT_EQ(run_lab({"report", "/", "--format=xls"}).status, 2);
}

TEST(LabResults, ListsDirectoriesAndGoesOnAfterABrokenOne) {
  TemporaryDirectory temporary;
  fs::copy(kTestdata / "cache", temporary.path() / "b", fs::copy_options::recursive);
  make_directories(temporary.path() / "a");
  make_directories(temporary.path() / "no-results");
  write_file_atomically(temporary.path() / "a" / "manifest.json", "{");
  Finished f = run_lab({"results", "list", temporary.path().string()});
  EXPECT_EQ(f.status, 0);
  EXPECT_EQ(f.out,
            (temporary.path() / "b").string() + "  4k-randrw, by cache, on rbd: 5 of 6 runs\n");
  EXPECT_NE(f.err.find("manifest.json:1: "), std::string::npos) << f.err;
  Json json =
      Json::parse(run_lab({"results", "list", temporary.path().string(), "--format=json"}).out);
  EXPECT_EQ(json.at(0).at("runs_done"), 5);
}

TEST(LabResults, ShowsTheStateOfEveryRun) {
  Finished f = run_lab({"results", "show", (kTestdata / "cache").string()});
  EXPECT_EQ(f.status, 0);
  EXPECT_NE(f.out.find("5 of 6 done"), std::string::npos) << f.out;
  EXPECT_NE(f.out.find("Connection timed out"), std::string::npos) << f.out;
  Json json = Json::parse(
      run_lab({"results", "show", (kTestdata / "cache").string(), "--format=json"}).out);
  EXPECT_EQ(json.at("runs").at(4).at("state"), "failed");
  EXPECT_EQ(run_lab({"results", "show", "/"}).status, 2);
}

}  // namespace
}  // namespace lab
