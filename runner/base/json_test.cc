#include "runner/base/json.h"

#include <gtest/gtest.h>

#include "tests/complaint.h"

namespace lab {
namespace {

constexpr const char* kText = R"({
  // comments are allowed
  "name": "cache",
  "levels": [
    { "name": "off",
      "cliient": {} }
  ]
})";

TEST(JsonDocument, RemembersLines) {
  JsonDocument doc = JsonDocument::parse(kText, "f.json");
  EXPECT_EQ(doc.line("/name"), 3);
  EXPECT_EQ(doc.line("/levels/0/name"), 5);
  EXPECT_EQ(doc.line("/levels/0/cliient"), 6);
  EXPECT_EQ(doc.line("/levels/0/cliient/deeper"), 6);
}

TEST(JsonDocument, SyntaxErrorNamesTheLine) {
  std::string text = complaint([] { JsonDocument::parse("{\n \"a\": 1,\n b\n}", "f.json"); });
  EXPECT_EQ(text.rfind("f.json:3: syntax error", 0), 0u) << text;
}

TEST(JsonDocument, RefusesDuplicateKeys) {
  std::string text = complaint([] { JsonDocument::parse("{\n\"a\": 1,\n\"a\": 2}", "f.json"); });
  EXPECT_EQ(text, "f.json:3: key \"a\" stands twice in one object; keep one of them");
}

TEST(JsonDocument, RefusesWhatIsNestedBeyondAllMeaning) {
  const std::string deep = std::string(90, '[') + std::string(90, ']');
  EXPECT_EQ(JsonDocument::parse(deep, "f.json").root().size(), 1u);
  const std::string text =
      complaint([] { JsonDocument::parse(std::string(100000, '['), "f.json"); });
  EXPECT_NE(text.find("f.json:1: nested more than"), std::string::npos) << text;
}

TEST(JsonDocument, RefusesEmptyText) {
  EXPECT_EQ(complaint([] { JsonDocument::parse("", "f.json"); }).rfind("f.json:1: ", 0), 0u);
}

TEST(JsonObject, UnknownKeyNamesTheNearest) {
  JsonDocument doc = JsonDocument::parse(kText, "f.json");
  JsonObject level(doc, "/levels/0");
  level.text("name");
  level.has("client");
  EXPECT_EQ(complaint([&] { level.finish(); }),
            "f.json:6: unknown key \"cliient\" (did you mean \"client\"?)");
}

TEST(JsonObject, WrongTypesAndMissingKeysAreNamed) {
  JsonDocument doc = JsonDocument::parse("{\n\"n\": \"x\",\n\"s\": \"2G\"\n}", "f.json");
  JsonObject root(doc, "");
  EXPECT_EQ(complaint([&] { root.number("n"); }),
            "f.json:2: \"n\" must be a whole number, found \"x\"");
  EXPECT_EQ(complaint([&] { root.text("pool"); }), "f.json:1: key \"pool\" is missing");
  EXPECT_EQ(root.bytes("s"), 2ull << 30);
  EXPECT_EQ(root.text_or("absent", "default"), "default");
}

}  // namespace
}  // namespace lab
