// lab import as a user runs it.
#include <gtest/gtest.h>

#include "runner/base/file.h"
#include "runner/base/process.h"
#include "runner/base/temporary_directory.h"

namespace lab {
namespace {

const fs::path kFiles = fs::path(LAB_TESTDATA) / "import";

Finished run_import(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {LAB_PROGRAM, "import"});
  return run_command({.argv = arguments}, std::chrono::seconds(30));
}

TEST(LabImport, PrintsATableOfDifferentFormats) {
  Finished f = run_import({kFiles / "fio-2.2.10.txt", kFiles / "terse-v3.txt", "--format=csv"});
  EXPECT_EQ(f.status, 0) << f.err;
  EXPECT_EQ(f.err, "");
  EXPECT_NE(f.out.find("fio-2.2.10"), std::string::npos) << f.out;
  EXPECT_NE(f.out.find("terse-v3"), std::string::npos) << f.out;
}

TEST(LabImport, NamesLinesThatCannotBeRead) {
  TemporaryDirectory temporary;
  std::string text = read_file(kFiles / "fio-2.2.10.txt");
  fs::path path = temporary.path() / "cut.txt";
  write_file_atomically(path, text.substr(0, text.find("    bw (KB")));
  Finished f = run_import({path});
  EXPECT_EQ(f.status, 0) << f.err;
  EXPECT_EQ(f.err, "lab: " + path.string() + ":6: the results of job volume are cut off\n");
  EXPECT_NE(f.out.find("10344/-"), std::string::npos) << f.out;
}

TEST(LabImport, RefusesWhatIsNothing) {
  TemporaryDirectory temporary;
  fs::path path = temporary.path() / "notes.txt";
  write_file_atomically(path, "shopping list\n");
  Finished f = run_import({path});
  EXPECT_EQ(f.status, 2);
  EXPECT_NE(f.err.find("no file has results"), std::string::npos) << f.err;
  EXPECT_EQ(run_import({}).status, 2);
  EXPECT_EQ(run_import({temporary.path() / "missing.txt"}).status, 2);
  EXPECT_EQ(run_import({kFiles / "terse-v3.txt", kFiles / "terse-v3.txt"}).status, 2);
}

}  // namespace
}  // namespace lab
