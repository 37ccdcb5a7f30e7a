#include "runner/experiment/plan_record.h"

#include <gtest/gtest.h>

namespace lab {
namespace {

TEST(MakePlan, NumbersRowsAsASpreadsheetCounts) {
  JobFile job = JobFile::parse(
      "[global]\nbs=4k\niodepth=128\n[w]\nrw=randwrite\nstonewall\n[r]\nrw=randread\nstonewall\n",
      "j.fio");
  std::vector<Cell> cells = {{"off", "rbd_cache_off", {{"cache", "off"}}, {CacheMode{"off"}}},
                             {"wb", "rbd_cache_wb", {{"cache", "wb"}}, {CacheMode{"writeback"}}}};
  results::Plan plan = make_plan(job, cells, 2, 9);
  ASSERT_EQ(plan.rows.size(), 2u);
  EXPECT_EQ(plan.rows[0].row, 2u);
  EXPECT_EQ(plan.rows[1].row, 3u);
  EXPECT_EQ(plan.rows[1].cell, "wb");
  EXPECT_EQ(plan.rows[0].type, "rand rw");
  EXPECT_EQ(plan.cells[0].test, "4k-rbd_cache_off");
  EXPECT_EQ(plan.cells[1].settings.dump(), R"([{"cache":"writeback"}])");
  EXPECT_EQ(plan.runs.size(), 4u);
  EXPECT_EQ(plan.phases[1].sections, std::vector<std::string>{"r"});
  // What is written reads back.
  JsonDocument document = JsonDocument::parse(to_json(plan).dump(), "plan.json");
  EXPECT_EQ(to_json(results::plan_from_json(document)), to_json(plan));
}

TEST(WithRepetitions, KeepsCellsRowsAndTheRunsThatThereWere) {
  JobFile job = JobFile::parse("[w]\nrw=randwrite\nbs=4k\n", "j.fio");
  std::vector<Cell> cells = {{"off", "off", {}, {}}, {"wb", "wb", {}, {}}};
  const results::Plan plan = make_plan(job, cells, 4, 9);
  const results::Plan longer = with_repetitions(plan, 8);
  ASSERT_EQ(longer.runs.size(), 16u);
  EXPECT_EQ(longer.cells[0].test, "4k-off") << "a name is not made of a name";
  EXPECT_EQ(longer.rows.size(), plan.rows.size());
  for (size_t i = 0; i < plan.runs.size(); ++i) {
    EXPECT_EQ(longer.runs[i].index, plan.runs[i].index);
    EXPECT_EQ(longer.runs[i].cell, plan.runs[i].cell);
    EXPECT_EQ(longer.runs[i].block, plan.runs[i].block);
  }
  EXPECT_EQ(to_json(with_repetitions(longer, 4)), to_json(plan));
}

}  // namespace
}  // namespace lab
