#include "runner/experiment/repetitions.h"

#include <gtest/gtest.h>

#include "tests/complaint.h"

namespace lab {
namespace {

RunRequest detect(double effect, int most = 40) {
  RunRequest request;
  request.detect = effect;
  request.repeat = most;
  return request;
}

Progressed pilot(double cv) {
  Progressed p;
  p.blocks_done = p.blocks_planned = 4;
  p.cells = 4;
  p.noise = stats::PilotNoise{cv, 9, cv};
  return p;
}

TEST(Repetitions, PilotSaysHowManyFindTheDifference) {
  const Decision few = decide_repetitions(detect(0.05), pilot(0.01));
  EXPECT_EQ(few.blocks, 4u) << few.text;
  const Decision many = decide_repetitions(detect(0.05), pilot(0.05));
  EXPECT_EQ(many.blocks, stats::blocks_needed(0.05, 0.05, 4));
  EXPECT_GT(many.blocks, 10u);
  EXPECT_EQ(many.blocks % 2, 0u);
}

TEST(Repetitions, BeyondTheMostItSaysWhatCanBeSeen) {
  const Decision decision = decide_repetitions(detect(0.01, 10), pilot(0.05));
  EXPECT_EQ(decision.blocks, 10u);
  EXPECT_NE(decision.text.find("10 repetitions find a difference of"), std::string::npos)
      << decision.text;
  EXPECT_NE(decision.text.find("1.0% would take"), std::string::npos) << decision.text;
}

TEST(Repetitions, PilotIsLookedAtOnce) {
  Progressed later = pilot(0.05);
  later.blocks_done = later.blocks_planned = 14;
  EXPECT_EQ(decide_repetitions(detect(0.05), later).blocks, 14u);
  Progressed early = pilot(0.05);
  early.blocks_done = 2;
  EXPECT_EQ(decide_repetitions(detect(0.05), early).blocks, 4u);
  Progressed unknown = pilot(0.05);
  unknown.noise.reset();
  const Decision decision = decide_repetitions(detect(0.05), unknown);
  EXPECT_EQ(decision.blocks, 4u);
  EXPECT_NE(decision.text.find("does not tell"), std::string::npos);
  EXPECT_EQ(decide_repetitions(RunRequest(), pilot(0.05)).blocks, 4u) << "nothing was asked";
}

Progressed under_way(double elapsed_s) {
  Progressed p;
  p.blocks_done = 2;
  p.blocks_planned = 6;
  p.cells = 4;
  p.run_s = 10;  // a pair of blocks takes 80 s
  p.elapsed_s = elapsed_s;
  return p;
}

TEST(Repetitions, BudgetIsKeptWhateverRunsTake) {
  RunRequest request;
  request.budget_s = 300;
  EXPECT_EQ(decide_repetitions(request, under_way(135)).blocks, 6u) << "two pairs more fit";
  EXPECT_EQ(decide_repetitions(request, under_way(135)).text, "");
  const Decision slow = decide_repetitions(request, under_way(200));
  EXPECT_EQ(slow.blocks, 4u);
  EXPECT_NE(slow.text.find("4 repetitions fit into the time, not 6"), std::string::npos);
  EXPECT_EQ(decide_repetitions(request, under_way(400)).blocks, 2u) << "what is done stays";
  EXPECT_EQ(decide_repetitions(request, under_way(50)).blocks, 8u) << "time is left";
  Progressed odd = under_way(400);
  odd.blocks_done = 3;
  EXPECT_EQ(decide_repetitions(request, odd).blocks, 6u) << "a pair is finished";
}

JobFile two_steps() {
  return JobFile::parse(
      "[global]\nbs=4k\ntime_based\nruntime=60\nramp_time=5\n[w]\nrw=randwrite\nstonewall\n[r]\n"
      "rw=randread\nstonewall\n",
      "j.fio");
}

TEST(FitBudget, RuntimeAndRepetitionsFitWithEverythingAround) {
  RunRequest request;
  request.budget_s = 1800;
  const stats::BudgetPlan plan = fit_budget(request, two_steps(), 4, 2ull << 30, true);
  EXPECT_GE(plan.blocks, 4u);
  EXPECT_EQ(plan.blocks % 2, 0u);
  const double runs = 4.0 * static_cast<double>(plan.blocks);
  // Ramps of 5 s before both steps are part of every run.
  EXPECT_LE(runs * (2 * plan.runtime_s + 10), 1800 - 10);
  EXPECT_GE(plan.runtime_s, 10);
}

TEST(FitBudget, AGivenRuntimeStays) {
  RunRequest request;
  request.budget_s = 1800;
  request.runtime_s = 30;
  EXPECT_EQ(fit_budget(request, two_steps(), 4, 0, false).runtime_s, 30);
}

TEST(FitBudget, TooShortIsSaidWithWhatItTakes) {
  RunRequest request;
  request.budget_s = 60;
  const std::string text = complaint([&] { fit_budget(request, two_steps(), 4, 0, false); });
  EXPECT_NE(text.find("is too short"), std::string::npos) << text;
}

}  // namespace
}  // namespace lab
