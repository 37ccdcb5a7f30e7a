#include "analysis/gate.h"

#include <gtest/gtest.h>

#include "analysis/side_example.h"
#include "tests/complaint.h"

namespace lab::analysis {
namespace {

Policy policy(const std::string& rules, const std::string& more = "") {
  return parse_policy(
      JsonDocument::parse("{" + more + "\"rules\": [" + rules + "]}", "policy.json"));
}

Comparison comparison(double ratio, double scatter = 0.002) {
  ExampleFigures figures;
  figures.writeback.clear();
  // Not in step with the order of cells in a block, which would look like drift.
  const std::vector<double> signs = {1, 1, -1, -1};
  for (size_t i = 0; i < signs.size(); ++i)
    figures.writeback.push_back(figures.off[i] * ratio * (1 + signs[i] * scatter));
  return compare(example_side("/a", figures, "off"), example_side("/a", figures, "writeback"));
}

Decision decide(const Comparison& c, const Policy& p) {
  Decision decision;
  judge_gate(c, p, decision);
  return decision;
}

const Check& check(const Decision& decision, const std::string& rule) {
  for (const Check& one : decision.checks)
    if (one.rule.starts_with(rule)) return one;
  throw std::runtime_error("no check " + rule);
}

const char* kLoss = R"({"figure": "write_iops", "max_loss_percent": 5})";

TEST(Gate, ALossIsJudgedOnItsInterval) {
  EXPECT_TRUE(decide(comparison(0.99), policy(kLoss)).go());
  EXPECT_TRUE(decide(comparison(1.2), policy(kLoss)).go()) << "a gain is no loss";
  const Decision lost = decide(comparison(0.9), policy(kLoss));
  EXPECT_FALSE(lost.go());
  EXPECT_EQ(check(lost, "write IOPS").outcome, Outcome::no_go);
  // The estimate keeps the limit, but the runs don't exclude that it is broken.
  const Decision open = decide(comparison(0.98, 0.06), policy(kLoss));
  EXPECT_EQ(check(open, "write IOPS").outcome, Outcome::open);
  EXPECT_FALSE(open.go()) << "inconclusive is a no-go unless the policy says otherwise";
}

TEST(Gate, NothingIsHeldAgainstItself) {
  const Side side = example_side("/a", ExampleFigures(), "off");
  const std::string text = complaint([&] { decide(compare(side, side), policy(kLoss)); });
  EXPECT_NE(text.find("would be held against itself"), std::string::npos) << text;
}

TEST(Gate, WhatIsOpenCountsAsThePolicySays) {
  const Comparison c = comparison(0.98, 0.06);
  const Decision warned = decide(c, policy(kLoss, R"("inconclusive": "warn",)"));
  EXPECT_TRUE(warned.go());
  EXPECT_EQ(warned.text(), "go: 4 checks, none against it, 1 open");
  EXPECT_TRUE(decide(c, policy(kLoss, R"("inconclusive": "go",)")).go());
  EXPECT_FALSE(decide(c, policy(kLoss, R"("inconclusive": "no-go",)")).go());
}

TEST(Gate, LatencyMustNotGrow) {
  const char* growth = R"({"figure": "read_p99", "max_growth_percent": 10})";
  EXPECT_TRUE(decide(comparison(1), policy(growth)).go());
  EXPECT_FALSE(decide(comparison(0.8), policy(growth)).go());
  EXPECT_TRUE(decide(comparison(1.5), policy(growth)).go());
  // p99 of writes is a second divided by the IOPS: about 1 ms.
  EXPECT_TRUE(decide(comparison(1), policy(R"({"figure": "write_p99", "max_ms": 1.2})")).go());
  EXPECT_FALSE(decide(comparison(1), policy(R"({"figure": "write_p99", "max_ms": 0.8})")).go());
  const Decision grown =
      decide(comparison(0.8), policy(R"({"figure": "write_p99", "max_growth_ms": 0.1})"));
  EXPECT_EQ(check(grown, "write p99").outcome, Outcome::no_go);
  EXPECT_NEAR(*check(grown, "write p99").measured_value, 0.25, 0.01);
  EXPECT_TRUE(
      decide(comparison(0.8), policy(R"({"figure": "write_p99", "max_growth_ms": 0.5})")).go());
}

TEST(Gate, AMinimumIsHeldAgainstTheCandidateAlone) {
  EXPECT_TRUE(decide(comparison(1), policy(R"({"figure": "write_iops", "min_iops": 900})")).go());
  const Decision below =
      decide(comparison(1), policy(R"({"figure": "write_iops", "min_iops": 1100})"));
  EXPECT_EQ(check(below, "write IOPS: at least 1100").outcome, Outcome::no_go);
  const Decision near =
      decide(comparison(1), policy(R"({"figure": "write_iops", "min_iops": 1001})"));
  EXPECT_EQ(check(near, "write IOPS").outcome, Outcome::open);
}

TEST(Gate, WhatNobodyMeasuredIsNoGo) {
  const char* memory = R"({"figure": "memory", "max_growth_bytes": "300M"})";
  const Decision missing = decide(comparison(1), policy(memory));
  EXPECT_EQ(check(missing, "memory of an OSD").outcome, Outcome::no_data);
  EXPECT_FALSE(missing.go());
  EXPECT_EQ(check(missing, "memory of an OSD").limit, "+300 MiB");
  const Decision skipped =
      decide(comparison(1),
             policy(R"({"figure": "memory", "max_growth_bytes": "300M", "if_missing": "skip"})"));
  EXPECT_EQ(check(skipped, "memory of an OSD").outcome, Outcome::skipped);
  EXPECT_TRUE(skipped.go());
}

TEST(Gate, MemoryThatWasSampledIsJudged) {
  Side a = example_side("/a", {}, "off");
  Side b = example_side("/b", {}, "off");
  constexpr double kMib = 1 << 20;
  a.memory.normal = {500 * kMib, 504 * kMib, 498 * kMib, 501 * kMib};
  b.memory.normal = {740 * kMib, 755 * kMib, 748 * kMib, 752 * kMib};
  const char* more = R"("worst_mark": "doubtful",)";
  EXPECT_TRUE(
      decide(compare(a, b),
             policy(R"({"figure": "memory", "max_growth_bytes": "300M", "max_bytes": "1G"})", more))
          .go());
  const Decision grown =
      decide(compare(a, b), policy(R"({"figure": "memory", "max_growth_bytes": "200M"})", more));
  EXPECT_EQ(check(grown, "memory of an OSD").outcome, Outcome::no_go);
  EXPECT_NEAR(*check(grown, "memory of an OSD").measured_value / kMib, 248, 1);
}

TEST(Gate, RepetitionsProofAndMarksAreChecked) {
  EXPECT_FALSE(decide(comparison(1), policy(kLoss, R"("min_repetitions": 6,)")).go());

  Comparison unproven = comparison(1);
  unproven.rows[0].after.proof = Proof::unverified;
  EXPECT_EQ(check(decide(unproven, policy(kLoss)), "proof").outcome, Outcome::no_go);
  EXPECT_TRUE(decide(unproven, policy(kLoss, R"("proof": false,)")).go());
  unproven.rows[0].after.proof = Proof::nothing_asked;
  EXPECT_EQ(check(decide(unproven, policy(kLoss)), "proof").measured, "nothing asked for");
  EXPECT_FALSE(decide(unproven, policy(kLoss)).go());

  Comparison doubtful = comparison(1);
  doubtful.marks.push_back(
      {ComparisonMark::Of::after, {{results::Weight::doubtful, "scrub", "a scrub ran"}, {3}}});
  const Decision marked = decide(doubtful, policy(kLoss));
  EXPECT_FALSE(marked.go());
  EXPECT_TRUE(marked.valid());
  EXPECT_EQ(check(marked, "marks").why, "after: run 3: a scrub ran");
  EXPECT_TRUE(decide(doubtful, policy(kLoss, R"("worst_mark": "doubtful",)")).go());
  EXPECT_TRUE(decide(doubtful, policy(kLoss, R"("accept_marks": ["scrub"],)")).go());
  EXPECT_FALSE(decide(doubtful, policy(kLoss, R"("accept_marks": ["other"],)")).go());
  doubtful.marks.back().mark.mark.weight = results::Weight::invalid;
  EXPECT_FALSE(decide(doubtful, policy(kLoss, R"("accept_marks": ["scrub"],)")).valid());
}

TEST(Gate, NothingIsDecidedOnInvalidFigures) {
  Comparison invalid = comparison(1);
  invalid.marks.push_back(
      {ComparisonMark::Of::both, {{results::Weight::invalid, "x", "compares nothing"}, {}}});
  const Decision decision = decide(invalid, policy(kLoss, R"("worst_mark": "doubtful",)"));
  EXPECT_FALSE(decision.valid());
  EXPECT_FALSE(decision.go());
  EXPECT_EQ(decision.text().substr(0, 9), "not valid");
}

TEST(Gate, ErrorsAreCounted) {
  Comparison c = comparison(1);
  const Policy p =
      policy(R"({"figure": "io_errors", "max": 2}, {"figure": "failed_runs", "max": 0})");
  EXPECT_TRUE(decide(c, p).go());
  c.rows[0].after_io_errors = 3;
  EXPECT_EQ(check(decide(c, p), "failed I/Os").outcome, Outcome::no_go);
  c.rows[0].after_io_errors = 0;
  c.rows[0].after.repetitions_failed = 1;
  EXPECT_EQ(check(decide(c, p), "failed runs").outcome, Outcome::no_go);
}

TEST(Gate, OneRunHasNoInterval) {
  const ExampleFigures one = {{1000}, {1000}};
  const Comparison c =
      compare(example_side("/a", one, "off"), example_side("/a", one, "writeback"));
  const Decision decision = decide(c, policy(kLoss, R"("min_repetitions": 1,)"));
  EXPECT_EQ(check(decision, "write IOPS").outcome, Outcome::open);
  EXPECT_EQ(check(decision, "write IOPS").why, "too few repetitions for an interval");
}

results::Plan crossed() {
  results::Plan plan;
  for (const char* allocator : {"glibc", "jemalloc"})
    for (const char* cache : {"off", "on"})
      plan.cells.push_back(
          {std::string(allocator) + "-" + cache, "", {{"allocator", allocator}, {"cache", cache}}});
  return plan;
}

TEST(Candidates, AreHeldAgainstTheCellThatDiffersInThemOnly) {
  const std::string levels = R"("candidate": {"allocator": "jemalloc"},)";
  const auto found = candidates(crossed(), policy(kLoss, levels), {}, "dir");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].cell, "jemalloc-off");
  EXPECT_EQ(found[0].baseline, "glibc-off");
  EXPECT_EQ(found[1].baseline, "glibc-on");
  EXPECT_EQ(candidates(crossed(), policy(kLoss), {}, "dir").size(), 3u) << "all but the baseline";
  const auto named = candidates(crossed(), policy(kLoss), {"jemalloc-on"}, "dir");
  ASSERT_EQ(named.size(), 1u);
  EXPECT_EQ(named[0].baseline, "glibc-off");
}

TEST(Candidates, TheControlIsNone) {
  results::Plan plan = crossed();
  plan.cells[1].control_of = plan.cells[0].name;
  EXPECT_EQ(candidates(plan, policy(kLoss), {}, "dir").size(), 2u);
}

TEST(Candidates, ThereMustBeOne) {
  results::Plan one = crossed();
  one.cells.resize(1);
  EXPECT_THROW(candidates(one, policy(kLoss), {}, "dir"), Error);
  EXPECT_THROW(candidates(crossed(), policy(kLoss), {"nothing"}, "dir"), Error);
  EXPECT_THROW(
      candidates(crossed(), policy(kLoss, R"("candidate": {"allocator": "mimalloc"},)"), {}, "d"),
      Error);
}

}  // namespace
}  // namespace lab::analysis
