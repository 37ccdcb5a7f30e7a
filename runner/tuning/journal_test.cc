#include "runner/tuning/journal.h"

#include <gtest/gtest.h>

#include "runner/base/temporary_directory.h"
#include "runner/base/text.h"
#include "runner/tuning/keys_for_test.h"
#include "tests/complaint.h"

namespace lab {
namespace {

const char* const kHead =
    R"({"fsid":"f","holder":{"command":"lab run","host":"h","boot":"b","pids":"p","pid":7,)"
    R"("start_ticks":9,"since":"2026-12-01T00:00:00Z"},"driver":{"sandbox":"/s"}})";

std::string entry(const char* name, const char* before) {
  return fmt::format(R"({{"kind":"config","place":"osd","name":"{}","before":{}}})", name, before);
}

std::string line(const std::vector<std::string>& entries) { return "[" + join(entries, ",") + "]"; }

TEST(Journal, TellsWhoChangedWhatAndHowItWas) {
  const Changes changes = parse_journal(
      {kHead, line({entry("debug_ms", "\"0/5\""), entry("debug_osd", "null")}),
       line({R"({"restart":"osd.1"})"}), line({R"({"restart":"osd.1"},{"restart":"osd.2"})"})},
      "j");
  EXPECT_EQ(changes.head.fsid, "f");
  EXPECT_EQ(changes.head.holder.process.pid, 7);
  EXPECT_EQ(changes.head.driver.at("sandbox"), "/s");
  ASSERT_EQ(changes.undos.size(), 2u);
  EXPECT_EQ(changes.undos[0].before, "0/5");
  EXPECT_FALSE(changes.undos[1].before);
  EXPECT_EQ(changes.restarts, (std::vector<std::string>{"osd.1", "osd.2"}));
}

TEST(Journal, ParametersOfThisHostThatOthersHaveChanged) {
  const TemporaryDirectory directory;
  const fs::path own = directory.path() / "f.journal";
  const auto write = [&](const char* name, const std::string& what) {
    write_file_atomically(directory.path() / name, std::string(kHead) + "\n" + line({what}) + "\n");
  };
  const std::string swappiness =
      R"({"kind":"sysctl","place":"","name":"vm.swappiness","before":"60"})";
  EXPECT_TRUE(host_changes_of_others(own).empty());
  write("f.journal", swappiness);
  write("g.journal", entry("debug_ms", "null"));
  EXPECT_TRUE(host_changes_of_others(own).empty());
  write("g.journal", swappiness);
  const auto changed = host_changes_of_others(own);
  ASSERT_EQ(changed.size(), 1u);
  EXPECT_EQ(changed.begin()->first, (Knob{KnobKind::sysctl, "", "vm.swappiness"}));
  EXPECT_EQ(changed.begin()->second, directory.path() / "g.journal");
  EXPECT_TRUE(host_changes_of_others("/nowhere/f.journal").empty());
}

TEST(Journal, TheFirstEntryOfAKnobKnowsHowItWas) {
  const Changes changes = parse_journal(
      {kHead, line({entry("debug_ms", "null")}), line({entry("debug_ms", "\"9\"")})}, "j");
  ASSERT_EQ(changes.undos.size(), 1u);
  EXPECT_FALSE(changes.undos[0].before);
}

TEST(Journal, ADamagedEntryIsNamed) {
  for (const char* damaged : {R"([{"kind":"magic"}])", R"({"kind":"magic"})"}) {
    const std::string text = complaint([&] { parse_journal({kHead, damaged}, "f.journal"); });
    EXPECT_NE(text.find("f.journal: line 2"), std::string::npos) << text;
  }
}

// A journal of this process, on a disk and in a store of its own.
class JournalOnBothSides : public ::testing::Test {
 protected:
  Journal journal() { return Journal(head_, path_, ClusterRecord(keys_.store())); }
  std::optional<Changes> found() {
    ClusterRecord record(keys_.store());
    return find_changes(path_, record);
  }
  static std::vector<Undo> undos(int count) {
    std::vector<Undo> all;
    all.reserve(static_cast<size_t>(count));
    for (int i = 0; i < count; ++i)
      all.push_back({{KnobKind::environment, fmt::format("osd.{}", i), "LD_PRELOAD"}, {}});
    return all;
  }

