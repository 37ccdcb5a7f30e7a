// What the statistics promise, held against a simulated laboratory whose truth is known.
//
// Seeds are fixed and the random numbers are the same everywhere, so these tests can't
// flicker; the limits still leave four standard errors of the simulated share, so that
// another seed would pass too.
#include "analysis/simulation.h"

#include <gtest/gtest.h>

#include <cmath>

namespace lab::stats {

namespace {

constexpr unsigned sequences = 3000;

// Four standard errors of a share estimated from `sequences` sequences.
double tolerance(double share) { return 4 * std::sqrt(share * (1 - share) / sequences); }

Scenario six_cells(DriftShape drift, double size = 0.06) {
  return {6, 4, {0.01}, drift, size, Order::mirrored, 0};
}

void expect_few_false_alarms(const Scenario& scenario) {
  double rate = simulate_blocks(scenario, sequences, 11).any_different;
  EXPECT_LT(rate, 0.05 + tolerance(0.05));
}

void expect_effect_found(Scenario scenario, double effect, double share) {
  scenario.effect = effect;
  EXPECT_GT(simulate_blocks(scenario, sequences, 12).last_different, share - tolerance(share));
}

}  // namespace

TEST(FalseAlarms, StayBelowFivePercentWithoutDrift) {
  expect_few_false_alarms(six_cells(DriftShape::none));
}

TEST(FalseAlarms, StayBelowFivePercentUnderLinearDrift) {
  expect_few_false_alarms(six_cells(DriftShape::linear));
}

TEST(FalseAlarms, StayBelowFivePercentUnderRandomWalk) {
  expect_few_false_alarms(six_cells(DriftShape::random_walk));
}

TEST(FalseAlarms, StayBelowFivePercentWhileWarmingUp) {
  expect_few_false_alarms(six_cells(DriftShape::warm_up));
}

TEST(FalseAlarms, StayBelowFivePercentWithTwoCells) {
  Scenario two = six_cells(DriftShape::linear);
  two.cells = 2;
  expect_few_false_alarms(two);
  two.drift = DriftShape::random_walk;
  expect_few_false_alarms(two);
}

TEST(FalseAlarms, StayBelowFivePercentUnderStrongDrift) {
  expect_few_false_alarms(six_cells(DriftShape::linear, 0.30));
}

TEST(FalseAlarms, OfWavesAreContainedByMirroredPairs) {
  // The worst case for mirroring: both blocks of a pair are bent the same way.
  Scenario wave = {6, 8, {0.01}, DriftShape::wave, 0.12, Order::mirrored, 0};
  expect_few_false_alarms(wave);
  wave.blocks = 6;
  double with = simulate_blocks(wave, sequences, 13).any_different;
  double without = simulate_blocks(wave, sequences, 13, {0.001, 0, 0.01, 0.005}).any_different;
  EXPECT_LT(with, 0.12);
  EXPECT_GT(without, 0.18);  // what the check is for
}

TEST(FalseAlarms, OfANoisyCellAreContained) {
  Scenario scenario = six_cells(DriftShape::none);
  scenario.blocks = 8;
  scenario.noise = {0.01, 0.01, 0.01, 0.01, 0.01, 0.04};
  double with = simulate_blocks(scenario, sequences, 14).any_different;
  double pooled = simulate_blocks(scenario, sequences, 14, {0.001, 0.01, 0, 0}).any_different;
  EXPECT_LT(with, 0.08);
  EXPECT_GT(pooled, 0.09);
}

TEST(Power, FourBlocksFindFivePercentUnderLinearDrift) {
  expect_effect_found(six_cells(DriftShape::linear), 0.05, 0.95);
}

TEST(Power, FourBlocksFindFivePercentUnderRandomWalk) {
  expect_effect_found(six_cells(DriftShape::random_walk), 0.05, 0.95);
}

TEST(Power, StrongLinearDriftCostsLittle) {
  // Without looking for drift it would cost most of the power.
  Scenario strong = six_cells(DriftShape::linear, 0.30);
  expect_effect_found(strong, 0.05, 0.95);
  strong.effect = 0.05;
  EXPECT_LT(simulate_blocks(strong, sequences, 15, {0, 0, 0, 0}).last_different, 0.5);
}

TEST(Power, PoolingBeatsPairedDifferencesWithFewBlocks) {
  Scenario scenario = {4, 3, {0.01}, DriftShape::none, 0, Order::mirrored, 0.05};
  double pooled = simulate_blocks(scenario, sequences, 16).last_different;
  double paired = simulate_blocks(scenario, sequences, 16, {0, 0, 1.1, 0}).last_different;
  EXPECT_GT(pooled, 0.85);
  EXPECT_LT(paired, 0.55);
}

TEST(Order, GroupedRunsCallDriftADifference) {
  Scenario grouped = {2, 4, {0.01}, DriftShape::linear, 0.06, Order::grouped, 0};
  EXPECT_GT(simulate_two_sample(grouped, sequences, 17), 0.25);
  grouped.drift = DriftShape::random_walk;
  EXPECT_GT(simulate_two_sample(grouped, sequences, 17), 0.25);

  // ABABABAB in blocks: the second always runs later.
  Scenario cyclic = grouped;
  cyclic.order = Order::cyclic;
  cyclic.drift = DriftShape::linear;
  EXPECT_GT(simulate_blocks(cyclic, sequences, 18).any_different, 0.07);

  Scenario mirrored = cyclic;
  mirrored.order = Order::mirrored;
  EXPECT_LT(simulate_blocks(mirrored, sequences, 18).any_different, 0.05 + tolerance(0.05));
}

}  // namespace lab::stats
