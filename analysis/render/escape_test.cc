#include "analysis/render/escape.h"

#include <gtest/gtest.h>

namespace lab::analysis {

TEST(OneLine, RemovesWhatMovesTheCursor) {
  EXPECT_EQ(one_line("a\nb\tc\x1b[31md"), "a b c [31md");
  EXPECT_EQ(one_line("\n\nx"), "x");
  EXPECT_EQ(one_line("a\xc2\x9b"
                     "31m"),
            "a 31m");
  EXPECT_EQ(one_line("größer – 3 µs"), "größer – 3 µs");
}

TEST(DefuseFormula, TouchesOnlyWhatWouldBeOne) {
  for (const char* text : {"=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"})
    EXPECT_EQ(defuse_formula(text), std::string("'") + text);
  for (const char* text : {"", "a=1", "4k-rbd_cache", "1-2"}) EXPECT_EQ(defuse_formula(text), text);
}

TEST(CsvField, QuotesAsTheRfcSays) {
  EXPECT_EQ(csv_field("plain text"), "plain text");
  EXPECT_EQ(csv_field("a,b"), "\"a,b\"");
  EXPECT_EQ(csv_field("say \"x\""), "\"say \"\"x\"\"\"");
  EXPECT_EQ(csv_field("a\r\nb"), "\"a\r\nb\"");
}

TEST(MarkdownCell, CannotEndItsCell) {
  EXPECT_EQ(markdown_cell("a|b\nc"), "a\\|b c");
  EXPECT_EQ(markdown_cell("<b>*x*"), "\\<b\\>\\*x\\*");
}

TEST(DisplayWidth, CountsCodePoints) { EXPECT_EQ(display_width("µs–"), 3u); }

}  // namespace lab::analysis