  TemporaryDirectory directory_;
  fs::path path_ = directory_.path() / "f.journal";
  KeysForTest keys_;
  JournalHead head_{"f", ceph::this_process("lab run"), nullptr};
};

TEST_F(JournalOnBothSides, TenThousandDaemonsAreFewWrites) {
  Journal first = journal();
  first.add(undos(10000));
  std::vector<std::string> daemons;
  for (const Undo& undo : undos(10000)) daemons.push_back(undo.knob.place);
  first.add_restarts(daemons);
  // The head, and 500 entries in each of the others.
  EXPECT_EQ(keys_.writes, 1u + 20 + 20);
  EXPECT_LT(keys_.largest, 65536u);
  EXPECT_EQ(found()->undos, undos(10000));
  EXPECT_EQ(found()->restarts, daemons);
  fs::remove(path_);
  EXPECT_EQ(found()->undos, undos(10000)) << "by the cluster's record alone";
  // Entries may be long, too.
  first.add({{{KnobKind::environment, "osd.0", "A"}, std::string(50000, 'a')},
             {{KnobKind::environment, "osd.0", "B"}, std::string(50000, 'b')}});
  EXPECT_EQ(keys_.writes, 41u + 2);
  EXPECT_LT(keys_.largest, 65536u);
  first.close();
  EXPECT_TRUE(keys_.values.empty());
  EXPECT_FALSE(found());
}

TEST_F(JournalOnBothSides, NothingToRecordLeavesNoTrace) {
  Journal none = journal();
  none.add({});
  none.add_restarts({});
  EXPECT_TRUE(none.empty());
  EXPECT_EQ(keys_.writes, 0u);
  EXPECT_FALSE(found());
}

TEST_F(JournalOnBothSides, WhatReachedOneSideOnlyIsFoundThere) {
  Journal cut = journal();
  keys_.writes_left = 2;  // the head and the first line
  EXPECT_NE(complaint([&] { cut.add(undos(1200)); }, Exit::environment).find("no quorum"),
            std::string::npos);
  EXPECT_EQ(found()->undos.size(), 1000u) << "the second line was on the disk already";
  fs::remove(path_);
  EXPECT_EQ(found()->undos.size(), 500u);
}

TEST_F(JournalOnBothSides, ALineThatWasCutOffBelongsToChangesThatWereNeverMade) {
  Journal cut = journal();
  cut.add(undos(3));
  const std::string text = read_file(path_);
  write_file_atomically(path_, text + R"([{"kind":"config","pla)");
  EXPECT_EQ(found()->undos, undos(3));
}

TEST_F(JournalOnBothSides, ReopenedItIsOnBothSidesAgain) {
  journal().add(undos(1200));
  const Changes changes = *found();
  keys_.values.clear();
  Journal::reopen(changes, path_, ClusterRecord(keys_.store()));
  fs::remove(path_);
  EXPECT_EQ(found()->undos, undos(1200));
  Journal::reopen(changes, path_, ClusterRecord(keys_.store()));
  keys_.values.clear();
  EXPECT_EQ(found()->undos, undos(1200));
}

TEST(Knob, GoesThroughJson) {
  for (const Knob& knob :
       {Knob{KnobKind::config, "osd/class:ssd", "debug_ms"}, Knob{KnobKind::osd_flag, "", "noout"},
        Knob{KnobKind::environment, "osd.0", "LD_PRELOAD"}, Knob{KnobKind::sysctl, "", "vm.x"}}) {
    const JsonDocument document = JsonDocument::parse(json_line(to_json(knob)), "k");
    JsonObject object(document, "");
    EXPECT_EQ(knob_from_json(object), knob);
  }
}

}  // namespace
}  // namespace lab
