// --format=json against its published schema, results/table.schema.json.
#include <gtest/gtest.h>

#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

#include "analysis/import.h"
#include "analysis/imported_table.h"
#include "analysis/render/renderer.h"
#include "results/example.h"

namespace lab::analysis {
namespace {

// What the schema has against a document; empty if nothing.
std::string objection(const Json& document) {
  const Json json = Json::parse(read_file(LAB_TABLE_SCHEMA));
  valijson::Schema schema;
  valijson::SchemaParser().populateSchema(valijson::adapters::NlohmannJsonAdapter(json), schema);
  valijson::Validator validator;
  valijson::ValidationResults results;
  if (validator.validate(schema, valijson::adapters::NlohmannJsonAdapter(document), &results))
    return "";
  std::string text = "refused:";
  valijson::ValidationResults::Error error;
  while (results.popError(error)) {
    text += " ";
    for (const std::string& part : error.context) text += part;
    text += " " + error.description;
  }
  return text;
}

Json rendered(const Table& table) {
  return Json::parse(make_renderer(Format::json)->render(table));
}

Json example() {
  return rendered(load_table(results::ResultReader::load(fs::path(LAB_TESTDATA) / "cache")));
}

// Four blocks of two cells with a verdict each.
Table judged_table() {
  results::Plan plan = results::example_plan();
  plan.runs.clear();
  std::vector<RunFigures> runs;
  for (unsigned i = 0; i < 8; ++i) {
    RunFigures run;
    run.record.index = i + 1;
    run.record.cell = plan.cells[i % 2].name;
    run.usable = true;
    run.phases.resize(2);
    const double iops = 1000 * (i % 2 + 1) + 10 * (i % 3);
    run.phases[0].write = {.ios = 1, .runtime_s = 1, .iops = iops, .counted_iops = iops};
    run.phases[1].read = run.phases[0].write;
    plan.runs.push_back({i + 1, run.record.cell, i / 2 + 1, i % 2 + 1, true});
    runs.push_back(std::move(run));
  }
  return build_table(results::example_manifest(), plan, std::move(runs));
}

TEST(TableSchema, AcceptsWhatLabWrites) {
  EXPECT_EQ(objection(example()), "");
  const Json judged = rendered(judged_table());
  ASSERT_TRUE(judged.at("rows").at(1).at("write").contains("verdict"));
  EXPECT_EQ(objection(judged), "");
  results::Manifest manifest = results::example_manifest();
  manifest.overhead = {1, 2, 3, 4, 5};
  EXPECT_EQ(objection(rendered(build_table(manifest, results::example_plan(), {}))), "");
  EXPECT_EQ(objection(rendered(build_table(manifest, {}, {}))), "");
  const fs::path kept = fs::path(LAB_TESTDATA) / "import";
  for (const fs::directory_entry& file : fs::directory_iterator(kept))
    EXPECT_EQ(objection(rendered(imported_table({import_fio_file(file.path())}))), "")
        << file.path();
}

TEST(TableSchema, RefusesWhatIsSpoilt) {
  struct Spoil {
    const char* pointer;
    Json value;
  };
  for (const Spoil& spoil : std::vector<Spoil>{{"/format", 2},
                                               {"/title", 1},
                                               {"/worst_mark", "bad"},
                                               {"/rows/0/row", 1},
                                               {"/rows/0/write/iops", "1373"},
                                               {"/rows/0/proof", "probably"},
                                               {"/rows/0/levels/cache", 7},
                                               {"/rows/0/repetitions/0/run", -1},
                                               {"/rows/0/unheard_of", true},
                                               {"/rows/0/read/verdict", "different"},
                                               {"/marks/0/weight", "heavy"},
                                               {"/overhead", Json::object()}}) {
    Json json = example();
    json[Json::json_pointer(spoil.pointer)] = spoil.value;
    EXPECT_NE(objection(json), "") << spoil.pointer;
  }
  for (const char* key : {"rows", "marks", "conditions", "headline"}) {
    Json json = example();
    json.erase(key);
    EXPECT_NE(objection(json), "") << key;
  }
}

}  // namespace
}  // namespace lab::analysis
