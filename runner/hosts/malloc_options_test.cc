#include "runner/hosts/malloc_options.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "runner/hosts/preloaded_for_test.h"

namespace lab::hosts {
namespace {

using Options = std::map<std::string, std::string>;
using Complaints = std::vector<std::string>;

// Apart, so that this program doesn't carry the allocators' signs itself.
std::string jemalloc_line(const std::string& text) {
  std::string line = "<jem";
  return line + "alloc>: " + text + "\n";
}
std::string mimalloc_line(const std::string& text) {
  std::string line = "mim";
  return line + "alloc: " + text + "\n";
}

TEST(MallocOptions, NothingSaidIsNothingProven) {
  MallocOptions found = parse_malloc_options("2026-11-30 osd.0 starting\n\n");
  EXPECT_TRUE(found.options.empty());
  EXPECT_TRUE(found.complaints.empty());
}

TEST(MallocOptions, BehindALoggersPrefixAndBetweenOtherLines) {
  MallocOptions found = parse_malloc_options(
      "Nov 30 12:00:00 a ceph-osd[7]: " + jemalloc_line("-- Set conf value: narenas:2") +
      "starting osd.0\n" + "x: " + mimalloc_line("option 'page_reset': 1"));
  EXPECT_EQ(found.options, (Options{{"narenas", "2"}, {"page_reset", "1"}}));
  EXPECT_TRUE(found.complaints.empty());
}

TEST(MallocOptions, TheLastOfTwoSourcesCountsAndComplaintsStandOnce) {
  MallocOptions found = parse_malloc_options(
      jemalloc_line("Malformed conf string") + jemalloc_line("-- Set conf value: narenas:2") +
      jemalloc_line("-- Set conf value: narenas:4") + jemalloc_line("Malformed conf string") +
      jemalloc_line("Run jeprof on dump output for leak detail"));
  EXPECT_EQ(found.options, (Options{{"narenas", "4"}}));
  EXPECT_EQ(found.complaints, Complaints{"Malformed conf string"});
}

TEST(MallocOptions, WhatAVariableAsksFor) {
  EXPECT_EQ(asked_malloc_options("_RJEM_MALLOC_CONF", "narenas:4,thp:always"),
            (Options{{"narenas", "4"}, {"thp", "always"}}));
  EXPECT_EQ(asked_malloc_options("MIMALLOC_PAGE_RESET", "1"), (Options{{"page_reset", "1"}}));
  EXPECT_TRUE(asked_malloc_options("LD_PRELOAD", "a:b").empty());
  EXPECT_EQ(asked_malloc_options("MALLOC_CONF", "narenas"), (Options{{"narenas", ""}}));
}

TEST(MallocOptions, CutShortAnywhereIsSurvived) {
  const std::string text =
      jemalloc_line("-- Set conf value: narenas:2") + mimalloc_line("option 'page_reset': 1");
  for (size_t bytes = 0; bytes < text.size(); ++bytes)
    EXPECT_LE(parse_malloc_options(text.substr(0, bytes)).options.size(), 2u);
}

class Jemalloc : public testing::Test {
 protected:
  void SetUp() override {
    std::optional<fs::path> library = installed("jemalloc");
    if (!library) GTEST_SKIP() << "libjemalloc.so.2 is not installed (package libjemalloc2)";
    library_ = *library;
  }
  MallocOptions with(const std::string& conf) {
    return parse_malloc_options(words_of(library_, {{"MALLOC_CONF", conf}}));
  }
  fs::path library_;
};

TEST_F(Jemalloc, ConfirmsWhatItSets) {
  MallocOptions found = with("narenas:2,confirm_conf:true,dirty_decay_ms:1000");
  EXPECT_EQ(found.options,
            (Options{{"narenas", "2"}, {"confirm_conf", "true"}, {"dirty_decay_ms", "1000"}}));
  EXPECT_TRUE(found.complaints.empty());
  EXPECT_TRUE(with("narenas:2").options.empty()) << "says so unasked";
}

TEST_F(Jemalloc, ComplainsAlsoUnasked) {
  MallocOptions found = with("narenas:zz,no_such:1,lg_prof_interval:99");
  EXPECT_EQ(found.complaints,
            (Complaints{"Invalid conf value: narenas:zz", "Invalid conf pair: no_such:1",
                        "Out-of-range conf value: lg_prof_interval:99"}));
  EXPECT_TRUE(found.options.empty());
}

TEST_F(Jemalloc, StopsReadingAtAMalformedPlace) {
  MallocOptions found = with("confirm_conf:true,a b:2,narenas:2");
  EXPECT_EQ(found.complaints, Complaints{"Malformed conf string"});
  EXPECT_FALSE(found.options.contains("narenas"));
  EXPECT_EQ(with("confirm_conf:true,narenas").complaints, Complaints{"Conf string ends with key"});
}

TEST_F(Jemalloc, ReadsNoPrefixedVariableUnlessItIsBuiltSo) {
  const std::string words =
      words_of(library_, {{"_RJEM_MALLOC_CONF", "confirm_conf:true,narenas:2"}});
  EXPECT_TRUE(parse_malloc_options(words).options.empty());
}

class Mimalloc : public testing::Test {
 protected:
  void SetUp() override {
    std::optional<fs::path> library = installed("mimalloc");
    if (!library) GTEST_SKIP() << "libmimalloc.so.2 is not installed (package libmimalloc2.0)";
    library_ = *library;
  }
  MallocOptions with(Environment environment) {
    environment["MIMALLOC_VERBOSE"] = "1";
    return parse_malloc_options(words_of(library_, environment));
  }
  fs::path library_;
};

TEST_F(Mimalloc, PrintsAllOptions) {
  MallocOptions found = with({});
  EXPECT_GT(found.options.size(), 10u);
  EXPECT_EQ(found.options.at("verbose"), "1");
  EXPECT_EQ(found.options.at("page_reset"), "0");
  EXPECT_TRUE(found.complaints.empty());
  EXPECT_EQ(with({{"MIMALLOC_PAGE_RESET", "1"}}).options.at("page_reset"), "1");
  EXPECT_EQ(with({{"mimalloc_page_reset", "on"}}).options.at("page_reset"), "1");
}

TEST_F(Mimalloc, ComplainsOfValuesButNotOfNames) {
  MallocOptions found = with({{"MIMALLOC_PAGE_RESET", "zz"}, {"MIMALLOC_NO_SUCH", "1"}});
  ASSERT_EQ(found.complaints.size(), 1u);
  EXPECT_NE(found.complaints[0].find("mimalloc_page_reset has an invalid value"),
            std::string::npos);
  EXPECT_EQ(found.options.at("page_reset"), "0");
  EXPECT_FALSE(found.options.contains("no_such"));
}

}  // namespace
}  // namespace lab::hosts
