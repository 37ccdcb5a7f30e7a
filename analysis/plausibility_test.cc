#include "analysis/plausibility.h"

#include <gtest/gtest.h>

#include "results/example.h"

namespace lab::analysis {
namespace {

TableRow row(const std::string& cache, const std::string& depth, double write, double read) {
  TableRow r;
  r.test = cache + " " + depth;
  r.levels = {{"cache", cache}, {"depth", depth}};
  r.plan.write_phase = 0;
  r.plan.read_phase = 1;
  r.write.iops = write;
  r.read.iops = read;
  return r;
}

class Plausibility : public ::testing::Test {
 protected:
  Plausibility() {
    plan_.cells = {{"a", "a", {{"cache", "off"}, {"depth", "1"}}}};
    plan_.factors = {{"cache", 2.0}};
  }
  // The texts of a row's marks after judging all.
  std::vector<std::string> texts(std::vector<TableRow> rows, size_t of) {
    MarkList list;
    mark_implausible(plan_, rows, list);
    const std::vector<TableMark> marks = list.take();
    std::vector<std::string> out;
    for (size_t mark : rows[of].marks) {
      EXPECT_EQ(marks[mark].mark.code, "implausible-ratio");
      EXPECT_EQ(marks[mark].mark.weight, results::Weight::doubtful);
      out.push_back(marks[mark].mark.text);
    }
    return out;
  }
  results::Plan plan_;
};

TEST_F(Plausibility, WhatIsTooFarFromTheBaselineIsMarkedWithItsNumbers) {
  const auto marks = texts({row("off", "1", 1000, 5000), row("on", "1", 1900, 14000)}, 1);
  ASSERT_EQ(marks.size(), 1u);
  EXPECT_EQ(marks[0],
            "read IOPS of on 1 are 2.8 times those of off 1 (14000 and 5000), on an axis (cache) "
            "that is not known to make more than 2 times: look for another reason first");
}

TEST_F(Plausibility, EitherWay) {
  EXPECT_EQ(texts({row("off", "1", 1000, 5000), row("on", "1", 400, 5000)}, 1).size(), 1u);
  EXPECT_EQ(texts({row("off", "1", 1000, 5000), row("on", "1", 500, 10000)}, 1).size(), 0u);
}

TEST_F(Plausibility, TheOtherFactorsHaveToBeTheSame) {
  const std::vector<TableRow> rows = {row("off", "1", 100, 100), row("on", "1", 100, 100),
                                      row("off", "64", 5000, 5000), row("on", "64", 5100, 5100)};
  for (size_t i = 0; i < rows.size(); ++i) EXPECT_TRUE(texts(rows, i).empty()) << i;
  const std::vector<TableRow> off = {row("off", "1", 100, 100), row("off", "64", 1000, 1000),
                                     row("on", "64", 5000, 5000)};
  EXPECT_EQ(texts(off, 2).size(), 2u);
}

TEST_F(Plausibility, OtherPhasesAndMissingFiguresAreNotCompared) {
  TableRow other = row("on", "1", 9000, 9000);
  other.plan.write_phase = 2;
  EXPECT_TRUE(texts({row("off", "1", 100, 100), other}, 1).empty());
  TableRow pending = row("on", "1", 9000, 9000);
  pending.write.iops.reset();
  pending.read.iops.reset();
  EXPECT_TRUE(texts({row("off", "1", 100, 100), pending}, 1).empty());
}

TEST_F(Plausibility, WithoutADeclaredRatioAnythingMayBe) {
  plan_.factors = {{"cache", {}}};
  EXPECT_TRUE(texts({row("off", "1", 1, 1), row("on", "1", 900, 900)}, 1).empty());
}

TEST(PlausibleRatio, StandsInThePlan) {
  results::Plan plan = results::example_plan();
  plan.factors = {{"cache", 2.5}};
  const std::string text = to_json(plan).dump();
  EXPECT_NE(text.find(R"("factors":[{"name":"cache","plausible_ratio":2.5}])"), std::string::npos);
  const results::Plan read = results::plan_from_json(JsonDocument::parse(text, "plan.json"));
  ASSERT_EQ(read.factors.size(), 1u);
  EXPECT_EQ(read.factors[0].plausible_ratio, 2.5);
  EXPECT_THROW(results::plan_from_json(JsonDocument::parse(
                   R"({"factors":[{"name":"a","plausible_ratio":0.5}]})", "plan.json")),
               Error);
}

}  // namespace
}  // namespace lab::analysis
