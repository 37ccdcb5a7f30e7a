#include "runner/tuning/journal.h"

#include <gtest/gtest.h>

#include "runner/base/temporary_directory.h"
#include "tests/complaint.h"

namespace lab {
namespace {

const char* const kHead =
    R"({"fsid":"f","holder":{"command":"lab run","host":"h","boot":"b","pids":"p","pid":7,)"
    R"("start_ticks":9,"since":"2026-12-01T00:00:00Z"},"driver":{"sandbox":"/s"}})";

std::string entry(const char* name, const char* before) {
  return fmt::format(R"({{"kind":"config","place":"osd","name":"{}","before":{}}})", name, before);
}

TEST(Journal, TellsWhoChangedWhatAndHowItWas) {
  const Changes changes =
      parse_journal({kHead, entry("debug_ms", "\"0/5\""), entry("debug_osd", "null"),
                     R"({"restart":"osd.1"})", R"({"restart":"osd.1"})"},
                    "j");
  EXPECT_EQ(changes.head.fsid, "f");
  EXPECT_EQ(changes.head.holder.process.pid, 7);
  EXPECT_EQ(changes.head.driver.at("sandbox"), "/s");
  ASSERT_EQ(changes.undos.size(), 2u);
  EXPECT_EQ(changes.undos[0].before, "0/5");
  EXPECT_FALSE(changes.undos[1].before);
  EXPECT_EQ(changes.restarts, std::vector<std::string>{"osd.1"});
}

TEST(Journal, ParametersOfThisHostThatOthersHaveChanged) {
  const TemporaryDirectory directory;
  const fs::path own = directory.path() / "f.journal";
  const auto write = [&](const char* name, const std::string& what) {
    write_file_atomically(directory.path() / name, std::string(kHead) + "\n" + what + "\n");
  };
  const Knob swappiness{KnobKind::sysctl, "", "vm.swappiness"};
  EXPECT_TRUE(host_changes_of_others(own).empty());
  write("f.journal", R"({"kind":"sysctl","place":"","name":"vm.swappiness","before":"60"})");
  write("g.journal", entry("debug_ms", "null"));
  EXPECT_TRUE(host_changes_of_others(own).empty());
  write("g.journal", R"({"kind":"sysctl","place":"","name":"vm.swappiness","before":"60"})");
  const auto changed = host_changes_of_others(own);
  ASSERT_EQ(changed.size(), 1u);
  EXPECT_EQ(changed.begin()->first, swappiness);
  EXPECT_EQ(changed.begin()->second, directory.path() / "g.journal");
  EXPECT_TRUE(host_changes_of_others("/nowhere/f.journal").empty());
}

TEST(Journal, TheFirstEntryOfAKnobKnowsHowItWas) {
  const Changes changes =
      parse_journal({kHead, entry("debug_ms", "null"), entry("debug_ms", "\"9\"")}, "j");
  ASSERT_EQ(changes.undos.size(), 1u);
  EXPECT_FALSE(changes.undos[0].before);
}

TEST(Journal, ADamagedEntryIsNamed) {
  const std::string text = complaint([] {
    parse_journal({kHead, R"({"kind":"magic"})"}, "f.journal");
  });
  EXPECT_NE(text.find("f.journal: entry 2"), std::string::npos) << text;
  EXPECT_NE(text.find("magic"), std::string::npos) << text;
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
