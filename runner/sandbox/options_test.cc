#include "runner/sandbox/options.h"

#include <gtest/gtest.h>

#include "runner/base/error.h"

namespace lab::sandbox {
namespace {

TEST(Options, TheDefaultsAreGood) { EXPECT_NO_THROW(check({})); }

TEST(Options, WhatCantBeIsNamed) {
  EXPECT_THROW(check({.osds = 0}), Error);
  EXPECT_THROW(check({.osds = 1000}), Error);
  try {
    check({.osd_bytes = 1000});
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.status(), Exit::usage);
    EXPECT_NE(std::string(e.what()).find("--osd-size"), std::string::npos);
  }
}

TEST(Environment, NameAndValue) {
  EXPECT_EQ(parse_environment("A=b=c"), (std::pair<std::string, std::string>{"A", "b=c"}));
  EXPECT_EQ(parse_environment("A=").second, "");
  EXPECT_THROW(parse_environment("A"), Error);
  EXPECT_THROW(parse_environment("=b"), Error);
}

}  // namespace
}  // namespace lab::sandbox
