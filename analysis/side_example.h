// For tests: a side with two cells in four mirrored blocks, made of figures.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "analysis/side.h"
#include "results/example.h"

namespace lab::analysis {

inline results::Plan four_blocks() {
  results::Plan plan = results::example_plan();
  plan.runs.clear();
  unsigned index = 0;
  for (unsigned block = 1; block <= 4; ++block)
    for (unsigned position = 1; position <= 2; ++position)
      plan.runs.push_back(
          {++index, (block + position) % 2 == 0 ? "off" : "writeback", block, position, true});
  return plan;
}

// IOPS of the repetitions, in the order of the blocks; reads run five times as fast, and p99
// of both is a second divided by the IOPS, so that twice as fast is half as late.
struct ExampleFigures {
  std::vector<double> off = {1000, 1012, 995, 1003};
  std::vector<double> writeback = {1000, 1012, 995, 1003};
};

inline DirectionFigures figures_at(double iops) {
  DirectionFigures figures{
      .ios = 1000, .runtime_s = 1000 / iops, .iops = iops, .counted_iops = iops};
  figures.clat_mean_ns = 0.5e9 / iops;
  figures.clat = Histogram{{static_cast<uint64_t>(std::llround(1e9 / iops)), 1000}};
  figures.clat_percentiles = percentiles_of(figures.clat);
  return figures;
}

inline Side example_side(const std::string& directory, const ExampleFigures& figures = {},
                         const std::string& cell = "", const results::Plan& plan = four_blocks(),
                         const results::Manifest& manifest = results::example_manifest()) {
  Side side;
  side.name = directory + (cell.empty() ? "" : ":" + cell);
  side.place = directory;
  side.directory = directory;
  side.cell = cell;
  side.job = "[global]\nbs=4k\n[randwrite]\nrw=randwrite\n[randread]\nrw=randread\n";
  side.plan = plan;
  std::vector<RunFigures> runs;
  for (const results::PlannedRun& planned : plan.runs) {
    const auto& values = planned.cell == "off" ? figures.off : figures.writeback;
    if (planned.block > values.size()) continue;
    RunFigures run;
    run.record.index = planned.index;
    run.record.cell = planned.cell;
    run.record.fsid = "7d3c2a9e";
    run.record.settings = {{"cache mode", planned.cell, planned.cell, "image", "list", true}};
    run.usable = true;
    run.proof = Proof::verified;
    run.phases.resize(2);
    run.phases[0].write = figures_at(values[planned.block - 1]);
    run.phases[1].read = figures_at(5 * values[planned.block - 1]);
    runs.push_back(std::move(run));
  }
  side.table = build_table(manifest, plan, std::move(runs));
  return side;
}

}  // namespace lab::analysis
