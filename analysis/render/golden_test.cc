// Whole outputs against files that people can read: testdata/golden, made of the result
// directory testdata/cache. With LAB_UPDATE_GOLDEN set the files are written anew
// instead, and the test fails, so that it cannot be left set.
#include <gtest/gtest.h>

#include <cstdlib>

#include "analysis/render/renderer.h"

namespace lab::analysis {
namespace {

const Table& table() {
  static const Table loaded =
      load_table(results::ResultReader::load(fs::path(LAB_TESTDATA) / "cache"));
  return loaded;
}

void expect_golden(const std::string& text, const std::string& file) {
  fs::path path = fs::path(LAB_TESTDATA) / "golden" / file;
  if (getenv("LAB_UPDATE_GOLDEN")) {
    make_directories(path.parent_path());
    write_file_atomically(path, text);
    FAIL() << path << " was written anew: look at the difference";
  }
  EXPECT_EQ(text, read_file(path)) << "run with LAB_UPDATE_GOLDEN=1 if this is meant";
}

TEST(Golden, Table) { expect_golden(make_renderer(Format::table)->render(table()), "table.txt"); }

TEST(Golden, NarrowTable) {
  RenderOptions options;
  options.width = 80;
  std::string text = make_renderer(Format::table, options)->render(table());
  expect_golden(text, "table-80.txt");
  size_t begin = 0;
  for (size_t end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1)
    EXPECT_LE(end - begin, 80u) << text.substr(begin, end - begin);
}

TEST(Golden, Markdown) {
  expect_golden(make_renderer(Format::markdown)->render(table()), "table.md");
}

TEST(Golden, Csv) { expect_golden(make_renderer(Format::csv)->render(table()), "table.csv"); }

TEST(Golden, Tidy) { expect_golden(make_renderer(Format::tidy)->render(table()), "tidy.csv"); }

TEST(Golden, Tsv) { expect_golden(make_renderer(Format::tsv)->render(table()), "table.tsv"); }

TEST(Golden, Json) { expect_golden(make_renderer(Format::json)->render(table()), "table.json"); }

TEST(Formats, AreKnownByName) {
  for (const std::string& name : format_names()) {
    ASSERT_TRUE(format_from_text(name)) << name;
    EXPECT_FALSE(make_renderer(*format_from_text(name))->render(table()).empty());
  }
  EXPECT_FALSE(format_from_text("xls"));
}

TEST(Terminal, ColoursOnlyWhenAsked) {
  EXPECT_EQ(make_renderer(Format::table)->render(table()).find('\x1b'), std::string::npos);
  RenderOptions options;
  options.colours = true;
  EXPECT_NE(make_renderer(Format::table, options)->render(table()).find("\x1b[33m"),
            std::string::npos);
}

}  // namespace
}  // namespace lab::analysis
