#include "runner/base/text.h"

#include <gtest/gtest.h>

namespace lab {

TEST(ParseBytes, TakesTheUnitsThatFioTakes) {
  EXPECT_EQ(parse_bytes("4096"), 4096u);
  EXPECT_EQ(parse_bytes("4k"), 4096u);
  EXPECT_EQ(parse_bytes("4KiB"), 4096u);
  EXPECT_EQ(parse_bytes("64kb"), 65536u);
  EXPECT_EQ(parse_bytes("10G"), 10ull << 30);
  EXPECT_EQ(parse_bytes("1.5 GiB"), 3ull << 29);
}

TEST(ParseBytes, RefusesWhatIsNoSize) {
  for (const char* text : {"", "G", "4x", "-1k", "4kk", "1e3", "nan", "99999999P"})
    EXPECT_FALSE(parse_bytes(text)) << text;
}

TEST(FormatBytes, IsExactForMultiplesAndRoundedElse) {
  EXPECT_EQ(format_bytes(0), "0 B");
  EXPECT_EQ(format_bytes(4096), "4 KiB");
  EXPECT_EQ(format_bytes(2ull << 30), "2 GiB");
  EXPECT_EQ(format_bytes(1536), "1.5 KiB");
}

TEST(ParsePercent, IsAShare) {
  EXPECT_DOUBLE_EQ(*parse_percent("5%"), 0.05);
  EXPECT_DOUBLE_EQ(*parse_percent(" 2.5 % "), 0.025);
  EXPECT_DOUBLE_EQ(*parse_percent("5"), 0.05);
  for (const char* wrong : {"", "%", "0", "-1%", "100%", "5 percent", "x"})
    EXPECT_FALSE(parse_percent(wrong)) << wrong;
}

TEST(ParseSeconds, TakesFioDurations) {
  EXPECT_DOUBLE_EQ(*parse_seconds("30"), 30);
  EXPECT_DOUBLE_EQ(*parse_seconds("500ms"), 0.5);
  EXPECT_DOUBLE_EQ(*parse_seconds("10m"), 600);
  EXPECT_FALSE(parse_seconds("10 parsecs"));
  EXPECT_FALSE(parse_seconds("-3"));
}

TEST(Nearest, FindsTypingMistakesOnly) {
  std::vector<std::string> names = {"cache", "allocator", "threadcache"};
  EXPECT_EQ(nearest("cahce", names), "cache");
  EXPECT_EQ(nearest("Allocater", names), "allocator");
  EXPECT_FALSE(nearest("zzz", names));
}

TEST(LastLines, AreTheLastWordsOfAProgram) {
  EXPECT_EQ(last_lines("one\n\n two \nthree\n\n", 2), "two; three");
  EXPECT_EQ(last_lines("one", 5), "one");
  EXPECT_EQ(last_lines("", 5), "");
}

TEST(TakeLine, GivesThemInTheirOrder) {
  std::string_view text = "a\n\nb";
  EXPECT_EQ(take_line(text), "a");
  EXPECT_EQ(take_line(text), "");
  EXPECT_EQ(take_line(text), "b");
  EXPECT_TRUE(text.empty());
}

TEST(Split, KeepsEmptyParts) {
  EXPECT_EQ(split("a,,b", ','), (std::vector<std::string>{"a", "", "b"}));
  EXPECT_EQ(split("", ','), (std::vector<std::string>{""}));
}

}  // namespace lab
