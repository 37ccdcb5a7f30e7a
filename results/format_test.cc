#include <gtest/gtest.h>

#include <functional>

#include "results/example.h"
#include "results/run_record.h"

namespace lab::results {
namespace {

JsonDocument document(const OrderedJson& json) {
  return JsonDocument::parse(json_text(json), "x.json");
}

std::string complaint(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& e) {
    EXPECT_EQ(e.status(), Exit::usage);
    return e.what();
  }
  return "no error";
}

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST(Manifest, SurvivesWritingAndReading) {
  Manifest m = example_manifest();
  m.allow_invalid = true;
  m.invalid_reason = "direct=1 turns the cache off";
  m.overhead = Overhead{12.5, 30, 120, 40, 25};
  EXPECT_EQ(to_json(manifest_from_json(document(to_json(m)))), to_json(m));
}

TEST(Manifest, KeepsTheOrderOfConditions) {
  Manifest m = manifest_from_json(document(to_json(example_manifest())));
  ASSERT_EQ(m.conditions.size(), 3u);
  EXPECT_EQ(m.conditions[0].first, "fio");
  EXPECT_EQ(m.conditions[1].first, "Ceph client");
}

TEST(Manifest, RefusesAnotherFormatAndNamesTheWriter) {
  OrderedJson json = to_json(example_manifest());
  json["format"] = 2;
  json["lab"] = "0.9.0";
  std::string text = complaint([&] { manifest_from_json(document(json)); });
  EXPECT_TRUE(has(text, "x.json:2: ")) << text;
  EXPECT_TRUE(has(text, "format 2")) << text;
  EXPECT_TRUE(has(text, "0.9.0")) << text;
}

TEST(Manifest, LeavesUnknownKeysAlone) {
  OrderedJson json = to_json(example_manifest());
  json["colour"] = "green";
  EXPECT_EQ(manifest_from_json(document(json)).title, "4k-randrw");
}

TEST(Plan, SurvivesWritingAndReading) {
  Plan plan = example_plan();
  plan.rows[1].read_phase.reset();
  plan.cells[1].settings = OrderedJson::array({{{"name", "rbd_cache"}, {"value", "true"}}});
  plan.cells[1].expect = {{"cache", "writeback"}};
  EXPECT_EQ(to_json(plan_from_json(document(to_json(plan)))), to_json(plan));
}

TEST(Plan, CountsRepetitions) {
  EXPECT_EQ(example_plan().repetitions("off"), 2u);
  EXPECT_EQ(example_plan().repetitions("absent"), 0u);
}

TEST(Plan, RefusesToContradictItself) {
  struct Case {
    std::function<void(Plan&)> spoil;
    const char* words;
  };
  for (const Case& c : std::initializer_list<Case>{
           {[](Plan& p) { p.rows[1].cell = "absent"; }, "no cell \"absent\""},
           {[](Plan& p) { p.runs[3].cell = "absent"; }, "no cell \"absent\""},
           {[](Plan& p) { p.rows[1].read_phase = 2; }, "no phase 2"},
           {[](Plan& p) { p.rows[1].row = 2; }, "stand once each"},
           {[](Plan& p) { p.runs[1].index = 1; }, "stand once each"},
           {[](Plan& p) { p.cells[1].name = "off"; }, "twice"}}) {
    Plan plan = example_plan();
    c.spoil(plan);
    std::string text = complaint([&] { plan_from_json(document(to_json(plan))); });
    EXPECT_TRUE(has(text, c.words)) << text;
  }
}

TEST(RunRecord, SurvivesWritingAndReading) {
  RunRecord r;
  r.index = 3;
  r.cell = "off";
  r.block = 2;
  r.position = 1;
  r.ok = false;
  r.error = "fio ended with status 1";
  r.times_s = {{"fio", 12.25}, {"settle", 3}};
  r.settings = {{"rbd_cache", "true", "false", "image", "rbd_config_image_list", false},
                {"x", "1", "", "", "", {}}};
  r.marks = {{Weight::doubtful, "scrub", "a scrub ran"}};
  RunRecord read = run_record_from_json(document(to_json(r)));
  EXPECT_EQ(to_json(read), to_json(r));
  EXPECT_EQ(read.settings[0].verified, false);
  EXPECT_EQ(read.settings[1].verified, std::nullopt);
}

TEST(RunRecord, RefusesUnknownStatusAndWeight) {
  RunRecord r;
  r.marks = {{Weight::note, "a", "b"}};
  OrderedJson json = to_json(r);
  json["status"] = "okay";
  EXPECT_TRUE(has(complaint([&] { run_record_from_json(document(json)); }), "okay"));
  json["status"] = "ok";
  json["marks"][0]["weight"] = "grave";
  EXPECT_TRUE(has(complaint([&] { run_record_from_json(document(json)); }), "grave"));
}

TEST(RunRecord, TextsThatAreNoUtf8DoNotStopTheWriting) {
  RunRecord r;
  r.error = "bad \xff byte";
  EXPECT_TRUE(has(run_record_from_json(document(to_json(r))).error, ""));
  EXPECT_TRUE(has(json_text(to_json(RunRecord{.ok = false, .error = "bad \xff byte"})), "bad "));
}

}  // namespace
}  // namespace lab::results
