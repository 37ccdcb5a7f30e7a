#include "analysis/simulation.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "analysis/distributions.h"

namespace lab::stats {

double Random::uniform() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }

double Random::normal() {
  double radius = std::sqrt(-2 * std::log(1 - uniform()));
  return radius * std::cos(2 * std::numbers::pi * uniform());
}

void Random::shuffle(std::vector<size_t>& order) {
  for (size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[engine_() % i]);
}

namespace {

std::vector<double> drift_of(const Scenario& scenario, size_t runs, Random& random) {
  std::vector<double> drift(runs, 0);
  double last = static_cast<double>(runs - 1);
  double walk = 0;
  for (size_t i = 0; i < runs; ++i) {
    double part = static_cast<double>(i) / last;
    switch (scenario.drift) {
      case DriftShape::none:
        break;
      case DriftShape::linear:
        drift[i] = scenario.drift_size * part;
        break;
      case DriftShape::random_walk:
        drift[i] = walk;
        // The mean range of Brownian motion over n steps of size 1 is sqrt(8 n / pi).
        walk += random.normal() * scenario.drift_size / std::sqrt(8 * last / std::numbers::pi);
        break;
      case DriftShape::warm_up:
        drift[i] = -scenario.drift_size *
                   std::exp(-static_cast<double>(i) / static_cast<double>(scenario.cells));
        break;
      case DriftShape::wave:
        drift[i] = scenario.drift_size / 2 * std::sin(3 * std::numbers::pi * part);
        break;
    }
  }
  return drift;
}

}  // namespace

Blocks simulate_runs(const Scenario& scenario, Random& random) {
  size_t runs = scenario.cells * scenario.blocks;
  std::vector<double> drift = drift_of(scenario, runs, random);
  Blocks out;
  out.values.assign(scenario.blocks, std::vector<double>(scenario.cells));
  out.times = out.values;
  std::vector<size_t> order(scenario.cells);
  std::iota(order.begin(), order.end(), size_t{0});
  for (size_t b = 0; b < scenario.blocks; ++b) {
    if (scenario.order == Order::mirrored) {
      if (b % 2 == 0)
        random.shuffle(order);
      else
        std::reverse(order.begin(), order.end());
    }
    for (size_t place = 0; place < scenario.cells; ++place) {
      size_t cell = order[place];
      size_t run = scenario.order == Order::grouped ? cell * scenario.blocks + b
                                                    : b * scenario.cells + place;
      double noise = scenario.noise[std::min(cell, scenario.noise.size() - 1)];
      double level = cell + 1 == scenario.cells ? std::log1p(scenario.effect) : 0;
      out.times[b][cell] = static_cast<double>(run);
      out.values[b][cell] = 1000 * std::exp(level + drift[run] + noise * random.normal());
    }
  }
  return out;
}

Rates simulate_blocks(const Scenario& scenario, unsigned sequences, uint64_t seed,
                      const BlockOptions& options, double alpha) {
  Random random(seed);
  unsigned any = 0;
  unsigned last = 0;
  for (unsigned i = 0; i < sequences; ++i) {
    BlockAnalysis analysis = analyse_blocks(simulate_runs(scenario, random), options);
    any += std::any_of(analysis.comparisons.begin(), analysis.comparisons.end(),
                       [&](const Comparison& c) { return c.p_holm <= alpha; });
    last += analysis.comparisons.back().p_holm <= alpha;
  }
  return {static_cast<double>(any) / sequences, static_cast<double>(last) / sequences};
}

double simulate_two_sample(const Scenario& scenario, unsigned sequences, uint64_t seed,
                           double alpha) {
  Random random(seed);
  unsigned different = 0;
  double n = static_cast<double>(scenario.blocks);
  for (unsigned i = 0; i < sequences; ++i) {
    Blocks runs = simulate_runs(scenario, random);
    double mean[2] = {0, 0};
    double squares = 0;
    for (size_t cell : {0u, 1u})
      for (const std::vector<double>& row : runs.values) mean[cell] += std::log(row[cell]) / n;
    for (size_t cell : {0u, 1u})
      for (const std::vector<double>& row : runs.values)
        squares += std::pow(std::log(row[cell]) - mean[cell], 2);
    double df = 2 * n - 2;
    double t = (mean[1] - mean[0]) / std::sqrt(squares / df * 2 / n);
    different += student_t_two_sided_p(t, df) <= alpha;
  }
  return static_cast<double>(different) / sequences;
}

}  // namespace lab::stats
