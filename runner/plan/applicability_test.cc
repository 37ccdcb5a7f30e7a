#include "runner/plan/applicability.h"

#include <gtest/gtest.h>

#include "runner/hosts/thread_cache.h"
#include "tests/complaint.h"

namespace lab {
namespace {

Cell cell(const std::string& name, std::vector<Setting> settings) {
  Cell out;
  out.name = name;
  out.settings = std::move(settings);
  return out;
}

Setting allocator(const char* name) { return AllocatorChoice{"osd", name}; }
Setting thread_cache(const char* bytes) {
  return ProcessEnvironment{"osd", {{hosts::kThreadCacheVariable, bytes}}};
}

std::vector<std::string> names(const std::vector<Cell>& cells) {
  std::vector<std::string> out;
  for (const Cell& each : cells) out.push_back(each.name);
  return out;
}

const DaemonFacts kGlibc{{{"osd", "glibc"}}};

TEST(Applicable, AThreadCacheIsTcmallocsAlone) {
  const std::vector<Cell> cells = {
      cell("as-linked+as-found", {allocator("as-linked")}),
      cell("as-linked+64M", {allocator("as-linked"), thread_cache("67108864")}),
      cell("tcmalloc+as-found", {allocator("tcmalloc")}),
      cell("tcmalloc+64M", {allocator("tcmalloc"), thread_cache("67108864")}),
      cell("jemalloc+as-found", {allocator("jemalloc")}),
      cell("jemalloc+64M", {allocator("jemalloc"), thread_cache("67108864")})};
  const Applicable got = applicable_cells(cells, kGlibc);
  EXPECT_EQ(names(got.cells), (std::vector<std::string>{"as-linked+as-found", "tcmalloc+as-found",
                                                        "tcmalloc+64M", "jemalloc+as-found"}));
  ASSERT_EQ(got.left_out.size(), 2u);
  EXPECT_EQ(got.left_out[1].cell, "jemalloc+64M");
  EXPECT_NE(got.left_out[1].reason.find("the same as jemalloc+as-found"), std::string::npos);
  EXPECT_NE(got.left_out[1].reason.find("tcmalloc only"), std::string::npos);
  // Where tcmalloc is linked, as-linked is it already.
  EXPECT_EQ(names(applicable_cells(cells, {{{"osd", "tcmalloc"}}}).cells),
            (std::vector<std::string>{"as-linked+as-found", "as-linked+64M", "jemalloc+as-found"}));
}

TEST(Applicable, EachAllocatorReadsItsOwnVariablesOnly) {
  const auto with = [](const char* allocator_name, const char* variable) {
    return cell(variable,
                {allocator(allocator_name), ProcessEnvironment{"osd", {{variable, "1"}}}});
  };
  for (const auto& [variable, reader] :
       std::vector<std::pair<const char*, std::string>>{{"MALLOC_CONF", "jemalloc"},
                                                        {"MIMALLOC_PAGE_RESET", "mimalloc"},
                                                        {"MALLOC_ARENA_MAX", "glibc"},
                                                        {"GLIBC_TUNABLES", "glibc"},
                                                        {"HOME", "every"}}) {
    for (const char* name : {"jemalloc", "mimalloc", "glibc"}) {
      const Applicable got = applicable_cells(
          {cell("plain", {allocator(name)}), cell("b", {}), with(name, variable)}, {});
      EXPECT_EQ(got.left_out.empty(), reader == name || reader == "every") << variable << name;
    }
  }
}

TEST(Applicable, WhatIsLinkedIsNotMeasuredTwice) {
  const Applicable got = applicable_cells(
      {cell("as-linked", {allocator("as-linked")}), cell("glibc", {allocator("glibc")}),
       cell("jemalloc", {allocator("jemalloc")})},
      kGlibc);
  EXPECT_EQ(names(got.cells), (std::vector<std::string>{"as-linked", "jemalloc"}));
  EXPECT_NE(got.left_out.at(0).reason.find("linked with"), std::string::npos);
}

TEST(Applicable, AnotherProgramOrLibraryIsNotKnown) {
  const Setting cache = thread_cache("67108864");
  for (const Setting& unknown : std::vector<Setting>{DaemonProgram{"osd", "/opt/ceph-osd"},
                                                     AllocatorChoice{"osd", "/opt/libx.so"}})
    EXPECT_EQ(
        applicable_cells({cell("a", {unknown}), cell("b", {unknown, cache})}, kGlibc).cells.size(),
        2u)
        << describe(unknown);
}

TEST(Applicable, UnknownDaemonsAreTakenAsTheyCome) {
  EXPECT_EQ(
      applicable_cells({cell("a", {}), cell("b", {thread_cache("67108864")})}, {}).cells.size(),
      2u);
}

TEST(Applicable, TheControlStays) {
  Cell control = cell("a~again", {allocator("as-linked")});
  control.control_of = "a";
  EXPECT_EQ(applicable_cells({cell("a", {allocator("as-linked")}), control}, kGlibc).cells.size(),
            2u);
}

TEST(Applicable, NothingToCompareIsRefused) {
  const std::string text = complaint([] {
    applicable_cells({cell("as-found", {}), cell("64M", {thread_cache("67108864")})}, kGlibc);
  });
  EXPECT_NE(text.find("nothing is left to compare"), std::string::npos) << text;
  EXPECT_NE(text.find("tcmalloc only"), std::string::npos) << text;
}

TEST(Applicable, AMemoryTargetThatNobodyReadsIsRefused) {
  const std::vector<Cell> cells = {
      cell("4G", {ConfigOptions{"osd", {{"osd_memory_target", "4294967296"}}}})};
  EXPECT_NE(complaint([&] { applicable_cells(cells, kGlibc); }).find("osd_memory_target"),
            std::string::npos);
  EXPECT_EQ(applicable_cells(cells, {{{"osd", "tcmalloc"}}}).cells.size(), 1u);
}

}  // namespace
}  // namespace lab
