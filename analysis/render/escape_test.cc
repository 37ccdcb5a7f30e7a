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

TEST(HtmlText, CannotBecomeMarkup) {
  EXPECT_EQ(html_text("<script>a&b</script>"), "&lt;script&gt;a&amp;b&lt;/script&gt;");
  EXPECT_EQ(html_text("\" onload='x'"), "&quot; onload=&#39;x&#39;");
  EXPECT_EQ(html_text("a\r\nb\x1b[2J"), "a b [2J");
  EXPECT_EQ(html_text("größer – 3 µs 😀"), "größer – 3 µs 😀");
}

TEST(HtmlText, CannotReorderTheScreen) {
  for (const char* c : {"\u061c", "\u200e", "\u200f", "\u202a", "\u202e", "\u2066", "\u2069"})
    EXPECT_EQ(html_text(std::string("a") + c + "b"), "a\ufffdb");
  EXPECT_EQ(html_text("\u2029\u2030\u2065"), "\u2029\u2030\u2065");
}

TEST(HtmlText, IsUtf8WhateverItWasMadeOf) {
  EXPECT_EQ(html_text("a\xff"), "a\ufffd");
  EXPECT_EQ(html_text("a\xc3"), "a\ufffd");
  EXPECT_EQ(html_text("\xc0\xbcscript"), "\ufffd\ufffdscript");
  EXPECT_EQ(html_text("\xed\xa0\x80"), "\ufffd\ufffd\ufffd");
  EXPECT_EQ(html_text("\xf4\x90\x80\x80"), "\ufffd\ufffd\ufffd\ufffd");
}

TEST(HtmlLines, KeepsTheirEnds) {
  EXPECT_EQ(html_lines("[a]\n\tb=<1>\n\n#\x07\n"), "[a]\n\tb=&lt;1&gt;\n\n# \n");
  EXPECT_EQ(html_lines("x"), "x");
}

TEST(DisplayWidth, CountsCodePoints) { EXPECT_EQ(display_width("µs–"), 3u); }

}  // namespace lab::analysis
