#include "analysis/profile/read.h"

#include <gtest/gtest.h>

#include "runner/base/temporary_directory.h"
#include "tests/complaint.h"

namespace lab::analysis::profile {
namespace {

const fs::path kFiles = fs::path(LAB_TESTDATA) / "profile";

ReadProfile read(std::string_view text, const ReadOptions& options = {}) {
  return read_profile_text(text, "in.txt", "in", options);
}

Profile of_file(const char* name, const ReadOptions& options = {}) {
  return read_profiles({kFiles / name}, options);
}

TEST(ReadProfile, Collapsed) {
  const Profile profile = of_file("server.collapsed");
  EXPECT_EQ(profile.unit, "samples");
  const Process& process = profile.processes.at("server.collapsed");
  EXPECT_EQ(process.total, 300);
  EXPECT_EQ(process.unresolved, 5);
  EXPECT_EQ(process.places.at("main").inclusive, 300);
  EXPECT_EQ(process.places.at("main").self, 0);
  EXPECT_EQ(process.places.at("operator()(int, char const*)").self, 15);
  EXPECT_TRUE(profile.notes.empty());
}

TEST(ReadProfile, ARecursiveFunctionCountsOnceAStack) {
  const Profile profile = of_file("server.collapsed");
  const Place& walk = profile.processes.at("server.collapsed").places.at("walk");
  EXPECT_EQ(walk.inclusive, 80);
  EXPECT_EQ(walk.self, 20);
}

TEST(ReadProfile, AHeapProfileOfJeprofInBothForms) {
  const Profile stacks = of_file("heap.collapsed", {"", "bytes"});
  const Profile sums = of_file("heap.txt");
  EXPECT_EQ(stacks.unit, "bytes");
  EXPECT_EQ(sums.unit, "bytes");
  const Process& a = stacks.processes.at("heap.collapsed");
  const Process& b = sums.processes.at("heap.txt");
  EXPECT_NEAR(a.total / b.total, 1, 0.002);  // it prints tenths of a MB
  // The addresses that tell one build from another are no part of a name.
  for (auto [full, shortened] :
       {std::pair("keep(unsigned long)", "keep"), {"deep(Pool&, int)", "deep"}, {"main", "main"}})
    EXPECT_NEAR(a.places.at(full).inclusive / a.total, b.places.at(shortened).inclusive / b.total,
                0.0005)
        << full;
  EXPECT_NEAR(a.places.at("keep(unsigned long)").self / a.total, b.places.at("keep").self / b.total,
              0.0005);
}

TEST(ReadProfile, WhatManyCountsAreIsNotGuessed) {
  const Profile profile = of_file("heap.collapsed");
  EXPECT_EQ(profile.unit, "counts");
  ASSERT_EQ(profile.notes.size(), 1u);
  EXPECT_NE(profile.notes[0].find("--unit=bytes"), std::string::npos);
}

TEST(ReadProfile, SumsOfPprof) {
  const Process process = of_file("cpu.txt").processes.at("cpu.txt");
  EXPECT_EQ(process.total, 400);
  EXPECT_EQ(process.unresolved, 60);
  EXPECT_EQ(process.places.at("Journal::write").inclusive, 220);
  EXPECT_EQ(process.places.at("Journal::write").self, 200);
}

TEST(ReadProfile, PerfScriptByProcess) {
  const Profile profile = of_file("perf.txt");
  EXPECT_EQ(profile.notes, std::vector<std::string>());
  ASSERT_EQ(profile.processes.size(), 2u);
  // Two daemons, and a thread that has a name of its own.
  const Process& osd = profile.processes.at("ceph-osd");
  EXPECT_EQ(osd.total, 4);
  EXPECT_EQ(osd.processes, 2u);
  EXPECT_EQ(osd.unresolved, 2);
  EXPECT_EQ(osd.places.at("recurse").inclusive, 2);
  EXPECT_EQ(osd.places.at("[unknown] (libtcmalloc.so.4)").self, 1);
  EXPECT_EQ(osd.places.at("[no stack]").self, 1);
  EXPECT_EQ(osd.places.at("(anonymous namespace)::Queue<int>::run").inclusive, 1);
  const Process& rsyslogd = profile.processes.at("rsyslogd");
  EXPECT_EQ(rsyslogd.total, 2);
  EXPECT_EQ(rsyslogd.unresolved, 1);
  EXPECT_EQ(rsyslogd.places.at("operator()").inclusive, 1);
}

TEST(ReadProfile, PerfScriptWithoutProcessIdsAndStacks) {
  const Profile profile = of_file("perf-no-stacks.txt");
  EXPECT_EQ(profile.processes.at("busy").total, 3);
  EXPECT_EQ(profile.processes.at("worker").total, 1);
  EXPECT_EQ(profile.processes.at("busy").places.at("work::Box<unsigned long>::spin").self, 2);
  ASSERT_EQ(profile.notes.size(), 1u);
  EXPECT_NE(profile.notes[0].find("-F +pid"), std::string::npos);
}

TEST(ReadProfile, EventsAreNotAddedUp) {
  const Profile profile = read(
                              "a 1/1 1.0: 1 cycles:\n\t1 f+0x1 (/a)\n\n"
                              "a 1/1 1.1: 1 page-faults:\n\t1 g+0x1 (/a)\n\n")
                              .profile;
  EXPECT_EQ(profile.processes.at("a, cycles").total, 1);
  EXPECT_EQ(profile.processes.at("a, page-faults").total, 1);
}

TEST(ReadProfile, FocusKeepsTheWholeAsTheBase) {
  const Process process =
      of_file("server.collapsed", {"Journal", ""}).processes.at("server.collapsed");
  EXPECT_EQ(process.total, 300);
  EXPECT_EQ(process.in_focus, 200);
  EXPECT_EQ(process.places.at("serve").inclusive, 200);
  EXPECT_FALSE(process.places.contains("hash"));
  EXPECT_NE(complaint([] {
              of_file("cpu.txt", {"main", ""});
            }).find("--focus needs stacks"),
            std::string::npos);
}

TEST(ReadProfile, DamagedLinesAreCountedAndTold) {
  const ReadProfile collapsed =
      read("a;b 3\nshort\n\nc;d 4x\r\ne 5\r\nf 99999999999999999999\ng 0\nh 0.5\n");
  EXPECT_EQ(collapsed.damaged.count, 3u);
  EXPECT_EQ(collapsed.damaged.first, 2u);
  EXPECT_EQ(collapsed.profile.processes.at("in").total, 8.5);
  const ReadProfile perf =
      read("\t1 lost+0x1 (/a)\na 1/1 1.0: 1 cycles:\n\t1 f+0x1 (/a)\n\t????\n\nwhat is this\n");
  EXPECT_EQ(perf.damaged.count, 3u);
  EXPECT_EQ(perf.damaged.first, 1u);
  EXPECT_EQ(perf.profile.processes.at("a").places.at("f").self, 1);
  const ReadProfile text = read(
      "noise\nTotal: 10 samples\n 5 50.0% 50.0% 5 50.0% f\n 11 50.0% 50.0% 11 50.0% g\n 5 50.0% "
      "f\n");
  EXPECT_EQ(text.damaged.count, 3u);
  EXPECT_EQ(text.damaged.first, 1u);

  TemporaryDirectory temporary;
  const std::string file = (temporary.path() / "x").string();
  write_file_atomically(file, "a 1\nb\nc 2");  // without a last newline, as written by hand
  const Profile profile = read_profiles({file});
  EXPECT_EQ(profile.processes.at("x").total, 3);
  EXPECT_EQ(profile.notes,
            std::vector<std::string>({file + ": 1 lines could not be read, the first is line 2"}));
}

TEST(ReadProfile, RefusesWhatItDoesNotUnderstand) {
  for (const char* text : {"", "\n\n", "shopping list\nmilk 2\neggs\n", "{\"a\": 1}\n"})
    EXPECT_NE(complaint([&] { read(text); }).find("understood are collapsed stacks"),
              std::string::npos)
        << text;
  EXPECT_NE(complaint([] { read("PERFILE2hh\n"); }).find("`perf script -i FILE`"),
            std::string::npos);
  EXPECT_NE(complaint([] { read("heap_v2/4096\n  t*: 1: 2 [0: 0]\n"); }).find("jeprof --collapsed"),
            std::string::npos);
  EXPECT_EQ(complaint([] { read("a;b 0\n"); }), "in.txt: a profile without any sample");
  EXPECT_EQ(complaint([] { read("Total: 0 samples\n"); }), "in.txt: a profile without any sample");
}

TEST(ReadProfile, ADifferenceOfProfilesHasNoShares) {
  for (const char* text :
       {"a 5\na;b -3\n", "Total: -3 samples\n", "Total: 3 samples\n -1 -33.3% 0.0% 1 33.3% f\n"})
    EXPECT_NE(complaint([&] { read(text); }).find("difference of two profiles"), std::string::npos)
        << text;
}

TEST(ReadProfile, FilesOfOneSide) {
  TemporaryDirectory temporary;
  const auto file = [&](const char* folder, const char* text) {
    make_directories(temporary.path() / folder);
    const fs::path path = temporary.path() / folder / "osd";
    write_file_atomically(path, text);
    return path.string();
  };
  const std::string a = file("a", "f 1\n");
  const std::string b = file("b", "f 2\n");
  const Profile both = read_profiles({a, b});
  EXPECT_EQ(both.processes.at(a).total, 1);
  EXPECT_EQ(both.processes.at(b).total, 2);
  EXPECT_EQ(complaint([&] { read_profiles({a, a}); }), a + ": given twice");
  EXPECT_EQ(complaint([&] { read_profiles({a + "x"}); }), a + "x: there is no such file");
  EXPECT_NE(complaint([&] {
              read_profiles({a, kFiles / "cpu.txt"});
            }).find("one table"),
            std::string::npos);
}

}  // namespace
}  // namespace lab::analysis::profile
