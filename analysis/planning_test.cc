#include "analysis/planning.h"

#include <gtest/gtest.h>

#include <cmath>

#include "analysis/simulation.h"

namespace lab::stats {

TEST(BlocksNeeded, IsTheLeastEvenNumberThatFindsTheEffect) {
  for (double cv : {0.005, 0.02, 0.05})
    for (size_t cells : {2u, 4u, 6u}) {
      std::optional<size_t> blocks = blocks_needed(cv, 0.05, cells);
      ASSERT_TRUE(blocks);
      EXPECT_EQ(*blocks % 2, 0u);
      EXPECT_LE(detectable_effect(cv, *blocks, cells), 0.05);
      if (*blocks > 4) {
        EXPECT_GT(detectable_effect(cv, *blocks - 2, cells), 0.05);
      }
    }
  EXPECT_EQ(blocks_needed(0.005, 0.05, 6), 4u);  // never a verdict from two
}

TEST(BlocksNeeded, KeepsItsPromiseInSimulation) {
  // 3% noise, 5% effect, 4 cells. Four standard errors below 0.8 of 2000 sequences.
  size_t blocks = *blocks_needed(0.03, 0.05, 4);
  Scenario scenario{4, blocks, {0.03}, DriftShape::none, 0, Order::mirrored, 0.05};
  EXPECT_GT(simulate_blocks(scenario, 2000, 7, {0, 0, 0, 0}).last_different, 0.8 - 0.036);
  Scenario fewer = scenario;
  fewer.blocks = blocks - 2;
  EXPECT_LT(simulate_blocks(fewer, 2000, 8, {0, 0, 0, 0}).last_different, 0.8 + 0.036);
}

TEST(BlocksNeeded, RefusesWhatHasNoAnswer) {
  EXPECT_FALSE(blocks_needed(0, 0.05, 4));
  EXPECT_FALSE(blocks_needed(0.02, 0, 4));
  EXPECT_FALSE(blocks_needed(0.02, 0.05, 1));
  EXPECT_FALSE(blocks_needed(2, 0.001, 4));  // over 1000
}

TEST(NoiseOf, IsCautiousAboutSmallPilots) {
  BlockAnalysis pilot;
  pilot.df = 5;
  pilot.residual_sd = 0.02;
  std::optional<PilotNoise> noise = noise_of(pilot);
  ASSERT_TRUE(noise);
  EXPECT_NEAR(noise->cv, 0.02, 1e-5);
  // sqrt(5 / qchisq(0.2, 5)) = sqrt(5 / 2.34253) in R.
  EXPECT_NEAR(noise->cv_cautious, 0.02 * 1.460974, 1e-5);
  EXPECT_FALSE(noise_of(BlockAnalysis{}));
}

TEST(PlanForBudget, FillsTheTimeAndNeverExceedsIt) {
  BudgetRequest request;
  request.budget_s = 1800;
  request.fixed_s = 40;
  request.overhead_per_run_s = 6;
  request.cells = 4;
  request.steps_per_run = 2;
  BudgetPlan plan = plan_for_budget(request);
  EXPECT_GE(plan.blocks, 4u);
  EXPECT_EQ(plan.blocks % 2, 0u);
  EXPECT_GE(plan.runtime_s, request.runtime_min_s);
  EXPECT_LE(plan.runtime_s, request.runtime_max_s);
  EXPECT_LE(plan.total_s, request.budget_s);
  double runs = static_cast<double>(plan.blocks) * 4;
  EXPECT_DOUBLE_EQ(plan.total_s, 40 + runs * (6 + 2 * plan.runtime_s));
  EXPECT_GT(plan.detectable, 0);
}

TEST(PlanForBudget, MoreTimeSeesNoLess) {
  BudgetRequest request;
  request.overhead_per_run_s = 5;
  request.cells = 3;
  double before = 1;
  for (double budget : {300, 600, 1200, 2400, 4800}) {
    request.budget_s = budget;
    BudgetPlan plan = plan_for_budget(request);
    ASSERT_GE(plan.blocks, 4u) << budget;
    EXPECT_LE(plan.detectable, before) << budget;
    before = plan.detectable;
  }
}

TEST(PlanForBudget, LongRunsWhereOnlyTheyHelp) {
  BudgetRequest request;
  request.budget_s = 3600;
  request.cells = 2;
  request.overhead_per_run_s = 60;  // a restart each time
  request.between_runs_share = 0;
  double long_runs = plan_for_budget(request).runtime_s;
  request.between_runs_share = 1;
  EXPECT_GT(long_runs, plan_for_budget(request).runtime_s);
}

TEST(PlanForBudget, SaysWhatAVerdictWouldTake) {
  BudgetRequest request;
  request.budget_s = 70;
  request.cells = 3;
  request.runtime_min_s = 10;
  BudgetPlan two = plan_for_budget(request);
  EXPECT_EQ(two.blocks, 2u);
  EXPECT_TRUE(std::isnan(two.detectable));
  EXPECT_EQ(two.text,
            "2 repetitions of 11 s in 66 s: figures without a verdict, which takes 2 min for 4 of "
            "10 s");
  request.budget_s = 50;
  BudgetPlan none = plan_for_budget(request);
  EXPECT_EQ(none.blocks, 0u);
  EXPECT_EQ(none.text,
            "50 s is too short: 3 cells of 10 s take 60 s for 2 repetitions, and 2 min for the 4 "
            "that a verdict takes");
}

}  // namespace lab::stats
