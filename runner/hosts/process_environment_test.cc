#include "runner/hosts/process_environment.h"

#include <gtest/gtest.h>

#include "runner/base/error.h"
#include "runner/base/process.h"

namespace lab::hosts {
namespace {

using Variables = std::map<std::string, std::string>;

TEST(ParseEnviron, EntriesEndedByNul) {
  EXPECT_EQ(parse_environ(std::string_view("A=1\0EMPTY=\0OPTS=a=b c\0", 22)),
            (Variables{{"A", "1"}, {"EMPTY", ""}, {"OPTS", "a=b c"}}));
  EXPECT_EQ(parse_environ(""), Variables());
  EXPECT_EQ(parse_environ("LAST=not ended"), (Variables{{"LAST", "not ended"}}));
}

TEST(ParseEnviron, TheFirstCountsAndWhatHasNoNameIsLeftOut) {
  EXPECT_EQ(parse_environ(std::string_view("A=1\0A=2\0=x\0plain\0\0B=3\0", 22)),
            (Variables{{"A", "1"}, {"B", "3"}}));
}

TEST(ReadEnviron, OfAChildAndOfNobody) {
  Command command{.argv = {"sleep", "60"}};
  command.environment["LAB_TEST_VARIABLE"] = "a value\nof two lines";
  Child child = Child::start(command);
  EXPECT_EQ(read_environ(child.pid()).at("LAB_TEST_VARIABLE"), "a value\nof two lines");
  EXPECT_THROW(read_environ(0x7ffffffe), Error);
}

}  // namespace
}  // namespace lab::hosts
