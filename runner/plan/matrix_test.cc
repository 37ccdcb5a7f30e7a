#include "runner/plan/matrix.h"

#include <gtest/gtest.h>

#include "tests/complaint.h"

namespace lab {
namespace {

Factor factor(const std::string& text) { return parse_factor(JsonDocument::parse(text, "m.json")); }

constexpr const char* kColours = R"({
  "factor": "colour", "title": "t", "baseline": "blue",
  "levels": [
    { "name": "red", "settings": [{ "client": { "rbd_x": true, "rbd_y": 3 } }] },
    { "name": "blue", "label": "Blue", "settings": [] },
    { "name": "green", "settings": [{ "cache": "writeback" }, { "job": { "iodepth": "4" } }] }
  ]
})";

TEST(Matrix, PutsTheBaselineFirstAndKeepsTheOthersInOrder) {
  Factor f = factor(kColours);
  ASSERT_EQ(f.levels.size(), 3u);
  EXPECT_EQ(f.levels[0].name, "blue");
  EXPECT_EQ(f.levels[1].name, "red");
  EXPECT_EQ(f.levels[2].name, "green");
  EXPECT_EQ(describe(f.levels[1].settings[0]), "client rbd_x=true rbd_y=3");
  EXPECT_EQ(describe(f.levels[2].settings[0]), "rbd cache writeback");
}

TEST(Matrix, CrossesFactorsBaselineFirst) {
  Factor f = factor(kColours);
  Factor g = factor(R"({"factor": "size", "title": "t", "baseline": "s", "levels": [
    {"name": "s", "settings": []}, {"name": "l", "settings": []}]})");
  std::vector<Cell> cells = cross({f, g});
  ASSERT_EQ(cells.size(), 6u);
  EXPECT_EQ(cells[0].name, "blue+s");
  EXPECT_EQ(cells[0].label, "Blue s");
  EXPECT_EQ(cells[1].name, "blue+l");
  EXPECT_EQ(cells[5].name, "green+l");
  EXPECT_EQ(cells[5].levels.at("colour"), "green");
  EXPECT_EQ(cells[5].settings.size(), 2u);
}

TEST(Matrix, NoFactorIsOneCellThatChangesNothing) {
  std::vector<Cell> cells = cross({});
  ASSERT_EQ(cells.size(), 1u);
  EXPECT_EQ(cells[0].name, "as-is");
  EXPECT_TRUE(cells[0].settings.empty());
}

TEST(Matrix, MistakesNameFileLineAndTheNearestKey) {
  EXPECT_EQ(complaint([] { factor("{\n\"factor\": \"c\",\n\"tittle\": \"t\"}"); }),
            "m.json:3: unknown key \"tittle\" (did you mean \"title\"?)");
  EXPECT_EQ(complaint([] {
              factor(
                  "{\"factor\": \"c\", \"title\": \"t\", \"baseline\": \"a\",\n\"levels\": [\n"
                  "{\"name\": \"a\", \"settings\": [\n{\"cliient\": {}}]}]}");
            }),
            "m.json:4: unknown key \"cliient\" (did you mean \"client\"?)");
  EXPECT_EQ(complaint([] {
              factor(
                  "{\"factor\": \"c\", \"title\": \"t\", \"baseline\": \"a\",\n\"levels\": [\n"
                  "{\"name\": \"a\", \"settings\": [\n{\"cache\": \"writebak\"}]}]}");
            }),
            "m.json:4: unknown cache mode \"writebak\" (did you mean \"writeback\"?); known are "
            "off, writethrough, writeback, writearound");
  EXPECT_EQ(complaint([] {
              factor(
                  "{\"factor\": \"c\", \"title\": \"t\",\n\"baseline\": \"redd\", \"levels\": "
                  "[{\"name\": \"red\", \"settings\": []}]}");
            }),
            "m.json:2: baseline \"redd\" is none of the levels (did you mean \"red\"?)");
}

TEST(Matrix, MayDeclareWhatIsPlausible) {
  const auto with = [](const std::string& ratio) {
    return "{\"factor\": \"c\", \"title\": \"t\", \"baseline\": \"a\",\n\"plausible_ratio\": " +
           ratio + R"(, "levels": [{"name": "a", "settings": []}]})";
  };
  EXPECT_EQ(factor(with("1.5")).plausible_ratio, 1.5);
  EXPECT_FALSE(factor(kColours).plausible_ratio);
  EXPECT_NE(complaint([&] { factor(with("1")); }).find("m.json:2: \"plausible_ratio\" is how many"),
            std::string::npos);
  EXPECT_NE(complaint([&] { factor(with("\"2\"")); }).find("must be a number"), std::string::npos);
}

TEST(Matrix, TwoFactorsThatSetTheSameAreRefused) {
  const auto with = [](const char* name, const char* option) {
    return factor(fmt::format(R"({{"factor": "{}", "title": "t", "baseline": "a", "levels": [
        {{"name": "a", "settings": []}},
        {{"name": "b", "settings": [{{"config": {{"osd": {{"{}": 1}}}}}}]}}]}})",
                              name, option));
  };
  EXPECT_EQ(cross({with("x", "debug_ms"), with("y", "debug_osd")}).size(), 4u);
  const std::string text = complaint([&] {
    cross({with("x", "debug_ms"), with("y", "debug_ms")});
  });
  EXPECT_NE(text.find("cell b+b: two factors set the same"), std::string::npos) << text;
}

TEST(Matrix, UnknownNameIsAnErrorWithTheNearest) {
  std::string text = complaint([] { load_matrix("cahce", LAB_MATRIX_DIR); });
  EXPECT_NE(text.find("there is no matrix \"cahce\" (did you mean \"cache\"?)"), std::string::npos)
      << text;
}

TEST(Matrix, EveryShippedFileLoads) {
  for (const auto& entry : fs::directory_iterator(LAB_MATRIX_DIR)) {
    if (entry.path().extension() != ".json") continue;
    Factor f = parse_factor(JsonDocument::load(entry.path()));
    EXPECT_EQ(f.name, entry.path().stem().string());
  }
}

TEST(Matrix, ControlIsTheBaselineUnderASecondName) {
  const Cell off{"off", "rbd_cache_off", {{"cache", "off"}}, {CacheMode{"off"}}, ""};
  const Cell control = control_of(off);
  EXPECT_NE(control.name, off.name);
  EXPECT_NE(control.label, off.label);
  EXPECT_EQ(control.control_of, "off");
  EXPECT_EQ(control.levels, off.levels);
  EXPECT_EQ(control.settings.size(), 1u);
}

}  // namespace
}  // namespace lab
