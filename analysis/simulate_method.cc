// Prints the figures that docs/method.md quotes: build target simulate-method.
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "analysis/simulation.h"
#include "analysis/steady_state.h"

namespace lab::stats {

namespace {

struct Shape {
  const char* name;
  DriftShape drift;
  double size;
};

const Shape shapes[] = {
    {"none", DriftShape::none, 0},
    {"linear, 6%", DriftShape::linear, 0.06},
    {"random walk, range 6%", DriftShape::random_walk, 0.06},
    {"random walk, range 10%", DriftShape::random_walk, 0.10},
    {"warm-up, 6%", DriftShape::warm_up, 0.06},
    {"wave, 6%", DriftShape::wave, 0.06},
    {"linear, 30%", DriftShape::linear, 0.30},
};

std::string percent(double share) { return fmt::format("{:.1f}", 100 * share); }

void print_orders(unsigned sequences) {
  fmt::print("Two equal cells called different, %, 1% noise, 6% drift, t test at 5%\n\n");
  fmt::print(
      "| order | test | repetitions | linear | random walk |\n| --- | --- | --- | --- | --- |\n");
  for (size_t blocks : {4u, 6u, 8u})
    for (Order order : {Order::grouped, Order::cyclic, Order::mirrored}) {
      const char* name = order == Order::grouped  ? "AAABBB"
                         : order == Order::cyclic ? "ABAB"
                                                  : "ABBA";
      for (bool in_blocks : {false, true}) {
        if (in_blocks && order == Order::grouped) continue;
        std::string row;
        for (DriftShape drift : {DriftShape::linear, DriftShape::random_walk}) {
          Scenario scenario{2, blocks, {0.01}, drift, 0.06, order, 0};
          double rate = in_blocks
                            ? simulate_blocks(scenario, sequences, 1, {0, 0, 0, 0}).any_different
                            : simulate_two_sample(scenario, sequences, 1);
          row += " " + percent(rate) + " |";
        }
        fmt::print("| {} | {} | {} |{}\n", name, in_blocks ? "within blocks" : "two groups", blocks,
                   row);
      }
    }
}

void print_rates(unsigned sequences) {
  fmt::print("\nFalse alarms in any of the cells / a 5% effect found, %, 1% noise, Holm at 5%\n\n");
  fmt::print(
      "| drift | 2 cells, 4 blocks | 6 cells, 4 blocks | 6 cells, 6 blocks | 6 cells, 8 blocks |\n"
      "| --- | --- | --- | --- | --- |\n");
  const size_t designs[][2] = {{2, 4}, {6, 4}, {6, 6}, {6, 8}};
  for (const Shape& shape : shapes) {
    std::string row;
    for (const auto& [cells, blocks] : designs) {
      Scenario scenario{cells, blocks, {0.01}, shape.drift, shape.size, Order::mirrored, 0};
      double alarms = simulate_blocks(scenario, sequences, 2).any_different;
      scenario.effect = 0.05;
      double found = simulate_blocks(scenario, sequences, 3).last_different;
      row += fmt::format(" {} / {} |", percent(alarms), percent(found));
    }
    fmt::print("| {} |{}\n", shape.name, row);
  }
}

struct Variant {
  const char* name;
  BlockOptions options;
};

void print_variants(unsigned sequences) {
  const Variant variants[] = {
      {"as lab does", {}},
      {"always pooled, no checks", {0, 0, 0, 0}},
      {"no check for drift", {0, 0.01, 0.01, 0.005}},
      {"no check of pairs", {0.001, 0, 0.01, 0.005}},
      {"no check of noise", {0.001, 0.01, 0, 0}},
      {"drift always in the model", {1.1, 0.01, 0.01, 0.005}},
      {"always paired t", {0, 0, 1.1, 0}},
  };
  std::vector<double> one_noisy(6, 0.01);
  one_noisy[4] = 0.04;
  std::vector<double> noisy_baseline(6, 0.01);
  noisy_baseline[0] = 0.04;
  struct Case {
    const char* name;
    Scenario scenario;
  };
  for (size_t blocks : {4u, 8u}) {
    const Case cases[] = {
        {"no drift", {6, blocks, {0.01}, DriftShape::none, 0, Order::mirrored, 0}},
        {"random walk 6%", {6, blocks, {0.01}, DriftShape::random_walk, 0.06, Order::mirrored, 0}},
        {"linear 30%", {6, blocks, {0.01}, DriftShape::linear, 0.30, Order::mirrored, 0}},
        {"wave 12%", {6, blocks, {0.01}, DriftShape::wave, 0.12, Order::mirrored, 0}},
        {"a cell 4 times as noisy",
         {6, blocks, one_noisy, DriftShape::none, 0, Order::mirrored, 0}},
        {"baseline 4 times as noisy",
         {6, blocks, noisy_baseline, DriftShape::none, 0, Order::mirrored, 0}},
    };
    fmt::print(
        "\nVariants of the analysis: false alarms / a 5% effect found, %, 6 cells, {} blocks\n\n|",
        blocks);
    for (const Case& c : cases) fmt::print(" | {}", c.name);
    fmt::print(" |\n| --- | --- | --- | --- | --- | --- | --- |\n");
    for (const Variant& variant : variants) {
      fmt::print("| {} |", variant.name);
      for (const Case& c : cases) {
        Scenario scenario = c.scenario;
        double alarms = simulate_blocks(scenario, sequences, 4, variant.options).any_different;
        scenario.effect = 0.05;
        double found = simulate_blocks(scenario, sequences, 5, variant.options).last_different;
        fmt::print(" {} / {} |", percent(alarms), percent(found));
      }
      fmt::print("\n");
    }
  }
}

// Of a second's IOPS: scatter, how much of it stays from second to second, and how often a second
// loses four fifths of its I/O.
struct Seconds {
  const char* name;
  double deviation, persistence, stalls;
};

void print_steady_states(unsigned runs) {
  const Seconds kinds[] = {{"5%, independent", 0.05, 0, 0},
                           {"20%, independent", 0.20, 0, 0},
                           {"20%, half persists", 0.20, 0.5, 0},
                           {"15%, 80% persists", 0.15, 0.8, 0},
                           {"5%, every tenth stalls", 0.05, 0, 0.1}};
  struct Course {
    const char* name;
    std::function<double(double)> at;  // of the run's time from 0 to 1
  };
  const Course courses[] = {
      {"steady", [](double) { return 1.0; }},
      {"10% up", [](double u) { return 0.95 + 0.1 * u; }},
      {"40% up", [](double u) { return 0.8 + 0.4 * u; }},
      {"warms up from half", [](double u) { return 1 - std::exp(-5 * u) / 2; }},
      {"falls by half", [](double u) { return u < 0.6 ? 1.0 : 0.5; }},
      {"a fifth at half", [](double u) { return u > 0.4 && u < 0.6 ? 0.5 : 1.0; }}};
  Random random(6);
  for (size_t points : {30u, 60u, 120u}) {
    fmt::print("\nRuns of {} s marked as not steady, %\n\n| scatter of a second |", points);
    for (const Course& course : courses) fmt::print(" {} |", course.name);
    fmt::print("\n| --- | --: | --: | --: | --: | --: | --: |\n");
    for (const Seconds& kind : kinds) {
      fmt::print("| {} |", kind.name);
      for (const Course& course : courses) {
        unsigned marked = 0;
        for (unsigned run = 0; run < runs; ++run) {
          std::vector<double> iops;
          double noise = kind.deviation * random.normal();
          for (size_t i = 0; i < points; ++i) {
            noise = kind.persistence * noise +
                    kind.deviation * std::sqrt(1 - kind.persistence * kind.persistence) *
                        random.normal();
            const double stall = random.uniform() < kind.stalls ? 0.8 : 0;
            const double u = static_cast<double>(i) / static_cast<double>(points);
            iops.push_back(std::max(0.0, 1000 * course.at(u) * (1 + noise - stall)));
          }
          marked += find_unsteady(iops) ? 1 : 0;
        }
        fmt::print(" {} |", percent(static_cast<double>(marked) / runs));
      }
      fmt::print("\n");
    }
  }
}

}  // namespace

}  // namespace lab::stats

// One argument: simulated sequences a figure. At 10000 a share of 5% is known to 0.2%.
int main(int argc, char** argv) {
  int sequences = argc > 1 ? std::atoi(argv[1]) : 10000;
  if (sequences < 1) {
    fmt::print(stderr, "usage: simulate-method [SEQUENCES]\n");
    return 2;
  }
  lab::stats::print_orders(static_cast<unsigned>(sequences));
  lab::stats::print_rates(static_cast<unsigned>(sequences));
  lab::stats::print_variants(static_cast<unsigned>(sequences));
  lab::stats::print_steady_states(static_cast<unsigned>(sequences));
  return 0;
}
