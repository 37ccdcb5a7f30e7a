#include "runner/daemons/environment_file.h"

#include <gtest/gtest.h>

namespace lab::daemons {
namespace {

TEST(EnvironmentFile, AsSystemdReadsIt) {
  EXPECT_EQ(parse_environment_file("# a comment\n"
                                   "; another \\\n goes on=here\n"
                                   "\n"
                                   "PLAIN=134217728\n"
                                   "  BLANKS = around it \t\n"
                                   "QUOTED=\"a \\\"b\\\" \\$HOME \\n \" 'c d'\n"
                                   "SINGLE='\\n stays '\n"
                                   "JOINED=one\\\ntwo\n"
                                   "LATE=x\"y\" 'z'\n"
                                   "PARTS=\"a\" b 'c'\n"
                                   "EMPTY=\n"
                                   "no assignment\n"
                                   "export WRONG=1\n"
                                   "9TH=1\n"
                                   "TWICE=1\nTWICE=2\n"
                                   "LAST=at the end"),
            (Environment{{"PLAIN", "134217728"},
                         {"BLANKS", "around it"},
                         {"QUOTED", "a \"b\" $HOME \\n c d"},
                         {"SINGLE", "\\n stays "},
                         {"JOINED", "onetwo"},
                         {"LATE", "x\"y\" 'z'"},
                         {"PARTS", "ab 'c'"},
                         {"EMPTY", ""},
                         {"TWICE", "2"},
                         {"LAST", "at the end"}}));
}

TEST(EnvironmentFile, WhatIsWrittenIsReadAgain) {
  for (const char* value : {"", "1", " a b ", "\"quoted\"", "back\\slash", "$HOME `date`",
                            "two\nlines", "# no comment", "it's"})
    EXPECT_EQ(parse_environment_file(environment_line("A", value) + environment_line("B", "2")),
              (Environment{{"A", value}, {"B", "2"}}));
}

TEST(EnvironmentFile, EndsAnywhere) {
  const std::string whole = "A=\"b\\\"c\" 'd' \\\ne\n#x\\\ny\nB='";
  for (size_t size = 0; size <= whole.size(); ++size) parse_environment_file(whole.substr(0, size));
}

}  // namespace
}  // namespace lab::daemons
